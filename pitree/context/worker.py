"""The process that counts tokens with tiktoken: bounded, silent, without any network.

tiktoken's data files are those that litellm ships; its folder is found without importing litellm.
A piece of text is at most `PIECE` characters: longer runs of blanks make tiktoken's regular
expression overflow its stack (a Rust panic, printed on standard error), and cost seconds.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Any

import orjson

from pitree.context.counting import ENCODINGS

PIECE = 4096
"""Characters encoded at a time: real texts come out 0.03 % higher than encoded whole."""


BLANK_PIECE = 512
"""The same for text with long runs of blanks, whose cost grows with the square of a piece."""

_LONG_BLANKS = re.compile(r"\s{1024}")


def _piece_of(text: str) -> int:
    return BLANK_PIECE if _LONG_BLANKS.search(text) else PIECE


def encodings_folder() -> Path | None:
    """The folder with the encodings, None where litellm is not installed."""
    spec = importlib.util.find_spec("litellm")
    for place in (spec.submodule_search_locations or []) if spec is not None else []:
        folder = Path(place) / "litellm_core_utils" / "tokenizers"
        if folder.is_dir():
            return folder
    return None


class Counter:
    """Counts tokens by named encodings, each loaded when it is first wanted."""

    def __init__(self) -> None:
        """Load nothing yet."""
        self._encodings: dict[str, Any] = {}

    def count(self, encoding: str, texts: list[str]) -> list[int]:
        """The tokens of each text.

        Args:
            encoding: tiktoken's name, as `o200k_base`.
            texts: The texts; lone surrogates have been replaced.

        Raises:
            ValueError: There is no such encoding here.
        """
        known = self._encodings.get(encoding) or self._load(encoding)
        return [
            sum(
                len(known.encode_ordinary(text[at : at + size])) for at in range(0, len(text), size)
            )
            for text, size in ((text, _piece_of(text)) for text in texts)
        ]

    def _load(self, name: str) -> Any:
        folder = encodings_folder()
        if folder is None:
            raise ValueError("the encodings are missing: litellm is not installed")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        import tiktoken

        # Whatever is not among the files would be fetched from the network.
        if name not in ENCODINGS:
            raise ValueError(f"unknown encoding {name}; one of {', '.join(ENCODINGS)}")
        self._encodings[name] = tiktoken.get_encoding(name)
        return self._encodings[name]


def main() -> None:
    """Answer requests `{id, encoding, texts}` from standard input until it ends."""
    os.nice(5)
    counter = Counter()
    for line in sys.stdin.buffer:
        request = orjson.loads(line)
        answer: dict[str, Any] = {"id": request["id"], "done": True}
        try:
            answer["counts"] = counter.count(request["encoding"], request["texts"])
        except Exception as error:
            answer = {"id": request["id"], "error": str(error), "kind": type(error).__name__}
        sys.stdout.buffer.write(orjson.dumps(answer) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

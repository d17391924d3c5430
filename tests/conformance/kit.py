"""The kits: session files with what the real Pi computes for them."""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pitree.model import js

DATA = Path(__file__).parents[1] / "data"
PUBLIC = Path(
    os.environ.get(
        "PITREE_PUBLIC_FIXTURES",
        Path(__file__).parents[2].parent / "shared" / "pi-oracle" / "public-fixtures",
    )
)


@dataclass(frozen=True)
class Case:
    """One session file of a kit.

    Attributes:
        kit: The folder of the kit.
        name: The case's name.
        file: The session file, relative to the kit.
    """

    kit: Path
    name: str
    file: str

    @property
    def path(self) -> Path:
        if self.file.startswith("public-fixtures/") and not (self.kit / self.file).exists():
            return PUBLIC / self.file.removeprefix("public-fixtures/")
        return self.kit / self.file

    @property
    def is_public(self) -> bool:
        return self.file.startswith("public-fixtures/")

    @cached_property
    def golden(self) -> dict[str, Any]:
        return self._read("oracle")

    @cached_property
    def views(self) -> dict[str, Any]:
        return self._read("tree")

    def _read(self, kind: str) -> dict[str, Any]:
        text = (self.kit / "goldens" / f"{self.name}.{kind}.json").read_text("utf-8")
        value: dict[str, Any] = json.loads(text)
        return value

    @property
    def is_new(self) -> bool:
        """Whether the results are Pi 1.6's, else 0.73's."""
        return bool(self.golden["kit"] != "pi-oracle")


def unpack(folder: Path) -> list[Path]:
    """The two kits that are packed here."""
    found = []
    for name in ("pi-oracle", "pi-oracle-1.6"):
        with tarfile.open(DATA / f"{name}.tar.xz") as archive:
            archive.extractall(folder / name, filter="data")
        found.append(folder / name)
    return found


def cases_of(kit: Path) -> list[Case]:
    """The cases that a kit's index lists.

    Raises:
        AssertionError: There is none.
    """
    index = json.loads((kit / "index.json").read_text("utf-8"))
    cases = [
        Case(kit, case["name"], case.get("file", f"cases/{case['name']}.jsonl"))
        for case in index["cases"]
    ]
    assert cases, f"{kit} lists no case"
    return cases


def sha256(value: Any) -> str:
    """The hash of a value's canonical JSON."""
    return hashlib.sha256(js.canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def ref(value: Any) -> str:
    """How the kits name a value."""
    return sha256(value)[:16]

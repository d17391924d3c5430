"""Token counts: equal to tiktoken, bounded and silent on anything."""

from __future__ import annotations

import subprocess
import sys

import pytest
import tiktoken

from pitree.context import worker
from pitree.context.counting import ENCODINGS, TokenCounter, message_text
from pitree.errors import PitreeError

TEXT = "def add(a: int, b: int) -> int:\n    return a + b  # 数を足す — ça marche 🎉\n" * 400


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(worker.encodings_folder()))


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.usefixtures("offline")
async def test_counts_equal_tiktoken(name: str) -> None:
    counter = TokenCounter(name)
    try:
        short = "hello world"
        counts = await counter.count([short, TEXT, ""])
    finally:
        await counter.close()
    whole = tiktoken.get_encoding(name)
    assert counts[0] == len(whole.encode_ordinary(short))
    assert counts[1] == pytest.approx(len(whole.encode_ordinary(TEXT)), rel=0.001)
    assert counts[2] == 0


async def test_pathological_text_is_counted_without_a_word() -> None:
    counter = TokenCounter()
    try:
        texts = [" " * 1_000_000, "a" * 1_000_000, "😀" * 250_000, "\ud83d lone", "<|endoftext|>"]
        counts = await counter.count(texts)
    finally:
        await counter.close()
    assert all(count > 0 for count in counts)


def test_nothing_reaches_standard_error() -> None:
    request = b'{"id":1,"encoding":"o200k_base","texts":["' + b" " * 1_000_000 + b'"]}\n'
    run = subprocess.run(
        [sys.executable, "-m", "pitree.context.worker"],
        input=request,
        capture_output=True,
        check=True,
    )
    assert run.stderr == b""
    assert run.stdout.count(b"\n") == 1


async def test_an_unknown_encoding_is_an_error_and_the_next_request_works() -> None:
    counter = TokenCounter("r50k_base")
    try:
        with pytest.raises(PitreeError, match="unknown encoding r50k_base"):
            await counter.count(["x"])
        counter.encoding = "o200k_base"
        assert await counter.count(["x"]) == [1]
    finally:
        await counter.close()


def test_images_are_not_counted_as_text() -> None:
    message = {
        "role": "user",
        "content": [{"type": "text", "text": "see"}, {"type": "image", "data": "AAAA" * 1000}],
    }
    assert message_text(message) == "see"

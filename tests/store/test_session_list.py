"""Lists of sessions, and files found by path, id or the start of an id."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import Any

import pytest

from pitree import paths
from pitree.errors import PitreeError, UsageError
from pitree.store.session_list import (
    FIRST_MESSAGE_UNITS,
    age,
    list_sessions,
    resolve_session,
    session_info,
)
from pitree.store.tail import read_tail
from tests.sessions import HEADER, Builder


def write(path: Path, *, texts: tuple[str, ...] = ("hello",), **header: Any) -> Path:
    builder = Builder({**HEADER, **header})
    for text in texts:
        builder.user(text)
    return builder.write(path)


async def test_the_last_written_comes_first(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    for at, name in enumerate(("old", "new", "middle")):
        path = write(folder / f"{name}.jsonl", id=name)
        os.utime(path, (at % 2 * 10 + at, at % 2 * 10 + at))
    (folder / "notes.txt").write_text("no session")
    assert [info.id for info in await list_sessions(folder)] == ["new", "middle", "old"]
    assert await list_sessions(tmp_path / "nowhere") == []
    with pytest.raises(PitreeError, match="Not a directory"):
        await list_sessions(folder / "notes.txt")


async def test_what_a_row_says(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl", texts=("  the\nfirst ", "second"), parentSession="/a/b.jsonl"
    )
    os.utime(path, ns=(0, 1_500_000_000))
    info = session_info(path)
    assert info.path == path
    assert info.id == HEADER["id"]
    assert info.cwd == "/w"
    assert info.name is None
    assert info.first_message == "the\nfirst"
    assert info.title == "the\nfirst"
    assert info.created == 1767225600000.0
    assert info.modified == 1500.0
    assert info.size == path.stat().st_size
    assert info.parent_session == "/a/b.jsonl"
    assert info.problem is None


@pytest.mark.parametrize(
    ("names", "name"),
    [
        (["one"], "one"),
        (["one", "two"], "two"),
        (["one", " two\n"], "two"),
        (["one", ""], None),
        (["one", "  "], None),
        (["one", None], None),
        (["one", 7], None),
        ([], None),
    ],
)
def test_the_last_name_counts(tmp_path: Path, names: list[Any], name: str | None) -> None:
    builder = Builder()
    builder.user("hello")
    for one in names:
        builder.entry("session_info", name=one)
        builder.user("x" * 100)
    assert session_info(builder.write(tmp_path / "s.jsonl")).name == name


def test_names_at_both_ends_of_a_long_file(tmp_path: Path) -> None:
    builder = Builder()
    builder.user("hello")
    builder.entry("session_info", name="early")
    for _ in range(3000):
        builder.assistant("x" * 400)
    path = builder.write(tmp_path / "s.jsonl")
    assert session_info(path).title == "early"
    builder.entry("session_info", name="late")
    builder.user("bye")
    assert session_info(builder.write(path)).title == "late"


def test_a_first_message_longer_than_the_first_bytes(tmp_path: Path) -> None:
    info = session_info(write(tmp_path / "s.jsonl", texts=("é" * 20_000,)))
    assert info.first_message == "é" * FIRST_MESSAGE_UNITS


def test_a_first_message_behind_a_long_header(tmp_path: Path) -> None:
    info = session_info(write(tmp_path / "s.jsonl", texts=("here",), cwd="/" + "w" * 9000))
    assert info.first_message == "here"


def test_a_first_message_that_is_not_reached(tmp_path: Path) -> None:
    info = session_info(write(tmp_path / "s.jsonl", texts=("x" * 2_000_000, "second")))
    assert info.id == HEADER["id"]
    assert info.title == "(no messages)"


def test_a_first_message_of_blocks(tmp_path: Path) -> None:
    builder = Builder()
    builder.assistant("not this")
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    builder.user([image, {"type": "text", "text": "cut \ud83d"[:4]}, {"type": "text", "text": "b"}])
    assert session_info(builder.write(tmp_path / "s.jsonl")).first_message == "cut b"


BROKEN = {
    "empty": b"",
    "log": b"it was a dark night\n",
    "no-header": b'{"type":"message","id":"a","message":{"role":"user","content":"x"}}\n',
    "binary": bytes(range(256)) * 100,
    "other-value": b"[1]\n7\nnull\n",
    "only-a-long-line": b'{"type":"session","id":"' + b"x" * 300_000,
}


async def test_a_broken_file_is_one_row(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    for name, data in BROKEN.items():
        (folder / f"{name}.jsonl").write_bytes(data)
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "link.jsonl").symlink_to("nowhere")
    write(folder / "good.jsonl")
    found = await list_sessions(folder)
    problems = {info.path.stem: info.problem for info in found}
    assert problems == {
        **dict.fromkeys(BROKEN, "no session"),
        "folder": "a folder, not a session file",
        "pipe": "no regular file, not a session file",
        "link": "No such file or directory",
        "good": None,
    }
    for info in found:
        if info.problem:
            assert (info.id, info.title, math.isnan(info.created)) == ("", "(no messages)", True)


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf{"type":"session","id":"s","cwd":"/w"}\n',
        b'\r\n \n{"type":"session","id":"s","cwd":"/w"}\r\n',
        b'{broken\n{"type":"session","id":"s","cwd":"/w","x":"\\ud83d"}',
    ],
)
def test_a_header_that_pi_reads_is_read(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    info = session_info(path)
    assert (info.problem, info.id, info.cwd) == (None, "s", "/w")


@pytest.mark.parametrize("value", [None, 7, ["x"], {"a": 1}])
def test_odd_values_in_a_header_do_no_harm(tmp_path: Path, value: Any) -> None:
    keys = {"id": value, "cwd": value, "parentSession": value, "timestamp": value}
    info = session_info(write(tmp_path / "s.jsonl", **keys))
    assert (info.id, info.cwd, info.parent_session, info.problem) == ("", "", None, None)


# ---------------------------------------------------------------------- by id


@pytest.fixture
def folders(own_home: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The folders of sessions of two working directories."""
    here, there = paths.session_dir(tmp_path / "here"), paths.session_dir(tmp_path / "there")
    for folder, ids in ((here, ("abc1", "abc2", "both")), (there, ("def1", "both", "abc3"))):
        folder.mkdir(parents=True)
        for name in ids:
            write(folder / f"2026_{name}.jsonl", id=name)
    return here, there


async def test_a_path_is_taken_as_it_is(folders: tuple[Path, Path], tmp_path: Path) -> None:
    path = write(tmp_path / "abc1")
    assert await resolve_session(str(path), tmp_path) == path
    for name in ("gone.jsonl", "a/b", "./abc1"):
        assert await resolve_session(name, tmp_path / "here") == Path(name)


async def test_an_id_of_this_folder(folders: tuple[Path, Path], tmp_path: Path) -> None:
    here, there = folders
    assert await resolve_session("abc1", tmp_path / "here") == here / "2026_abc1.jsonl"
    assert await resolve_session("both", tmp_path / "here") == here / "2026_both.jsonl"
    assert await resolve_session("both", tmp_path / "there") == there / "2026_both.jsonl"
    assert await resolve_session("bo", tmp_path / "there") == there / "2026_both.jsonl"
    assert await resolve_session("abc", tmp_path / "there") == there / "2026_abc3.jsonl"


async def test_an_id_of_another_folder(folders: tuple[Path, Path], tmp_path: Path) -> None:
    _, there = folders
    for folder in ("here", "elsewhere"):
        assert await resolve_session("def", tmp_path / folder) == there / "2026_def1.jsonl"


async def test_several_that_begin_so_are_an_error(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"abc: 2 sessions begin so: abc\d, abc\d"):
        await resolve_session("abc", tmp_path / "here")
    with pytest.raises(UsageError, match="3 sessions"):
        await resolve_session("abc", tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="2 sessions"):
        await resolve_session("both", tmp_path / "elsewhere")


async def test_a_whole_id_wins_over_a_longer_one(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    path = write(folders[0] / "x.jsonl", id="abc")
    assert await resolve_session("abc", tmp_path / "here") == path


@pytest.mark.parametrize("name", ["nothing", "x" * 5000, "a\0b", "\udcff"])
async def test_an_unknown_id_is_an_error(
    folders: tuple[Path, Path], tmp_path: Path, name: str
) -> None:
    with pytest.raises(PitreeError, match="no session whose id begins so") as caught:
        await resolve_session(name, tmp_path / "here")
    assert caught.value.exit_code == 1


async def test_the_folder_of_a_setting(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    path = write(folder / "s.jsonl", id="set1")
    assert await resolve_session("set", tmp_path, str(folder)) == path


# ---------------------------------------------------------------------- the rest


def test_ages() -> None:
    now = time.time() * 1000
    for seconds, text in (
        *((-100, "0s"), (2, "2s"), (150, "2m"), (3 * 3600 + 60, "3h"), (2 * 86400 + 60, "2d")),
        *((15 * 86400, "2w"), (800 * 86400, "2y")),
    ):
        assert age(now - seconds * 1000) == text


def test_the_tail_of_a_file(tmp_path: Path) -> None:
    builder = Builder()
    for at in range(40):
        builder.user(f"{at} " + "x" * 50_000)
    builder.lines[20:20] = ["", "{broken", "null", "7"]
    path = builder.write(tmp_path / "s.jsonl")
    for count in (1, 3, 30, 40, 100):
        found = [int(entry.id, 16) for entry in read_tail(path, count)]
        assert found == list(range(1, 41))[-count:]
    for name in ("gone", "folder", "pipe"):
        odd = tmp_path / name
        if name == "folder":
            odd.mkdir()
        elif name == "pipe":
            os.mkfifo(odd)
        with pytest.raises(PitreeError):
            read_tail(odd, 5)

"""`pitree stats`: what is counted by path, file and fork family."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pitree.cli.main import main


def header(parent: str | None = None) -> dict[str, Any]:
    base = {"type": "session", "version": 3, "id": "s1", "cwd": "/w"}
    return base if parent is None else {**base, "parentSession": parent}


def entry(number: int, above: int | None, kind: str = "message", **members: Any) -> dict[str, Any]:
    parent = None if above is None else f"{above:08x}"
    stamp = f"2026-02-03T09:00:{number:02}.000Z"
    return {"type": kind, "id": f"{number:08x}", "parentId": parent, "timestamp": stamp, **members}


def user(number: int, above: int | None) -> dict[str, Any]:
    return entry(number, above, message={"role": "user", "content": "hi"})


def usage(scale: int) -> dict[str, Any]:
    """A usage of 1, 2, 3 and 4 tokens and 1 dollar, times a number."""
    return {
        "input": scale,
        "output": 2 * scale,
        "cacheRead": 3 * scale,
        "cacheWrite": 4 * scale,
        "totalTokens": 10 * scale,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": scale},
    }


def answer(number: int, above: int, used: Any) -> dict[str, Any]:
    text = [{"type": "text", "text": "yes"}]
    return entry(number, above, message={"role": "assistant", "content": text, "usage": used})


def totals(messages: int, calls: int, scale: float) -> dict[str, Any]:
    return {
        "messages": messages,
        "usage": {
            "input": scale,
            "output": 2 * scale,
            "cacheRead": 3 * scale,
            "cacheWrite": 4 * scale,
            "totalTokens": 10 * scale,
        },
        "cost": scale,
        "calls": calls,
    }


NOTHING = totals(0, 0, 0)


def write(path: Path, entries: list[Any]) -> bytes:
    data = "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in entries).encode()
    path.write_bytes(data)
    return data


class Stats:
    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def write(self, name: str, entries: list[Any]) -> Path:
        path = self.folder / name
        write(path, entries)
        return path

    def __call__(self, path: Path, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text(path, "--json", *words))
        return found

    def text(self, path: Path, *words: str) -> str:
        before = {item: item.read_bytes() for item in self.folder.iterdir()}
        assert main(["stats", str(path), *words]) == 0
        assert {item: item.read_bytes() for item in self.folder.iterdir()} == before
        return self._capsys.readouterr().out

    def family(self, path: Path) -> list[str]:
        return [os.path.basename(name) for name in self(path)["family"]["files"]]


@pytest.fixture
def stats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Stats:
    folder = tmp_path / "sessions"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    return Stats(folder, capsys)


FORKED = [
    header(),
    user(1, None),
    answer(2, 1, usage(1)),
    user(3, 2),
    answer(4, 3, usage(10)),
    user(5, 2),
    answer(6, 5, usage(100)),
    entry(7, 6, "label", targetId="00000001", label="x"),
]


def test_whole_report(stats: Stats) -> None:
    path = stats.write("a.jsonl", FORKED)
    assert stats(path) == {
        "schema": 1,
        "leaf": "00000007",
        "entries": 7,
        "bytes": path.stat().st_size,
        "kinds": {"message/assistant": 3, "message/user": 3, "label": 1},
        "branches": 2,
        "forks": 1,
        "path": totals(4, 2, 101),
        "file": totals(6, 3, 111),
        "family": {"files": [str(path)], **totals(6, 3, 111)},
    }


def test_text(stats: Stats) -> None:
    path = stats.write("a.jsonl", FORKED)
    size = path.stat().st_size
    assert stats.text(path).splitlines() == [
        f"7 entries, {size:,} bytes, 2 branches, 1 forks",
        "  message/assistant                3",
        "  message/user                     3",
        "  label                            1",
        "                              path            file          family",
        "messages                         4               6               6",
        "model calls                      2               3               3",
        "input tokens                   101             111             111",
        "output tokens                  202             222             222",
        "cache read                     303             333             333",
        "cache write                    404             444             444",
        "total tokens                 1,010           1,110           1,110",
        "cost in US dollars        101.0000        111.0000        111.0000",
        "family: 1 file",
    ]


@pytest.mark.parametrize(
    ("leaf", "path"),
    [("00000004", totals(4, 2, 11)), ("00000001", totals(1, 0, 0)), ("root", NOTHING)],
)
def test_leaf(stats: Stats, leaf: str, path: dict[str, Any]) -> None:
    found = stats(stats.write("a.jsonl", FORKED), "--leaf", leaf)
    assert found["leaf"] == (None if leaf == "root" else leaf)
    assert found["path"] == path
    assert found["file"] == totals(6, 3, 111)


def test_unknown_leaf(stats: Stats, capsys: pytest.CaptureFixture[str]) -> None:
    path = stats.write("a.jsonl", FORKED)
    assert main(["stats", str(path), "--leaf", "ffffffff"]) == 2
    assert capsys.readouterr() == ("", "pitree: no entry has the id 'ffffffff'\n")


def test_every_holder_of_usage(stats: Stats) -> None:
    lines = [
        header(),
        user(1, None),
        answer(2, 1, usage(1)),
        entry(3, 2, "usage", usage=usage(10)),
        entry(4, 3, "compaction", summary="s", firstKeptEntryId="00000001", usage=usage(100)),
        entry(5, 4, "branch_summary", summary="s", fromId="00000001", usage=usage(1000)),
        entry(6, 5, "compaction", summary="s", firstKeptEntryId="00000001"),
        entry(7, 6, "custom", customType="x", usage=usage(9)),
        entry(8, 7, message={"role": "user", "content": "hi", "usage": usage(9)}),
    ]
    found = stats(stats.write("a.jsonl", lines))
    assert found["path"] == found["file"] == totals(3, 4, 1111)
    assert found["kinds"] == {
        "compaction": 2,
        "message/user": 2,
        "branch_summary": 1,
        "custom": 1,
        "message/assistant": 1,
        "usage": 1,
    }


@pytest.mark.parametrize(
    "odd",
    [
        None,
        7,
        [],
        {"input": "9", "output": None, "cacheRead": True, "cacheWrite": [], "totalTokens": -3},
        {"cost": 5},
        {"cost": {"total": "1"}},
        {"input": 10**400, "totalTokens": 10**400, "cost": {"total": 10**400}},
    ],
)
def test_odd_usage_counts_as_nothing(stats: Stats, odd: Any) -> None:
    found = stats(stats.write("a.jsonl", [header(), user(1, None), answer(2, 1, odd)]))
    assert found["file"] == totals(2, int(isinstance(odd, dict)), 0)


def test_totals_that_are_missing_are_sums(stats: Stats) -> None:
    used = {"input": 1.5, "cacheRead": 2, "totalTokens": 0, "cost": {"input": 0.1, "output": 0.2}}
    found = stats(stats.write("a.jsonl", [header(), user(1, None), answer(2, 1, used)]))["file"]
    assert found["usage"]["totalTokens"] == 3.5
    assert found["cost"] == pytest.approx(0.3)


def test_what_pi_drops_is_not_counted(stats: Stats) -> None:
    lines = [
        header(),
        user(1, None),
        answer(2, 1, usage(1)),
        answer(2, 1, usage(10)),
        answer(3, 4, usage(100)),
        answer(4, 3, usage(100)),
    ]
    found = stats(stats.write("a.jsonl", lines))
    assert found["entries"] == 2
    assert found["file"] == totals(2, 1, 10)


def test_unknown_kinds(stats: Stats) -> None:
    lines = [header(), entry(1, None, "new"), 42, entry(2, 1, message={"role": "x"}), entry(3, 2)]
    found = stats(stats.write("a.jsonl", lines))
    assert found["kinds"] == {"?": 1, "message/?": 1, "message/x": 1, "new": 1}


def test_old_version(stats: Stats) -> None:
    talk = [user(1, None), answer(2, 1, usage(1))]
    lines = [{"type": "session", "id": "s1"}, *({"a": 0, **one} for one in talk)]
    found = stats(stats.write("a.jsonl", lines))
    assert found["path"] == found["file"] == totals(2, 1, 1)


@pytest.mark.parametrize("lines", [[], FORKED[1:], [header()]], ids=["empty", "no header", "bare"])
def test_files_without_entries_of_pi(stats: Stats, lines: list[Any]) -> None:
    found = stats(stats.write("a.jsonl", lines))
    assert found["entries"] == found["branches"] == found["forks"] == 0
    assert found["kinds"] == {}
    assert found["path"] == found["file"] == NOTHING


# ---------------------------------------------------------------------- family


def test_family_counts_copies_once(stats: Stats) -> None:
    path = stats.write("a.jsonl", FORKED)
    fork = stats.write("b.jsonl", [header(str(path)), *FORKED[1:3], answer(8, 2, usage(1000))])
    again = stats.write("c.jsonl", [header(str(fork)), *FORKED[1:3], answer(9, 2, usage(10000))])
    # The same id at another time is another entry.
    other = {**answer(2, 1, usage(100000)), "timestamp": "2026-02-03T10:00:00.000Z"}
    stats.write("d.jsonl", [header(str(path)), user(1, None), other])
    stats.write("stranger.jsonl", FORKED)
    names = [str(stats.folder / name) for name in ("a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl")]
    family = {"files": names, **totals(9, 6, 111111)}
    assert stats(path)["family"] == family
    assert stats(again)["family"] == family
    assert stats(again)["file"] == totals(3, 2, 10001)


def test_family_by_name_where_the_folder_was_moved(stats: Stats) -> None:
    path = stats.write("a.jsonl", FORKED)
    stats.write("b.jsonl", [header("/gone/sessions/a.jsonl"), *FORKED[1:3]])
    stats.write("c.jsonl", [header("C:\\gone\\a.jsonl"), *FORKED[1:3]])
    assert stats.family(path) == ["a.jsonl", "b.jsonl", "c.jsonl"]


def test_family_through_links(stats: Stats, tmp_path: Path) -> None:
    path = stats.write("a.jsonl", FORKED)
    (tmp_path / "link").symlink_to(stats.folder)
    stats.write("b.jsonl", [header(str(tmp_path / "link" / "a.jsonl")), *FORKED[1:3]])
    assert stats.family(path) == ["a.jsonl", "b.jsonl"]
    assert stats.family(tmp_path / "link" / "b.jsonl") == ["a.jsonl", "b.jsonl"]


def test_family_whose_parent_is_gone(stats: Stats) -> None:
    first = stats.write("b.jsonl", [header("/gone/a.jsonl"), *FORKED[1:3]])
    stats.write("c.jsonl", [header("/gone/a.jsonl"), *FORKED[1:3]])
    stats.write("d.jsonl", [header("/gone/other.jsonl"), *FORKED[1:3]])
    assert stats.family(first) == ["b.jsonl", "c.jsonl"]


@pytest.mark.parametrize("parent", ["a.jsonl", "b.jsonl", "", "\0", "\ud800", 7])
def test_odd_parents(stats: Stats, parent: Any) -> None:
    path = stats.write("a.jsonl", [header(parent), *FORKED[1:3]])
    stats.write("b.jsonl", [header("a.jsonl"), *FORKED[1:3]])
    assert stats.family(path) == ["a.jsonl", "b.jsonl"]


def test_family_of_a_file_with_another_ending(stats: Stats) -> None:
    stats.write("a.jsonl", FORKED)
    path = stats.write("b.txt", [header("a.jsonl"), *FORKED[1:3]])
    assert stats.family(path) == ["a.jsonl", "b.txt"]

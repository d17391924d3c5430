"""The worker process and the cache of indexes, on small files that are taken for big ones."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from pitree import paths
from pitree.errors import PitreeError
from pitree.store import index_cache, session_manager
from pitree.store.bodies import StaleIndexError
from pitree.store.index_cache import cache_path
from pitree.store.session_manager import SessionManager
from pitree.store.worker_client import WorkerClient
from tests.store.big_files import append, make_old, write

pytestmark = pytest.mark.usefixtures("all_files_are_big")


class Reads:
    """Counts the indexes that the worker was asked for."""

    def __init__(self) -> None:
        self.count = 0


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    found = Reads()
    real = WorkerClient.index

    async def index(self: WorkerClient, *args: Any, **keys: Any) -> Any:
        found.count += 1
        return await real(self, *args, **keys)

    monkeypatch.setattr(WorkerClient, "index", index)
    return found


async def opened(path: Path, **keys: Any) -> SessionManager:
    session = await SessionManager.open(path, **keys)
    await session.close()
    return session


async def plain(path: Path, monkeypatch: pytest.MonkeyPatch) -> SessionManager:
    """The session read in this process."""
    with monkeypatch.context() as patch:
        patch.setattr(session_manager, "INLINE_BYTES", 1 << 30)
        return await opened(path)


async def test_the_worker_gives_the_same_index(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = await plain(path, monkeypatch)
    assert {item.kind for item in wanted.damage} == {"malformed", "cycle", "duplicate"}
    for _ in ("by the worker", "from the cache"):
        session = await opened(path)
        assert session.index.is_start_of(wanted.index)
        assert wanted.index.is_start_of(session.index)
        assert session.damage == wanted.damage
        assert session.labels == wanted.labels
        assert session.session_name == "a name"
        assert session.index.orphans == wanted.index.orphans
        assert session.verified


async def test_an_unchanged_file_is_not_read_again(path: Path, reads: Reads) -> None:
    await opened(path)
    assert reads.count == 1
    session = await opened(path)
    assert reads.count == 1
    assert session.verified
    assert await session.verify()
    assert reads.count == 1


async def test_without_the_cache_nothing_is_kept(path: Path, reads: Reads) -> None:
    await opened(path, cache=False)
    await opened(path, cache=False)
    assert reads.count == 2
    assert not paths.cache_dir().exists()


async def test_a_grown_file_is_read_from_where_it_grew(
    path: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_manager, "INLINE_BYTES", 1000)
    before = await opened(path)
    append(path, type="session_info", id="gone", parentId=before.leaf_id, name="other")
    append(path, type="message", id="n2", parentId="gone", message={"role": "user"})
    append(path, type="label", id="n3", parentId="n2", targetId="not-hex", label="new")
    async with await SessionManager.open(path) as session:
        assert reads.count == 1
        assert len(session) == len(before) + 3
        assert not session.verified
        assert session.session_name == "other"
        assert session.label(session.row("not-hex")) == ("new", "2026-01-02T00:00:00.000Z")
        wanted = await plain(path, monkeypatch)
        assert session.damage == wanted.damage
        assert wanted.index.is_start_of(session.index)
        assert session.index.orphans == {}
        assert await session.verify()
        assert reads.count == 2


async def test_a_file_that_grew_by_much_is_read_by_the_worker(path: Path, reads: Reads) -> None:
    await opened(path)
    append(path, type="custom", id="n1", parentId=None, data="x" * 200)
    session = await opened(path)
    assert reads.count == 2
    assert session.verified
    assert session.leaf_id == "n1"


@pytest.mark.parametrize("place", ["head", "tail"])
async def test_other_bytes_at_the_ends_are_noticed(path: Path, reads: Reads, place: str) -> None:
    before = await opened(path)
    data = path.read_bytes()
    old, new = (b"first", b"FIRST") if place == "head" else (b"filler 299", b"FILLER 299")
    with path.open("r+b") as file:
        file.write(data.replace(old, new))
    make_old(path)
    session = await opened(path)
    assert reads.count == 2
    assert session.verified
    assert len(session) == len(before)


async def test_another_file_of_that_name_is_read(path: Path, reads: Reads) -> None:
    await opened(path)
    other = path.with_suffix(".other")
    other.write_bytes(path.read_bytes())
    make_old(other)
    other.replace(path)
    assert (await opened(path)).verified
    assert reads.count == 2


async def test_a_shorter_file_is_read(path: Path, reads: Reads) -> None:
    before = await opened(path)
    os.truncate(path, path.stat().st_size - 400)
    assert len(await opened(path)) < len(before)
    assert reads.count == 2


async def test_a_file_without_a_last_newline_is_read_when_it_grew(path: Path, reads: Reads) -> None:
    os.truncate(path, path.stat().st_size - 1)
    make_old(path)
    before = await opened(path)
    append(path, type="label", id="l", parentId=None)
    session = await opened(path)
    assert reads.count == 2
    assert len(session) == len(before) - 1
    assert session.damage[-1].kind == "recovered"


REWRITES = {
    "text": ('"filler 100 x', '"FILLER 100 x', False),
    "parent": ('"parentId":"00000005"', '"parentId":"00000003"', True),
    "time": ('"timestamp":"2026-01-01T00:00:05', '"timestamp":"2026-01-01T00:00:03', True),
    "label": ('"label":"cut', '"label":"CUT', True),
    "name": ('"name":"a name"', '"name":"A name"', True),
    "kind": ('"role":"user","content":"filler 100', '"role":"USER","content":"filler 100', True),
}


@pytest.mark.parametrize("what", REWRITES)
async def test_verify_notices_a_rewrite_in_the_middle(
    tmp_path: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Head and tail of what was indexed are as they were, and the file is longer."""
    path = write(tmp_path / "session.jsonl", lambda builder: builder.lines.insert(1, PADDING))
    await opened(path)
    old, new, changes = REWRITES[what]
    data = path.read_bytes()
    assert data.count(old.encode()) == 1
    with path.open("r+b") as file:
        file.write(data.replace(old.encode(), new.encode()))
    append(path, type="custom", id="n")
    async with await SessionManager.open(path) as session:
        assert reads.count == 1
        assert not session.verified
        stale = session.index
        assert await session.verify() is not changes
        assert session.verified
        assert (session.index is not stale) == changes
        assert session.leaf_id == "n"
        wanted = await plain(path, monkeypatch)
        assert wanted.index.is_start_of(session.index)


PADDING = json.dumps({"type": "custom", "id": "p", "parentId": None, "data": "x" * 5000})


async def test_a_body_that_changed_is_not_shown_as_another(path: Path) -> None:
    async with await SessionManager.open(path) as session:
        row = len(session) - 100
        data = path.read_bytes()
        cut = session.index.offset[row - 5]
        with path.open("r+b") as file:
            file.write(data[:cut] + data[cut + 3 :])
            file.truncate()
        with pytest.raises(StaleIndexError, match=f"line {session.index.line_number(row)} changed"):
            session.entry(row)
        assert session.entry(0).id == "00000001"


async def test_a_file_that_is_gone_stays_readable(path: Path) -> None:
    async with await SessionManager.open(path) as session:
        path.unlink()
        assert session.entry(len(session) - 1).id == session.leaf_id
    with pytest.raises(PitreeError, match="No such file"):
        await SessionManager.open(path)


async def test_the_cache_is_of_its_owner_alone(path: Path) -> None:
    await opened(path)
    for folder in (paths.cache_dir(), paths.cache_dir() / "index"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(cache_path(path).stat().st_mode) == 0o600
    assert [item.name for item in cache_path(path).parent.iterdir()] == [cache_path(path).name]


async def test_a_cache_that_cannot_be_written_costs_nothing(path: Path, reads: Reads) -> None:
    paths.cache_dir().parent.mkdir(parents=True, exist_ok=True)
    paths.cache_dir().write_text("in the way")
    for _ in range(2):
        async with await SessionManager.open(path) as session:
            assert session.verified
            assert [rows async for rows in session.search("filler")] != []
    assert reads.count == 2


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "list", "flip", "old"])
async def test_a_damaged_cache_is_not_used(path: Path, reads: Reads, damage: str) -> None:
    before = await opened(path)
    kept = cache_path(path)
    data = kept.read_bytes()
    head, _, columns = data.partition(b"\n")
    changed = {
        "cut": data[:-9],
        "empty": b"",
        "text": b"hello\n",
        "list": b"[]\n" + columns,
        "flip": head.replace(b'"columns":[', b'"columns":[8,') + b"\n" + columns,
        "old": head.replace(b'"format":', b'"format":1') + b"\n" + columns,
    }
    kept.write_bytes(changed[damage])
    session = await opened(path)
    assert reads.count == 2
    assert len(session) == len(before)
    assert session.verified


def test_pruning_takes_the_least_recently_used(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    for at in range(5):
        item = folder / f"{at}.idx"
        item.write_bytes(b"x" * 100)
        os.utime(item, (at, at))
    index_cache.prune(folder, 500)
    assert len(list(folder.iterdir())) == 5
    index_cache.prune(folder, 250)
    assert sorted(item.name for item in folder.iterdir()) == ["3.idx", "4.idx"]


async def test_a_use_counts_for_pruning(path: Path) -> None:
    await opened(path)
    os.utime(cache_path(path), (1, 1))
    await opened(path)
    assert cache_path(path).stat().st_mtime > 1

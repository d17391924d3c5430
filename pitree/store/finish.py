"""What can only be said of an index when all lines are read: late parents, doubles, cycles."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from pitree.model.index import DROPPED, ROOT, UNKNOWN_TIME, Damage, Flag, IdKey, SessionIndex


def finish(
    index: SessionIndex, known: int, moved: dict[int, int], pending: list[tuple[int, IdKey]]
) -> None:
    """Complete an index, a new one or one that has grown.

    Args:
        index: Its columns.
        known: How many of its rows were complete before.
        moved: Rows whose id a later row has, too → that row. Pi keeps the last.
        pending: Rows whose parent had not been read yet, with the parent's id.
    """
    index.damage = [item for item in index.damage if item.kind not in ("cycle", "no-header")]
    if not index.accepted:
        _drop_everything(index)
        return
    # The lost parent of an earlier row may have come at last.
    pending = [*index.orphans.items(), *pending]
    if moved or pending:
        parents = dict(zip(index.odd, index.odd_parent, strict=True))
        times = dict(zip(index.odd, index.odd_time, strict=True))
        _resolve(index, known, pending, parents)
        _move(index, moved, parents, times)
        rows = sorted(parents)
        index.odd = array("I", rows)
        index.odd_parent = array("i", (parents[row] for row in rows))
        index.odd_time = array("d", (times[row] for row in rows))
    _drop_cycles(index)
    index.damage.sort(key=lambda item: (item.line, item.start))


def _resolve(
    index: SessionIndex,
    known: int,
    pending: list[tuple[int, IdKey]],
    parents: dict[int, int],
) -> None:
    index.orphans.clear()
    later: dict[IdKey, int] = {}
    if pending:
        wanted = {key for _, key in pending}
        first = max(known, min(row for row, _ in pending))
        for row in range(first, len(index)):
            key = index.id_key(row)
            if key in wanted:
                later[key] = row
    for row, key in pending:
        if key in later:
            if parents[row] != DROPPED:
                parents[row] = later[key]
            if not (key[1] if isinstance(key, tuple) else key):
                index.flags[row] |= Flag.PATH_END
        else:
            index.orphans[row] = key


def _move(
    index: SessionIndex,
    moved: dict[int, int],
    parents: dict[int, int],
    times: dict[int, float],
) -> None:
    """Hang the children of a repeated id on its last row, and drop the earlier ones."""
    last: dict[int, int] = {}
    for old in sorted(moved, reverse=True):
        last[old] = last.get(moved[old], moved[old])
    for row, above in parents.items():
        if above in last:
            parents[row] = last[above] if last[above] != row else ROOT
    for old, new in last.items():
        if old + 1 < len(index) and old + 1 not in parents:
            # One with the id of its parent is its own parent, and so a root.
            parents[old + 1] = new if new != old + 1 else ROOT
            times[old + 1] = UNKNOWN_TIME
    for old, new in last.items():
        parents[old] = DROPPED
        times[old] = float("nan")
        index.damage.append(
            _dropped(
                index, old, "duplicate", f"its id comes again in line {index.line_number(new)}"
            )
        )


def _drop_cycles(index: SessionIndex) -> None:
    """Drop what hangs on a cycle of parents: Pi's tree never reaches it.

    Between two odd rows lies one chain, so only these chains are followed. Without a parent that
    stands after its child there is no cycle.
    """
    odd, odd_parent = index.odd, index.odd_parent
    if all(above < row for row, above in zip(odd, odd_parent, strict=True)):
        return
    reaches: list[bool | None] = [None] * len(odd)
    for start in range(len(odd)):
        trail: list[int] = []
        chain = start
        while reaches[chain] is None:
            reaches[chain] = False
            trail.append(chain)
            above = odd_parent[chain]
            if above < 0 or above == odd[chain]:
                reaches[chain] = True
                break
            chain = bisect_right(odd, above) - 1
        good = reaches[chain]
        for one in trail:
            reaches[one] = good
    for chain, good in enumerate(reaches):
        if good or odd_parent[chain] == DROPPED:
            continue
        row = odd[chain]
        end = odd[chain + 1] if chain + 1 < len(odd) else len(index)
        explain = "its parents lead in a circle, so Pi reaches it from no root"
        index.damage.append(_dropped(index, row, "cycle", explain, end - row))


def _drop_everything(index: SessionIndex) -> None:
    """Pi replaces a file without a header in front by an empty session."""
    rows = range(len(index))
    index.odd = array("I", rows)
    index.odd_parent = array("i", [DROPPED]) * len(rows)
    index.odd_time = array("d", [float("nan")]) * len(rows)
    if rows:
        explain = "the file's first entry is no session header: Pi would replace the whole file"
        index.damage.append(_dropped(index, 0, "no-header", explain, len(rows)))
    index.damage.sort(key=lambda item: (item.line, item.start))


def _dropped(index: SessionIndex, row: int, kind: str, explain: str, rows: int = 1) -> Damage:
    last = row + rows - 1
    end = index.offset[last] + index.length[last]
    key = index.id_key(row)
    return Damage(
        kind,
        index.line_number(row),
        index.offset[row],
        end if end == index.size and not index.terminated else end - 1,
        row,
        key if isinstance(key, str) else None,
        explain,
        rows,
    )

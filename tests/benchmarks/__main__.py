"""Makes sessions, measures, prints each figure beside its target, removes the sessions."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import rows_context, rows_controls, rows_index, rows_screen, rows_tree
from tests.benchmarks.harness import (
    ALL_SIZES,
    TABLE_HEAD,
    TOLERANCE,
    Row,
    controls,
    workspace,
)
from tests.benchmarks.sessions import SIZES, write_session

EXTRA_BYTES = 400_000_000
"""Room for the session of 100,000 messages on one path, an extreme shape, the cached indexes."""

INTERRUPTED = 130


@dataclass(frozen=True)
class Part:
    """Rows that are measured together.

    Attributes:
        rows: Their numbers.
        sizes: The sizes at which they mean something.
        measure: Measures them.
        needs_session: Whether the session of the chosen size is read.
    """

    rows: frozenset[str]
    sizes: str
    measure: Callable[[], list[Row]]
    needs_session: bool = True


def _parts(folder: Path, path: Path, size: str) -> list[Part]:
    extreme = 1_000_000 if size in ("L", "XL") else 100_000
    return [
        Part(frozenset("0"), ALL_SIZES, lambda: rows_controls.machine(folder), needs_session=False),
        Part(frozenset("1"), ALL_SIZES, lambda: rows_screen.first_content(path)),
        # The index of a small file takes less time than can be measured against 0.2 ms.
        Part(frozenset("2"), "M L XL", lambda: rows_index.index_in_process(path, size)),
        # A small file is indexed without the worker and without the cache.
        Part(frozenset("36"), "M L XL", lambda: rows_index.index_in_worker(path, size)),
        Part(frozenset("4"), "L XL", lambda: rows_index.reopen(path)),
        Part(frozenset("9"), ALL_SIZES, rows_tree.fold_and_filter, needs_session=False),
        Part(frozenset("9"), "L XL", rows_tree.stock_tree, needs_session=False),
        Part(
            frozenset(["11"]),
            ALL_SIZES,
            lambda: rows_tree.extreme_shapes(folder, extreme),
            needs_session=False,
        ),
        Part(frozenset(["14"]), ALL_SIZES, lambda: rows_screen.start_up(path)),
        Part(frozenset(["16"]), ALL_SIZES, rows_context.tokens, needs_session=False),
        Part(frozenset("c"), ALL_SIZES, lambda: rows_context.context(folder), needs_session=False),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmarks.

    Returns:
        1 if a row is over its target by more than a quarter.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="M", help="how big the session is")
    parser.add_argument(
        "--rows",
        metavar="N,…",
        help="numbers of rows, 0 for the controls, c for the context; all without it",
    )
    args = parser.parse_args(argv)
    wanted = frozenset(args.rows.split(",")) if args.rows is not None else None
    known = frozenset[str]().union(*(part.rows for part in _parts(Path(), Path(), args.size)))
    # A row that does not exist must not pass as one that is within its target.
    if wanted is not None and wanted - known:
        parser.error(f"no such rows: {', '.join(sorted(wanted - known))}; {sorted(known)}")
    try:
        return _run(args.size, wanted)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _run(size_name: str, wanted: frozenset[str] | None) -> int:
    size = SIZES[size_name]
    measured: list[Row] = []
    with workspace(size.bytes + EXTRA_BYTES) as folder:
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        path = folder / "session.jsonl"
        parts = _parts(folder, path, size_name)
        if wanted is not None:
            parts = [part for part in parts if wanted & part.rows]
        print(f"size {size_name}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
        if any(part.needs_session for part in parts):
            write_session(path, size)
            print(f"session of {size.entries:,} entries, {path.stat().st_size / 1e6:.1f} MB")
            print(*controls(path, keep=size_name != "XL"), sep="\n")
        print(TABLE_HEAD, flush=True)
        for part in parts:
            if size_name not in part.sizes.split():
                numbers = ",".join(sorted(part.rows))
                print(f"{numbers:<3} not at this size", " " * 66, part.sizes)
                continue
            for row in part.measure():
                if size_name in row.sizes.split() or row.target is None:
                    print(row, flush=True)
                    measured.append(row)
    over = [row for row in measured if row.state in ("over", "FAILS")]
    failed = [row for row in measured if row.state == "FAILS"]
    percent = round(100 * (TOLERANCE - 1))
    print(
        f"{len(measured)} figures, {len(over)} over target, {len(failed)} by more than {percent} %"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.benchmarks`: makes sessions, measures, prints the table, removes them."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable

from tests.benchmarks import rows
from tests.benchmarks.harness import TOLERANCE, Row, workspace
from tests.benchmarks.sessions import SIZES, write_session


def main() -> int:
    """Run the benchmarks.

    Returns:
        1 if a row is over its target by more than a quarter.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="M")
    parser.add_argument("--rows", help="numbers of rows, separated by commas; all without it")
    args = parser.parse_args()
    size = SIZES[args.size]
    wanted = set(args.rows.split(",")) if args.rows else None
    extreme = 1_000_000 if args.size in ("L", "XL") else 100_000
    measured: list[Row] = []
    with workspace(size.bytes + 400_000_000) as folder, tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        path = folder / "session.jsonl"
        print(f"size {args.size}: {size.entries:,} entries; making the session …", flush=True)
        write_session(path, size)
        big = args.size == "XL"
        # A small file is indexed without the worker and without the cache.
        through_worker = path.stat().st_size > 4 << 20
        plan: list[tuple[str, bool, Callable[[], list[Row]]]] = [
            ("1", True, lambda: rows.first_content(path)),
            ("2", args.size != "S", lambda: rows.index_in_process(path, big)),
            ("3,6", args.size in ("L", "XL"), lambda: rows.index_in_worker(path, big)),
            ("4", through_worker and args.size in ("L", "XL"), lambda: rows.reopen(path)),
            ("9", True, rows.fold_and_filter),
            ("11", True, lambda: rows.extreme_shapes(folder, extreme)),
            ("14", True, lambda: rows.start_up(path)),
            ("16", True, rows.tokens),
            ("context", True, lambda: rows.context(folder)),
        ]
        print(f"{'':<52} {'figure':>10} {'target':>10} {'':<8} {'share':>5}")
        for numbers, applies, measure in plan:
            if wanted is not None and not wanted & set(numbers.split(",")):
                continue
            if not applies:
                print(f"{numbers:<4}not at this size: it has no meaning for so small a file")
                continue
            for row in measure():
                print(row, flush=True)
                measured.append(row)
    over = [row for row in measured if row.figure > TOLERANCE * row.target]
    print(f"{len(measured)} figures, {len(over)} over their target by more than a quarter")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())

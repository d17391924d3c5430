"""The areas of a golden, each compared by a test of its own."""

from __future__ import annotations

from collections.abc import Sequence

from pitree import SessionManager
from tests.conformance.compare import Comparison, Deviation
from tests.conformance.kit import Case
from tests.conformance.reading import compare_load, compare_positions, compare_tree
from tests.conformance.rows import compare_views

AREAS = ("load", "tree", "positions", "views")
_AREA_OF = {"document": "load", "load": "load", "tree": "tree", "view": "views"}


async def compare(case: Case, area: str, listed: Sequence[Deviation]) -> Comparison:
    """Compare one area of a case; the list is only of the cases that are packed."""
    here = [entry for entry in listed if case.is_packed and _area(entry.place) == area]
    comparison = Comparison(case, here)
    async with await SessionManager.open(case.path) as session:
        if area == "load":
            compare_load(session, comparison)
        elif area == "tree":
            compare_tree(session, comparison)
        elif area == "positions":
            compare_positions(session, comparison)
        else:
            await compare_views(session, comparison)
    comparison.settle()
    return comparison


def _area(place: str) -> str:
    return _AREA_OF.get(place.split()[0], "positions")

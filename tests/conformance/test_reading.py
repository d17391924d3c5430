"""Every case of the kits: what pitree reads equals what the real Pi computes."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.conformance.areas import AREAS, compare
from tests.conformance.conftest import count, find_kits
from tests.conformance.deviations import DEVIATIONS
from tests.conformance.kit import (
    NO_PUBLIC,
    SKIPPED_FILES,
    SKIPPED_KINDS,
    Case,
    cases_of,
    kit_faults,
)
from tests.conformance.skipped import skipped

LEAST = {"cases": 88, "positions": 1443, "views": 632}
"""What the goldens of the archives hold, without Pi's public files."""


@pytest.mark.parametrize("area", AREAS)
async def test_reading_equals_pi(case: Case, area: str) -> None:
    if case.is_missing:
        pytest.skip(NO_PUBLIC)
    comparison = await compare(case, area, DEVIATIONS)
    assert comparison.problems == [], "\n".join(comparison.problems)
    count(comparison, area == AREAS[0])


def test_a_kit_is_whole(kit: Path) -> None:
    assert kit_faults(kit) == []


def test_there_is_enough_to_compare(request: pytest.FixtureRequest) -> None:
    """The archives hold what they held; a foreign folder holds something."""
    found: Counter[str] = Counter()
    for kit in find_kits(request.config):
        for case in cases_of(kit):
            if not case.is_public:
                found["cases"] += 1
                found["positions"] += len(case.golden.get("leaves", [])) + 2
                found["views"] += len(case.views["views"])
    least = dict.fromkeys(LEAST, 1) if os.environ.get("PITREE_ORACLE") else LEAST
    assert all(found[name] >= number for name, number in least.items()), found


def test_deviations_are_of_cases_that_exist(request: pytest.FixtureRequest) -> None:
    if os.environ.get("PITREE_ORACLE"):
        pytest.skip("the list is of the cases in the archives")
    names = {case.name for kit in find_kits(request.config) for case in cases_of(kit)}
    assert {entry.case for entry in DEVIATIONS} <= names
    places = [(entry.case, entry.place, name) for entry in DEVIATIONS for name in entry.pitree]
    assert len(places) == len(set(places))
    assert all(entry.reason and entry.pitree for entry in DEVIATIONS)


def test_what_is_skipped_has_a_reason() -> None:
    assert all(skipped("0.73").values())
    assert all(skipped("1.6").values())
    assert all((SKIPPED_KINDS | SKIPPED_FILES).values())

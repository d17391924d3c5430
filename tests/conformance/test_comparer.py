"""The comparison notices: any changed, missing or new value of a golden is a problem."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import plain
from tests.conformance.areas import AREAS, compare
from tests.conformance.compare import ABSENT
from tests.conformance.deviations import DEVIATIONS
from tests.conformance.kit import Case, cases_of, kit_faults, unpack
from tests.conformance.rows import TERMINAL_CODES
from tests.conformance.skipped import skipped

SAMPLES = ("labels", "every-entry-type", "wide-300-children", "system-first", "edits-omit")
PARTS = {
    "load": ("load", "load"),
    "tree": ("tree", "tree"),
    "default": ("position", "positions"),
    "leafNull": ("position", "positions"),
}
Way = list[str | int]


@pytest.fixture(scope="module")
def kits(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return unpack(tmp_path_factory.mktemp("kits"))


def find(kits: list[Path], name: str) -> Case:
    """A case of the archives."""
    return next(case for kit in kits for case in cases_of(kit) if case.name == name)


def spoiled(value: Any) -> Any:
    """A value with one thing in it changed."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return f"{value}."
    if isinstance(value, list):
        return [*value[:-1], spoiled(value[-1])] if value else [None]
    last = list(value)[-1] if value else "new"
    return {**value, last: spoiled(value.get(last))}


def ways(case: Case) -> Iterator[tuple[str, Way]]:
    """The way to every compared field of a case's goldens, and the area that compares it."""
    reasons = skipped(case.pi)
    for name, value in case.golden.items():
        if name in PARTS:
            part, area = PARTS[name]
            yield from ((area, [name, one]) for one in value if f"{part}.{one}" not in reasons)
        elif name == "leaves":
            # There, the leaf is what the others are computed for.
            for one in value[-1]:
                if one != "leaf" and f"position.{one}" not in reasons:
                    yield "positions", [name, len(value) - 1, one]
        elif f"document.{name}" not in reasons:
            yield "load", [name]
    yield "views", ["columns"]
    for at in (0, len(case.views["views"]) - 1):
        yield "views", ["views", at, "rows"]


def foreign(case: Case) -> Case:
    """The case, as if it were none of those that are packed: rules hold it, no list."""
    other = Case(case.kit, case.name, case.file)
    other.__dict__.update(is_packed=False, golden=case.golden, views=case.views)
    return other


def changed(case: Case, way: Way, change: Any) -> Case:
    """The case with `change(value)` at a place; nothing there if that is `ABSENT`."""
    results = {"golden": dict(case.golden), "views": dict(case.views)}
    root: Any = results["views" if way[0] in ("views", "columns") else "golden"]
    root[way[0]] = copy.deepcopy(root.get(way[0]))
    holder = root
    for step in way[:-1]:
        holder = holder[step]
    new = change(root[way[0]] if len(way) == 1 else holder.get(way[-1]))
    if new is ABSENT:
        del holder[way[-1]]
    else:
        holder[way[-1]] = new
    other = Case(case.kit, case.name, case.file)
    other.__dict__.update(results, is_packed=case.is_packed)
    return other


@pytest.mark.parametrize("name", SAMPLES)
async def test_a_changed_or_missing_value_is_a_problem(kits: list[Path], name: str) -> None:
    case = find(kits, name)
    for area in AREAS:
        assert (await compare(case, area, DEVIATIONS)).problems == []
    tried = 0
    for area, way in ways(case):
        for change in (spoiled, lambda _: ABSENT):
            found = await compare(changed(case, way, change), area, DEVIATIONS)
            assert len(found.problems) == 1, (way, found.problems)
            assert str(way[-1]) in found.problems[0]
            tried += 1
    assert tried > 60


@pytest.mark.parametrize(
    ("area", "way"),
    [
        ("load", ["novelty"]),
        ("load", ["load", "novelty"]),
        ("tree", ["tree", "novelty"]),
        ("positions", ["default", "novelty"]),
        ("positions", ["leaves", 0, "novelty"]),
        ("views", ["views", 0, "novelty"]),
    ],
)
async def test_an_unknown_field_is_a_problem(kits: list[Path], area: str, way: Way) -> None:
    case = changed(find(kits, "labels"), way, lambda _: 1)
    found = await compare(case, area, DEVIATIONS)
    assert len(found.problems) == 1
    assert "unknown field novelty" in found.problems[0]


async def test_a_difference_that_is_not_listed_is_a_problem(kits: list[Path]) -> None:
    found = await compare(find(kits, "duplicate-ids"), "tree", [])
    assert len(found.problems) == 1
    assert "roots differs" in found.problems[0]


async def test_a_listed_value_that_is_not_so_is_a_problem(kits: list[Path]) -> None:
    case = find(kits, "duplicate-ids")
    listed = next(one for one in DEVIATIONS if (one.case, one.place) == (case.name, "tree"))
    for wrong, says in (
        (replace(listed, pitree={"roots": []}), "otherwise than listed"),
        (replace(listed, pi={"roots": []}), "Pi's value is not the listed"),
        (replace(listed, pitree={**listed.pitree, "columns": []}), "does not deviate"),
    ):
        found = await compare(case, "tree", [wrong])
        assert len(found.problems) == 1
        assert says in found.problems[0]


async def test_a_result_where_pi_hangs_is_compared(kits: list[Path]) -> None:
    case = find(kits, "self-parent")
    listed = [
        replace(one, pitree={**one.pitree, "path": []}) if one.place == "default" else one
        for one in DEVIATIONS
    ]
    found = await compare(case, "positions", listed)
    assert len(found.problems) == 1
    assert "default: path" in found.problems[0]


# ---------------------------------------------------------------------- without the list


@pytest.mark.parametrize("name", sorted({entry.case for entry in DEVIATIONS}))
async def test_the_rules_allow_what_is_listed(kits: list[Path], name: str) -> None:
    case = foreign(find(kits, name))
    for area in AREAS:
        assert (await compare(case, area, DEVIATIONS)).problems == []


@pytest.mark.parametrize(
    ("name", "area", "way"),
    [
        # A gauge that is 1.6's, so that Pi's own value is another, and one that is the same.
        ("usage-forms", "positions", ["default", "contextUsage200k"]),
        ("content-forms", "positions", ["leaves", 0, "contextUsage200k"]),
        ("labels", "positions", ["default", "contextUsage200k"]),
        ("duplicate-ids", "tree", ["tree", "roots"]),
        ("duplicate-ids", "tree", ["tree", "nodes"]),
        ("duplicate-ids", "tree", ["tree", "entriesNotInTree"]),
        ("duplicate-ids", "positions", ["default", "messages"]),
        ("duplicate-ids", "views", ["views", 0, "rows"]),
        ("duplicate-ids", "views", ["columns"]),
        ("null-content-and-own-parent", "tree", ["tree", "roots"]),
        ("null-content-and-own-parent", "views", ["views", 2, "rows"]),
        ("self-parent", "load", ["leafAfterLoad"]),
        ("parent-cycle", "tree", ["tree", "nodes"]),
        ("header-missing", "load", ["load", "header"]),
        ("header-missing", "load", ["load", "headerLines"]),
        ("header-missing", "load", ["load", "outcome"]),
        ("header-missing", "load", ["entries"]),
        ("line-null", "load", ["load", "parsedLines"]),
    ],
)
async def test_a_rule_holds_the_golden(kits: list[Path], name: str, area: str, way: Way) -> None:
    for change in (spoiled, lambda _: ABSENT):
        case = changed(foreign(find(kits, name)), way, change)
        found = await compare(case, area, DEVIATIONS)
        assert any(f": {way[-1]} differs" in problem for problem in found.problems)


@pytest.mark.parametrize(
    ("name", "area", "field", "value"),
    [
        ("usage-forms", "positions", "gauge_of_16", lambda *_: 1),
        ("duplicate-ids", "load", "is_damage_whole", lambda *_: False),
        ("self-parent", "positions", "plain_path", lambda *_: []),
    ],
)
async def test_a_rule_holds_what_pitree_has(
    kits: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    area: str,
    field: str,
    value: Any,
) -> None:
    """As if the plain way found another value than pitree."""
    monkeypatch.setattr(plain, field, value)
    found = await compare(foreign(find(kits, name)), area, DEVIATIONS)
    assert found.problems != []


async def test_a_case_of_the_same_name_is_not_held_by_the_list(
    kits: list[Path], tmp_path: Path
) -> None:
    own = find(kits, "duplicate-ids")
    assert own.is_packed
    (tmp_path / "cases").mkdir()
    (tmp_path / own.file).write_bytes(own.path.read_bytes() + b"\n")
    other = Case(tmp_path, own.name, own.file)
    other.__dict__.update(golden=own.golden)
    assert not other.is_packed


def test_lines_are_told_apart_as_pi_does() -> None:
    lines = ['{"type":"session","version":3,"id":"s"}', "", "{bad", "null", "5"]
    lines += [json.dumps({"type": "custom", "id": "a", "parentId": None})] * 2
    found = plain.plain_lines("\n".join(["\ufeff", *lines]).encode())
    assert found == plain.PlainLines({4}, [5], [6, 7, 8], has_header=True)


# ---------------------------------------------------------------------- kits


def test_a_kit_that_is_not_whole_has_faults(tmp_path: Path) -> None:
    assert kit_faults(tmp_path) == [f"{tmp_path.name} lists no case"]
    kit = next(kit for kit in unpack(tmp_path) if kit.name == "pi-oracle")
    assert kit_faults(kit) == []
    (kit / "goldens" / "labels.tree.json").rename(kit / "goldens" / "other.tree.json")
    (kit / "goldens" / "labels.ops.json").rename(kit / "goldens" / "labels.novelty.json")
    (kit / "cases" / "labels.jsonl").unlink()
    assert kit_faults(kit) == [
        "golden missing: labels.ops.json",
        "golden missing: labels.tree.json",
        "golden of no case: labels.novelty.json",
        "golden of no case: other.tree.json",
        "session missing: cases/labels.jsonl",
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("a\x1b]8;;http://x.y/z\x07link\x1b]8;;\x07", "alink"),
        ("a\x1b]0;title\x1b\\b", "ab"),
        ("bell \x07 stays", "bell \x07 stays"),
    ],
)
def test_terminal_codes_go_as_node_takes_them_out(text: str, left: str) -> None:
    assert TERMINAL_CODES.sub("", text) == left

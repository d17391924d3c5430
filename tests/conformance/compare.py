"""Compares what pitree computes with a golden, field by field, and forgets none.

A field of a golden is compared, or is skipped with a reason, or fails as unknown; a field that the
golden lacks is compared with `ABSENT`. A difference fails unless it is listed, with both values;
a listed one that does not occur fails, too. For a case that is not packed here `rules` take the
place of the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pitree.model import js
from tests.conformance.kit import Case, ref, sha256
from tests.conformance.skipped import skipped

ABSENT = js.UNDEFINED
Getters = dict[str, Callable[[Any], Any]]
"""Field → gives pitree's value in the form of the golden's, which it gets."""


@dataclass(frozen=True)
class Rule:
    """How a field may differ, where no list says it.

    Attributes:
        reason: Why.
        holds: Whether pitree's value and Pi's are both what they have to be.
    """

    reason: str
    holds: Callable[[Any, Any], bool]


Rules = dict[str, Rule]
WITHOUT_PI = frozenset({"file", "pool", "parsedLines", "accepted"})
"""Fields that are there even if Pi throws when it opens the file."""


@dataclass(frozen=True)
class Deviation:
    """A place where pitree differs from Pi on purpose.

    Attributes:
        case: The case.
        place: `document`, `load`, `tree`, `default`, `leaf ID`, `leaf null`, or `view …`.
        reason: Why.
        pitree: Field → pitree's value.
        pi: Field → Pi's value, a list perhaps in its short form; a field that is not here is
            missing from the golden.
    """

    case: str
    place: str
    reason: str
    pitree: dict[str, Any]
    pi: dict[str, Any] = field(default_factory=dict)


@dataclass
class Comparison:
    """The comparison of one case.

    Attributes:
        case: The case.
        listed: The differences that are meant.
        compared: Part and field → how often it was compared.
        differences: Place, field, pitree's value, Pi's value: those that no rule allows.
        problems: Unknown fields, failures of pitree, differences that are not listed, and listed
            ones that are not so.
    """

    case: Case
    listed: Sequence[Deviation] = ()
    compared: Counter[str] = field(default_factory=Counter)
    differences: list[tuple[str, str, Any, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def part(
        self,
        part: str,
        place: str,
        golden: dict[str, Any],
        getters: Getters,
        rules: Callable[[], Rules] = dict,
    ) -> None:
        """Compare a part of a golden: all its fields, and all that it should have.

        Args:
            part: Which part, as in the table of what is skipped.
            place: Where it stands.
            golden: What Pi has.
            getters: What pitree has.
            rules: Gives the ways in which a case that is not packed may differ.
        """
        allowed: Rules | None = None
        reasons = skipped(self.case.pi)
        for name in {**getters, **golden}:
            if f"{part}.{name}" in reasons:
                continue
            if name not in getters:
                self.problems.append(f"{place}: unknown field {name}")
                continue
            self.compared[f"{part}.{name}"] += 1
            want = golden.get(name, ABSENT)
            try:
                got = getters[name](want)
            except Exception as error:  # the walk goes on, and the test fails with all of them
                self.problems.append(f"{place}: {name} raises {error!r}")
                continue
            if same(got, want):
                continue
            if not self.case.is_packed:
                allowed = rules() if allowed is None else allowed
                if self._is_allowed(allowed.get(name), golden, name, got, want):
                    continue
            self.differences.append((place, name, got, want))

    def _is_allowed(
        self, rule: Rule | None, golden: dict[str, Any], name: str, got: Any, want: Any
    ) -> bool:
        if rule is not None:
            try:
                return rule.holds(got, want)
            except (LookupError, TypeError, ValueError):
                return False  # a golden of a shape that the rule doesn't know
        if isinstance(want, dict) and [*want] == ["throws"]:
            return True
        opens = not self.case.golden.get("load", {}).get("throws")
        silent = golden.get("hangs") or golden.get("throws") or not opens
        return bool(silent) and want is ABSENT and name not in WITHOUT_PI

    def settle(self) -> None:
        """Hold the differences against the list."""
        expected = {
            (entry.place, name): (value, entry.pi.get(name, ABSENT))
            for entry in self.listed
            if entry.case == self.case.name
            for name, value in entry.pitree.items()
        }
        for place, name, got, want in self.differences:
            known = expected.pop((place, name), None)
            if known is None:
                self.problems.append(f"{place}: {name} differs\n{self._shown(got, want)}")
            elif not same(got, known[0]):
                self.problems.append(
                    f"{place}: {name} differs otherwise than listed; listed: {text(known[0])}\n"
                    f"{self._shown(got, want)}"
                )
            elif not same(want, known[1]) and not same(_short_list(want), known[1]):
                self.problems.append(
                    f"{place}: {name}: Pi's value is not the listed {text(known[1])}\n"
                    f"{self._shown(got, want)}"
                )
        for place, name in expected:
            self.problems.append(f"{place}: {name} is listed as a deviation but does not deviate")

    def _shown(self, got: Any, want: Any) -> str:
        lines = [f"  pitree {text(got)}", f"  Pi     {text(want)}"]
        refs = (got.get("refs"), want.get("refs")) if _dicts(got, want) else (None, None)
        if refs[0] and refs[1]:
            pool = self.case.golden.get("pool", {})
            pairs = enumerate(zip(*refs, strict=False))
            at = next((at for at, (own, theirs) in pairs if own != theirs), None)
            if at is not None:
                lines.append(f"  Pi's value {at} is {text(pool.get(refs[1][at], 'not written'))}")
        return "\n".join(lines)


def _dicts(got: Any, want: Any) -> bool:
    return isinstance(got, dict) and isinstance(want, dict)


def _short_list(value: Any) -> Any:
    return short(value) if isinstance(value, list) else value


def or_null(value: Any) -> Any:
    """`value ?? null`, as the kits write what may be undefined."""
    return None if value is ABSENT else value


def same(a: Any, b: Any) -> bool:
    """Whether two values have the same canonical JSON; nothing equals `ABSENT` but itself."""
    if a is ABSENT or b is ABSENT:
        return a is b
    return js.canonical(a) == js.canonical(b)


def text(value: Any) -> str:
    """A value for a message, cut."""
    shown = "nothing" if value is ABSENT else js.stringify(value)
    return shown if len(shown) <= 1500 else f"{shown[:1500]}…"


def like_list(values: list[Any], want: Any) -> Any:
    """Values in the form in which a golden holds a list of them."""
    if isinstance(want, dict) and "sha256" in want:
        return short(values)
    return {"n": len(values), "refs": [ref(value) for value in values]}


def like_ids(values: list[Any], want: Any) -> Any:
    """A list in the form of a golden: written out, or hashed."""
    return short(values) if isinstance(want, dict) and "sha256" in want else values


def short(values: list[Any]) -> dict[str, Any]:
    """The short form of a list."""
    return {"n": len(values), "sha256": sha256(values)}

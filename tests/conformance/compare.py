"""Compares what pitree computes with a golden, field by field, and forgets none.

A field of a golden is compared, or stands in `SKIPPED` with a reason, or fails as unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pitree.model import js
from tests.conformance.kit import ref, sha256

LATER = "planning and writing come later"
SKIPPED = {
    "document": {
        "kit": "names the kit",
        "piVersion": "names the Pi",
        "form": "says how much is written out",
        "file": "the case's own bytes",
        "pool": "the values that refs stand for",
        "poolOmits": "refs without a value",
        "branchPairs": LATER,
        "prompts": LATER,
    },
    "load": {
        "fileAfterOpen": "what Pi writes on opening; pitree writes nothing",
        "versionInFile": "an input",
        "throws": "pitree opens it",
    },
    "position": {
        "why": "why the position was chosen",
        "compaction": LATER,
        "cutPoint": LATER,
        "serialized": LATER,
        "plan16": "the plan of 1.6, for information",
        "plan073": LATER,
        "read073": "what 0.73 makes of a file of 1.6, for information",
        "lastAssistantUsage": "a step on the way to `estimate`, which is compared",
    },
    "position of 1.6": {
        "tokens": "1.6's own estimate, for information; 0.73's rule is pitree's",
        "estimate": "1.6's own estimate, for information; `estimateProjected` is compared",
        "shouldCompact": "of 1.6's own estimate, for information",
    },
    "view": {
        "selected": "where the cursor of Pi's own screen stands",
        "status": "the status line of Pi's own screen",
        "empty": "the words of Pi's own screen for no rows",
        "width": "rows are compared at any width; views cut by a terminal are not",
        "filter": "an input",
        "search": "an input",
        "leaf": "an input",
        "fold": "an input",
    },
}


@dataclass
class Result:
    """What a comparison of one case gave.

    Attributes:
        compared: Field → how often it was compared.
        differences: Place, field, pitree's value and Pi's, where they differ.
        problems: What can't be so: unknown fields, failures of pitree.
    """

    compared: Counter[str] = field(default_factory=Counter)
    differences: list[tuple[str, str, Any, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def fields(
        self,
        place: str,
        golden: dict[str, Any],
        getters: dict[str, Callable[[Any], Any]],
        *skipped: str,
    ) -> None:
        """Compare every field of a part of a golden.

        Args:
            place: Where in the golden.
            golden: The part.
            getters: Field → gives pitree's value in the form of the golden's, which it gets.
            skipped: The tables of `SKIPPED` that hold here.
        """
        reasons: dict[str, str] = {}
        for table in skipped:
            reasons |= SKIPPED[table]
        for name, want in golden.items():
            if name in getters:
                self.one(place, name, getters[name], want)
            elif name not in reasons:
                self.problems.append(f"{place}: unknown field {name}")

    def one(self, place: str, name: str, getter: Callable[[Any], Any], want: Any) -> None:
        """Compare one field."""
        self.compared[name] += 1
        try:
            got = getter(want)
        except Exception as error:  # the walk goes on, and the test fails with all of them
            self.problems.append(f"{place}: {name} raises {error!r}")
            return
        if js.canonical(got) != js.canonical(want):
            self.differences.append((place, name, got, want))


def like_list(values: list[Any], want: Any) -> Any:
    """Values in the form in which a golden holds a list of them."""
    if isinstance(want, dict) and "refs" in want:
        return {"n": len(values), "refs": [ref(value) for value in values]}
    return short(values)


def like_ids(values: list[Any], want: Any) -> Any:
    """Ids in the form of a golden: written out, or hashed."""
    return short(values) if isinstance(want, dict) else values


def short(values: list[Any]) -> dict[str, Any]:
    """The short form of a list."""
    return {"n": len(values), "sha256": sha256(values)}

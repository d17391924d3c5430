"""Where pitree differs from Pi on purpose: the rules, and the one list of what they give.

Pi hangs, throws, overwrites, lists an entry more than once, or the gauge follows today's Pi. A
difference that no rule explains fails. For the cases that are packed here, `deviations.json` holds
every difference with its reason and pitree's literal result; one that is not in it, and one in it
that does not occur, fail as well.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conformance.kit import Case

FILE = Path(__file__).with_name("deviations.json")

NOTHING = "Pi hangs or throws there, so there is nothing to equal: this is what pitree gives"
REPEATED = "Pi lists the node of a repeated id once for every line; pitree lists the last line once"
OWN_PARENT = "Pi hangs an entry that is its own parent below itself; pitree takes it as a root"
OVERWRITTEN = "Pi throws on a line that holds only null; pitree leaves the line out"
GAUGE = (
    "the gauge is that of Pi 1.6: images of users count 4,800 units, usage of zero is none, usage "
    "older than an edit or a compaction is distrusted"
)
ESTIMATE_THROWS = "Pi throws over content of no known shape; pitree counts nothing for it"
GOLDEN_THROWS = "Pi throws here; pitree gives a value"


def reason(case: Case, name: str, want: Any, damaged: set[str]) -> str | None:
    """Why a field may differ, None if it may not.

    Args:
        case: The case.
        name: The field.
        want: Pi's value.
        damaged: The kinds of damage that pitree found in the file, and `own parent`.
    """
    if want == "Pi hangs or throws":
        return NOTHING
    if isinstance(want, dict) and "throws" in want:
        return GOLDEN_THROWS if name != "estimateProjected" else ESTIMATE_THROWS
    if name == "outcome" and want == "throws":
        return OVERWRITTEN
    if name in ("roots", "nodes", "rows", "entriesNotInTree") and "duplicate" in damaged:
        return REPEATED
    if name == "rows" and "own parent" in damaged:
        return OWN_PARENT
    if name == "contextUsage200k" and not case.is_new:
        return GAUGE
    return None


def listed() -> list[dict[str, Any]]:
    """The list for the cases that are packed here."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return found

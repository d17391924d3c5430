"""The fields of the goldens that are not compared, each with the reason.

Every other field is compared; a field that is neither compared nor here fails as unknown.
"""

from __future__ import annotations

from tests.conformance.kit import Pi

PLANS = "planning and summaries are not in pitree yet"
FOR_INFORMATION = "for information only, as the kit of 1.6 says: 0.73's rule is pitree's"
INPUT = "an input of the kit, used as one here"
PI_SCREEN = "belongs to the cursor and the frame of Pi's own screen"
NOTHING = "Pi gives nothing here: every field stands in the list of deviations"

SKIPPED: dict[str, str] = {
    "document.kit": "tells which Pi it was",
    "document.piVersion": "tells which Pi it was",
    "document.form": "tells how much is written out; each value shows its own form",
    "document.poolOmits": "names the values that the pool leaves out",
    "document.branchPairs": PLANS,
    "document.prompts": PLANS,
    "load.fileAfterOpen": "what Pi writes when it opens a file; pitree never writes",
    "load.throws": NOTHING,
    "tree.hangs": NOTHING,
    "position.why": "why the kit chose the position",
    "position.hangs": NOTHING,
    "position.throws": NOTHING,
    "position.compaction": PLANS,
    "position.cutPoint": PLANS,
    "position.serialized": PLANS,
    "position.plan073": PLANS,
    "position.plan16": "the plan of 1.6, for information only",
    "position.read073": "what 0.73 makes of a file of 1.6, for information only",
    "view.filter": INPUT,
    "view.search": INPUT,
    "view.leaf": INPUT,
    "view.fold": INPUT,
    "view.width": "Pi's terminal cuts the texts of such a view; ids and levels are compared",
    "view.hangs": NOTHING,
    "view.throws": NOTHING,
    "view.selected": PI_SCREEN,
    "view.status": PI_SCREEN,
    "view.empty": PI_SCREEN,
}

SKIPPED_OF_16: dict[str, str] = {
    "position.tokens": FOR_INFORMATION,
    "position.estimate": FOR_INFORMATION,
    "position.shouldCompact": FOR_INFORMATION,
}


def skipped(pi: Pi) -> dict[str, str]:
    """`part.field` → why it is not compared with this Pi."""
    return SKIPPED | SKIPPED_OF_16 if pi == "1.6" else SKIPPED

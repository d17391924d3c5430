"""Where pitree differs from Pi on purpose: the one list, with what each of them gives.

DESIGN.md §6: where Pi hangs, throws, overwrites, or lists an entry more than once; and the gauge,
which follows today's Pi. Damage stands here as well: Pi drops it, pitree says what it is. Both
values are checked, and an entry that does not apply any more fails. (Where Pi gives nothing at
all, the entries are long and stand in `deviations_nothing`.)
"""

from __future__ import annotations

from typing import Any

from tests.conformance.compare import ABSENT, Deviation
from tests.conformance.deviations_nothing import NOTHING
from tests.conformance.listed_forms import NEW_HEADER, damage, digest, gauges, rows, view

OWN_PARENT = "Pi shows an entry that is its own parent one level below; it is a root, as any other"
REPEATED = "Pi lists a repeated id once for every line; pitree lists the last line once"
OVERWRITES = "Pi replaces the file by a new, empty session; pitree leaves the bytes alone"
IMAGES = "the gauge is 1.6's: an image of a user counts 4,800 characters"
NO_ZERO_USAGE = "the gauge is 1.6's: usage that is zero or has no numbers is none"

# ---------------------------------------------------------------------- replaced files


def _replaced(case: str, *damage: list[Any], **pitree: Any) -> Deviation:
    """A file that Pi replaces; `pitree` overrides what pitree gives."""
    own = {"header": None, "headerLines": 0, **pitree}
    pi = {"header": NEW_HEADER, "headerLines": 1}
    if damage:
        own["damage"], pi["damage"] = list(damage), []
    own = {name: value for name, value in own.items() if value is not ABSENT}
    return Deviation(case, "load", OVERWRITES, own, pi)


REPLACED = [
    _replaced("empty-file"),
    _replaced("blank-file"),
    _replaced("header-missing", ["no-header", 1, "3b6bc09e"]),
    _replaced("header-broken", ["malformed", 1, None], ["no-header", 2, "84c93953"]),
    _replaced(
        "header-second",
        ["no-header", 1, "5d61cae2"],
        header={
            "type": "session",
            "version": 3,
            "id": "e5ff8316-8f99-40ff-a012-f856e88715dd",
            "timestamp": "2026-02-03T09:00:00.000Z",
            "cwd": "/home/user/work/site",
        },
        headerLines=ABSENT,  # one, as in Pi's new file
        versionInFile=3,
    ),
]

# ---------------------------------------------------------------------- listed more than once

_TWICE = rows(0, "  • ", "160f11ec", [["b3091d0d", 1, "  ├─ • assistant: a child of whichever"]])
_TWICE += rows(1, "  └─ ", "455948f3")
_TWICE_ROOT = rows(0, "  ", "160f11ec", rows(1, "  ├─ ", "455948f3", rows(1, "  └─ ", "b3091d0d")))
_TWICE_FULL = digest(6, "64070754b0b264cab76de3d6b48dec63e78dc80ab60342c73a4f107939f8a849")
_TWICE_USER = digest(2, "9c24d3211fce10ef088a2bfb33380dfa368bf93b303233a0808a93ff42e7c90b")
_TWICE_NULL = digest(6, "0927b3cd9a178db4c4f347911019ae83b78f4787253c0cdf2ce2e0eaf31c3f09")

_AGAIN = "written-twice-by-pi"
_AGAIN_FULL = digest(12, "7f0d71db7abcb5a3108f22540e319717cf9783aecc088872c21626524407b955")
_AGAIN_USER = digest(8, "76e7092b954befcc88e81eabbd6c44383fd1e485d61efe4d70e3e927dd42c3da")
_AGAIN_LABEL = digest(4, "d624fb868025806f3b385788913289d6462c505decc6cad02a9990fa56e754ca")
_AGAIN_STILL = digest(4, "3a3878814825f91727a0655157ab0d25018ec2df74575237bcb6faa82a196c6f")
_AGAIN_NULL = digest(12, "5f8cbd065c7ecaf5dcd0d4842aeaf58137ff05331940662549ff2e721406551a")
_AGAIN_REST: list[list[Any]] = [
    ["c4374159", ["1e99a8a0"], "unanswered", "2026-02-03T09:00:34.833Z"],
    ["1e99a8a0", ["7c2d3264"], None, None],
    ["7c2d3264", ["d98129a1"], None, None],
    ["d98129a1", [], None, None],
]

_ODD = "lines-not-objects"
_NAMELESS: list[list[Any]] = [[None, 0, "  "]]
_BELOW = "b03d97b1 8f9eabc6 9191dbee"

LISTED_TWICE = [
    damage("duplicate-ids", ["duplicate", 2, "160f11ec"]),
    Deviation(
        "duplicate-ids",
        "tree",
        REPEATED,
        {"roots": ["160f11ec"]},
        {"roots": ["160f11ec", "160f11ec"]},
    ),
    view("duplicate-ids", REPEATED, "default", _TWICE, _TWICE_FULL),
    view("duplicate-ids", REPEATED, "no-tools", _TWICE, _TWICE_FULL),
    view("duplicate-ids", REPEATED, "all", _TWICE, _TWICE_FULL),
    view("duplicate-ids", REPEATED, "user-only", _TWICE[:1], _TWICE_USER),
    view("duplicate-ids", REPEATED, "default, search id", _TWICE[:1], _TWICE_USER),
    view("duplicate-ids", REPEATED, "all, search id", _TWICE[:1], _TWICE_USER),
    view("duplicate-ids", REPEATED, "default, leaf null", _TWICE_ROOT, _TWICE_NULL),
    damage(_AGAIN, ["duplicate", 2, "36023bb0"], ["duplicate", 3, "c4374159"]),
    Deviation(
        _AGAIN,
        "tree",
        REPEATED,
        {
            "roots": ["36023bb0"],
            "nodes": [["36023bb0", ["c4374159"], None, None], *_AGAIN_REST],
        },
        {
            "roots": ["36023bb0", "36023bb0"],
            "nodes": [["36023bb0", ["c4374159", "c4374159"], None, None], *_AGAIN_REST],
        },
    ),
    view(_AGAIN, REPEATED, "default", rows(0, "  • ", "c4374159 7c2d3264 d98129a1"), _AGAIN_FULL),
    view(_AGAIN, REPEATED, "no-tools", rows(0, "  • ", "c4374159 7c2d3264 d98129a1"), _AGAIN_FULL),
    view(_AGAIN, REPEATED, "user-only", rows(0, "  • ", "c4374159 7c2d3264"), _AGAIN_USER),
    view(_AGAIN, REPEATED, "labeled-only", rows(0, "  • ", "c4374159"), _AGAIN_LABEL),
    # Pi throws: rendered 17 of 18 rows.
    view(_AGAIN, REPEATED, "all", rows(0, "  • ", "36023bb0 c4374159 1e99a8a0 7c2d3264 d98129a1")),
    view(_AGAIN, REPEATED, "default, search still", rows(0, "  • ", "7c2d3264"), _AGAIN_STILL),
    view(_AGAIN, REPEATED, "all, search still", rows(0, "  • ", "7c2d3264"), _AGAIN_STILL),
    view(
        _AGAIN,
        REPEATED,
        "default, leaf null",
        rows(0, "  ", "c4374159 7c2d3264 d98129a1"),
        _AGAIN_NULL,
    ),
    # To Pi they are entries without an id, so they have the same one.
    damage(_ODD, *[["duplicate", line, None] for line in (3, 4, 5)]),
    Deviation(
        _ODD, "tree", REPEATED, {"roots": ["5050d44c", None]}, {"roots": ["5050d44c", *[None] * 4]}
    ),
    view(
        _ODD,
        REPEATED,
        "default",
        rows(0, "  • ", "2cf5ff24", rows(1, "     • ", f"f3264acd {_BELOW}", _NAMELESS)),
        digest(9, "ed56088e1f40fa9e9a9f909f5e19f9adb247e519bf2492170570c1de34443304"),
    ),
    view(
        _ODD,
        REPEATED,
        "no-tools",
        rows(0, "  • ", "2cf5ff24", rows(1, "     • ", _BELOW, _NAMELESS)),
        digest(8, "abbc0367c947e3a7eadb669d07488c7842a6309ac838321958ec2eb5d868386e"),
    ),
    view(
        _ODD,
        REPEATED,
        "all",
        rows(0, "  • ", "5050d44c", rows(1, "     • ", f"2cf5ff24 f3264acd {_BELOW}", _NAMELESS)),
        digest(10, "2abce73fb8875e834e7eead2e1e7fc86768fab4c56bccad73e9542fcbd7ccd13"),
    ),
    view(
        _ODD,
        REPEATED,
        "default, leaf null",
        rows(0, "  ", "2cf5ff24", rows(1, "     ", f"f3264acd {_BELOW}", _NAMELESS)),
        digest(9, "0885b5eafa706a8ffa15409d4c44fb98d64b54a0518a09221d853239b3310cbc"),
    ),
]

OWN_PARENTS = [
    view(
        "null-content-and-own-parent",
        OWN_PARENT,
        "user-only",
        rows(0, "  • ", "0760d429", rows(1, "     • ", "5c2b095f", rows(0, "  ", "0c0c0c0c"))),
        digest(3, "d3e363094a13961ce128e89e38c66ceeeae2a23815e4939bf900cdfebd9de5f6"),
    ),
]

# ---------------------------------------------------------------------- damage and the gauge

DAMAGED = [
    damage("malformed-lines", *[["malformed", line, None] for line in (2, 5, 6, 8, 12, 13, 14)]),
    damage("torn-last-line", ["malformed", 8, None]),
]

GAUGES = [
    *gauges("every-entry-type", IMAGES, {"leaf 7cd2401a": (3062, 1862)}),
    *gauges(
        "content-forms",
        IMAGES,
        {
            "leaf c923d480": (1205, 5),
            "leaf 32f221fa": (3609, 9),
            "leaf 6de989fd": (3629, 29),
            "leaf 14ecebfb": (3680, 80),
            "leaf faaaa7b9": (3733, 133),
            "leaf e40a5234": (3792, 192),
        },
    ),
    *gauges(
        "four-models-one-history",
        IMAGES,
        {"default": (4716, 2316), "leaf 94598339": (4716, 2316)},
    ),
    *gauges(
        "usage-forms",
        NO_ZERO_USAGE,
        {
            "leaf 84947a50": (3141, 0),
            "leaf 7b701913": (3143, 2),
            "leaf 2a683f9a": (3144, 3),
            "leaf ddb90999": (3149, None),
            "leaf 8fee5a61": (3150, None),
            "leaf b8effff0": (3156, None),
            "leaf 062a83b4": (3162, None),
            "leaf eab0f22c": (3171, None),
            "default": (3171, None),
        },
    ),
]

DEVIATIONS: tuple[Deviation, ...] = (
    *NOTHING,
    *REPLACED,
    *LISTED_TWICE,
    *OWN_PARENTS,
    *DAMAGED,
    *GAUGES,
)

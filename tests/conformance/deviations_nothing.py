"""The part of the list of deviations where Pi gives nothing at all: it hangs, or it throws."""

from __future__ import annotations

from typing import Any

from tests.conformance.compare import Deviation
from tests.conformance.listed_forms import (
    CLAUDE,
    damage,
    estimate,
    gauge,
    position,
    position_of_16,
    refs,
    rows,
    thrown,
    view,
)

HANGS = "Pi never returns: parents in a cycle, or an entry that is its own parent"
NULL_LINE = "Pi throws on a line `null`; pitree leaves the line out"
NULL_CONTENT = "Pi throws on content that is null or absent; pitree counts and shows nothing for it"
NO_REPLACEMENT = "Pi throws on an edit without a replacement; for pitree it changes nothing"
NO_USAGE = "Pi throws on an answer without usage after a compaction; for pitree it has none"

COLUMNS = ["id", "children", "label", "labelTimestamp"]

# ---------------------------------------------------------------------- hangs

_SELF = position("f1879aa9 62f5726e", refs("15d0913868d34261", "3a5bb05bafa6159e"), [5, 9], 1865, 1)
_TWO = position("9b7dfd87 073d19f6", refs("1f1f5bd55473ebff", "0a73de7dcc2cbc11"), [2, 10], 1828, 0)
_CYCLE = ("73516b20dff98eae", "47d91bc40a2587e3", "02d645f264a21845")

HANGING = [
    Deviation("self-parent", "default", HANGS, {"leaf": "62f5726e", **_SELF}),
    Deviation("self-parent", "leaf 62f5726e", HANGS, _SELF),
    Deviation(
        "self-parent",
        "leaf f1879aa9",
        HANGS,
        position("f1879aa9", refs("15d0913868d34261"), [5], model=None),
    ),
    view(
        "self-parent",
        HANGS,
        "default",
        [
            *rows(0, "  • ", "f1879aa9", rows(1, "     • ", "62f5726e")),
            *rows(0, "  ", "7cd84976", rows(1, "     ", "9a723176")),
        ],
    ),
    damage("parent-cycle", ["cycle", 4, "b4716146"]),
    Deviation(
        "parent-cycle",
        "leaf b4716146",
        HANGS,
        position("423a6cdd bfd45b3f b4716146", refs(*_CYCLE), [3, 3, 3], 1858, 0),
    ),
    Deviation(
        "parent-cycle",
        "leaf bfd45b3f",
        HANGS,
        position("b4716146 423a6cdd bfd45b3f", refs(_CYCLE[2], *_CYCLE[:2]), [3, 3, 3], 1858, 1),
    ),
    Deviation(
        "parent-cycle",
        "leaf 423a6cdd",
        HANGS,
        position("bfd45b3f b4716146 423a6cdd", refs(*_CYCLE[1:], _CYCLE[0]), [3, 3, 3], 1858, 2),
    ),
    damage("duplicate-id-cycle", ["duplicate", 2, "073d19f6"], ["cycle", 3, "9b7dfd87"]),
    Deviation(
        "duplicate-id-cycle",
        "tree",
        HANGS,
        {
            "columns": COLUMNS,
            "roots": [],
            "nodes": [],
            "entriesNotInTree": ["073d19f6", "9b7dfd87", "073d19f6"],
        },
    ),
    Deviation("duplicate-id-cycle", "default", HANGS, {"leaf": "073d19f6", **_TWO}),
    Deviation("duplicate-id-cycle", "leaf 073d19f6", HANGS, _TWO),
    Deviation(
        "duplicate-id-cycle",
        "leaf 9b7dfd87",
        HANGS,
        position(
            "073d19f6 9b7dfd87", refs("0a73de7dcc2cbc11", "1f1f5bd55473ebff"), [10, 2], 1828, 1
        ),
    ),
    view("duplicate-id-cycle", HANGS, "default", []),
    Deviation(
        "null-content-and-own-parent",
        "leaf 0c0c0c0c",
        HANGS,
        position_of_16([["0c0c0c0c", ["78b5881c5cfaaf1e"]]], 4),
    ),
]

# ---------------------------------------------------------------------- throws

_NULL_PATH = "51e5a490 c2c97d3e a73a1c94 6d55d148 b4e0ad8a 4947e697 5534d93d"
_SAID = "c2c97d3e 6d55d148 b4e0ad8a 4947e697 5534d93d"

THROWING = [
    Deviation(
        "line-null",
        "document",
        NULL_LINE,
        {
            "entries": refs(
                "ec5610a97cb166e7",
                "d54143e4d4436c6a",
                "47a57a7cebef4c7b",
                "49a1188ad5df012c",
                "c581ee1dd384e054",
                "330861313b3156f7",
                "837b67355ccdf13a",
            ),
            "entryIds": _NULL_PATH.split(),
            "leafAfterLoad": "5534d93d",
            "labels": [],
        },
    ),
    Deviation(
        "line-null",
        "load",
        NULL_LINE,
        {
            "outcome": "loaded",
            "header": {
                "type": "session",
                "version": 3,
                "id": "68d8051a-fbe9-40ff-af76-e122b45f7692",
                "timestamp": "2026-02-03T09:00:00.000Z",
                "cwd": "/home/user/work/site",
            },
            "sessionId": "68d8051a-fbe9-40ff-af76-e122b45f7692",
            "sessionName": None,
            "headerLines": 1,
            "damage": [["null", 3, None]],
        },
        {"outcome": "throws", "damage": []},
    ),
    Deviation(
        "line-null",
        "tree",
        NULL_LINE,
        {
            "columns": COLUMNS,
            "roots": ["51e5a490"],
            "nodes": [
                [name, [child] if child else [], None, None]
                for name, child in zip(
                    _NULL_PATH.split(), [*_NULL_PATH.split()[1:], None], strict=True
                )
            ],
            "entriesNotInTree": [],
        },
    ),
    Deviation(
        "line-null",
        "default",
        NULL_LINE,
        {
            "leaf": "5534d93d",
            **position(
                _NULL_PATH,
                refs(
                    "4cd5b2a12f1e3918",
                    "bdef934d7b30e4fd",
                    "efa402fe744c7ca9",
                    "d1aa967045cc5309",
                    "e8bf8238e5cc8be5",
                    "35f1f60b1973718c",
                ),
                [22, 12, 22, 39, 13, 31],
                2007,
                5,
            ),
        },
    ),
    Deviation(
        "line-null",
        "leaf null",
        NULL_LINE,
        {"leaf": None, **position("", refs(), [], model=None)},
    ),
    view("line-null", NULL_LINE, "default", rows(0, "  • ", _SAID)),
    view(
        "line-null", NULL_LINE, "no-tools", rows(0, "  • ", "c2c97d3e b4e0ad8a 4947e697 5534d93d")
    ),
    view("line-null", NULL_LINE, "user-only", rows(0, "  • ", "c2c97d3e 4947e697")),
    view("line-null", NULL_LINE, "labeled-only", []),
    view("line-null", NULL_LINE, "all", rows(0, "  • ", f"51e5a490 {_SAID}")),
    view("line-null", NULL_LINE, "default, leaf null", rows(0, "  ", _SAID)),
]

_BEFORE: list[list[Any]] = [["ca162fea", []], ["b3a8a0de", []]]
_BEFORE += [
    ["3c877ba2", ["3e8cbd3f7da398f7"]],
    ["946540f4", ["4127712ccabd44ff"]],
    ["3dfd9d4d", ["100071f486aca83f"]],
    ["cfff98f7", ["e956f358c72393f3"]],
    ["1159ac74", ["5ce3a4395eda3e04"]],
    ["019d31b8", ["aea97e4229a37ce5"]],
    ["f384a4ca", ["d8279c6f20afbd0c"]],
    ["e641b5ac", ["7d4d347ecd921f45"]],
    ["db63346d", ["f8f0b35b15472ae9"]],
    ["dea2e217", ["15cc86348de98331"]],
    ["504d05b4", ["c053f5f93b92646d"]],
    ["079427c9", ["1ee93c26e3f03124"]],
    ["e07a0455", []],
]
_AFTER = position_of_16(
    [*_BEFORE, ["54da1833", ["60dfe770efcc0f17"]]],
    63,
    used=2089,
    thinking="medium",
    model=CLAUDE,
)
_OWN = "null-content-and-own-parent"
_EMPTY = "0760d429 2bc63dd1 9e69afbe 5c2b095f 74a6f0e2 7cb35b47"
_LAST = rows(0, "  ", "0c0c0c0c")
_ERROR = "TypeError: content is not iterable"

THROWING_OF_16 = [
    Deviation("edits-to-nothing", "default", NO_REPLACEMENT, {"leaf": "54da1833", **_AFTER}),
    Deviation("edits-to-nothing", "leaf 54da1833", NO_REPLACEMENT, _AFTER),
    Deviation(
        "edits-to-nothing",
        "leaf e07a0455",
        NO_REPLACEMENT,
        position_of_16(_BEFORE, 52, used=2089, thinking="medium", model=CLAUDE),
    ),
    *[
        thrown(
            "edits-to-nothing",
            NULL_CONTENT,
            f"leaf {leaf}",
            error,
            contextUsage200k=gauge(tokens),
            estimateProjected=estimate(0, tokens, None),
        )
        for leaf, tokens, error in (
            ("3d85bf08", 50, _ERROR),
            ("1c1fadd9", 59, _ERROR),
            ("8ffe3c81", 48, "TypeError: assistant.content is not iterable"),
            ("3e888be2", 58, "TypeError: assistant.content is not iterable"),
        )
    ],
    *[
        thrown(
            "usage-distrusted",
            NO_USAGE,
            f"leaf {leaf}",
            "TypeError: Cannot read properties of undefined (reading 'totalTokens')",
            contextUsage200k=gauge(tokens),
        )
        for leaf, tokens in (("fcfb312d", None), ("65394681", None), ("1d81b752", 1230))
    ],
    view(
        _OWN,
        NULL_CONTENT,
        "default",
        rows(0, "  • ", "19d96c81", rows(1, "     • ", _EMPTY, _LAST)),
    ),
    view(
        _OWN,
        NULL_CONTENT,
        "no-tools",
        rows(0, "  • ", "19d96c81", rows(1, "     • ", _EMPTY.replace("2bc63dd1 ", ""), _LAST)),
    ),
    view(
        _OWN,
        NULL_CONTENT,
        "all",
        rows(0, "  • ", "21c76501", rows(1, "     • ", f"e1a512f7 19d96c81 {_EMPTY}", _LAST)),
    ),
    view(
        _OWN,
        NULL_CONTENT,
        "default, leaf null",
        rows(0, "  ", "19d96c81", rows(1, "     ", _EMPTY, _LAST)),
    ),
]

NOTHING = [*HANGING, *THROWING, *THROWING_OF_16]

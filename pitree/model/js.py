"""JavaScript's shapes: JSON, numbers, text by UTF-16 units, dates, white space.

Pi is written in JavaScript; whatever it prints, measures, sorts or compares has these shapes.
"""

from __future__ import annotations

from pitree.model.js_dates import date_iso, date_ms
from pitree.model.js_json import canonical, ordered_items, parse, stringify
from pitree.model.js_text import (
    SPACE,
    is_blank,
    lower,
    split_space,
    trim,
    utf16_key,
    utf16_len,
    utf16_slice,
    well_formed,
)
from pitree.model.js_values import (
    UNDEFINED,
    number_text,
    round_half_up,
    to_number,
    to_string,
    truthy,
)

__all__ = [
    "SPACE",
    "UNDEFINED",
    "canonical",
    "date_iso",
    "date_ms",
    "is_blank",
    "lower",
    "number_text",
    "ordered_items",
    "parse",
    "round_half_up",
    "split_space",
    "stringify",
    "to_number",
    "to_string",
    "trim",
    "truthy",
    "utf16_key",
    "utf16_len",
    "utf16_slice",
    "well_formed",
]

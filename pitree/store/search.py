"""Search in the bodies of a session, in slices of time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from pitree.model.entries import SessionEntry
from pitree.model.index import SessionIndex
from pitree.model.row_text import Reach, search_text, search_words

SLICE = 0.008
"""Seconds after which a search gives what it has."""


def search_rows(
    index: SessionIndex,
    parse: Callable[[int], SessionEntry],
    label_of: Callable[[int], str | None],
    query: str,
    reach: Reach,
) -> Iterator[list[int]]:
    """The rows in which all words of a query occur, newest first, slice by slice.

    Args:
        index: The session's index.
        parse: Reads an entry, past any cache.
        label_of: The label that is set on a row.
        query: Words, split at white space; case does not matter.
        reach: How far to look, see `search_text`.

    Yields:
        The rows found in a slice of time, descending; also when there are none.
    """
    words = search_words(query)
    found: list[int] = []
    until = time.monotonic() + SLICE
    for row in range(len(index) - 1, -1, -1):
        text = search_text(parse(row), label_of(row), reach)
        if all(word in text for word in words):
            found.append(row)
        if time.monotonic() > until:
            yield found
            found = []
            until = time.monotonic() + SLICE
    yield found

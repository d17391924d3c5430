"""Which row holds an id, while a session's lines are read."""

from __future__ import annotations

from pitree.model.index import IdKey, SessionIndex, is_short_id


class Ids:
    """Which row holds an id, while lines are read: a look into the columns, then a dict.

    A file that grew by a few lines is extended by searching the id column (0.5 ms per unknown id
    at a million entries); after `PATIENCE` searches the dict is built.

    Attributes:
        rows: Id → the last row that has it, of the rows read by this indexer.
        batch: Ids of the last rows, not yet in the index's columns.
        known: How many earlier rows of the index are not in `rows`.
        last: The id of the last row.
    """

    PATIENCE = 64
    BATCH = 32_768
    """Ids that wait as text: all of a million would take 20 MB more at the peak."""

    def __init__(self, index: SessionIndex) -> None:
        self._index = index
        self._searches = 0
        self.rows: dict[IdKey, int] = {}
        self.batch: list[IdKey] = []
        self.known = len(index)
        self.last: IdKey | None = index.id_key(len(index) - 1) if len(index) else None

    def find(self, key: IdKey) -> int | None:
        """The last row with the id."""
        row = self.rows.get(key)
        if row is not None or not self.known:
            return row
        self._searches += 1
        if self._searches <= self.PATIENCE:
            return self._index.find(key)
        known = {self._index.id_key(row): row for row in range(self.known)}
        self.rows |= known | self.rows
        self.known = 0
        return self.rows.get(key)

    def add(self, row: int, key: IdKey | None) -> int | None:
        """Keep the id of a new row; returns the row that had it before."""
        self.last = key
        if key is None:
            key = ("object", float(row))
        old = self.find(key)
        self.batch.append(key)
        self.rows[key] = row
        return old

    def add_block(self, first: int, ids: list[IdKey], moved: dict[int, int]) -> None:
        """Keep the ids of new rows from `first` on; rows that lose their id go to `moved`."""
        self.last = ids[-1]
        rows, before = self.rows, len(self.rows)
        seen = rows
        if rows.keys().isdisjoint(ids):
            rows.update(zip(ids, range(first, first + len(ids)), strict=True))
            seen = {}
        if len(rows) != before + len(ids):
            for row, key in enumerate(ids, first):
                if key in seen:
                    moved[seen[key]] = row
                seen[key] = row
        self.batch += ids
        if len(self.batch) >= self.BATCH:
            self.flush()

    def flush(self) -> None:
        """Move the batch into the columns."""
        index = self._index
        joined = "".join(key if isinstance(key, str) else "-" for key in self.batch)
        try:
            packed = bytes.fromhex(joined)
        except ValueError:
            packed = b""
        if packed.hex() == joined and set(map(len, self.batch)) <= {8}:
            index.ids += packed
        else:
            for row, key in enumerate(self.batch, len(index.ids) // 4):
                if isinstance(key, str) and is_short_id(key):
                    index.ids += bytes.fromhex(key)
                else:
                    index.odd_ids[row] = key
                    index.ids += b"\0\0\0\0"
        self.batch.clear()

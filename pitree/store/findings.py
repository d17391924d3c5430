"""What an examination of a session file gives: problems, and notes that are no damage."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitree.model.index import Damage
from pitree.store.pi_does import pi_does
from pitree.store.session_manager import SessionManager


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is damaged.

    Attributes:
        kind: What sort of damage, in one word.
        line: Number of the line, from 1.
        start: Offset of its first byte.
        end: Offset behind its last byte.
        entry_id: The id of the entry, None where there is none.
        explain: What is wrong, in words.
        pi_does: Version of Pi → what it does with it.
        entries: How many entries it speaks of.
    """

    kind: str
    line: int
    start: int
    end: int
    entry_id: Any
    explain: str
    pi_does: dict[str, str]
    entries: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know of a file that is no damage.

    Attributes:
        kind: What sort of thing, in one word.
        explain: What it is, in words.
        line: Number of the line, from 1; None for the whole file.
        entry_id: The id of the entry; None for the whole file.
    """

    kind: str
    explain: str
    line: int | None = None
    entry_id: Any = None


@dataclass(slots=True)
class Findings:
    """What was found in a session.

    Attributes:
        session: The session.
        problems: Its problems.
        notes: What else there is to know.
    """

    session: SessionManager
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def add_damage(self, item: Damage) -> None:
        """Add a piece of damage that reading the file had found."""
        place = (item.line, item.start, item.end, item.entry_id)
        does = pi_does(item.kind)
        self.problems.append(Problem(item.kind, *place, item.explain, does, item.rows))

    def add_file(self, kind: str, end: int, explain: str) -> None:
        """Add a problem of the whole file, which ends at `end`."""
        self.problems.append(Problem(kind, 1, 0, end, None, explain, pi_does(kind)))

    def add(self, row: int, kind: str, explain: str, case: str = "") -> None:
        """Add a problem of an entry.

        Args:
            row: Its row.
            kind: The kind of problem.
            explain: What is wrong.
            case: The key of what Pi does; the kind itself without it.
        """
        index = self.session.index
        start, end = index.offset[row], line_end(self.session, row)
        place = (index.line_number(row), start, end, self.session.entry_id(row))
        self.problems.append(Problem(kind, *place, explain, pi_does(case or kind), 1))

    def add_end(self, line: int, entry_id: Any, explain: str, case: str) -> None:
        """Add that the file ends without a newline.

        Args:
            line: The number of its last line.
            entry_id: The id of the entry there.
            explain: What is wrong.
            case: The key of what Pi does.
        """
        size = self.session.index.size
        place = (line, size, size, entry_id)
        self.problems.append(Problem("no-final-newline", *place, explain, pi_does(case)))

    def note(self, kind: str, explain: str, row: int | None = None) -> None:
        """Add a note on an entry, or on the whole file."""
        if row is None:
            self.notes.append(Note(kind, explain))
            return
        line, entry_id = self.session.index.line_number(row), self.session.entry_id(row)
        self.notes.append(Note(kind, explain, line, entry_id))

    def sort(self) -> None:
        """Bring everything into file order, what is said of the whole file first."""
        self.problems.sort(key=lambda problem: (problem.line, problem.start))
        self.notes.sort(key=lambda note: note.line or 0)


def line_end(session: SessionManager, row: int) -> int:
    """The offset behind the last byte of a row's line, its newline not counted."""
    index = session.index
    end = index.offset[row] + index.length[row]
    return end - (index.terminated or end < index.size)


def not_a_session(path: Path, explain: str) -> Problem:
    """The problem of a file that can't be read as a session at all."""
    try:
        size = path.stat().st_size
    except OSError:
        size = 0
    return Problem("not-a-session", 1, 0, size, None, explain, pi_does("not-a-session"))

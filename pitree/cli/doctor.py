"""`pitree doctor`: what is damaged in a session file, and what each Pi does with it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pitree.cli.arguments import add_file
from pitree.cli.output import say, say_json
from pitree.errors import NotASessionError
from pitree.settings import load_settings
from pitree.store.doctor import examine
from pitree.store.findings import Note, Problem, not_a_session
from pitree.store.session_list import resolve_session
from pitree.store.session_manager import SessionManager

SCHEMA = 1
DAMAGED = 3


def prepare(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_file(parser)


async def run(args: argparse.Namespace) -> int:
    """Print what was found; 3 if that is damage."""
    settings = load_settings(Path.cwd())
    path = await resolve_session(args.file, Path.cwd(), settings.session_dir)
    readable, notes = True, list[Note]()
    try:
        async with await SessionManager.open(path, cache=False) as session:
            found = examine(session)
            problems, notes = found.problems, found.notes
    except NotASessionError as error:
        readable, problems = False, [not_a_session(path, str(error))]
    if args.json:
        say_json(
            {
                "schema": SCHEMA,
                "readable": readable,
                "problems": [_problem_json(problem) for problem in problems],
                "notes": [_note_json(note) for note in notes],
            }
        )
    else:
        for line in _lines(problems, notes):
            say(line)
    return DAMAGED if problems else 0


def _problem_json(problem: Problem) -> dict[str, Any]:
    return {
        "kind": problem.kind,
        "line": problem.line,
        "bytes": [problem.start, problem.end],
        "entry": problem.entry_id,
        "entries": problem.entries,
        "explain": problem.explain,
        "piDoes": problem.pi_does,
    }


def _note_json(note: Note) -> dict[str, Any]:
    return {
        "kind": note.kind,
        "line": note.line,
        "entry": note.entry_id,
        "explain": note.explain,
    }


def _lines(problems: list[Problem], notes: list[Note]) -> Iterator[str]:
    if not problems:
        yield "no damage found"
    for problem in problems:
        place = f"line {problem.line} (bytes {problem.start}-{problem.end})"
        yield f"{place} {problem.kind}: {problem.explain}"
        told: dict[str, list[str]] = {}
        for version, does in problem.pi_does.items():
            told.setdefault(does, []).append(version)
        for does, versions in told.items():
            yield f"    Pi {' and '.join(versions)}: {does}"
    for note in notes:
        where = f"line {note.line}: " if note.line else ""
        yield f"note: {where}{note.explain}"

"""How commands speak: data on standard output, everything else on standard error."""

from __future__ import annotations

import sys
from typing import Any

from pitree.model import js
from pitree.model.index import Damage
from pitree.model.visible import visible
from pitree.store.session_manager import SessionManager


def say(line: str) -> None:
    """Print a line of data; control characters of session text are shown as stand-ins."""
    sys.stdout.write(visible(line) + "\n")


def say_json(value: dict[str, Any]) -> None:
    """Print JSON as JavaScript would: session values keep Pi's shapes."""
    sys.stdout.write(js.stringify(value) + "\n")


def warn(line: str) -> None:
    """Print a line for people."""
    sys.stderr.write(f"pitree: {visible(line)}\n")


def damage_json(session: SessionManager) -> list[dict[str, Any]]:
    """What Pi drops of a file, for `--json`."""
    return [damage_item(item) for item in session.damage]


def damage_item(item: Damage) -> dict[str, Any]:
    """One piece of damage."""
    return {
        "kind": item.kind,
        "line": item.line,
        "bytes": [item.start, item.end],
        "entry": item.entry_id,
        "entries": item.rows,
        "explain": item.explain,
    }


def warn_state(session: SessionManager) -> None:
    """Say what a reader of the data should know of the file."""
    name = session.session_file
    if session.state == "empty":
        warn(f"{name}: empty session")
    elif session.state == "no-header":
        warn(f"{name}: the first entry is no session header; Pi reads nothing of it, see doctor")
    elif session.state == "newer":
        warn(f"{name}: written by a newer Pi (version {js.number_text(session.index.version)})")
    if session.damage and session.state != "no-header":
        count = len(session.damage)
        places = "1 place" if count == 1 else f"{count} places"
        warn(f"{name}: damaged in {places}; see `pitree doctor`")


def thousands(number: float) -> str:
    """A figure for people: 38,412; ? for what is no number."""
    return f"{int(number):,}" if number == number and abs(number) < 1e18 else "?"

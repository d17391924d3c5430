"""Tool calls of the sample session."""

from __future__ import annotations

from tests.demo.recorder import Call, Json


def write(path: str, content: str) -> Call:
    """Write a whole file."""
    lines = content.count("\n")
    return Call("write", {"path": path, "content": content}, f"Wrote {lines} lines to {path}.")


def edit(path: str, *edits: tuple[int, str, str]) -> Call:
    """Replace texts of a file, each from a line on, in today's form."""
    pairs = [{"oldText": old, "newText": new} for _, old, new in edits]
    diff: list[str] = []
    for line, old, new in edits:
        for sign, text in (("-", old), ("+", new)):
            diff += [f"{sign}{at:2} {part}" for at, part in enumerate(text.splitlines(), line)]
    details: Json = {"diff": "\n".join(diff), "firstChangedLine": edits[0][0]}
    output = f"Replaced {len(pairs)} block(s) in {path}."
    return Call("edit", {"path": path, "edits": pairs}, output, details=details)


def old_edit(path: str, old: str, new: str) -> Call:
    """Replace a text of a file, in the form of older models."""
    return Call("edit", {"path": path, "oldText": old, "newText": new}, f"Edited {path}.")


def run(command: str, output: str, *, error: bool = False) -> Call:
    """Run a command."""
    return Call("bash", {"command": command}, output, error=error)


def read(path: str, content: str, **lines: int) -> Call:
    """Read a file."""
    return Call("read", {"path": path, **lines}, content)

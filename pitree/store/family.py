"""The session files of a folder that were forked from one another."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterable
from pathlib import Path

from pitree.errors import PitreeError
from pitree.store.session_list import list_sessions, session_info

Link = tuple[Path, str | None]
"""A session file and the `parentSession` of its header."""


async def find_family(path: Path) -> list[Path]:
    """The files of a session's family, itself among them, by name.

    A family is linked by `parentSession`, upwards and downwards, over any number of steps; two
    forks of a file that is gone are still of one family.

    Args:
        path: The session's file; its folder is looked through.
    """
    own = Path(await asyncio.to_thread(os.path.realpath, path))
    try:
        infos = await list_sessions(own.parent)
    except PitreeError:
        return [own]
    links = [(info.path, info.parent_session) for info in infos if info.problem is None]
    if own.suffix != ".jsonl":  # A list of sessions does not show it.
        info = await asyncio.to_thread(session_info, own)
        links.append((own, info.parent_session))
    return await asyncio.to_thread(linked, own, links)


def linked(own: Path, links: Iterable[Link]) -> list[Path]:
    """The files that are linked with one, itself among them, by name.

    Args:
        own: The file, as a real path.
        links: The files of its folder.
    """
    parents = {_real(own.parent, str(path)): parent for path, parent in links}
    parents.setdefault(str(own), None)
    by_name = {os.path.basename(name): name for name in parents}
    neighbours: dict[str, list[str]] = {}
    for name, parent in parents.items():
        if parent:
            above = _real(own.parent, parent)
            if above not in parents:
                # The folder was moved, or the file is gone: then its name stands for it.
                base = re.split(r"[/\\]", parent)[-1]
                above = by_name.get(base, f"\0{base}")
            neighbours.setdefault(name, []).append(above)
            neighbours.setdefault(above, []).append(name)
    found, waiting = {str(own)}, [str(own)]
    while waiting:
        for other in neighbours.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return [Path(name) for name in sorted(found & parents.keys())]


def _real(folder: Path, name: str) -> str:
    try:
        return os.path.realpath(os.path.join(folder, name))
    except ValueError:  # A NUL or a lone surrogate: no path of any file.
        return f"\0{name}"

"""Driving the explorer without a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from pitree.app.app import PitreeApp
from pitree.app.screens.explorer import ExplorerScreen
from pitree.app.widgets.session_tree import SessionTree
from pitree.settings import Settings

Open = Callable[..., AbstractAsyncContextManager[Pilot[None]]]


@pytest.fixture
def explore() -> Open:
    """Open the explorer on a file; waits until the tree is drawn."""

    @asynccontextmanager
    async def run(
        path: Path, size: tuple[int, int] = (120, 36), settings: Settings | None = None
    ) -> AsyncIterator[Pilot[None]]:
        chosen = settings or Settings()
        app = PitreeApp(chosen, lambda: ExplorerScreen(path, chosen))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await settle(pilot)
            yield pilot

    return run


async def settle(pilot: Pilot[None]) -> None:
    """Wait until no worker runs and all messages are handled."""
    await pilot.pause()
    # A worker can start another one: wait until there is none. A dialog waits for ever.
    for _ in range(200):
        workers = [worker for worker in pilot.app.workers if not worker.is_finished]
        if not workers or len(pilot.app.screen_stack) > 2:
            break
        await asyncio.sleep(0.01)
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


def frame(pilot: Pilot[None]) -> list[str]:
    """What is on the screen, line by line."""
    strips = pilot.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def highlighted(pilot: Pilot[None]) -> list[str]:
    """The rows of the tree that are drawn as the one with the cursor."""
    colour = tree(pilot).get_component_rich_style("session-tree--cursor", partial=True).bgcolor
    found = []
    for strip in pilot.app.screen._compositor.render_strips():
        marked = [part.text for part in strip if part.style and part.style.bgcolor == colour]
        if marked:
            found.append("".join(marked).rstrip())
    return found


def text(pilot: Pilot[None]) -> str:
    return "\n".join(frame(pilot))


def tree(pilot: Pilot[None]) -> SessionTree:
    return pilot.app.screen.query_one(SessionTree)

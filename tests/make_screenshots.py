"""Makes the pictures in screenshots/ by driving the explorer on the sample session.

Run as `python -m tests.make_screenshots`; look at the pictures before they are committed.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from pitree.app.app import PitreeApp
from pitree.app.run import demo_copy
from pitree.app.screens.explorer import ExplorerScreen
from pitree.settings import Settings
from tests.app.conftest import settle

FOLDER = Path(__file__).parents[1] / "screenshots"

PICTURES: dict[str, tuple[tuple[int, int], Sequence[str]]] = {
    "explorer": ((120, 36), ("up", "up")),
    "search": ((120, 36), ("slash", *"rain")),
    "narrow": ((80, 24), ()),
    "help": ((100, 44), ("question_mark",)),
}
"""Name → size in columns and rows, and the keys that lead there."""


async def _picture(path: Path, name: str, size: tuple[int, int], keys: Sequence[str]) -> None:
    settings = Settings()
    screen = ExplorerScreen(path, settings, "sample session")
    app = PitreeApp(settings, lambda: screen)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await settle(pilot)
        await pilot.press(*keys)
        await pilot.pause(0.3)
        await settle(pilot)
        svg = app.export_screenshot(title="pitree")
        (FOLDER / f"{name}.svg").write_text(svg, "utf-8")


def main() -> None:
    """Make every picture."""
    os.environ["HOME"] = "/home/user"
    FOLDER.mkdir(exist_ok=True)
    with demo_copy() as path:
        for name, (size, keys) in PICTURES.items():
            asyncio.run(_picture(path, name, size, keys))


if __name__ == "__main__":
    main()

"""The application: which screen is shown, keys that hold everywhere, settings."""

from __future__ import annotations

import gc
from collections.abc import Callable

from textual.app import App
from textual.screen import Screen

from pitree.app.actions import APP, bindings, check_keymap
from pitree.settings import Settings


class PitreeApp(App[None]):
    """pitree on a terminal."""

    TITLE = "pitree"
    BINDINGS = bindings(APP)
    ENABLE_COMMAND_PALETTE = True

    def __init__(self, settings: Settings, first: Callable[[], Screen[None]]) -> None:
        """Start with a screen.

        Args:
            settings: What the user chose.
            first: Makes the first screen.
        """
        super().__init__()
        self._settings = settings
        self._first = first
        self._user_keys, self._problems = check_keymap(settings.keys)

    def get_default_screen(self) -> Screen[None]:
        """The first screen, without an empty one below it."""
        return self._first()

    def on_mount(self) -> None:
        """Apply the settings; from the first frame on, collect garbage again."""
        self.call_after_refresh(_collect_again)
        self.set_keymap(self._user_keys)
        theme = self._settings.theme
        if theme in self.available_themes:
            self.theme = theme
        for problem in (*self._settings.warnings, *self._problems):
            self.notify(problem, severity="warning", markup=False)

    def action_help(self) -> None:
        """Show every key."""
        from pitree.app.dialogs import HelpDialog

        if not isinstance(self.screen, HelpDialog):
            self.push_screen(HelpDialog(self._user_keys))

    async def action_quit(self) -> None:
        """End the program."""
        self.exit()


def _collect_again() -> None:
    gc.freeze()
    gc.enable()

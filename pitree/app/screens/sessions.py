"""The home screen: the sessions of this folder."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from pitree import paths
from pitree.app.actions import APP, footer
from pitree.app.dialogs import MessageDialog
from pitree.app.screens.explorer import ExplorerScreen
from pitree.errors import PitreeError
from pitree.model.visible import visible
from pitree.settings import Settings
from pitree.store.session_list import SessionInfo, age, list_sessions


class SessionsScreen(Screen[None]):
    """Lists sessions, the last written first; Enter opens one."""

    DEFAULT_CSS = """
    #head { height: 1; background: $panel; padding: 0 1; }
    #sessions { height: 1fr; border: round $foreground 30%; }
    #sessions:focus { border: round $accent; }
    #keys { height: 1; background: $panel; padding: 0 1; }
    #empty { height: 1fr; padding: 1 2; display: none; }
    """

    def __init__(self, cwd: Path, settings: Settings) -> None:
        """List the sessions of a folder."""
        super().__init__()
        self._cwd = cwd
        self._settings = settings
        self._found: list[SessionInfo] = []

    def compose(self) -> ComposeResult:
        """Head, list, keys."""
        yield Static(Content(f"pitree  sessions of {visible(str(self._cwd))}"), id="head")
        yield OptionList(id="sessions", markup=False)
        yield Static(id="empty", markup=False)
        yield Static(footer(APP, self._settings.keys), id="keys", markup=False)

    def on_mount(self) -> None:
        """Read the list."""
        self.query_one(OptionList).focus()
        self._read()

    @work(exclusive=True, group="sessions", exit_on_error=False)
    async def _read(self) -> None:
        folder = paths.session_dir(self._cwd, self._settings.session_dir)
        try:
            self._found = await list_sessions(folder)
        except PitreeError as error:
            await self.app.push_screen_wait(MessageDialog("The folder can't be read", str(error)))
        options = self.query_one(OptionList)
        options.add_options([Option(_line(info)) for info in self._found])
        if self._found:
            options.highlighted = 0
        else:
            options.display = False
            empty = self.query_one("#empty", Static)
            empty.display = True
            empty.update(
                Content(
                    f"No sessions in {visible(str(folder))}.\n\n"
                    "Run pi in this folder to make one, open a file with `pitree FILE`,\n"
                    "or look at a sample with `pitree demo`.  q quits."
                )
            )

    @on(OptionList.OptionSelected)
    def _selected(self, message: OptionList.OptionSelected) -> None:
        info = self._found[message.option_index]
        self.app.push_screen(ExplorerScreen(info.path, self._settings))


def _line(info: SessionInfo) -> Text:
    text = Text(f"{age(info.modified):>4}  ", no_wrap=True, overflow="ellipsis")
    if info.problem:
        text.append(visible(f"{info.path.name} ({info.problem})"), "red")
    else:
        text.append(visible(" ".join(info.title.split())))
    return text

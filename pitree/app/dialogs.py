"""Modal dialogs."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from pitree.app.actions import GROUPS, key_names
from pitree.model.visible import visible


class MessageDialog(ModalScreen[None]):
    """Says something and waits for a key."""

    BINDINGS = [Binding("escape,enter,q", "close", "Close")]
    CSS = """
    MessageDialog { align: center middle; }
    MessageDialog > Vertical {
        width: 70%; max-width: 90; height: auto; padding: 1 2;
        border: round $error; background: $surface;
    }
    MessageDialog Button { margin-top: 1; }
    """

    def __init__(self, title: str, text: str) -> None:
        """Say `text` under a title."""
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Title, text, button."""
        with Vertical() as box:
            box.border_title = Content(self._title)
            yield Static(Content(visible(self._text)), markup=False)
            yield Button("Close")

    def on_button_pressed(self) -> None:
        """Close."""
        self.dismiss()

    def action_close(self) -> None:
        """Close."""
        self.dismiss()


class HelpDialog(ModalScreen[None]):
    """Every key, by task."""

    BINDINGS = [Binding("escape,q,question_mark,f1", "close", "Close")]
    CSS = """
    HelpDialog { align: center middle; }
    HelpDialog > VerticalScroll {
        width: 72; max-width: 95%; height: auto; max-height: 90%; padding: 0 2;
        border: round $accent; background: $surface;
    }
    """

    def __init__(self, keymap: dict[str, str]) -> None:
        """Show the keys as the user's keymap changed them."""
        super().__init__()
        self._keymap = keymap

    def compose(self) -> ComposeResult:
        """One column of keys, one of what they do."""
        with VerticalScroll() as box:
            box.border_title = Content("Keys ─ Esc closes")
            yield Static(Content(self._text()), markup=False)

    def _text(self) -> str:
        lines: list[str] = []
        for group, actions in GROUPS.items():
            lines += ["", group]
            for item in actions:
                keys = self._keymap.get(item.id, item.keys)
                lines.append(f"  {key_names(keys):<20} {item.help}")
        return "\n".join(lines[1:])

    def action_close(self) -> None:
        """Close."""
        self.dismiss()

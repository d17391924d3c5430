"""Every key of pitree, in one place: bindings, help and remapping are made from this."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding, BindingType
from textual.content import Content


@dataclass(frozen=True, slots=True)
class Action:
    """Something a key does.

    Attributes:
        id: Its name in the settings file's `[keys]`.
        keys: Textual's key names, separated by commas.
        action: The name of the `action_…` method, with arguments.
        help: What it does, for the help screen.
        footer: What the footer calls it; empty if it does not show it.
    """

    id: str
    keys: str
    action: str
    help: str
    footer: str = ""


TREE = (
    Action("tree.up", "up", "move(-1)", "Row up"),
    Action("tree.down", "down", "move(1)", "Row down"),
    Action("tree.page-up", "left,pageup", "page(-1)", "Page up"),
    Action("tree.page-down", "right,pagedown", "page(1)", "Page down"),
    Action("tree.home", "home", "first", "First row"),
    Action("tree.end", "end", "last", "Last row"),
    Action("tree.leaf", "full_stop", "leaf", "To the leaf"),
    Action("tree.fold", "ctrl+left,alt+left", "fold_or_up", "Fold the segment, or go to its start"),
    Action(
        "tree.unfold", "ctrl+right,alt+right", "unfold_or_down", "Unfold, or go to the next segment"
    ),
    Action("tree.parent", "left_square_bracket", "parent", "To the row above in the tree"),
    Action("tree.next-fork", "right_curly_bracket", "fork(1)", "Next fork"),
    Action("tree.previous-fork", "left_curly_bracket", "fork(-1)", "Previous fork"),
)

EXPLORER = (
    Action("search", "slash", "search", "Search the whole text", "search"),
    Action("search.clear", "escape", "clear_search", "Clear the search"),
    Action("filter.default", "ctrl+d", "filter('default')", "Filter: default"),
    Action("filter.no-tools", "ctrl+t", "filter('no-tools')", "Filter: without tool results"),
    Action("filter.user-only", "ctrl+u", "filter('user-only')", "Filter: user messages only"),
    Action("filter.labeled-only", "ctrl+l", "filter('labeled-only')", "Filter: labelled only"),
    Action("filter.all", "ctrl+a", "filter('all')", "Filter: everything"),
    Action("filter.next", "ctrl+o", "cycle_filter(1)", "Next filter", "filter"),
    Action("filter.previous", "ctrl+shift+o", "cycle_filter(-1)", "Previous filter"),
    Action("label-times", "T", "label_times", "Show when labels were set"),
    Action("pane.next", "tab", "app.focus_next", "Next pane", "pane"),
    Action("pane.previous", "shift+tab", "app.focus_previous", "Previous pane"),
    Action("pane.maximize", "z", "maximize", "This pane alone, or all of them", "alone"),
)

PANE = (
    Action("pane.up", "up", "scroll(-1)", "Line up"),
    Action("pane.down", "down", "scroll(1)", "Line down"),
    Action("pane.page-up", "pageup,left", "scroll_page(-1)", "Page up"),
    Action("pane.page-down", "pagedown,right,space", "scroll_page(1)", "Page down"),
    Action("pane.home", "home", "first", "To the start"),
    Action("pane.end", "end", "last", "To the end"),
)

APP = (
    Action("help", "question_mark,f1", "help", "This help", "help"),
    Action("quit", "q,ctrl+q", "quit", "Quit", "quit"),
)

GROUPS: dict[str, tuple[Action, ...]] = {
    "Tree": TREE,
    "Chat and context": PANE,
    "Explorer": EXPLORER,
    "pitree": APP,
}


def bindings(actions: Iterable[Action]) -> list[BindingType]:
    """Textual bindings of some actions."""
    return [
        Binding(
            item.keys, item.action, item.footer or item.help, show=bool(item.footer), id=item.id
        )
        for item in actions
    ]


def footer(actions: Iterable[Action], keymap: dict[str, str]) -> Content:
    """The line of keys at the bottom: the first key of each action that it names."""
    parts: list[tuple[str, str] | str] = []
    for item in actions:
        if item.footer:
            key = keymap.get(item.id, item.keys).split(",")[0]
            parts += [(key_names(key), "bold"), f" {item.footer}  "]
    return Content.assemble(*parts)


_KEY_NAMES = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "slash": "/",
    "question_mark": "?",
    "full_stop": ".",
    "left_square_bracket": "[",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "escape": "Esc",
}


def key_names(keys: str) -> str:
    """Textual's key names as they stand on keyboards."""
    return ", ".join(_key_name(key.strip()) for key in keys.split(","))


def _key_name(key: str) -> str:
    *modifiers, last = key.split("+")
    name = _KEY_NAMES.get(last, last if len(last) == 1 and not modifiers else last.capitalize())
    return "+".join([*(word.capitalize() for word in modifiers), name])


def check_keymap(keymap: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """The part of a user's keymap that can be used, and what is wrong with the rest.

    Textual drops one of two clashing bindings without a word, so clashes are found here.
    """
    known = {item.id: item for group in GROUPS.values() for item in group}
    good = {name: keys for name, keys in keymap.items() if name in known}
    problems = [f"[keys] {name}: no such action" for name in keymap if name not in known]
    # Keys of the tree and of the other panes never meet; those of the explorer meet both.
    for meeting in ((*TREE, *EXPLORER, *APP), (*PANE, *EXPLORER, *APP)):
        taken: dict[str, str] = {}
        for item in meeting:
            for key in good.get(item.id, item.keys).split(","):
                other = taken.setdefault(key.strip(), item.id)
                if other != item.id:
                    problem = f"[keys] {key.strip()} is both {other} and {item.id}"
                    if problem not in problems:
                        problems.append(problem)
                    good.pop(item.id if item.id in good else other, None)
    return good, problems

"""The explorer by its keys: what is on the screen after them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.style import Style
from textual.strip import Strip

from pitree.app.widgets.block_list import BlockList
from pitree.settings import Settings
from tests.app.conftest import Open, frame, highlighted, press, settle, text, tree
from tests.sessions import Builder


@pytest.fixture
def branched(tmp_path: Path) -> Path:
    """A trunk of a question and an answer, two branches off it, labels and settings."""
    builder = Builder()
    builder.entry("model_change", provider="anthropic", modelId="claude-sonnet-4-5")
    builder.user("the trunk question")
    trunk = builder.assistant("the trunk answer")
    builder.user("the left branch")
    left = builder.assistant("", {"id": "call1", "name": "read", "arguments": {"path": "a.py"}})
    builder.result("call1", "the contents of a needle")
    builder.assistant("left is done")
    builder.user("the right branch", parent=trunk)
    builder.assistant("right is done")
    builder.entry("label", targetId=left, label="ignored")
    builder.entry("label", targetId=trunk, label="fork here")
    return builder.write(tmp_path / "branched.jsonl")


def _rows(pilot: object) -> list[str]:
    shown = tree(pilot)  # type: ignore[arg-type]
    return [shown.render_line(y).text.rstrip() for y in range(len(shown.rows or ()))]


async def test_opens_with_the_leaf_chosen_and_three_panes(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        assert _rows(pilot) == [
            "• user: the trunk question",
            "• [fork here] assistant: the trunk answer",
            "├⊟ • user: the right branch",
            "│     • assistant: right is done",
            "└⊟ user: the left branch",
            "      [read: a.py]",
            "      assistant: left is done",
        ]
        # The leaf is a label, which this filter hides: the row above it has the cursor.
        assert tree(pilot).cursor == 3
        screen = text(pilot)
        assert "11 entries · 2 branches" in screen
        assert "Chat ─ root → 00000009" in screen
        assert "right is done" in screen
        assert "4 entries" in screen


async def test_looking_changes_nothing(explore: Open, branched: Path) -> None:
    before = (branched.read_bytes(), branched.stat().st_mtime_ns, os.listdir(branched.parent))
    async with explore(branched) as pilot:
        await press(pilot, "up", "up", "ctrl+left", "slash", "a", "escape", "tab", "down", "end")
    after = (branched.read_bytes(), branched.stat().st_mtime_ns, os.listdir(branched.parent))
    assert before == after


async def test_the_cursor_drives_chat_and_context(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "end")
        assert "Chat ─ root → 00000007" in text(pilot)
        assert "Context ─ what the model gets ─ 6 entries" in text(pilot)
        await press(pilot, "home")
        assert "Chat ─ root → 00000002" in text(pilot)
        assert "Context ─ what the model gets ─ 1 entry" in text(pilot)


async def test_only_the_row_at_the_cursor_is_highlighted(explore: Open, tmp_path: Path) -> None:
    builder = Builder()
    for number in range(100):
        builder.user(f"message {number}")
    async with explore(builder.write(tmp_path / "s.jsonl")) as pilot:
        assert highlighted(pilot) == ["◆ user: message 99"]
        await press(pilot, "up", "up")
        assert highlighted(pilot) == ["• user: message 97"]
        await press(pilot, "home", "down")
        assert highlighted(pilot) == ["• user: message 1"]


async def test_the_cursor_goes_round(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "home", "up")
        assert tree(pilot).cursor == 6
        await press(pilot, "down")
        assert tree(pilot).cursor == 0


@pytest.mark.parametrize(
    ("key", "name", "rows"),
    [
        ("ctrl+t", "no-tools", 6),
        ("ctrl+u", "user-only", 3),
        ("ctrl+l", "labeled-only", 1),
        ("ctrl+a", "all", 10),
    ],
)
async def test_filters_switch_on_and_off(
    explore: Open, branched: Path, key: str, name: str, rows: int
) -> None:
    async with explore(branched) as pilot:
        await press(pilot, key)
        assert f"Tree ─ {name}" in text(pilot)
        assert len(tree(pilot).rows or ()) == rows
        await press(pilot, key)
        assert "Tree ─ default" in text(pilot)
        await press(pilot, key, "ctrl+d")
        assert "Tree ─ default" in text(pilot)


async def test_filters_cycle_both_ways(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        for name in ("no-tools", "user-only", "labeled-only", "all", "default"):
            await press(pilot, "ctrl+o")
            assert f"Tree ─ {name}" in text(pilot)
        await press(pilot, "ctrl+shift+o")
        assert "Tree ─ all" in text(pilot)


async def test_a_segment_folds_and_unfolds_and_stays_folded(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "end", "ctrl+left")
        assert tree(pilot).cursor == 4  # the first press goes to the segment's start
        await press(pilot, "ctrl+left")
        assert _rows(pilot)[4:] == ["└⊞ user: the left branch"]
        await press(pilot, "ctrl+t", "ctrl+t")
        assert _rows(pilot)[4:] == ["└⊞ user: the left branch"]
        await press(pilot, "alt+right")
        assert len(_rows(pilot)) == 7


async def test_segments_forks_and_parents_are_walked(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "home", "ctrl+right")
        assert tree(pilot).cursor == 2
        await press(pilot, "left_square_bracket")
        assert tree(pilot).cursor == 1
        await press(pilot, "home", "right_curly_bracket")
        assert tree(pilot).cursor == 1
        await press(pilot, "end", "left_curly_bracket")
        assert tree(pilot).cursor == 1
        await press(pilot, "full_stop")
        assert tree(pilot).cursor == 3


async def test_search_looks_into_results_and_escape_clears_it(
    explore: Open, branched: Path
) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "slash", *"NEEDLE")
        await pilot.pause(0.3)
        await settle(pilot)
        assert _rows(pilot) == ["[read: a.py]"]
        assert "1 entries found" in text(pilot)
        await press(pilot, "enter")
        assert pilot.app.focused == tree(pilot)
        await press(pilot, "escape")
        await pilot.pause(0.3)
        await settle(pilot)
        assert len(_rows(pilot)) == 7


async def test_search_without_a_hit_says_so(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "slash", *"zzz")
        await pilot.pause(0.3)
        await settle(pilot)
        assert _rows(pilot) == []
        assert "0 entries found" in text(pilot)


async def test_label_times_show_on_a_key(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "T")
        assert _rows(pilot)[1].startswith("• [fork here] 2026-01-01 00:00 assistant: the")


async def test_panes_take_the_focus_and_scroll(explore: Open, tmp_path: Path) -> None:
    builder = Builder()
    for number in range(60):
        builder.user(f"message {number}")
    async with explore(builder.write(tmp_path / "s.jsonl")) as pilot:
        await press(pilot, "tab")
        chat = pilot.app.screen.query_one("#chat", BlockList)
        assert chat.has_focus
        assert "message 59" in text(pilot)
        await press(pilot, "home")
        assert chat.top == (0, 0)
        await press(pilot, "pagedown", "up")
        assert chat.top > (0, 0)
        await press(pilot, "end")
        bottom = chat.top
        await press(pilot, "down")
        assert chat.top == bottom
        await press(pilot, "shift+tab")
        assert tree(pilot).has_focus


async def test_the_top_line_of_the_chat_stays_when_the_window_changes(
    explore: Open, tmp_path: Path
) -> None:
    builder = Builder()
    for number in range(80):
        builder.user(f"message {number} " + "word " * 40)
    async with explore(builder.write(tmp_path / "s.jsonl")) as pilot:
        await press(pilot, "tab", "home", *["pagedown"] * 3)
        chat = pilot.app.screen.query_one("#chat", BlockList)
        top = chat.top
        await pilot.resize_terminal(160, 50)
        await settle(pilot)
        assert chat.top[0] == top[0]
        await pilot.resize_terminal(120, 36)
        await settle(pilot)
        assert chat.top[0] == top[0]


async def test_one_pane_alone(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "z")
        assert tree(pilot).size.width > 100
        await press(pilot, "z", "tab", "z")
        assert pilot.app.screen.query_one("#chat").size.width > 100
        await press(pilot, "z")
        assert tree(pilot).size.width < 60


async def test_help_lists_every_key_and_closes(explore: Open, branched: Path) -> None:
    async with explore(branched, size=(100, 60)) as pilot:
        await press(pilot, "question_mark")
        screen = text(pilot)
        for words in ("Next fork", "Filter: labelled only", "Search the whole text", "Quit"):
            assert words in screen
        await press(pilot, "escape")
        assert "Next fork" not in text(pilot)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_quits(explore: Open, branched: Path, key: str) -> None:
    async with explore(branched) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert pilot.app.return_code == 0


async def test_escape_never_quits(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await press(pilot, "escape", "escape", "escape")
        assert pilot.app.is_running


async def test_a_click_moves_the_cursor(explore: Open, branched: Path) -> None:
    async with explore(branched) as pilot:
        await pilot.click("#tree", offset=(6, 5))
        await settle(pilot)
        assert tree(pilot).cursor == 5
        await pilot.click("#context", offset=(10, 0))
        await settle(pilot)
        assert tree(pilot).cursor == 0


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)])
async def test_every_size_shows_the_tree_and_its_keys(
    explore: Open, branched: Path, size: tuple[int, int]
) -> None:
    async with explore(branched, size=size) as pilot:
        lines = frame(pilot)
        assert len(lines) == size[1]
        assert any("user: the trunk question" in line for line in lines)
        assert "quit" in lines[-1]


async def test_keys_can_be_changed_and_clashes_are_said(explore: Open, branched: Path) -> None:
    settings = Settings(keys={"tree.down": "j", "tree.up": "j", "nonsense": "x"})
    async with explore(branched, settings=settings) as pilot:
        messages = [toast.message for toast in pilot.app._notifications]
        assert "[keys] nonsense: no such action" in messages
        assert "[keys] j is both tree.up and tree.down" in messages


async def test_a_key_that_was_changed_works(explore: Open, branched: Path) -> None:
    settings = Settings(keys={"tree.down": "j"})
    async with explore(branched, settings=settings) as pilot:
        await press(pilot, "home", "j")
        assert tree(pilot).cursor == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "This session is empty"),
        (b'{"type":"session","version":9,"id":"x"}\n', "written by a newer Pi"),
        (
            b'{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"hi"}}\n',
            "does not begin with a session header",
        ),
        (
            b'{"type":"session","version":3,"id":"x"}\n{"broken\n',
            "1 damaged place: marked below the tree",
        ),
    ],
)
async def test_odd_files_open_with_a_banner(
    explore: Open, tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(content)
    async with explore(path) as pilot:
        assert words in text(pilot)
        assert path.read_bytes() == content


async def test_damage_is_marked_below_the_tree(explore: Open, tmp_path: Path) -> None:
    builder = Builder()
    builder.user("fine")
    builder.lines.append('{"type":"message","id":"torn')
    async with explore(builder.write(tmp_path / "s.jsonl")) as pilot:
        assert "⚠ line 3 malformed: a line that is no JSON" in text(pilot)
        await press(pilot, "down")
        screen = text(pilot)
        assert "Dropped by Pi ─ malformed" in screen
        assert '{"type":"message","id":"torn' in screen
        assert "Pi drops this line: no model gets it" in screen


async def test_entries_without_a_header_are_shown_marked(explore: Open, tmp_path: Path) -> None:
    builder = Builder()
    builder.user("one")
    builder.assistant("two")
    del builder.lines[0]
    async with explore(builder.write(tmp_path / "s.jsonl")) as pilot:
        shown = tree(pilot)
        rows = [shown.render_line(y).text.rstrip() for y in range(2)]
        assert rows == ["⚠ line 1 no-header: user: one", "⚠ line 2 no-header: assistant: two"]
        await press(pilot, "down")
        assert "two" in text(pilot)


@pytest.mark.parametrize("content", [b"not a session\n", b'{"kind":"header","version":4}\n'])
async def test_a_file_that_is_no_session_opens_a_dialog(
    explore: Open, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    async with explore(path) as pilot:
        assert "This file can't be shown" in text(pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.return_code == 0


async def test_hostile_text_reaches_no_terminal(explore: Open, tmp_path: Path) -> None:
    hostile = "a\x1b[2J\x1b]52;c;eA==\x07\x9b31m\u202eb\r[bold red]c[/nothing]"
    builder = Builder()
    builder.entry("session_info", name=hostile)
    named = builder.user(hostile)
    builder.assistant(hostile, {"id": "k", "name": hostile, "arguments": {"path": hostile}})
    builder.result("k", hostile)
    builder.entry("custom_message", customType=hostile, content=hostile, display=True)
    builder.entry("compaction", summary=hostile, firstKeptEntryId=named, tokensBefore=1)
    builder.entry("label", targetId=named, label=hostile)
    path = builder.write(tmp_path / "hostile.jsonl")
    async with explore(path) as pilot:
        for keys in (("home",), ("down",), ("end",), ("slash", "[", "/", "x"), ("escape",)):
            await press(pilot, *keys)
            screen = text(pilot)
            assert not {"\x1b", "\x07", "\x9b", "\u202e", "\r"} & set(screen)
        assert "[bold red]c[/nothing]" in screen


async def test_who_speaks_and_what_failed_differ_in_colour(explore: Open, tmp_path: Path) -> None:
    builder = Builder()
    builder.user("a question")
    failed = {"stopReason": "error", "errorMessage": "the line is dead"}
    builder.assistant("", {"id": "c", "name": "read", "arguments": {"path": "a.py"}})
    builder.result("c", "contents")
    builder.assistant("", message=failed)
    builder.user("the last word")
    path = builder.write(tmp_path / "colours.jsonl")
    async with explore(path) as pilot:
        shown, chat = tree(pilot), pilot.app.screen.query_one("ChatPane BlockList", BlockList)
        rows = [shown.render_line(y) for y in range(len(shown.rows or ()))]
        lines = [chat.render_line(y) for y in range(chat.size.height)]

    def style_of(strips: list[Strip], said: str) -> Style:
        return next(
            part.style or Style() for strip in strips for part in strip if said in part.text
        )

    user, error = style_of(rows, "user:").color, style_of(rows, "the line is dead").color
    assert len({user, error, style_of(rows, "a question").color}) == 3
    assert style_of(rows, "[read: a.py]").dim
    # On the cursor's row all text has the cursor's colour.
    assert style_of(rows, "user: the last word").bgcolor is not None
    assert style_of(lines, "you").bold
    assert not style_of(lines, "a question").bold
    assert style_of(lines, "the line is dead").color != style_of(lines, "a question").color
    assert style_of(lines, "[read: a.py]").color != style_of(lines, "contents").color

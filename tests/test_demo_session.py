"""The sample session: what the script makes, whole, and with every kind of entry."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from pitree import SessionManager
from pitree.app.run import demo_copy
from pitree.cli.main import main
from tests.make_demo import TARGET, story_lines

ROLES = {"user", "assistant", "toolResult", "bashExecution", "system"}
TYPES = {
    "message",
    "thinking_level_change",
    "model_change",
    "compaction",
    "branch_summary",
    "custom",
    "custom_message",
    "label",
    "session_info",
    "usage",
    "context_edit",
    "leaf",
    "later_kind_of_entry",
}


def test_it_is_what_the_script_makes() -> None:
    assert TARGET.read_text("utf-8") == "".join(line + "\n" for line in story_lines())


def test_every_kind_occurs_and_every_parent_resolves() -> None:
    entries = [json.loads(line) for line in story_lines()[1:]]
    ids = [entry["id"] for entry in entries]
    assert len(set(ids)) == len(ids)
    assert all(entry["parentId"] in {None, *ids} for entry in entries)
    assert Counter(entry["type"] for entry in entries).keys() == TYPES
    messages = [entry["message"] for entry in entries if entry["type"] == "message"]
    assert {message["role"] for message in messages} == ROLES
    stops = {message.get("stopReason") for message in messages}
    assert stops >= {"stop", "toolUse", "error", "aborted", "length"}
    assert TARGET.stat().st_size < 200_000


async def test_it_opens_whole_with_branches_in_branches() -> None:
    with demo_copy() as path:
        async with await SessionManager.open(path) as session:
            assert session.damage == []
            assert session.session_name == "Rain gauge: logger, store, alarm"
            assert len(session.tree.forks()) >= 6
            assert len(session.tree.children(None)) == 2


def test_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    with demo_copy() as path:
        assert main(["tree", str(path)]) == 0
        assert "[csv store] assistant: One CSV file a month" in capsys.readouterr().out
        assert main(["doctor", str(path)]) == 0

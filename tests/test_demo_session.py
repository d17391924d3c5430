"""The sample session: what the script makes, whole, and with every kind of entry."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pitree.app.run import demo_copy
from pitree.cli.main import main
from pitree.model import js
from pitree.store.session_manager import SessionManager
from tests.make_demo import TARGET, session_lines

TYPES = {
    "bookmark",
    "branch_summary",
    "compaction",
    "context_edit",
    "custom",
    "custom_message",
    "label",
    "leaf",
    "message",
    "model_change",
    "session_info",
    "thinking_level_change",
    "usage",
}
ROLES = {"assistant", "bashExecution", "system", "toolResult", "user"}
STOPS = {"aborted", "error", "length", "stop", "toolUse"}
TOOLS = {"bash", "edit", "find", "grep", "ls", "read", "serial_monitor", "tip_simulator"}
TOOLS |= {"weather_station", "write"}

Json = dict[str, Any]


@pytest.fixture(scope="module")
def entries() -> list[Json]:
    return [json.loads(line) for line in TARGET.read_text("utf-8").splitlines()[1:]]


def _messages(entries: list[Json], role: str) -> list[Json]:
    messages = (entry["message"] for entry in entries if entry["type"] == "message")
    return [message for message in messages if message["role"] == role]


def _blocks(entries: list[Json], role: str, type_name: str) -> list[Json]:
    contents = (message["content"] for message in _messages(entries, role))
    return [
        block
        for content in contents
        if isinstance(content, list)
        for block in content
        if block["type"] == type_name
    ]


def test_it_is_what_the_script_makes_and_small() -> None:
    made = "".join(line + "\n" for line in session_lines()).encode()
    assert TARGET.read_bytes() == made
    assert len(made) < 200_000


def test_lines_are_as_pi_writes_them() -> None:
    for line in TARGET.read_text("utf-8").split("\n")[:-1]:
        assert js.stringify(json.loads(line)) == line


def test_ids_parents_and_times(entries: list[Json]) -> None:
    ids = [entry["id"] for entry in entries]
    assert 110 <= len(ids) == len(set(ids)) <= 180
    assert all(re.fullmatch("[0-9a-f]{8}", name) for name in ids)
    assert [entry["parentId"] for entry in entries].count(None) == 2
    for at, entry in enumerate(entries):
        assert entry["parentId"] in {None, *ids[:at]}
        targets = {entry.get(key) for key in ("targetId", "fromId", "firstKeptEntryId")}
        assert targets <= {None, *ids[:at]}
    times = [entry["timestamp"] for entry in entries]
    assert times == sorted(set(times))
    assert all(re.fullmatch(r"2026-03-0\dT\d\d:\d\d:\d\d\.\d{3}Z", time) for time in times)


def test_every_kind_of_entry_and_message_occurs(entries: list[Json]) -> None:
    assert {entry["type"] for entry in entries} == TYPES
    roles = {entry["message"]["role"] for entry in entries if entry["type"] == "message"}
    assert roles == ROLES
    answers = _messages(entries, "assistant")
    assert {answer["stopReason"] for answer in answers} == STOPS
    assert all(("errorMessage" in a) == (a["stopReason"] in {"aborted", "error"}) for a in answers)
    thoughts = _blocks(entries, "assistant", "thinking")
    assert {thought.get("redacted") for thought in thoughts} == {None, True}
    assert all(thought["thinkingSignature"] for thought in thoughts)
    assert len(_blocks(entries, "user", "image")) == 1
    assert len(_blocks(entries, "toolResult", "image")) == 4


def test_every_tool_call_has_its_result(entries: list[Json]) -> None:
    calls = {call["id"]: call for call in _blocks(entries, "assistant", "toolCall")}
    results = _messages(entries, "toolResult")
    assert [result["toolCallId"] for result in results] == list(calls)
    assert all(calls[result["toolCallId"]]["name"] == result["toolName"] for result in results)
    assert {result["toolName"] for result in results} == TOOLS
    assert {result["isError"] for result in results} == {False, True}
    edits = [call["arguments"] for call in calls.values() if call["name"] == "edit"]
    assert {"edits" in edit for edit in edits} == {False, True}
    texts = [block["text"] for block in _blocks(entries, "toolResult", "text")]
    assert max(text.count("\n") for text in texts) > 300
    for part in ("\x1b[2J", "\x1b]52;", "\u202e", "[bold red]", "[/x]"):
        assert [part in text for text in texts].count(True) == 1


def test_rare_fields_occur(entries: list[Json]) -> None:
    runs = _messages(entries, "bashExecution")
    assert {run.get("exitCode") for run in runs} == {0, 1, None}
    for key in ("cancelled", "truncated", "fullOutputPath", "excludeFromContext"):
        assert [bool(run.get(key)) for run in runs].count(True) == 1
    of = {kind: [entry for entry in entries if entry["type"] == kind] for kind in TYPES}
    assert {entry["display"] for entry in of["custom_message"]} == {False, True}
    assert {entry["replacement"] is None for entry in of["context_edit"]} == {False, True}
    assert len({entry["name"] for entry in of["session_info"]}) == 2
    old, new = of["compaction"]
    assert "systemMessage" not in old
    assert {"details", "usage", "systemMessage"} <= new.keys()
    assert all({"fromId", "details"} <= entry.keys() for entry in of["branch_summary"])
    targets = [entry["targetId"] for entry in of["label"]]
    assert [targets.count(target) for target in dict.fromkeys(targets)].count(2) == 2
    assert [entry for entry in of["label"] if "label" not in entry]
    parents = [entry["parentId"] for entry in entries]
    assert of["bookmark"][0]["id"] in parents
    first, second = _messages(entries, "system")
    assert {"sections", "toolsAdded"} <= first.keys()
    assert None in second["sections"].values()
    assert second["toolsRemoved"]


def test_usage_grows_until_it_is_compacted(entries: list[Json]) -> None:
    by_id = {entry["id"]: entry for entry in entries}
    path = [entries[-1]]
    while path[-1]["parentId"] is not None:
        path.append(by_id[path[-1]["parentId"]])
    totals, drops = [0], 0
    for entry in reversed(path):
        usage = entry.get("message", {}).get("usage")
        if usage and usage["totalTokens"]:
            drops += usage["totalTokens"] < totals[-1]
            totals.append(usage["totalTokens"])
    assert drops == 1
    assert totals[-1] > 20_000


async def test_it_opens_whole_with_branches_in_branches() -> None:
    with demo_copy() as path:
        async with await SessionManager.open(path) as session:
            assert session.damage == []
            assert session.session_name == "Rain gauge: every tip counts 🌧️"
            assert session.cwd == "/home/user/projects/rain-gauge"
            assert len(session.tree.forks()) >= 6
            assert session.leaf == len(session) - 1


def test_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    with demo_copy() as path:
        assert main(["tree", str(path)]) == 0
        printed = capsys.readouterr().out
        assert "[web page] assistant: The page is up" in printed
        assert "[what a hostile tool printed] [serial_monitor: " in printed
        assert main(["doctor", str(path)]) == 0

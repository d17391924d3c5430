"""Settings: both programs' files, and what is said of what cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

from pitree import paths
from pitree.settings import Settings, load_settings


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_without_files_everything_is_pis_default(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()
    assert (Settings().keep_recent_tokens, Settings().reserve_tokens) == (20000, 16384)


def test_pis_files_and_ours_in_their_order(tmp_path: Path) -> None:
    pi = {"treeFilterMode": "no-tools", "compaction": {"keepRecentTokens": 1, "reserveTokens": 2}}
    _write(paths.agent_dir() / "settings.json", json.dumps({**pi, "sessionDir": "/s"}))
    found = load_settings(tmp_path)
    assert (found.filter, found.keep_recent_tokens, found.session_dir) == ("no-tools", 1, "/s")
    _write(tmp_path / ".pi" / "settings.json", json.dumps({"treeFilterMode": "all"}))
    assert load_settings(tmp_path).filter == "all"
    _write(paths.config_file(), '[ui]\nfilter = "user-only"\n[compaction]\nreserve_tokens = 7\n')
    found = load_settings(tmp_path)
    assert (found.filter, found.keep_recent_tokens, found.reserve_tokens) == ("user-only", 1, 7)


def test_what_is_unknown_is_a_warning_with_its_line(tmp_path: Path) -> None:
    text = """\
[ui]
filter = "default"
colour = 1
[keys]
"tree.up" = "k"
[nonsense]
a = 1
[compaction]
reserve_tokens = "many"
"""
    _write(paths.config_file(), text)
    found = load_settings(tmp_path)
    name = str(paths.config_file())
    assert found.warnings == (
        f"{name}:3: unknown key colour in [ui]",
        f"{name}:6: unknown table [nonsense]",
        f"{name}:9: reserve_tokens wants a whole number",
    )
    assert found.keys == {"tree.up": "k"}


def test_broken_files_are_warnings(tmp_path: Path) -> None:
    _write(paths.config_file(), "[ui\n")
    _write(paths.agent_dir() / "settings.json", "{")
    found = load_settings(tmp_path)
    assert len(found.warnings) == 2
    assert found.filter == "default"


def test_an_unknown_filter_is_a_warning(tmp_path: Path) -> None:
    _write(paths.config_file(), '[ui]\nfilter = "odd"\n')
    found = load_settings(tmp_path)
    assert found.filter == "default"
    assert "unknown filter 'odd'" in found.warnings[0]

"""Settings: pitree's own file, and what Pi's files say of the same things.

`$XDG_CONFIG_HOME/pitree/config.toml` has the tables `[ui] [keys] [model] [compaction]`. What
cannot be used is a warning with its line, never a failure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from pitree import paths
from pitree.model.filters import FILTER_MODES, FilterMode

KEEP_RECENT_TOKENS = 20000
RESERVE_TOKENS = 16384
"""Pi's own figures."""

_KNOWN: dict[str, dict[str, type]] = {
    "ui": {"filter": str, "label_times": bool, "theme": str},
    "model": {"name": str, "base_url": str, "api": str, "api_key": str},
    "compaction": {"keep_recent_tokens": int, "reserve_tokens": int},
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose.

    Attributes:
        filter: The filter with which trees open.
        label_times: Whether labels show when they were set.
        theme: Name of the colours, None for the default.
        keys: Action id → keys, separated by commas.
        model: The `[model]` table as it is.
        keep_recent_tokens: Tokens that a compaction keeps whole.
        reserve_tokens: Tokens that are kept free for the answer.
        session_dir: Pi's `sessionDir`, None where it is not set.
        warnings: What in the files could not be used, with file and line.
    """

    filter: FilterMode = "default"
    label_times: bool = False
    theme: str | None = None
    keys: dict[str, str] = field(default_factory=dict)
    model: dict[str, str] = field(default_factory=dict)
    keep_recent_tokens: int = KEEP_RECENT_TOKENS
    reserve_tokens: int = RESERVE_TOKENS
    session_dir: str | None = None
    warnings: tuple[str, ...] = ()


def load_settings(cwd: Path, file: Path | None = None) -> Settings:
    """Read the settings that hold in a folder.

    pitree's file comes before `.pi/settings.json` of the folder, and that before
    `settings.json` of Pi's own folder.

    Args:
        cwd: The folder.
        file: pitree's settings file, if not the usual one.
    """
    warnings: list[str] = []
    pi = {
        **_pi_settings(paths.agent_dir() / "settings.json", warnings),
        **_pi_settings(cwd / ".pi" / "settings.json", warnings),
    }
    own = _own_settings(file or paths.config_file(), warnings)
    ui, compaction = own.get("ui", {}), own.get("compaction", {})
    chosen = ui.get("filter", pi.get("treeFilterMode", "default"))
    found = next((mode for mode in FILTER_MODES if mode == chosen), None)
    if found is None:
        warnings.append(f"unknown filter {chosen!r}; one of {', '.join(FILTER_MODES)}")
    return Settings(
        filter=found or "default",
        label_times=ui.get("label_times", False),
        theme=ui.get("theme"),
        keys=own.get("keys", {}),
        model=own.get("model", {}),
        keep_recent_tokens=compaction.get(
            "keep_recent_tokens", pi.get("keepRecentTokens", KEEP_RECENT_TOKENS)
        ),
        reserve_tokens=compaction.get("reserve_tokens", pi.get("reserveTokens", RESERVE_TOKENS)),
        session_dir=pi.get("sessionDir"),
        warnings=tuple(warnings),
    )


def _own_settings(file: Path, warnings: list[str]) -> dict[str, Any]:
    if not file.exists():
        return {}
    import tomllib  # 4 ms to load, and most people have no such file

    try:
        text = file.read_text("utf-8")
        tables = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        warnings.append(f"{file}: {error}")
        return {}
    own: dict[str, Any] = {}
    for table, values in tables.items():
        if table not in _KNOWN and table != "keys":
            warnings.append(f"{file}:{_line_of(text, None, table)}: unknown table [{table}]")
            continue
        if not isinstance(values, dict):
            warnings.append(f"{file}:{_line_of(text, None, table)}: {table} is a table")
            continue
        own[table] = {}
        for key, value in values.items():
            kind = str if table == "keys" else _KNOWN[table].get(key)
            where = f"{file}:{_line_of(text, table, key)}"
            if kind is None:
                warnings.append(f"{where}: unknown key {key} in [{table}]")
            elif type(value) is not kind:
                warnings.append(f"{where}: {key} wants {_NAMES[kind]}")
            else:
                own[table][key] = value
    return own


_NAMES = {str: "a string", int: "a whole number", bool: "true or false"}


def _line_of(text: str, table: str | None, key: str) -> int:
    """The line on which a key of a table stands, else that of the table, else 1."""
    here, fallback = None, 1
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
        if head:
            here = head.group(1).strip("\"'")
            if here.split(".")[0] == (table or key):
                fallback = number
                if table is None:
                    return number
        elif here == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]", line):
            return number
    return fallback


def _pi_settings(file: Path, warnings: list[str]) -> dict[str, Any]:
    """What Pi's settings say of trees and compaction, flat."""
    try:
        value = orjson.loads(file.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        warnings.append(f"{file}: {error}")
        return {}
    if not isinstance(value, dict):
        return {}
    found: dict[str, Any] = {}
    compaction = value.get("compaction")
    for key in ("keepRecentTokens", "reserveTokens"):
        number = compaction.get(key) if isinstance(compaction, dict) else None
        if isinstance(number, int) and not isinstance(number, bool):
            found[key] = number
    for key in ("treeFilterMode", "sessionDir"):
        if isinstance(value.get(key), str):
            found[key] = value[key]
    return found

"""Where things are: Pi's folders and pitree's own. Computed, never created."""

from __future__ import annotations

import os
import re
from pathlib import Path

APP = "pitree"


def _environment_path(name: str, default: Path) -> Path:
    value = os.environ.get(name, "")
    return Path(value).expanduser() if value else default


def agent_dir() -> Path:
    """Pi's folder: `$PI_CODING_AGENT_DIR`, else `~/.pi/agent`."""
    return _environment_path("PI_CODING_AGENT_DIR", Path.home() / ".pi" / "agent")


def sessions_root() -> Path:
    """The folder that holds a folder of sessions for each working directory."""
    return _environment_path("PI_CODING_AGENT_SESSION_DIR", agent_dir() / "sessions")


def session_dir(cwd: str | os.PathLike[str], setting: str | None = None) -> Path:
    """The folder of a working directory's sessions.

    Args:
        cwd: The working directory.
        setting: `sessionDir` of Pi's settings, which comes after the environment variable.
    """
    override = os.environ.get("PI_CODING_AGENT_SESSION_DIR") or setting
    if override:
        return Path(override).expanduser()
    name = re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", os.path.abspath(cwd)))
    return agent_dir() / "sessions" / f"--{name}--"


def config_file() -> Path:
    """Pitree's settings file: `$XDG_CONFIG_HOME/pitree/config.toml`."""
    return _xdg("XDG_CONFIG_HOME", ".config") / APP / "config.toml"


def cache_dir() -> Path:
    """Where indexes are kept: `$XDG_CACHE_HOME/pitree`, safe to delete."""
    return _xdg("XDG_CACHE_HOME", ".cache") / APP


def _xdg(name: str, default: str) -> Path:
    value = os.environ.get(name, "")
    # The XDG rule: a path that is not absolute is ignored.
    return Path(value) if os.path.isabs(value) else Path.home() / default

"""`pitree paths`: where files are looked for and kept."""

from __future__ import annotations

import argparse
from pathlib import Path

from pitree import paths
from pitree.cli.arguments import add_json
from pitree.cli.output import say, say_json, warn
from pitree.settings import load_settings

SCHEMA = 1


def prepare(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_json(parser)


async def run(args: argparse.Namespace) -> int:
    """Print the paths."""
    settings = load_settings(Path.cwd())
    for line in settings.warnings:
        warn(line)
    found = {
        "agentDir": paths.agent_dir(),
        "sessionDir": paths.session_dir(Path.cwd(), settings.session_dir),
        "config": paths.config_file(),
        "cache": paths.cache_dir(),
    }
    if args.json:
        say_json({"schema": SCHEMA, **{name: str(path) for name, path in found.items()}})
        return 0
    for name, path in found.items():
        say(f"{name:<12} {path}")
    return 0

"""What is known of models: the table of those that Pi lists, shipped with pitree."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson

DEFAULT_WINDOW = 128_000
"""Tokens that an unlisted model is taken to have."""


@cache
def _table() -> tuple[dict[tuple[str, str], dict[str, Any]], dict[str, int]]:
    import gzip
    from importlib.resources import files

    data = (files("pitree.context") / "data" / "models.json.gz").read_bytes()
    content = orjson.loads(gzip.decompress(data))
    listed: dict[tuple[str, str], dict[str, Any]] = {}
    windows: dict[str, int] = {}
    for values in content["models"]:
        model = dict(zip(content["columns"], values, strict=True))
        listed[model["provider"], model["id"]] = model
        windows.setdefault(model["id"], model["contextWindow"])
    return listed, windows


def context_window(provider: Any, model_id: Any) -> int:
    """Tokens that a model takes: of its provider, else of another that has it, else a default."""
    listed, windows = _table()
    model = listed.get((provider, model_id)) if isinstance(model_id, str) else None
    if model is not None:
        return int(model["contextWindow"])
    return windows.get(model_id, DEFAULT_WINDOW) if isinstance(model_id, str) else DEFAULT_WINDOW

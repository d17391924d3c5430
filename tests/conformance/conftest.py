"""The kits, unpacked once, and the surroundings in which the real Pi computed them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.kit import cases_of, unpack

KITS: dict[str, Path] = {}


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, own_home: Path) -> Iterator[None]:
    """The time zone and the home directory of the goldens."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("HOME", "/home/user")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case of each kit."""
    if "case" not in metafunc.fixturenames:
        return
    if not KITS:
        foreign = os.environ.get("PITREE_ORACLE")
        if foreign:
            KITS[foreign] = Path(foreign)
        else:
            import tempfile

            folder = tempfile.TemporaryDirectory(prefix="pitree-kits-")
            metafunc.config.add_cleanup(folder.cleanup)
            for kit in unpack(Path(folder.name)):
                KITS[kit.name] = kit
    cases = [case for kit in KITS.values() for case in cases_of(kit)]
    metafunc.parametrize("case", cases, ids=[f"{case.kit.name}:{case.name}" for case in cases])

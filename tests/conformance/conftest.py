"""The cases of the kits, and the surroundings in which the real Pi computed their results."""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.compare import Comparison
from tests.conformance.kit import cases_of, public_folder, unpack

KITS = pytest.StashKey[list[Path]]()
COMPARED: Counter[str] = Counter()


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, own_home: Path) -> Iterator[None]:
    """The time zone and the home directory of the goldens; Pi's own files are nowhere."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("HOME", "/home/user")
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(own_home / "agent"))
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def find_kits(config: pytest.Config) -> list[Path]:
    """The folder that $PITREE_ORACLE names, else the archives, unpacked once."""
    if KITS not in config.stash:
        foreign = os.environ.get("PITREE_ORACLE")
        if foreign:
            config.stash[KITS] = [Path(foreign).resolve()]
        else:
            folder = tempfile.TemporaryDirectory(prefix="pitree-kits-")
            config.add_cleanup(folder.cleanup)
            config.stash[KITS] = unpack(Path(folder.name))
    return config.stash[KITS]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each kit, or for each case of each kit."""
    kits = find_kits(metafunc.config) if {"kit", "case"} & set(metafunc.fixturenames) else []
    if "kit" in metafunc.fixturenames:
        metafunc.parametrize("kit", kits, ids=[kit.name for kit in kits])
    if "case" in metafunc.fixturenames:
        cases = [case for kit in kits for case in cases_of(kit)]
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])


@pytest.fixture(scope="session", autouse=True)
def kits_stay_as_they_are(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever the tests read, no file of a kit and no folder changes."""
    folders = [one for one in (*find_kits(request.config), public_folder()) if one.is_dir()]
    before = [snapshot(folder) for folder in folders]
    yield
    assert [snapshot(folder) for folder in folders] == before


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Times and bytes of all that is in a folder."""
    return {
        str(path): (path.stat().st_mtime_ns, b"" if path.is_dir() else path.read_bytes())
        for path in [folder, *sorted(folder.rglob("*"))]
        if "node_modules" not in path.parts
    }


def count(comparison: Comparison, is_first: bool) -> None:
    """Add what was compared to the summary; a case is counted with its first area."""
    COMPARED.update(comparison.compared)
    COMPARED["case"] += is_first


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much was compared."""
    if COMPARED:
        fields = sum(number for name, number in COMPARED.items() if "." in name)
        terminalreporter.write_line(
            f"conformance: {COMPARED['case']} cases, {COMPARED['position']} positions, "
            f"{COMPARED['view']} views, {fields:,} fields compared with the real Pi"
        )

"""The kits: session files with what the real Pi computes for them."""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
import tempfile
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from pitree.model import js

DATA = Path(__file__).parents[1] / "data"
PUBLIC_FOLDER = "public-fixtures"
NO_PUBLIC = "Pi's public test files are not here: set PITREE_PUBLIC_FIXTURES"

Pi = Literal["0.73", "1.6"]
COMPARED_KINDS = ("oracle", "tree")
SKIPPED_KINDS: dict[str, str] = {
    "wire": "the bodies for providers are not in pitree yet",
    "ops": "appending is not in pitree yet",
}
"""Kinds of goldens that are not compared, with the reason; they are there if the index says so."""
SKIPPED_FILES: dict[str, str] = {
    "_summary-failures.json": "summaries are not in pitree yet",
}
"""Goldens that are of no case, with the reason why they are not compared."""
PI_OF_KIT: dict[str, Pi] = {"pi-oracle": "0.73", "pi-oracle-1.6": "1.6"}


def public_folder() -> Path:
    """Where Pi's public test files are, if they are anywhere."""
    beside = Path(__file__).parents[3] / "shared" / "pi-oracle" / PUBLIC_FOLDER
    return Path(os.environ.get("PITREE_PUBLIC_FIXTURES") or beside)


@dataclass(frozen=True)
class Case:
    """One session file of a kit.

    Attributes:
        kit: The folder of the kit.
        name: The case's name.
        file: The session file, relative to the kit.
        kinds: The kinds of its goldens.
    """

    kit: Path
    name: str
    file: str
    kinds: tuple[str, ...] = COMPARED_KINDS

    @property
    def is_public(self) -> bool:
        """Whether the session is one of Pi's own, which the kits may lack."""
        return self.file.startswith(f"{PUBLIC_FOLDER}/")

    @property
    def path(self) -> Path:
        """The session file."""
        own = self.kit / self.file
        if self.is_public and not own.exists():
            return public_folder() / self.file.removeprefix(f"{PUBLIC_FOLDER}/")
        return own

    @property
    def is_missing(self) -> bool:
        """Whether it is a public case whose file is not here."""
        return self.is_public and not self.path.exists()

    @cached_property
    def is_packed(self) -> bool:
        """Whether the session and its Pi are those of a case that is packed here."""
        digest = hashlib.sha256(self.path.read_bytes()).hexdigest()
        return (self.pi, self.name, digest) in packed_sessions()

    @cached_property
    def golden(self) -> dict[str, Any]:
        """What Pi computes; every reader gets the same object."""
        return self._read("oracle")

    @cached_property
    def views(self) -> dict[str, Any]:
        """The rows of Pi's tree selector."""
        return self._read("tree")

    @property
    def pi(self) -> Pi:
        """The Pi whose results these are."""
        return PI_OF_KIT[self.golden["kit"]]

    def _read(self, kind: str) -> dict[str, Any]:
        text = (self.kit / "goldens" / f"{self.name}.{kind}.json").read_text("utf-8")
        value: dict[str, Any] = json.loads(text)
        return value


def unpack(folder: Path) -> list[Path]:
    """The kits that are packed here."""
    found = []
    for archive_file in sorted(DATA.glob("pi-oracle*.tar.xz")):
        kit = folder / archive_file.name.removesuffix(".tar.xz")
        with tarfile.open(archive_file) as archive:
            archive.extractall(kit, filter="data")
        found.append(kit)
    return found


@cache
def packed_sessions() -> frozenset[tuple[Pi, str, str]]:
    """Pi, name and hash of every session of the packed cases."""
    found = set[tuple[Pi, str, str]]()
    with tempfile.TemporaryDirectory(prefix="pitree-packed-") as folder:
        for kit in unpack(Path(folder)):
            for case in cases_of(kit):
                # The public sessions themselves are not packed.
                digest = (
                    case.golden["file"]["sha256"]
                    if case.is_public
                    else hashlib.sha256(case.path.read_bytes()).hexdigest()
                )
                found.add((PI_OF_KIT[kit.name], case.name, digest))
    return frozenset(found)


def cases_of(kit: Path) -> list[Case]:
    """The cases that a kit's index lists; none if there is no index."""
    index = kit / "index.json"
    if not index.exists():
        return []
    return [
        Case(
            kit,
            case["name"],
            case.get("file", f"cases/{case['name']}.jsonl"),
            (*COMPARED_KINDS, *(kind for kind in SKIPPED_KINDS if case.get(kind))),
        )
        for case in json.loads(index.read_text("utf-8"))["cases"]
    ]


def kit_faults(kit: Path) -> list[str]:
    """What is wrong with a kit: nothing in it, files missing, files that no case names."""
    cases = cases_of(kit)
    faults = [] if cases else [f"{kit.name} lists no case"]
    wanted = {f"{case.name}.{kind}.json" for case in cases for kind in case.kinds}
    found = {path.name for path in (kit / "goldens").glob("*")}
    faults += [f"golden missing: {name}" for name in sorted(wanted - found)]
    stray = found - wanted - SKIPPED_FILES.keys()
    faults += [f"golden of no case: {name}" for name in sorted(stray)]
    files = {case.file for case in cases if not case.is_public}
    there = {f"cases/{path.name}" for path in (kit / "cases").glob("*")}
    faults += [f"session missing: {name}" for name in sorted(files - there)]
    faults += [f"session of no case: {name}" for name in sorted(there - files)]
    return faults


def sha256(value: Any) -> str:
    """The hash of a value's canonical JSON."""
    return hashlib.sha256(js.canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def ref(value: Any) -> str:
    """How the kits name a value."""
    return sha256(value)[:16]

"""The kits: session files with what the real Pi computes for them."""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pitree.model import js

DATA = Path(__file__).parents[1] / "data"
PUBLIC_FOLDER = "public-fixtures"
NO_PUBLIC = "Pi's public test files are not here: set PITREE_PUBLIC_FIXTURES"

Pi = Literal["0.73", "1.6"]
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
    """

    kit: Path
    name: str
    file: str

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


def cases_of(kit: Path) -> list[Case]:
    """The cases that a kit's index lists; none if there is no index."""
    index = kit / "index.json"
    if not index.exists():
        return []
    return [
        Case(kit, case["name"], case.get("file", f"cases/{case['name']}.jsonl"))
        for case in json.loads(index.read_text("utf-8"))["cases"]
    ]


def kit_faults(kit: Path) -> list[str]:
    """What is wrong with a kit: nothing in it, files missing, files that no case names."""
    cases = cases_of(kit)
    faults = [] if cases else [f"{kit.name} lists no case"]
    wanted = {f"{case.name}.{kind}.json" for case in cases for kind in ("oracle", "tree")}
    found = {path.name for path in (kit / "goldens").glob("*.json")}
    faults += [f"golden missing: {name}" for name in sorted(wanted - found)]
    stray = [name for name in found if name.split(".")[-2] in ("oracle", "tree")]
    faults += [f"golden of no case: {name}" for name in sorted({*stray} - wanted)]
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

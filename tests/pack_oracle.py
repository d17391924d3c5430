"""Packs the cases and results of the real Pi, that the conformance tests run on.

Run as `python -m tests.pack_oracle DIR…`: each DIR (with index.json, cases/ and goldens/) becomes
tests/data/NAME.tar.xz, the same bytes every time.
"""

from __future__ import annotations

import io
import lzma
import sys
import tarfile
from pathlib import Path

DATA = Path(__file__).parent / "data"


def pack(folder: Path) -> Path:
    """Pack one folder; returns the archive."""
    files = [folder / "index.json", *(folder / "cases").iterdir(), *(folder / "goldens").iterdir()]
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(files):
            data = file.read_bytes()
            # A fresh TarInfo: owner and group 0 without names, time 0.
            member = tarfile.TarInfo(str(file.relative_to(folder)))
            member.size = len(data)
            member.mode = 0o644
            archive.addfile(member, io.BytesIO(data))
    target = DATA / f"{folder.name}.tar.xz"
    target.write_bytes(lzma.compress(raw.getvalue(), preset=9))
    return target


def main() -> None:
    """Pack every folder that was named."""
    DATA.mkdir(exist_ok=True)
    for name in sys.argv[1:]:
        target = pack(Path(name).resolve())
        print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

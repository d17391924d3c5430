"""The frame of the benchmarks: its arguments, its end, the folder that it leaves behind."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.benchmarks import __main__ as command
from tests.benchmarks import rows_controls
from tests.benchmarks.__main__ import main
from tests.benchmarks.harness import Row, workspace


@pytest.mark.parametrize(
    ("figure", "target", "state"),
    [(9, 10, "ok"), (10, 10, "ok"), (12.5, 10, "over"), (12.6, 10, "FAILS"), (9, None, "info")],
)
def test_a_row_fails_when_it_is_over_by_more_than_a_quarter(
    figure: float, target: float | None, state: str
) -> None:
    assert Row("1", "name", figure, target, "ms").state == state


@pytest.mark.parametrize(
    ("figure", "end"), [(12.5, 0), (12.6, 1)], ids=["over by a quarter", "over by more"]
)
def test_the_end_tells_whether_a_row_fails(
    figure: float, end: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [Row("0", "made up", figure, 10, "ms")]
    monkeypatch.setattr(rows_controls, "machine", lambda folder: rows)
    monkeypatch.setattr(command, "EXTRA_BYTES", 0)
    assert main(["--size", "S", "--rows", "0"]) == end
    assert "made up" in capsys.readouterr().out


@pytest.mark.parametrize("rows", ["99", "0,99", ""])
def test_rows_that_do_not_exist_are_refused(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["--rows", rows])
    assert raised.value.code == 2
    assert "no such rows" in capsys.readouterr().err


def test_the_controls_have_no_target(tmp_path: Path) -> None:
    rows = rows_controls.machine(tmp_path)
    assert [row.state for row in rows] == ["info", "info"]
    assert all(row.figure > 0 for row in rows)
    assert not list(tmp_path.glob("appended"))


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_the_folder_is_removed_whatever_happens(error: type[BaseException]) -> None:
    folders = []

    def work() -> None:
        with workspace(0) as folder:
            folders.append(folder)
            (folder / "big").write_bytes(b"x")
            raise error

    with pytest.raises(error):
        work()
    assert [folder.exists() for folder in folders] == [False]


def test_it_does_not_start_without_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=129))
    with pytest.raises(SystemExit, match="free"), workspace(100):
        pytest.fail("129 bytes are not 1.3 times 100")

"""The arrows between the packages, and what a cheap start must not load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pitree
from tests.sessions import Builder

ROOT = Path(pitree.__file__).parent
ORDER = ("model", "store", "context", "compaction", "summarizer")
ENDS = ("app", "cli")
SHARED = {"errors", "paths", "settings", "demo"}
"""Modules beside the packages; they may use `model` alone."""

HEAVY = ("textual", "litellm", "openai", "httpx", "tiktoken", "numpy")


def _imports(path: Path) -> set[str]:
    """The pitree packages that a file imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names = [node.module]
            if node.module == "pitree":
                names = [f"pitree.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("pitree.")}
    return found


def _allowed(package: str) -> set[str]:
    if package in ENDS:
        return {package, *ORDER, *SHARED}
    return {*ORDER[: ORDER.index(package) + 1], *SHARED}


@pytest.mark.parametrize("package", [*ORDER, *ENDS])
def test_a_package_imports_only_itself_and_what_stands_left_of_it(package: str) -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in (ROOT / package).rglob("*.py")
        for name in _imports(path) - _allowed(package) - {"__version__"}
        # The command line opens the explorer through the entry point.
        if (path.name, name) != ("main.py", "__main__")
    }
    assert wrong == set()


def test_modules_beside_the_packages_use_the_model_alone() -> None:
    for name in SHARED - {"demo"}:
        assert _imports(ROOT / f"{name}.py") <= {"model", "paths", "errors"}, name


def test_the_model_does_no_input_or_output() -> None:
    for path in (ROOT / "model").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        asynchronous = [
            n for n in ast.walk(tree) if isinstance(n, (ast.AsyncFunctionDef, ast.Await))
        ]
        assert "open" not in names, path
        assert asynchronous == [], path


def test_only_one_module_may_import_litellm() -> None:
    users = [
        path
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (
            isinstance(node, ast.Import)
            and any(a.name.split(".")[0] == "litellm" for a in node.names)
        )
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "litellm")
    ]
    assert [path.relative_to(ROOT).parts[0] for path in users] in ([], ["summarizer"])


def _loaded(code: str, *arguments: str) -> set[str]:
    """The heavy modules that are loaded when some code has run in a fresh interpreter."""
    program = f"""
import sys
{code}
print("LOADED", *sorted(set(sys.modules) & {set(HEAVY)!r}))
"""
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return set(run.stdout.splitlines()[-1].split()[1:])


def test_importing_pitree_loads_nothing_heavy() -> None:
    everything = "import pitree\nfor name in pitree.__all__: getattr(pitree, name)"
    assert _loaded("import pitree") == set()
    assert _loaded(everything) == set()


def test_the_version_loads_nothing_heavy() -> None:
    code = """
from pitree.__main__ import main
try:
    main()
except SystemExit:
    pass
"""
    assert _loaded(code, "--version") == set()


@pytest.mark.parametrize("command", ["tree", "context", "tips", "stats", "doctor"])
def test_commands_load_nothing_heavy(command: str, tmp_path: Path) -> None:
    builder = Builder()
    builder.user("hello")
    builder.assistant("yes")
    path = builder.write(tmp_path / "s.jsonl")
    code = "from pitree.__main__ import main\nmain()"
    assert _loaded(code, command, str(path)) == set()


def test_the_check_sees_a_heavy_module() -> None:
    assert _loaded("import textual") == {"textual"}

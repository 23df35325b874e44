"""No exclude pattern of a tool hides a test or a Python file, and none is a bare `build` or `dist`."""

import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOOL = PYPROJECT["tool"]


def tracked(*patterns: str) -> set[str]:
    """Tracked files; in an unpacked source distribution, which has no git, all files."""
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--", *patterns]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return {name for name in done.stdout.split("\0") if name and (ROOT / name).exists()}
    names = (path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file())
    return {name for name in names if not name.startswith(".") and any(fnmatch(name, p) for p in patterns)}


def output(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


COLLECTING = """
import sys, pytest

class Module(pytest.Module):
    def collect(self):
        return []

class Files:
    def pytest_pycollect_makemodule(self, module_path, parent):
        print(module_path)
        return Module.from_parent(parent, path=module_path)

sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"], plugins=[Files()]))
"""
"""Prints the test files that pytest finds. It imports none of them: that would take some twelve seconds."""


def test_every_tracked_test_file_is_collected():
    done = subprocess.run(
        [sys.executable, "-c", COLLECTING], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}, done.stderr
    paths = (Path(line) for line in done.stdout.splitlines() if line.endswith(".py"))
    collected = {path.relative_to(ROOT).as_posix() for path in paths}
    expected = {name for name in tracked("*.py") if re.search(r"(^|/)(test_[^/]*|[^/]*_test)\.py$", name)}
    assert expected, "there are test files"
    assert expected - collected == set()


def test_every_tracked_test_file_is_below_the_test_paths():
    roots = tuple(f"{path}/" for path in TOOL["pytest"]["ini_options"]["testpaths"])
    assert [name for name in tracked("*.py") if "/test_" in f"/{name}" and not name.startswith(roots)] == []


def test_every_tracked_python_file_is_linted():
    paths = output(sys.executable, "-m", "ruff", "check", "--show-files").splitlines()
    linted = {Path(line).relative_to(ROOT).as_posix() for line in paths}
    assert tracked("*.py") - linted == set()


def test_every_tracked_python_file_outside_tests_is_typed():
    assert not {"exclude", "follow_imports", "ignore_errors"} & set(TOOL["mypy"])
    foreign = [override["module"] for override in TOOL["mypy"].get("overrides", [])]
    assert foreign == ["tinycss2.*"], "it has no types"
    roots = tuple(f"{name}/" for name in TOOL["mypy"]["files"])
    free = ("tests/", "widgets/")
    untyped = [
        n for n in tracked("*.py") if not n.startswith((*roots, *free)) and n not in TOOL["mypy"]["files"]
    ]
    assert untyped == []


def sieves() -> dict[str, list[str]]:
    """Every list of exclude patterns in the repository."""
    ruff, hatch = TOOL["ruff"], TOOL["hatch"]["build"]
    lists = {
        "ruff": ruff.get("exclude", [])
        + ruff.get("extend-exclude", [])
        + ruff.get("lint", {}).get("exclude", []),
        "mypy": [TOOL["mypy"].get("exclude", [])],
        "pytest": TOOL["pytest"]["ini_options"]["norecursedirs"],
        "hatch": hatch.get("exclude", [])
        + [e for t in hatch["targets"].values() for e in t.get("exclude", [])],
    }
    for name in tracked("*.gitignore"):
        lists[name] = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return lists


@pytest.mark.parametrize("word", ["build", "dist"])
def test_no_exclude_pattern_is_a_bare_build_or_dist(word):
    bare = re.compile(rf"^(\*\*/)?{word}/?(\*\*?)?$")
    for name, patterns in sieves().items():
        assert [p for p in patterns if isinstance(p, str) and bare.match(p.strip())] == [], name


def test_git_ignores_no_tracked_file():
    if (ROOT / ".git").exists():
        assert output("git", "ls-files", "-ci", "--exclude-standard") == ""


def test_git_tracks_only_the_readme_of_dist():
    assert tracked("dist/*") == {"dist/README.md"} or not (ROOT / ".git").exists()


def test_declared_test_volumes_are_the_used_ones():
    declared = set(tomllib.loads((ROOT / "tests/volumes.toml").read_text(encoding="utf-8")))
    texts = ((ROOT / name).read_text(encoding="utf-8") for name in tracked("tests/*.py", "widgets/*.py"))
    used = {name for text in texts for name in re.findall(r"""\bvolume\(["']([\w-]+)["']\)""", text)} - {
        "name"
    }
    assert declared == used

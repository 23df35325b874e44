"""How many seeded faults the generated checks catch: `python -m benchmarks.mutations.measure`.

Each fault of `faults.toml` is a copy of a widget with a few texts replaced. All copies are widgets of one workspace,
which is tested once. A fault is caught when the build refuses its copy, or when a check fails for it. The unchanged
widgets are tested beside them and must pass.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.errors import AwningError
from awning.pipeline import build_workspace
from awning.workspace import read_workspace

ROOT = Path(__file__).parents[2]
GOAL = 0.95
FIRST_FAILURE_ENDS = '''
"""Ends the tests of a widget at its first failure."""

import pytest

FAILED = set()


def pytest_runtest_logreport(report):
    if report.failed:
        FAILED.add(report.nodeid.partition("::")[0])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if item.nodeid.partition("::")[0] in FAILED:
        pytest.skip("a check has failed for this widget")
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault: the texts to replace by file. `number` makes the name of its copy unique."""

    number: int
    widget: str
    name: str
    kind: str
    changes: dict[str, list[list[str]]]
    copies: dict[str, str]

    @property
    def folder(self) -> str:
        return f"f{self.number}-{self.name}"


def read_faults(file: Path) -> list[Fault]:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["fault"]
    return [_fault(number, table) for number, table in enumerate(tables, 1)]


def _fault(number: int, table: dict[str, Any]) -> Fault:
    own = {table["file"]: table["changes"]} if "changes" in table else {}
    copies = {table["file"]: table["copy_from"]} if "copy_from" in table else {}
    return Fault(
        number=number,
        widget=table["widget"],
        name=table["name"],
        kind=table["class"],
        changes={**own, **table.get("also", {})},
        copies=copies,
    )


def seed(fault: Fault, widgets: Path) -> None:
    """Make the copy of a widget with its fault. Raises ValueError when a text to replace is not there exactly once."""
    folder = widgets / fault.folder
    shutil.copytree(
        ROOT / "widgets" / fault.widget, folder, ignore=shutil.ignore_patterns("test_*", "__pycache__")
    )
    for name, other in fault.copies.items():
        shutil.copyfile(folder / other, folder / name)
    for name, changes in fault.changes.items():
        text = (folder / name).read_text(encoding="utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise ValueError(f"{fault.widget} {fault.name}: {name} has {old!r} {text.count(old)} times")
            text = text.replace(old, new.replace("@NOISE@", noise()))
        (folder / name).write_text(text, encoding="utf-8")


def noise() -> str:
    """Return a text that no compression makes smaller than 20 kB."""
    source = random.Random(1)
    return "".join(f"{source.getrandbits(32):08x}" for _ in range(6000))


def refused(root: Path, fault: Fault, out: Path) -> str | None:
    """Return why the build refuses a fault's copy; None when it builds."""
    try:
        build_workspace(read_workspace(root), out=out, only=(fault.folder,), environ=os.environ)
    except AwningError as error:
        return str(error).strip().partition("\n")[0]
    return None


def test_workspace(root: Path, jobs: int) -> dict[str, tuple[str, str]]:
    """Return the first failing check and its reason, by widget."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--screenshot=off", "widgets"]
    command += ["-n", str(jobs), "--dist", "loadfile"] if jobs > 1 else []
    subprocess.run(command, cwd=root, check=False, stdout=sys.stderr)
    rows = json.loads((root / "test-results" / "checks.json").read_text(encoding="utf-8"))["checks"]
    failed: dict[str, tuple[str, str]] = {}
    for row in rows:
        if row["outcome"] == "failed":
            failed.setdefault(row["widget"], (row["check"], row["reason"]))
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=2, help="how many processes test")
    parser.add_argument("--only", default="", help="faults whose widget or name contains this")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args()
    faults = read_faults(Path(__file__).with_name("faults.toml"))
    chosen = [fault for fault in faults if arguments.only in f"{fault.widget} {fault.name}"]
    with tempfile.TemporaryDirectory(prefix="awning-mutations-") as folder:
        outcomes = measure(chosen, Path(folder), arguments.jobs)
    if arguments.json:
        rows = [
            {"widget": f.widget, "fault": f.name, "class": f.kind, "by": outcomes[f.folder]} for f in chosen
        ]
        sys.stdout.write(json.dumps({"schema_version": 1, "faults": rows}) + "\n")
    else:
        sys.stdout.write("\n".join(report(chosen, outcomes)) + "\n")


def measure(faults: list[Fault], folder: Path, jobs: int) -> dict[str, str | None]:
    """Return what catches each fault, by its folder: the build or a check; None for a fault that nothing catches."""
    root = folder / "app"
    for name in sorted({fault.widget for fault in faults}):
        ignored = shutil.ignore_patterns("test_*", "__pycache__")
        shutil.copytree(ROOT / "widgets" / name, root / "widgets" / name, ignore=ignored)
    for name in ("pyproject.toml", "manifest.toml"):
        shutil.copyfile(ROOT / name, root / name)
    (root / "conftest.py").write_text(FIRST_FAILURE_ENDS)
    outcomes: dict[str, str | None] = {}
    for fault in faults:
        seed(fault, root / "widgets")
        why = refused(root, fault, folder / "out")
        if why:
            outcomes[fault.folder] = f"build: {why}"
            shutil.rmtree(root / "widgets" / fault.folder)
    failed = test_workspace(root, jobs)
    sound = {fault.widget for fault in faults} & failed.keys()
    if sound:
        raise SystemExit(f"a check fails for a widget without a fault: {sorted(sound)}, {failed}")
    for fault in faults:
        check = failed.get(fault.folder)
        outcomes.setdefault(fault.folder, f"{check[0]}: {check[1]}" if check else None)
    return outcomes


def report(faults: list[Fault], outcomes: dict[str, str | None]) -> list[str]:
    """Return a line for each fault, then the share that was caught by class."""
    lines = [
        f"{f.widget:20} {f.name:28} {f.kind:16} {(outcomes[f.folder] or 'NOT CAUGHT')[:100]}" for f in faults
    ]
    kinds = Counter(fault.kind for fault in faults)
    caught = Counter(fault.kind for fault in faults if outcomes[fault.folder])
    lines += ["", *(f"{kind:20} {caught[kind]} of {number}" for kind, number in sorted(kinds.items()))]
    total, all_caught = len(faults), sum(caught.values())
    share = all_caught / total if total else 1
    goal = "reached" if share >= GOAL else "not reached"
    return [*lines, f"{'all':20} {all_caught} of {total} ({share:.0%}; the goal of {GOAL:.0%} is {goal})"]


if __name__ == "__main__":
    main()

"""How many seeded faults the generated checks catch: `python -m benchmarks.mutations.measure`.

Each fault of `faults/` is made in a copy of a widget, in which a few texts or files are replaced. It is caught when the
build refuses the copy, or when a check fails for it that passes for a copy without a fault.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.mutations.faults import ROOT, Fault, copy_widget, read_faults, seed
from benchmarks.mutations.first_catch import LAST

from awning.errors import AwningError
from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace

GOAL = 95
BUILD = "build"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultOutcome:
    """What caught a fault first: the build, a check, or nothing."""

    widget: str
    fault: str
    kind: str
    caught_by: str | None
    reason: str
    tests: int
    """How many tests ran for the fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A workspace with copies of one widget: one for each fault, and one without a fault."""

    widget: str
    root: Path
    jobs: int

    @property
    def sound(self) -> str:
        return f"{self.widget}-sound"

    def measure(self, faults: Sequence[Fault]) -> list[FaultOutcome]:
        """Return what caught each fault. Raises SystemExit when a catch fails for the copy without a fault, too."""
        for name in ("pyproject.toml", "manifest.toml"):
            (self.root / name).write_bytes((ROOT / name).read_bytes())
        copy_widget(self.widget, self.root / "widgets" / self.sound)
        refusals = {fault.folder: why for fault in faults if (why := self._refusal(fault))}
        build_workspace(read_workspace(self.root), out=self.root / "dist", environ=os.environ)
        copies = [f"widgets/{fault.folder}" for fault in faults if fault.folder not in refusals]
        first = self._test(copies)
        self._require_sound(first["catches"])
        return [_outcome(fault, refusals.get(fault.folder), first) for fault in faults]

    def _refusal(self, fault: Fault) -> str | None:
        """Seed a fault. Returns why the build refuses the copy, which is then removed; None if it is built."""
        folder = self.root / "widgets" / fault.folder
        seed(fault, folder)
        try:
            build_workspace(
                read_workspace(self.root), out=self.root / "out", only=(fault.folder,), environ=os.environ
            )
        except AwningError as error:
            shutil.rmtree(folder)
            return first_error(str(error))
        return None

    def _require_sound(self, catches: dict[str, dict[str, str]]) -> None:
        """Run the failed tests for the copy without a fault, which must pass them."""
        tests = sorted({catch["test"] for catch in catches.values()})
        again = self._test([f"widgets/{self.sound}/widget.toml::{test}" for test in tests])
        if again["catches"] or again["tests"].get(self.sound, 0) != len(tests):
            raise SystemExit(f"the widget without a fault does not pass: {again}")

    def _test(self, tests: Sequence[str]) -> dict[str, Any]:
        """Run tests. Returns `catches`, the first catch of each widget, and `tests`, how many of its tests ran."""
        if not tests:
            return {"catches": {}, "tests": {}}
        file = self.root / "catches.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--screenshot=off"]
        command += ["-p", "benchmarks.mutations.first_catch", f"--catches={file}", "--awning-dist=dist"]
        command += ["-n", str(self.jobs), "--dist", "loadfile"] if self.jobs > 1 else []
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        file.unlink(missing_ok=True)
        subprocess.run([*command, *tests], cwd=self.root, env=environ, check=False, stdout=sys.stderr)
        results: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return results


def first_error(text: str) -> str:
    """Return the first line with an error of a build's diagnostics, which may begin with warnings.

    If no line has an error, return the first line.
    """
    lines = text.strip().split("\n")
    return next((line for line in lines if ": error[" in line), lines[0])


def _outcome(fault: Fault, refusal: str | None, results: dict[str, Any]) -> FaultOutcome:
    catch = results["catches"].get(fault.folder)
    tests = results["tests"].get(fault.folder, 0)
    if not refusal and not tests:
        raise SystemExit(f"no test ran for {fault.folder}")
    return FaultOutcome(
        widget=fault.widget,
        fault=fault.name,
        kind=fault.kind,
        caught_by=BUILD if refusal else catch and catch["check"],
        reason=refusal or (catch["reason"] if catch else ""),
        tests=tests,
    )


def measure(faults: Sequence[Fault], journal: Path | None, jobs: int) -> Iterator[FaultOutcome]:
    """Yield the outcome of each fault, widget by widget. Those in the journal are not measured again."""
    known = read_journal(journal)
    for widget in dict.fromkeys(fault.widget for fault in faults):
        own = [fault for fault in faults if fault.widget == widget]
        yield from (known[fault.folder] for fault in own if fault.folder in known)
        missing = [fault for fault in own if fault.folder not in known]
        if missing:
            with tempfile.TemporaryDirectory(prefix="awning-mutations-") as folder:
                outcomes = Trial(widget=widget, root=Path(folder), jobs=jobs).measure(missing)
            write_journal(journal, outcomes)
            yield from outcomes


def read_journal(journal: Path | None) -> dict[str, FaultOutcome]:
    """Return the outcomes of a journal by the name of the copy."""
    if journal is None or not journal.exists():
        return {}
    outcomes = [FaultOutcome(**json.loads(line)) for line in journal.read_text(encoding="utf-8").splitlines()]
    return {f"{outcome.widget}-{outcome.fault}": outcome for outcome in outcomes}


def write_journal(journal: Path | None, outcomes: Iterable[FaultOutcome]) -> None:
    if journal is not None:
        with journal.open("a", encoding="utf-8") as lines:
            lines.writelines(json.dumps(asdict(outcome)) + "\n" for outcome in outcomes)


def figures(outcomes: Iterable[FaultOutcome]) -> Counter[str]:
    """Count the outcomes: `faults`, `caught`, and of those `by the build` and `by a snapshot alone`."""
    counts = Counter[str]()
    for outcome in outcomes:
        counts["faults"] += 1
        counts["caught"] += outcome.caught_by is not None
        counts["by the build"] += outcome.caught_by == BUILD
        counts["by a snapshot alone"] += outcome.caught_by == LAST
    return counts


def report(outcomes: Sequence[FaultOutcome], seconds: float) -> Iterator[str]:
    """Yield a line for each fault, the figures by widget, by kind and of all, and, after a whole run, the goal."""
    yield from (
        f"{o.widget:20} {o.fault:28} {o.kind:20} {o.caught_by or 'NOT CAUGHT':28} {o.reason[:90]}"
        for o in outcomes
    )
    for column in ("widget", "kind"):
        yield f"\n{column:20} faults  caught  by the build  by a snapshot alone"
        for name in sorted({getattr(outcome, column) for outcome in outcomes}):
            counts = figures(outcome for outcome in outcomes if getattr(outcome, column) == name)
            yield _row(name, counts)
    yield "\n" + _row("all", counts := figures(outcomes))
    without = counts["caught"] - counts["by a snapshot alone"]
    yield f"{counts['caught']} of {counts['faults']} caught, {without} without stored snapshots, in {seconds:.0f} s"
    if counts["faults"] == len(read_faults()):
        yield f"the goal of {GOAL} is {'reached' if counts['caught'] >= GOAL else 'not reached'}"


def _row(name: str, counts: Counter[str]) -> str:
    numbers = (counts[column] for column in ("faults", "caught", "by the build", "by a snapshot alone"))
    return "{:20} {:6}  {:6}  {:12}  {:19}".format(name, *numbers)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--widget", default="*", help="only the faults of this widget")
    parser.add_argument("--fault", default="", help="only faults whose name contains this")
    parser.add_argument("--journal", type=Path, help="file of outcomes: those in it are not measured again")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes test")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args()
    faults = [fault for fault in read_faults(arguments.widget) if arguments.fault in fault.name]
    if not faults:
        parser.error("there is no such fault")
    start = time.monotonic()
    outcomes = list(measure(faults, arguments.journal, arguments.jobs))
    seconds = time.monotonic() - start
    if arguments.json:
        rows = [asdict(outcome) for outcome in outcomes]
        document = {"schema_version": 1, "seconds": round(seconds, 1), "faults": rows}
        sys.stdout.write(json.dumps({**document, "figures": figures(outcomes)}) + "\n")
    else:
        sys.stdout.write("\n".join(report(outcomes, seconds)) + "\n")


if __name__ == "__main__":
    main()

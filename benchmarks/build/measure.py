"""The time of `awning build`, compared with esbuild alone on the same entry points; and the time of the command line.

    python -m benchmarks.build.measure [--widgets 1000] [--rounds 10] [--json]

Each command is a process of its own, timed from its start to its end. The figures are wall and processor time (with
that of child processes), the best of the rounds. Python's compiled modules are in a folder of the benchmark, so they
are cached after the first round, whatever the environment variables say. The widgets are copies of those of
benchmarks/size, in one language. esbuild gets the entry points that awning has staged, with the same flags, and must
write the same script.

    first       nothing is built or cached
    cached      a script has changed: read, bundled, composed, written; the templates come from the cache
    unchanged   nothing has changed

Goals: one widget in under 150 ms cached, and under 100 ms unchanged; 1000 widgets in less than twice esbuild's time;
`--help` in under 80 ms.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.bundle.request import OUT, BundleRequest, EntryPoint, flags
from awning.bundle.run import find_esbuild
from awning.jsrc import jsrc_root
from awning.pipeline.build_session import build_session
from awning.pipeline.phases import BuildOptions, run_phases

WORKSPACE = Path(__file__).parent.parent / "size"
STAGE = ".stage"
"""The folder in the workspace for a copy of what awning gives to esbuild."""

SCRIPT = "widgets/saving/widget.ts"
MANY = 100
FEW = 2
"""From `MANY` widgets on, a build takes seconds, and is timed in `FEW` rounds."""

PYTHON_SETTINGS = (
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPYCACHEPREFIX",
    "PYTHONPROFILEIMPORTTIME",
    "PYTHONDEVMODE",
)


@dataclass(frozen=True, slots=True, order=True)
class Took:
    """The seconds that a command took: wall time and processor time."""

    wall: float
    cpu: float


def environment(folder: Path) -> dict[str, str]:
    variables = {name: value for name, value in os.environ.items() if name not in PYTHON_SETTINGS}
    return variables | {"PYTHONPYCACHEPREFIX": str(folder / "pycache")}


def run(command: list[str], cwd: Path) -> Took:
    """Run a command to its end. Its output is dropped."""
    environ = environment(cwd.parent)
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    home = Path.cwd()
    os.chdir(cwd)
    begun = time.perf_counter()
    pid = os.posix_spawn(command[0], command, environ, file_actions=quiet)
    os.chdir(home)
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - begun
    assert os.waitstatus_to_exitcode(status) == 0, command
    return Took(wall, used.ru_utime + used.ru_stime)


def best(rounds: int, command: list[str], cwd: Path, prepare: Callable[[], object] = dict) -> Took:
    """Return the least wall time and the least processor time. Other work of the machine only adds to them."""
    runs = []
    for _ in range(rounds):
        prepare()
        runs.append(run(command, cwd))
    return Took(min(took.wall for took in runs), min(took.cpu for took in runs))


def workspace(folder: Path, widgets: int) -> Path:
    root = folder / f"workspace{widgets}"
    shutil.copytree(WORKSPACE, root, ignore=shutil.ignore_patterns(".awning", "dist", "peers", "*.py"))
    for number in range(1, widgets):
        shutil.copytree(root / "widgets/saving", root / f"widgets/saving-{number:04}")
    with (root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("budget = 1000000000\n")
    return root


def esbuild(root: Path) -> list[str]:
    """Return the command with which esbuild bundles what awning has staged in `root`."""
    stage = root / STAGE
    with build_session(root, lasts=False, writes=False) as session:
        run_phases(session.read_workspace(os.environ), BuildOptions(types=False), os.environ, session)
        shutil.copytree(session.stage.path, stage)
    scripts = {
        path.relative_to(stage / "entries").with_suffix("").as_posix(): path
        for path in stage.glob("entries/**/*.ts")
    }
    styles = {f"_style/{path.parent.name}": path for path in stage.glob("widgets/*/style.css")}
    request = BundleRequest(
        entry_points=tuple(EntryPoint(name, path) for name, path in (scripts | styles).items()),
        root=stage,
        jsrc=jsrc_root(),
        defines={"AWNING_PLACEHOLDER_PREFIX": '"svc_"'},
    )
    entries = (f"{entry.name}={entry.path}" for entry in request.entry_points)
    return [str(find_esbuild().path), *entries, *flags(request)]


def assert_same(root: Path) -> None:
    script = (root / STAGE / OUT / "app/lv/body.js").read_text(encoding="utf-8")
    assert script.strip().removesuffix(";") in (root / "dist/lv/body.html").read_text(encoding="utf-8")


def builds(root: Path, rounds: int) -> dict[str, Took]:
    build = [awning(), "build"]
    script = root / SCRIPT
    text = script.read_text(encoding="utf-8")

    def forget() -> None:
        shutil.rmtree(root / ".awning", ignore_errors=True)
        shutil.rmtree(root / "dist", ignore_errors=True)

    def change() -> None:
        script.write_text(f"{text}// {time.perf_counter_ns()}\n", encoding="utf-8")

    times = {
        "first": best(min(FEW, rounds), build, root, forget),
        "cached": best(rounds, build, root, change),
        "unchanged": best(rounds, build, root),
    }
    bundling = esbuild(root)
    out = root / STAGE / OUT
    run(bundling, root)
    assert_same(root)
    times["esbuild"] = best(rounds, bundling, root, lambda: shutil.rmtree(out, ignore_errors=True))
    return times


def awning() -> str:
    """Return the path of the command `awning` beside this Python."""
    return str(Path(sys.executable).with_name("awning"))


def measure(widgets: int, rounds: int) -> dict[str, dict[str, Took]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "empty").mkdir()
        starts = {
            "python, nothing": [sys.executable, "-c", "pass"],
            "python, click": [sys.executable, "-c", "import click"],
            "--version": [awning(), "--version"],
            "--help": [awning(), "--help"],
        }
        groups = {
            "command line": {
                name: best(rounds, command, folder / "empty") for name, command in starts.items()
            }
        }
        for many, turns in sorted(
            {1: rounds, widgets: rounds if widgets < MANY else min(rounds, FEW)}.items()
        ):
            groups[f"{many} {'widget' if many == 1 else 'widgets'}"] = builds(workspace(folder, many), turns)
        return groups


def document(groups: dict[str, dict[str, Took]]) -> dict[str, Any]:
    return {
        group: {
            name: {
                "wall_ms": round(took.wall * 1000, 1),
                "cpu_ms": round(took.cpu * 1000, 1),
                **({"of_esbuild": round(took.wall / rows["esbuild"].wall, 2)} if "esbuild" in rows else {}),
            }
            for name, took in rows.items()
        }
        for group, rows in groups.items()
    }


def table(groups: dict[str, Any]) -> str:
    lines = []
    for group, rows in groups.items():
        lines.append(f"{group:18}{'wall ms':>10}{'cpu ms':>10}{'of esbuild':>12}")
        for name, row in rows.items():
            ratio = f"{row['of_esbuild']:>11.2f}x" if "of_esbuild" in row else ""
            lines.append(f"  {name:16}{row['wall_ms']:>10.1f}{row['cpu_ms']:>10.1f}{ratio}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--widgets", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = round(os.getloadavg()[0], 1)
    groups = document(measure(options.widgets, options.rounds))
    if options.json:
        print(json.dumps({"schema_version": 1, "load": load, "groups": groups}, indent=2))
        return
    print(table(groups))
    print(f"load {load} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()

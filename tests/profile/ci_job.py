"""Runs the commands of a CI file as its forge would, in a workspace of this machine.

Actions (`uses:`) are not run: checking out, uploading. Of GitHub's expressions, only those in our file are known.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
NAME = re.compile(r"'[^']*'|[a-z_]+(?:\.[a-z_]+)+")


@dataclass(frozen=True)
class Command:
    """A step that runs something. `folder` is relative to the workspace."""

    name: str
    script: str
    shell: tuple[str, ...]
    folder: str = "."
    environ: Mapping[str, str] = field(default_factory=dict)


def evaluate(expression: str, context: Mapping[str, object]) -> Any:
    """Evaluate an expression of GitHub's. Raises KeyError for a dotted name that `context` lacks."""

    def value(match: re.Match[str]) -> str:
        return match[0] if match[0].startswith("'") else repr(context[match[0]])

    python = NAME.sub(value, expression.replace("!cancelled()", "True"))
    return eval(python.replace("&&", " and ").replace("||", " or "), {"__builtins__": {}})


def fill_in(text: str, context: Mapping[str, object]) -> str:
    return EXPRESSION.sub(lambda match: str(evaluate(match[1].strip(), context)), text)


def is_wanted(condition: str | None, context: Mapping[str, object]) -> bool:
    whole = EXPRESSION.fullmatch(condition or "true")
    return condition is None or bool(evaluate(whole[1].strip() if whole else condition, context))


def github_commands(file: Path, job: str, context: Mapping[str, object]) -> Iterator[Command]:
    """Yield the `run:` steps of a job, in order, without those whose condition does not hold.

    Yields nothing when the condition of the job does not hold.
    """
    described = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"][job]
    if not is_wanted(described.get("if"), context):
        return
    for step in described["steps"]:
        if "run" in step and is_wanted(step.get("if"), context):
            environ = {name: fill_in(str(text), context) for name, text in step.get("env", {}).items()}
            folder = step.get("working-directory", ".")
            yield Command(step["name"], step["run"], ("bash", "-e"), folder, environ)


def gitlab_commands(file: Path, job: str) -> Iterator[Command]:
    """Yield the parts of a job. GitLab runs `before_script` and `script` in one shell, `after_script` in another."""
    described = yaml.safe_load(file.read_text(encoding="utf-8"))[job]
    environ = {name: str(text) for name, text in described.get("variables", {}).items()}
    for part in ("before_script", "script", "after_script"):
        if part in described:
            yield Command(part, "\n".join(described[part]), ("bash", "-eo", "pipefail"), ".", environ)


def run(command: Command, workspace: Path, environ: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command. Its PATH begins with the folder `FIRST_ON_PATH` of `environ`, then this environment's programs."""
    path = os.pathsep.join(
        [environ.get("FIRST_ON_PATH", ""), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    return subprocess.run(
        [*command.shell, "-c", command.script],
        cwd=workspace / command.folder,
        env={**os.environ, **environ, **command.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def main() -> int:
    """Run the job `widgets` of a push, with the network.

    The variable `FIRST_ON_PATH` has the folder with the programs of the environment that the job installs into.
    """
    workspace = Path.cwd()
    environ = {
        "FIRST_ON_PATH": os.environ["FIRST_ON_PATH"],
        "GITHUB_STEP_SUMMARY": str(workspace / "step-summary.md"),
    }
    context = {"github.event_name": "push", "steps.install.outcome": "success"}
    for command in github_commands(workspace / ".github/workflows/widgets.yml", "widgets", context):
        done = run(command, workspace, environ)
        sys.stdout.write(f"-- {command.name}\n{done.stdout}{done.stderr}")
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())

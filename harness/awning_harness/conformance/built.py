"""The snippets that a run of tests needs, built once before pytest starts.

A build that fails is told of here, as `awning build` tells it, and not by every test of every process.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from awning.pipeline import build_workspace
from awning.workspace import Workspace, read_workspace

NOT_RUN = (
    "--awning-dist",
    "--collect-only",
    "--co",
    "--help",
    "-h",
    "--version",
    "-V",
    "--fixtures",
    "--markers",
)
"""With one of these no test needs snippets of ours."""


@contextmanager
def snippets_for(root: Path, pytest_args: Sequence[str], here: Path) -> Iterator[Path | None]:
    """A folder with the snippets of the widgets that are asked for; None where none are needed.

    Raises Faulty with what is wrong with them. What else a test asks for, the whole app, it builds then.
    """
    if any(argument.split("=")[0] in NOT_RUN for argument in pytest_args):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="awning-test-") as folder:
        workspace = read_workspace(root)
        dist = Path(folder) / "dist"
        build_workspace(workspace, out=dist, only=asked_for(workspace, pytest_args, here), environ=os.environ)
        yield dist


def asked_for(workspace: Workspace, pytest_args: Sequence[str], here: Path) -> tuple[str, ...]:
    """The widgets that the paths among the arguments are in; empty, for all, unless every path is in one."""
    paths = [here / argument.split("::")[0] for argument in pytest_args if not argument.startswith("-")]
    chosen: dict[str, None] = {}
    for path in (path.resolve() for path in paths if path.exists()):
        names = [widget.name for widget in workspace.widgets if path.is_relative_to(widget.folder)]
        if not names:
            return ()
        chosen[names[0]] = None
    return tuple(chosen)

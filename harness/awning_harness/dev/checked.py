"""What `awning check` finds and a build does not: said in the terminal once pages have the build."""

from collections.abc import Callable, Iterator
from pathlib import Path

from awning.cli.check import Asked
from awning.diagnostics import Severity
from awning.errors import OwnFault, shown_as
from awning.pipeline import Built, Rebuilt


def checked(
    root: Path, first: Rebuilt, turns: Iterator[Rebuilt], say: Callable[[str], None]
) -> Iterator[Rebuilt]:
    """`turns` as they are. After `first`, and after each turn was dealt with, `say` hears what else is wrong."""
    _tell(root, first.built, say)
    for turn in turns:
        yield turn
        _tell(root, turn.built, say)


def _tell(root: Path, built: Built | None, say: Callable[[str], None]) -> None:
    """Errors and warnings, each as `awning check` writes it; nothing where the workspace does not build."""
    if built is None:
        return
    said = {(found.rule, found.place) for found in built.diagnostics}
    try:
        for found in Asked(root=root).findings():
            if found.severity is not Severity.NOTE and (found.rule, found.place) not in said:
                say(found.render())
    except Exception as error:  # noqa: BLE001 - whatever it is, the next save is followed
        fault = shown_as(error)  # a file that is saved or gone meanwhile is seen by the next turn
        if isinstance(fault, OwnFault):
            say(f"error: {fault.message}\n  hint: {fault.hint}")

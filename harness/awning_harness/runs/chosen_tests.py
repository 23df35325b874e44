"""A pytest plugin: runs only the tests of a `ChosenTests`, which is in the file of `--awning-chosen`.

`awning test` loads it for a run that leaves tests out. pytest's own options then select among what is left.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from awning_harness.run_report.plan import PLAN, RunPlan
from awning_harness.runs.run_plan import ChosenTests

OPTION = "--awning-chosen"
_CHOICE = pytest.StashKey[ChosenTests]()


@contextmanager
def written_choice(choice: ChosenTests | None) -> Iterator[tuple[str, ...]]:
    """Yield the arguments that load this plugin with a choice; no arguments if there is none."""
    if choice is None:
        yield ()
        return
    with tempfile.TemporaryDirectory(prefix="awning-test-") as folder:
        file = Path(folder) / "choice.json"
        choice.write(file)
        yield ("-p", __name__, f"{OPTION}={file}")


def chosen_among(pytest_args: Sequence[str]) -> ChosenTests | None:
    """Return the choice that the arguments name; None if they name none."""
    files = [argument.partition("=")[2] for argument in pytest_args if argument.startswith(f"{OPTION}=")]
    return ChosenTests.read(Path(files[-1])) if files else None


def chosen_of(config: pytest.Config) -> ChosenTests:
    """Return the choice of a run. Without one, all tests run."""
    return config.stash.get(_CHOICE, ChosenTests(root=str(config.invocation_params.dir)))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("awning").addoption(OPTION, metavar="FILE", help="run only the tests that FILE names")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Read the choice, and set the plan before the plugins of the reports take it."""
    choice = config.stash[_CHOICE] = ChosenTests.read(Path(config.getoption(OPTION)))
    config.stash[PLAN] = RunPlan(options=choice.options, lines=tuple(choice.lines()))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out whole folders and files, which are then not even read."""
    choice = config.stash[_CHOICE]
    is_chosen = choice.may_be_in if collection_path.is_dir() else choice.has_file
    return None if is_chosen(collection_path) else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of chosen files, and those of files that the command line names, which pytest does not ignore."""
    choice = config.stash[_CHOICE]
    chosen = {item for item in items if choice.has_test(item.nodeid, item.path)}
    left_out = [item for item in items if item not in chosen]
    if left_out:
        items[:] = [item for item in items if item in chosen]
        config.hook.pytest_deselected(items=left_out)

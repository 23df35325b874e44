"""What the options and paths of `awning test` select: `--affected`, `--failed`, and paths among pytest's arguments.

`--affected` compares the files of a workspace with a commit. Paths are relative to the workspace, with `..` for files
of the repository around it. A file that the workspace reaches through a link has its path in the workspace, too.
"""

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from awning.diagnostics import first_few
from awning.errors import ConfigurationError, Faulty
from awning.git import differing_files, find_commit, git_output
from awning.workspace.sources import find_sources
from awning_harness.runs.choice import choose_tests
from awning_harness.runs.last_run import read_last_run
from awning_harness.runs.run_plan import MOST_NAMES, ChosenTests

DEFAULT_BRANCHES = ("main", "master")
DIGITS = 10
"""The number of digits of a commit's hash in messages."""
MOST_LINKS = 40
"""The most links on the way to a file. Linux allows as many."""

_FILE_MODE = "100"
"""How the mode of a file begins in git's trees. A link is there, too."""

_DEEPEN = "fetch the whole history: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab, or `git fetch --unshallow`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The files that differ from a commit. `base` names the commit, and says why it is this one."""

    base: str
    paths: tuple[str, ...]
    root: Path
    """The absolute path of the workspace."""
    top: Path
    """The absolute path of the repository."""
    commit: str | None
    """None in a repository without commits."""

    def contents_before(self, paths: Iterable[str]) -> Mapping[str, bytes | None] | None:
        """Return the contents of files in the commit, without white space at their ends; None for one that it has not.

        None instead of all, if a file is reached through a link or git cannot show it.
        """
        contents = {}
        for path in paths:
            file = self.root / path
            if self.commit is None or Path(os.path.realpath(file)) != file:
                return None
            inside = file.relative_to(self.top).as_posix()
            entry = git_output(self.top, "ls-tree", "-z", "--full-tree", self.commit, "--", inside)
            text = git_output(self.top, "cat-file", "blob", f"{self.commit}:{inside}") if entry else None
            if entry is None or (entry and (text is None or not entry.startswith(_FILE_MODE))):
                return None
            contents[path] = None if text is None else os.fsencode(text)
        return contents


def compare(root: Path, revision: str | None) -> Comparison:
    """Compare the workspace at `root` with a revision; if it is None, with where this branch left the default branch.

    Raises ConfigurationError outside of a repository, when there is no such commit, and when git fails.
    """
    top = _repository(root)
    commit, base = _default_base(root) if revision is None else (_commit(root, revision), revision)
    if commit is None:
        paths = tuple(find_sources(root).inputs)
        return Comparison(base=base, paths=paths, root=root, top=top, commit=None)
    differing = differing_files(top, commit)
    if differing is None:
        raise ConfigurationError(
            f"git cannot compare {root} with {commit[:DIGITS]}", hint="`git status` there may show the reason"
        )
    short = commit[:DIGITS]
    named = short if commit.startswith(base) else f"{base} ({short})"
    paths = tuple(_in_workspace(root, top, differing))
    return Comparison(base=named, paths=paths, root=root, top=top, commit=commit)


def is_revision(root: Path, text: str) -> bool:
    """Return whether a text names a commit of the repository around `root`."""
    return find_commit(root, text) is not None


def _repository(root: Path) -> Path:
    """Return the root of the repository around a folder. Raises ConfigurationError if git finds none."""
    top = git_output(root, "rev-parse", "--show-toplevel")
    if not top:
        missing = shutil.which("git") is None
        raise ConfigurationError(
            "--affected needs git"
            if missing
            else f"--affected needs a git repository, and git finds none at {root}",
            hint="install git, or leave --affected out"
            if missing
            else "leave --affected out to test everything; `git status` there says why git finds none",
        )
    return Path(top).resolve()


def _commit(root: Path, revision: str) -> str:
    commit = find_commit(root, revision)
    if commit is None:
        hint = (
            _DEEPEN
            if _is_shallow(root)
            else "name a commit, such as --affected=origin/main, or a path that exists"
        )
        raise ConfigurationError(f'--affected: git knows no commit "{revision}" here', hint=hint)
    return commit


def _is_shallow(root: Path) -> bool:
    return git_output(root, "rev-parse", "--is-shallow-repository") == "true"


def _default_base(root: Path) -> tuple[str | None, str]:
    """Return the commit where HEAD left the default branch, else HEAD, and its description.

    The commit is None in a repository without commits. Raises ConfigurationError in a shallow clone without the commit:
    there, HEAD would be a commit of the branch itself, and nothing would seem to differ.
    """
    head = find_commit(root, "HEAD")
    if head is None:
        return None, "the empty repository"
    branch = next(_default_branches(root), None)
    left = git_output(root, "merge-base", head, find_commit(root, branch) or "") if branch else None
    if left:
        name = (branch or "").removeprefix("refs/").removeprefix("heads/").removeprefix("remotes/")
        return left, f"the merge base with {name}"
    if _is_shallow(root):
        raise ConfigurationError(
            "--affected: the clone is shallow, without the commit to compare with", hint=_DEEPEN
        )
    return head, "HEAD"


def _default_branches(root: Path) -> Iterator[str]:
    """Yield the branches that may be the default branch, as complete names, the likeliest first."""
    remotes = sorted((git_output(root, "remote") or "").split(), key=lambda name: name != "origin")
    for remote in remotes:
        name = git_output(root, "symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD")
        if name and find_commit(root, name):
            yield name
    homes = (*(f"refs/remotes/{remote}" for remote in remotes), "refs/heads")
    names = (f"{home}/{branch}" for branch in DEFAULT_BRANCHES for home in homes)
    yield from (name for name in names if find_commit(root, name))


def _in_workspace(root: Path, top: Path, differing: Iterable[str]) -> list[str]:
    """Return paths of the repository as paths of the workspace, with those of links, and of files outside of it."""
    linked = _linked(root)
    paths: dict[str, None] = {}
    for path in differing:
        file = f"{top}/{path}"
        paths[Path(os.path.relpath(file, root)).as_posix()] = None
        paths |= dict.fromkeys(_through_links(file, linked))
        if os.path.isdir(file):  # noqa: PTH112 - a folder into which git does not look
            inside = f"{file}/"
            paths |= dict.fromkeys(
                name for real in linked if real.startswith(inside) for name in linked[real]
            )
    home = f"{top}/"
    for real, names in linked.items():
        if not real.startswith(home):  # git compares nothing there
            paths |= dict.fromkeys(sorted(names))
    return list(paths)


def _through_links(file: str, linked: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield the paths in the workspace of a file to which links lead, or to a folder around it."""
    rest = ""
    while file not in ("", "/"):
        yield from (name + rest for name in sorted(linked.get(file, ())))
        file, _, last = file.rpartition("/")
        rest = f"/{last}{rest}"


def _linked(root: Path) -> dict[str, set[str]]:
    """Return the paths of the sources that are reached through links, by the absolute path of what they depend on.

    That is the file itself, the folders around it, and each link on the way.
    """
    linked: dict[str, set[str]] = {}
    plain: dict[str, bool] = {}
    for path in find_sources(root).inputs:
        folder = os.path.dirname(path)  # noqa: PTH120 - thousands of them
        if folder not in plain:
            plain[folder] = os.path.realpath(root / folder) == str(root / folder)
        if plain[folder] and not os.path.islink(root / path):  # noqa: PTH114 - as above
            continue
        for place in _trail(f"{root}/{path}"):
            linked.setdefault(place, set()).add(path)
        while folder and (real := os.path.realpath(root / folder)) != str(root / folder):
            linked.setdefault(real, set()).add(folder)
            folder = os.path.dirname(folder)  # noqa: PTH120 - as above
    return linked


def _trail(path: str) -> Iterator[str]:
    """Yield the absolute path of each link on the way to a file, and of the file itself."""
    waiting = path.split("/")[:0:-1]
    current, links = "", 0
    while waiting:
        part = waiting.pop()
        if part in ("", "."):
            continue
        place = os.path.dirname(current) if part == ".." else f"{current}/{part}"  # noqa: PTH120 - text
        if links < MOST_LINKS and os.path.islink(place):  # noqa: PTH114 - as above
            links += 1
            yield place
            target = os.readlink(place)  # noqa: PTH115 - as above
            current = "" if target.startswith("/") else current
            waiting += target.split("/")[::-1]
        else:
            current = place
    yield current


DEFAULT_BASE = "merge base"
"""The value of `--affected` without a revision. No revision has a space in it."""
NO_TEST_RAN = "no test was run, because not every chosen widget builds"

WITHOUT_VALUE = (
    "-x",
    "-v",
    "-vv",
    "-q",
    "-s",
    "--pseudo",
    "--update-snapshots",
    "--random-order",
    "--store-durations",
    "--full-page-screenshot",
    "--headed",
    "--lf",
    "--ff",
    "--collect-only",
    "--co",
)
"""Options without a value. The argument after such an option may be a path."""


def separate_path(
    affected: str | None, pytest_args: tuple[str, ...], root: Path
) -> tuple[str | None, tuple[str, ...]]:
    """Return the revision of `--affected`, and pytest's arguments with the path that stands in its place, if it is one.

    In `awning test --affected widgets/note`, click takes the path for the revision. Raises ConfigurationError when a
    text is both.
    """
    is_path = bool(affected) and affected != DEFAULT_BASE and (root / str(affected).split("::")[0]).exists()
    if affected is None or not is_path:
        return affected, pytest_args
    if is_revision(root, affected):
        raise ConfigurationError(
            f'--affected: "{affected}" is a revision and a path',
            hint=f"for the revision, write its whole name (refs/heads/...); for the path: {affected} --affected",
        )
    return DEFAULT_BASE, (affected, *pytest_args)


def choose_affected(root: Path, revision: str, paths: Collection[str] = ()) -> ChosenTests:
    """Return the tests in paths that what differs from a revision can reach.

    Raises ConfigurationError as `compare` does, and Faulty when the workspace has errors.
    """
    comparison = compare(root, None if revision == DEFAULT_BASE else revision)
    try:
        choice = choose_tests(root, comparison.paths, contents_before=comparison.contents_before)
    except Faulty as error:
        raise without_tests(error) from error
    count = len(comparison.paths)
    compared = f"{count} {'file differs' if count == 1 else 'files differ'} from {comparison.base}"
    return replace(choice, compared=compared).within(paths)


def choose_failed(root: Path, choice: ChosenTests | None, paths: Collection[str]) -> ChosenTests:
    """Return, of a choice, the tests that failed when they last ran. Without a choice, all are chosen in the paths.

    Raises ConfigurationError when no run is recorded, and when nothing is known to have failed, but the last run did
    not reach its end.
    """
    last = read_last_run(root)
    if last is None:
        raise ConfigurationError(
            "--failed: no run of the tests is recorded here", hint="run `awning test` first"
        )
    unfinished = f"the last run did not reach its end: {last.unfinished}"
    if last.unfinished and not last.count:
        raise ConfigurationError(
            f"--failed: nothing is known to have failed, but {unfinished}", hint="`awning test` runs all"
        )
    base = choice or ChosenTests(root=str(root), everything="--failed").within(paths)
    chosen = base.only_failed(last.failed, last.unread)
    if not chosen.is_empty:
        return replace(chosen, note=f"{unfinished}; `awning test` runs all" if last.unfinished else "")
    part = f", of a part of the tests ({last.part})" if last.part else ""
    where = "reached by what differs" if chosen.compared else f"in {first_few(chosen.paths, MOST_NAMES)}"
    if last.unfinished:
        raise ConfigurationError(
            f"--failed: {last.count} failed, none of them {where}, but {unfinished}",
            hint="`awning test` runs all",
        )
    others = f"{last.count} failed, none of them {where}; `awning test --failed` runs all that failed"
    nothing = f"nothing failed in the last run{part}; `awning test` runs all"
    return replace(chosen, note=others if last.count else nothing)


def paths_among(pytest_args: Sequence[str]) -> tuple[str, ...]:
    """Return the paths among the arguments; empty with `--pyargs`.

    An argument after an option may be the option's value, so it is left out unless the option is in WITHOUT_VALUE.
    """
    if "--pyargs" in pytest_args:
        return ()
    pairs = pairwise(("", *pytest_args))
    return tuple(
        argument.split("::")[0]
        for before, argument in pairs
        if not argument.startswith("-") and (not before.startswith("-") or before in WITHOUT_VALUE)
    )


def without_tests(error: Faulty) -> Faulty:
    """Return the error with the hint that no test was run."""
    return Faulty(error.diagnostics, hint="; ".join(filter(None, [error.hint, NO_TEST_RAN])))

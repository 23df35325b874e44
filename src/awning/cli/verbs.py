"""The list of the verbs of `awning`. It imports none of them, so that the command line imports only the typed verb."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import click

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from awning.diagnostics import SetupCheck
    from awning.errors import ConfigurationError
    from awning.workspace.model import Workspace

    Html = Mapping[str, str]
    Compare = Callable[[Html, Html], str | None]
    PageComparer = Callable[
        [Callable[[str], None], Workspace, Sequence[str]], AbstractContextManager[Compare]
    ]

GROUP = "awning.commands"
"""The entry-point group for verbs of other packages, such as the harness."""


HARNESS = "awning_harness"

Heading = Literal["Author", "Publish", "Run the app", "Reseller", "Tools"]
HEADINGS: tuple[Heading, ...] = get_args(Heading)
"""The headings of `awning --help`: who uses the verbs below, or for what."""


HarnessPart = Literal["page_opener", "page_comparer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LazyVerb:
    """A verb: its name, its heading and line of help, and the `module:attribute` of its click command.

    `needs` names Python packages that must be installed, because the verb imports them late or in another process.
    `checks` is the `module:attribute` of a function that returns the lines of `awning doctor` about the verb.
    `page_opener` is the `module:attribute` of a context manager that opens public pages in a browser, for
    `publish verify --browser`. `page_comparer` is that of one that compares two versions of a snippet in a browser, for
    `add widget --split`.
    """

    name: str
    heading: Heading
    help: str
    target: str
    needs: tuple[str, ...] = ()
    extra: str = "harness"
    """The extra of awning that has these packages."""
    checks: str | None = None
    page_opener: str | None = None
    page_comparer: str | None = None

    def load(self) -> click.Command:
        """Import the command, and return it.

        Raises ConfigurationError when a package that the verb needs is not installed.
        """
        self._check_needs()
        try:
            return cast("click.Command", _load(self.target))
        except ModuleNotFoundError as error:
            if not self.target.startswith(HARNESS) or (error.name or "").startswith(("awning.", HARNESS)):
                raise
            raise self._not_installed(error.name) from error

    def load_part(self, name: HarnessPart) -> Any:
        """Return the context manager that the verb has under this name; None when it has none.

        Raises ConfigurationError when a package of the harness's extra is not installed.
        """
        target: str | None = getattr(self, name)
        if target is None:
            return None
        self._check_needs()
        return _load(target)

    def _check_needs(self) -> None:
        """Raise ConfigurationError when a package that the verb needs is not installed."""
        for package in self.needs:
            if find_spec(package) is None:
                raise self._not_installed(package)

    def _not_installed(self, package: str | None) -> "ConfigurationError":
        from awning.errors import ConfigurationError  # noqa: PLC0415 - not needed for --help

        what = "the harness" if self.extra == "harness" else "it"
        return ConfigurationError(
            f"awning {self.name} needs {package}, which is not installed",
            hint=f"install {what}: pip install 'awning[{self.extra}]'",
        )

    def load_checks(self) -> "Callable[[Mapping[str, str]], Iterable[SetupCheck]] | None":
        """Return the function that returns the verb's lines of `awning doctor`; None when the verb has none."""
        if self.checks is None:
            return None
        return cast("Callable[[Mapping[str, str]], Iterable[SetupCheck]]", _load(self.checks))


def find_part(name: HarnessPart, option: str, otherwise: str = "") -> Any:
    """Return what the harness's verbs have under this name. Raises ConfigurationError when it is not installed.

    `option` is the option of a verb that needs it; `otherwise` is what the user can do instead.
    """
    parts = (verb.load_part(name) for verb in joined_verbs().values())
    part = next((part for part in parts if part is not None), None)
    if part is None:
        from awning.errors import ConfigurationError  # noqa: PLC0415 - not needed for --help

        raise ConfigurationError(
            f"{option} needs the harness, which is not installed",
            hint=f"install the harness: pip install 'awning[harness]'{otherwise}",
        )
    return part


def _load(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _built_in(name: str, heading: Heading, summary: str, *, target: str | None = None) -> LazyVerb:
    """Return a verb of awning itself. Its command has the name of its module, unless `target` names another."""
    own = name.replace("-", "_")
    return LazyVerb(name=name, heading=heading, help=summary, target=target or f"awning.cli.{own}:{own}")


BUILT_IN = (
    _built_in("new", "Author", "Make a workspace that builds, and whose tests pass."),
    _built_in("add", "Author", "Add a widget, or files for CI, to the workspace."),
    _built_in("build", "Author", "Build the widgets to dist/."),
    _built_in("check", "Author", "Report what is wrong, without building."),
    _built_in("manifest", "Publish", "Check, show or submit the manifest."),
    _built_in("release", "Publish", "Store builds as releases, list and compare releases."),
    _built_in("instances", "Publish", "Manage the inventory of the app's instances."),
    _built_in("publish", "Publish", "Write the snippets to every instance."),
    _built_in("data", "Publish", "Get, set or check the app data of instances."),
    _built_in("host", "Run the app", "Run the app's own server: install, settings."),
    _built_in("verify-request", "Run the app", "Tell whether an install or settings request is authentic."),
    _built_in("conformance", "Run the app", "Test whether a running server verifies requests."),
    _built_in("reseller", "Reseller", "Manage websites, plans and AI credits of a reseller account."),
    _built_in("doctor", "Tools", "Show what is installed, missing and assumed."),
    _built_in("trust", "Tools", "Confirm which hosts get your secrets."),
    _built_in("probe", "Tools", "Settle assumptions by calls of a test instance."),
    _built_in("payload", "Tools", "Compare what a live page sends with what awning assumes."),
    _built_in("explain", "Tools", "Show what a rule requires."),
    LazyVerb(
        name="lsp",
        heading="Tools",
        help="Give an editor the findings of check, and their fixes.",
        target="awning.cli.lsp:lsp",
        needs=("pygls",),
        extra="lsp",
    ),
    _built_in(
        "summary",
        "Tools",
        "Summarize findings, tests and sizes for a pull request.",
        target="awning.cli.summary.summary:summary",
    ),
    _built_in("template", "Tools", "Compile or render one template."),
    _built_in("emulator", "Tools", "Write svcPlugins as one self-contained script."),
)


def joined_verbs() -> dict[str, LazyVerb]:
    """Return all verbs by name, in the order of their headings.

    They are the built-in ones, and those in the entry-point group `awning.commands`.
    """
    verbs = {verb.name: verb for verb in BUILT_IN}
    for target in _joined_targets():
        verb = cast("LazyVerb", _load(target))
        verbs.setdefault(verb.name, verb)
    return dict(sorted(verbs.items(), key=lambda item: HEADINGS.index(item[1].heading)))


def _joined_targets() -> Iterator[str]:
    """Yield the `module:attribute` of each entry point in the group, in the order of the search path.

    The function reads the INI file entry_points.txt itself, because importing importlib.metadata takes longer than
    everything else that `awning --help` does.
    """
    for folder in dict.fromkeys(sys.path):
        if not os.path.isdir(folder or "."):  # noqa: PTH112 - pathlib is slower, and this runs at every start
            continue
        with os.scandir(folder or ".") as entries:
            names = sorted(
                entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))
            )
        for name in names:
            yield from _read_group(f"{name}/entry_points.txt")


def _read_group(file: str) -> Iterator[str]:
    try:
        with open(file, encoding="utf-8") as text:  # noqa: PTH123 - as above
            lines = [line.strip() for line in text]
    except OSError:
        return
    is_in_group = False
    for line in lines:
        if line.startswith("["):
            is_in_group = line == f"[{GROUP}]"
        elif is_in_group and "=" in line and not line.startswith(("#", ";")):
            yield line.partition("=")[2].strip()

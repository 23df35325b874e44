"""A simulated shop with the workspace's app, for one test session.

The snippets are those that ship, except in the shop of `with_dev_build`. Each unit (the whole app, each widget alone)
is a separate app in the simulated service, so that a test sees only its own widget.
"""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from awning.build_record import WHOLE_APP
from awning.client import Secret, encode_app_data
from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.pipeline.phases import build_workspace
from awning.pipeline.write.maps import BuiltScript
from awning.script.file import ScriptFile
from awning.script.globals import find_global
from awning.workspace.messages import pseudo_code, pseudo_workspace
from awning.workspace.model import Widget, Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace
from awning_harness.service import Running, Service, serve
from awning_harness.visit.pages.stacks import ScriptOnPage, read_script_name, script_name, with_script_name

if TYPE_CHECKING:
    import pytest


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledApp:
    """One website with one app installed."""

    url: str
    """The website's address. It ends with a slash; a page's path follows, such as `en/product/1`."""
    auth_code: str

    @property
    def code(self) -> Secret:
        """The authCode as the client's operations take it."""
        return Secret(self.auth_code)

    def at(self, origin: str) -> "InstalledApp":
        """Return the same website at another origin of the storefront."""
        return replace(self, url=origin + urlsplit(self.url).path)


@dataclass(slots=True, kw_only=True, repr=False)
class Shop:
    """The running simulated service, and one app for each unit. An app is registered when it is first used.

    `scratch` is the folder for snippets that are built when they are first used: snippets in the pseudo-language,
    snippets of a dev build and, if `dist` is `partial`, the snippets that `dist` lacks.
    """

    workspace: Workspace
    dist: Path
    running: Running
    scratch: Path
    partial: bool = False
    apps: dict[str, int] = field(default_factory=dict)
    keys: dict[int, Secret] = field(default_factory=dict)
    """The API key of each registered app."""
    scripts: dict[tuple[str, str], BuiltScript | None] = field(default_factory=dict)
    """The scripts that were read, by unit and language."""

    @property
    def service(self) -> Service:
        return self.running.service

    @property
    def dialect(self) -> Dialect:
        return self.workspace.profile.dialect

    def unit_of(self, test: Path) -> str:
        """Return the widget whose folder contains a test file, else the whole app."""
        inside = (w.name for w in self.workspace.widgets if test.resolve().is_relative_to(w.folder.resolve()))
        return next(inside, WHOLE_APP)

    def unit_of_test(self, test: "pytest.Item") -> str:
        """Return the unit that the test's marker `unit` names, else that of its file."""
        marker = test.get_closest_marker("unit")
        return str(marker.args[0]) if marker else self.unit_of(test.path)

    def answers_of(self, unit: str) -> dict[str, Any]:
        """Return the responses of other hosts in a widget's states, by address.

        If several states have a response for one address, the first of them applies.
        """
        states = (
            state for widget in self.workspace.widgets if widget.name == unit for state in widget.states
        )
        answers: dict[str, Any] = {}
        for state in states:
            answers = {**state.fetch, **answers}
        return answers

    def allowed_globals_of(self, unit: str) -> frozenset[str]:
        """Return the globals that a widget may leave on the page; for the whole app, those of all its widgets."""
        return frozenset(name for widget in self._widgets_of(unit) for name in widget.allowed_globals)

    def place_of_name(self, unit: str, name: str) -> str | None:
        """Return the path and line in a widget's scripts that sets a global; if none does, of the first that names it.

        None if no script names it, for example because a script of another host sets it.
        """
        places: list[tuple[int, str]] = []
        for file in (file for widget in self._widgets_of(unit) for file in _scripts_of(widget)):
            path = file.relative_to(self.workspace.root).as_posix()
            script = ScriptFile(path=path, text=file.read_bytes().decode("utf-8", "replace"))
            if named := find_global(script, name):
                places.append((named.naming, f"{path}:{script.line_of(named.offset)}"))
        return min(places, key=lambda place: place[0], default=(0, None))[1]

    def _widgets_of(self, unit: str) -> list[Widget]:
        return [widget for widget in self.workspace.widgets if unit in (widget.name, WHOLE_APP)]

    def folder_of(self, unit: str) -> Path:
        """Return the folder of a widget; for the whole app, the folder of the workspace."""
        return next((w.folder for w in self.workspace.widgets if w.name == unit), self.workspace.root)

    @property
    def pseudo(self) -> str:
        """The code of the pseudo-language."""
        return pseudo_code(self.workspace.languages[0])

    def open(self, unit: str, *, pseudo: bool = False) -> InstalledApp:
        """Make a website in the workspace's languages and install the unit there. `pseudo` adds the pseudo-language.

        Raises ConfigurationError when there is no snippet of the unit.
        """
        folders = dict.fromkeys(self.workspace.languages, self.build_folder(unit))
        if pseudo:
            folders[self.pseudo] = unit_folder(self._pseudo_dist(), unit)
        website = self.service.create_website(languages=tuple(folders))
        code = self.service.install(self._app(unit), website.id)
        for language, folder in folders.items():
            body = folder / language / "body.html"
            if body.is_file() and (html := body.read_text("utf-8")):
                self.service.set_snippet(code, html, language=language)
        url = self.service.website_url(website.id)
        return InstalledApp(url=url.rstrip("/") + "/", auth_code=code)

    def with_dev_build(self) -> "Shop":
        """Return the same shop with a dev build, which checks declared types.

        Raises Faulty when a widget does not build.
        """
        out = self.scratch / "dev"
        build_workspace(
            self.workspace, out=out, only=self._only(), environ=os.environ, dev=True, for_tests=True
        )
        return replace(self, dist=out, apps={}, scripts={})

    def set_data(self, opened: InstalledApp, unit: str, data: Mapping[str, Any]) -> None:
        """Store app data: the part of a widget or, for the whole app, the parts of all widgets by name.

        As in `awning data set` and the settings form, the data are escaped, so that no text in them can end the element
        of the page that contains them.
        """
        whole = data if unit == WHOLE_APP else {unit: data}
        self.service.set_data(opened.auth_code, encode_app_data(dict(whole)))

    def api_key(self, unit: str) -> Secret:
        """Return the API key of a unit's app."""
        return self.keys[self._app(unit)]

    def _app(self, unit: str) -> int:
        if unit not in self.apps:
            manifest = {**self.workspace.manifest, "app_secret": secrets.token_hex(16)}
            app_id, key = self.service.register_app(manifest)
            self.keys[app_id] = Secret(key)
            folder = self.build_folder(unit)
            head, body = ((folder / f"{place}.html").read_text("utf-8") for place in ("head", "body"))
            self.service.set_default_snippets(app_id, head=head, body=body)
            self.apps[unit] = app_id
        return self.apps[unit]

    def build_folder(self, unit: str) -> Path:
        """Return the folder with a unit's built snippets. If a partial `dist` lacks them, the whole app is built.

        Raises ConfigurationError when there is no snippet of the unit, and Faulty when the app does not build.
        """
        folder = unit_folder(self.dist, unit)
        if self.partial and not (folder / "body.html").is_file():
            folder = unit_folder(self._whole_dist(), unit)
        if not (folder / "body.html").is_file():
            raise ConfigurationError(
                f"there is no snippet of {unit} in {self.dist}", hint="Run awning build."
            )
        return folder

    def script(self, unit: str, language: str) -> BuiltScript | None:
        """Return the script in a unit's body snippet for pages in a language; None if the snippet has no script."""
        if (unit, language) not in self.scripts:
            is_pseudo = language == self.pseudo
            folder = unit_folder(self._pseudo_dist(), unit) if is_pseudo else self.build_folder(unit)
            dist = folder if unit == WHOLE_APP else folder.parent.parent
            own = folder / language / "body.html"
            body = own if own.is_file() and own.stat().st_size else folder / "body.html"
            self.scripts[unit, language] = BuiltScript.read(dist, body.relative_to(dist).as_posix())
        return self.scripts[unit, language]

    def with_script_name(self, html: str, unit: str, language: str) -> str:
        """Return a page's HTML with a name for the script of a unit, which stack traces show.

        A browser calls the scripts of a page that JavaScript writes `<anonymous>`.
        """
        script = self.script(unit, language)
        return with_script_name(html, script, script_name(unit, language)) if script else html

    def find_script(self, name: str) -> ScriptOnPage | None:
        """Return the script with a name from `with_script_name`; None for another name."""
        unit_and_language = read_script_name(name)
        script = self.scripts.get(unit_and_language) if unit_and_language else None
        return ScriptOnPage(script=script) if script else None

    def _whole_dist(self) -> Path:
        out = self.scratch / "whole"
        if not out.is_dir():
            build_workspace(self.workspace, out=out, environ=os.environ, for_tests=True)
        return out

    def _pseudo_dist(self) -> Path:
        out = self.scratch / "pseudo"
        if not out.is_dir():
            workspace = pseudo_workspace(self.workspace)
            build_workspace(workspace, out=out, only=self._only(), environ=os.environ, for_tests=True)
        return out

    def _only(self) -> tuple[str, ...]:
        """Return the widgets that are in `dist`; empty if `dist` has all widgets."""
        return tuple(folder.name for folder in (self.dist / "widgets").iterdir()) if self.partial else ()


def _scripts_of(widget: Widget) -> list[Path]:
    """Return the script files in a widget's folder, in the order in which a page runs the first two."""
    first = [widget.head, widget.script, *widget.verbatim.values()]
    others = [
        file
        for file in sorted(widget.folder.rglob("*.[tj]s"))
        if file.is_file() and file not in first and "node_modules" not in file.parts
    ]
    return [*(file for file in first if file), *others]


def unit_folder(dist: Path, unit: str) -> Path:
    """Return the folder with a unit's built snippets."""
    return dist if unit == WHOLE_APP else dist / "widgets" / unit


@contextmanager
def open_shop(start: Path, *, dist: Path | None, folder: Path, partial: bool = False) -> Iterator[Shop]:
    """Serve the snippets in `dist` while the block runs. Without `dist`, build the workspace of `start` first.

    Raises ConfigurationError when `start` is not in a workspace, and Faulty when the workspace has errors.
    """
    workspace = read_workspace(find_workspace(start))
    if dist is None:
        dist = folder / "dist"
        build_workspace(workspace, out=dist, environ=os.environ, for_tests=True)
    service = Service.of_profile(workspace.profile)
    service.store = lambda: workspace.store
    service.allowed_globals = {name for widget in workspace.widgets for name in widget.allowed_globals}
    with serve(service) as running:
        yield Shop(workspace=workspace, dist=dist, running=running, scratch=folder, partial=partial)

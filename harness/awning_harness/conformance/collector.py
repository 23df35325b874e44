"""Collects a `widget.toml` as a test file: the conformance rules, for this widget's states and languages."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from awning.template.declarations import read_declaration
from awning.template.parse import read_source
from awning.template.refusals import TemplateRefusal
from awning.workspace import Widget, WidgetState, find_workspace, read_workspace
from awning_harness.conformance import rules


class WidgetFile(pytest.Module):
    """The test file of one widget. Its tests are the functions of `rules`."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Collect the rules for this widget.

        Some rules need `--pseudo`, and one needs a template that declares types.
        """
        excluded = set() if self.config.getoption("--pseudo") else {"pseudo"}
        excluded |= set() if declares_types(self.widget) else {"dev_storefront"}
        return [item for item in super().collect() if excluded.isdisjoint(getattr(item, "fixturenames", ()))]

    @property
    def widget(self) -> Widget:
        return widget_at(self.path)

    def _getobj(self) -> ModuleType:
        """Return the module from which pytest collects the tests.

        `path` is not a Python file, so pytest cannot import it.
        """
        return rules


@cache
def widget_at(path: Path) -> Widget:
    """Return the widget whose `widget.toml` is `path`. Raises Faulty when the workspace has errors."""
    workspace = read_workspace(find_workspace(path.parent))
    return next(widget for widget in workspace.widgets if widget.folder == path.parent.resolve())


def default_state(slot: str) -> WidgetState:
    """Return the state that is tested when a widget has no states. Its payload is an ordinary payload of the slot."""
    payload = "P1" if slot == "after-price" else "C1"
    return WidgetState(name=f"plain-{slot}", title="Plain", slot=slot, payload=payload)


def states_by_language(metafunc: pytest.Metafunc) -> None:
    """Parametrise a rule that takes `state` and `language`, or `state` alone."""
    file = metafunc.definition.getparent(WidgetFile)
    if file is None:
        return
    states = file.widget.states or tuple(default_state(slot) for slot in file.widget.slots)
    if "language" not in metafunc.fixturenames:
        metafunc.parametrize("state", states, ids=[state.name for state in states])
        return
    cases = [(state, language) for state in states for language in file.widget.languages]
    ids = [f"{state.name}-{language}" for state, language in cases]
    metafunc.parametrize(("state", "language"), cases, ids=ids)


QUOTED = re.compile(r"""["']([^"']+)["']""")
MAY_DECLARE = re.compile(r"\{#[-+]?\s*def\b")


def declares_types(widget: Widget) -> bool:
    """Return whether a widget's template, or a shared one that it names, declares types: `{#def low: boolean #}`."""
    names, templates = list(widget.templates), dict[str, str]()
    while names:
        name = names.pop()
        if name not in templates and (text := read_template(widget, name)) is not None:
            templates[name] = text
            names += QUOTED.findall(text)
    return any(has_declaration(name, text) for name, text in templates.items())


def read_template(widget: Widget, name: str) -> str | None:
    """Return the widget's template with this name, else the shared one.

    None when neither can be read; the build reports it.
    """
    for folder in (widget.folder, widget.folder.parent / "_shared"):
        try:
            return Path(folder, name).read_text(encoding="utf-8-sig")
        except (OSError, ValueError):
            continue
    return None


def has_declaration(name: str, text: str) -> bool:
    """Return whether a template declares types. A malformed template does not count, because the build reports it."""
    if not MAY_DECLARE.search(text):
        return False
    try:
        return bool(read_declaration(read_source(text, name=name, path=name)))
    except TemplateRefusal:
        return False

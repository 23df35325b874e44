"""Collects a `widget.toml` as a test file. Its tests are the checks, in the states and languages of the widget."""

import re
from collections.abc import Callable, Iterable
from functools import cache, wraps
from inspect import iscoroutinefunction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from awning.template.declarations import declared_in
from awning.template.refusals import TemplateRefusal
from awning.workspace.model import Widget, WidgetState, Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace
from awning_harness.checks.families import check_functions, check_name
from awning_harness.checks.outcomes import SITUATION
from awning_harness.checks.situation import CheckedWidget, Situation, states_of
from awning_harness.checks.subject import Judgement, Subject, judge


class WidgetFile(pytest.Module):
    """The test file of one widget. Its tests are the functions of `checks`."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Yield the checks of this widget, without those that it switches off.

        Without `--pseudo`, the check of the pseudo-language is left out; without declared types, the check of types.
        """
        widget = self.widget
        excluded = set(widget.checks_off)
        excluded |= set() if self.config.getoption("--pseudo") else {"has-room-for-longer-texts"}
        excluded |= set() if declares_types(widget) else {"keeps-its-declarations"}
        for item in super().collect():
            if isinstance(item, pytest.Function):
                name = check_name(item.originalname)
                if name not in excluded:
                    item.user_properties.extend(properties_of(name, widget, item))
                    yield item

    @property
    def widget(self) -> Widget:
        return widget_at(self.path)

    @property
    def checked(self) -> CheckedWidget:
        is_full = self.config.getoption("--matrix") == "full"
        workspace = workspace_of(self.path)
        return CheckedWidget(
            widget=self.widget,
            store=workspace.store,
            shop_languages=workspace.languages,
            is_full=is_full,
        )

    def _getobj(self) -> ModuleType:
        """Return a module with the tests.

        `path` is not a Python file, so pytest cannot import it.
        """
        module = ModuleType("awning_checks")
        for name, function in check_functions().items():
            situations = getattr(function, "situations", None)
            if situations is None or situations(self.checked):
                setattr(module, name, as_test(function) if iscoroutinefunction(function) else function)
        return module


def as_test(check: Callable[[Subject], Judgement]) -> Callable[[Subject], None]:
    """Return the test function of a check that waits for trials."""

    @wraps(check)
    def test(subject: Subject) -> None:
        judge(check(subject), subject.laboratory.observe)

    return test


def coroutine_of(item: pytest.Function) -> Callable[[Subject], Judgement] | None:
    """Return the check of a test that waits for trials; None for any other test."""
    return getattr(item.function, "__wrapped__", None)


def properties_of(check: str, widget: Widget, item: pytest.Function) -> list[tuple[str, object]]:
    """Return the properties of a test for JUnit and for the table of checks."""
    values: dict[str, Any] = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    situation: Situation | None = values.get("situation")
    state: WidgetState | None = situation.state if situation else values.get("state")
    if situation and situation.name:
        state, situation = (state if state and state.name == situation.name else None), None
    own = (
        state.name if state else None,
        situation.language if situation else None,
        situation.theme if situation else None,
        (situation.csp if situation else None) or (state.csp if state else None),
        situation.assumptions if situation else None,
        situation.preference if situation else None,
    )
    pairs = {"check": check, "widget": widget.name, **dict(zip(SITUATION, own, strict=True))}
    return [(name, value) for name, value in pairs.items() if value is not None]


@cache
def workspace_at(root: Path) -> Workspace:
    """Return the workspace of a folder. Raises Faulty when it has errors."""
    return read_workspace(root)


def widget_at(path: Path) -> Widget:
    """Return the widget whose `widget.toml` is `path`. Raises what `workspace_of` raises."""
    return next(widget for widget in workspace_of(path).widgets if widget.name == path.parent.name)


@cache
def workspace_of(path: Path) -> Workspace:
    """Return the workspace of a `widget.toml`. The widget's folder may be a link that leads out of the workspace.

    Raises ConfigurationError when there is no workspace, and Faulty when it has errors.
    """
    return workspace_at(find_workspace(path.parent.parent))


def parametrize_check(metafunc: pytest.Metafunc) -> None:
    """Parametrise a check. It takes a `situation`, or a `state`."""
    file = metafunc.definition.getparent(WidgetFile)
    if file is None:
        return
    if "situation" in metafunc.fixturenames:
        situations = metafunc.function.situations(file.checked)
        metafunc.parametrize("situation", situations, ids=[situation.id for situation in situations])
        return
    states = states_of(file.widget)
    metafunc.parametrize("state", states, ids=[state.name for state in states])


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
        return bool(declared_in(text, path=name))
    except TemplateRefusal:
        return False

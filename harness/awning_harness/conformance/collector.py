"""Collects a `widget.toml` as a test file: the conformance rules, for this widget's states and languages."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from awning.workspace import Widget, WidgetState, find_workspace, read_workspace
from awning_harness.conformance import rules
from awning_harness.conformance.declared import declares


class WidgetFile(pytest.Module):
    """The functions of `rules`, collected once per widget."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """The pseudo-language only when it is asked for (`--pseudo`), a dev build only where types are declared."""
        left_out = set() if self.config.getoption("--pseudo") else {"pseudo"}
        left_out |= set() if declares(self.widget) else {"dev_storefront"}
        return [one for one in super().collect() if left_out.isdisjoint(getattr(one, "fixturenames", ()))]

    @property
    def widget(self) -> Widget:
        return widget_at(self.path)

    def _getobj(self) -> ModuleType:
        """What pytest collects from: it would import `path`, were that a Python file."""
        return rules


@cache
def widget_at(path: Path) -> Widget:
    """The widget whose `widget.toml` is `path`. Raises Faulty when the workspace has errors."""
    workspace = read_workspace(find_workspace(path.parent))
    return next(widget for widget in workspace.widgets if widget.folder == path.parent.resolve())


def plain_state(slot: str) -> WidgetState:
    """The state of a widget that names none: what most shoppers see in this slot."""
    payload = "P1" if slot == "after-price" else "C1"
    return WidgetState(name=f"plain-{slot}", title="Plain", slot=slot, payload=payload)


def states_by_language(metafunc: pytest.Metafunc) -> None:
    """Parametrise a rule that takes `state` and `language`, or `state` alone."""
    file = metafunc.definition.getparent(WidgetFile)
    if file is None:
        return
    states = file.widget.states or tuple(plain_state(slot) for slot in file.widget.slots)
    if "language" not in metafunc.fixturenames:
        metafunc.parametrize("state", states, ids=[state.name for state in states])
        return
    cases = [(state, language) for state in states for language in file.widget.languages]
    ids = [f"{state.name}-{language}" for state, language in cases]
    metafunc.parametrize(("state", "language"), cases, ids=ids)

"""What a run tests and leaves out, as its reports show it. `awning test` works it out."""

from __future__ import annotations

from dataclasses import dataclass

import pytest


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """`options` leave tests out, empty if all run. `lines` say what runs, what is left out, and why."""

    options: str = ""
    lines: tuple[str, ...] = ()


PLAN = pytest.StashKey[RunPlan]()


def plan_of(config: pytest.Config) -> RunPlan:
    """Return the plan that `awning test` has given to pytest; an empty one if it has given none."""
    return config.stash.get(PLAN, RunPlan())

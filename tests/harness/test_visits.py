"""Visits of widgets: a visit gives the same record alone and among others."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest
from volumes import volume

from awning.workspace.model import WidgetState
from awning_harness.checks.situation import states_of
from awning_harness.visit.laboratory import Laboratory, LaboratorySession
from awning_harness.visit.pages.visibility import OWN_BLOCKS
from awning_harness.visit.trial import Trial

ALONE = 8
"""How many visits are made alone, each in a new tab, to be compared."""


@pytest.fixture(scope="module")
def laboratories(awning_shop, browser) -> Iterator[LaboratorySession]:
    tabs = LaboratorySession.of(browser, awning_shop, count=2)
    yield tabs
    tabs.close()


def kinds_of_visits(laboratory: Laboratory, state: WidgetState) -> list[Trial]:
    """Return the state's own page with its steps, posing, among other apps, on a phone with a preference, replaced."""
    own = laboratory.trial_of(state, "en")
    pose = {"blocks": f".placeholder-{state.slot} {OWN_BLOCKS}", "tree": True, "picture": True}
    crowded = {"theme": "crowded", "scenario": "late-neighbour"}
    return [
        own,
        replace(own, moves=(*own.moves, {"pose": pose})),
        Trial(state=state, language="en", options=crowded),
        Trial(state=state, language="en", width=360, preference="reduced-motion"),
        Trial(
            state=state, language="en", moves=("page", "loaded", "restored", "look"), is_storage_blocked=True
        ),
    ]


def record_of(laboratories: LaboratorySession, key: str) -> dict[str, Any]:
    return {name: value for name, value in laboratories.results[key].items() if name != "ms"}


def test_visit_gives_the_same_record_alone_and_among_others(laboratories, browser):
    chance = random.Random(3)
    shop = laboratories.shop
    visits: list[tuple[str, Trial]] = []
    for widget in shop.workspace.widgets:
        laboratory = Laboratory(session=laboratories, unit=widget.name)
        visits += [
            (widget.name, trial)
            for state in states_of(widget)
            for trial in kinds_of_visits(laboratory, state)
        ]
    among = [
        (unit, replace(trial, repetition=number))
        for number in range(volume("visits-among-others"))
        for unit, trial in [chance.choice(visits)]
    ]
    for unit, group in groupby(sorted(among, key=lambda _: chance.random()), key=itemgetter(0)):
        Laboratory(session=laboratories, unit=unit).observe_ahead([trial for _, trial in group])
    for unit, trial in chance.sample(among, ALONE):
        alone = LaboratorySession.of(browser, shop)
        alone.websites = laboratories.websites
        Laboratory(session=alone, unit=unit).observe_ahead([trial])
        (key,) = alone.results
        assert record_of(alone, key) == record_of(laboratories, key)
        alone.close()

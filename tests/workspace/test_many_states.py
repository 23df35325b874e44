"""The time for a states.toml grows with its length, not with its square: nothing is done again for each state."""

import re
import tomllib
from collections import Counter

import pytest
from project import Project

from awning.pipeline.incremental import inspect_workspace
from awning.workspace import offsets


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ('payload = "P1"\nsteps = ["clcik a"]', "state-step"),
        ('payload = "P1"\nshws = 1', "unknown-key"),
        ('payload = "nothing"', "unreachable-state"),
    ],
)
def test_places_of_many_faults_are_looked_up_in_one_reading(tmp_path, monkeypatch, row, rule):
    """A file with 1,200 wrong states is parsed, and searched for its lines, a few times and not once per state."""
    project = Project(tmp_path).add_widget("note")
    rows = (f'[[state]]\nname = "s{number}"\ntitle = "S"\n{row}\n' for number in range(1200))
    project.add_file("widgets/note/states.toml", "\n".join(rows))
    calls = Counter()
    for module, name in ((offsets, "_pair"), (re, "finditer"), (tomllib, "loads")):
        real = getattr(module, name)

        def counted(*arguments, real=real, name=name):
            calls[name] += 1
            return real(*arguments)

        monkeypatch.setattr(module, name, counted)
    findings = [f for f in inspect_workspace(project.root).counted() if f.severity == "error"]
    assert [finding.rule for finding in findings] == [rule] * 1200
    assert findings[-1].place.line > 4000
    assert calls["_pair"] <= 2 * 4 * 1200
    assert max(calls["finditer"], calls["loads"]) < 100

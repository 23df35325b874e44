"""Finding the widgets whose templates declare types: only these are tested in a dev build too."""

import pytest
from project import Project

from awning_harness.checks.collector import declares_types

DECLARING = "{#def low: boolean #}{% if low %}<p>low</p>{% endif %}\n"
SHARED = "widgets/_shared/low.html.j2"


@pytest.mark.parametrize(
    ("template", "shared", "declares"),
    [
        (DECLARING, "", True),
        ("<p>plain</p>", DECLARING, False),
        ('{% include "low.html.j2" %}', DECLARING, True),
        ('{% include "low.html.j2" %}', "<p>plain</p>", False),
        ('{% include "gone.html.j2" %}', DECLARING, False),
        ("{# def is short for definition #}<p>prose</p>", "", False),
        ("{#def low: bool #}<p>refused by the build</p>", "", False),
        ("{#def low: boolean", "", False),
    ],
    ids=["own", "shared-unused", "shared", "shared-plain", "gone", "prose", "malformed", "unended"],
)
def test_declarations_are_found_in_own_and_included_templates(tmp_path, template, shared, declares):
    project = Project(tmp_path / "shop").add_widget("note", view_html_j2=template)
    project.add_file(SHARED, shared)
    assert declares_types(project.read().widgets[0]) is declares

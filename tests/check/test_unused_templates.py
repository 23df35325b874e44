"""A template that no script leads to is a warning, also if another unused template includes it."""

import pytest
from project import Project

from awning.pipeline.incremental import inspect_workspace

PAGE = '{% extends "page.html.j2" %}{% from "macros.html.j2" import b %}{% block a %}{{ b() }}{% endblock %}'
FILES = {
    "view.html.j2": '<p>{{ t("hello") }}</p>{% include "row.html.j2" %}',
    "row.html.j2": '{% set cell = "parts/cell.html.j2" %}{{ cell }}',
    "parts/cell.html.j2": "cell",
    "page.html.j2": "{% block a %}{% endblock %}",
    "macros.html.j2": "{% macro b() %}b{% endmacro %}",
}


def found(project, *only):
    findings = inspect_workspace(project.root, only=only, types=False).counted()
    return [finding.place.path for finding in findings if finding.rule == "template-unused"]


def add(project, *, script=None, **files):
    project.add_widget("note", **({"widget_ts": script} if script else {}))
    for path, text in (FILES | {name.replace("__", "."): text for name, text in files.items()}).items():
        project.add_file(f"widgets/note/{path}", text)


def test_template_that_nothing_names_is_a_warning(tmp_path):
    project = Project(tmp_path)
    add(project, other__html__j2=PAGE)
    assert found(project) == [
        "widgets/note/macros.html.j2",
        "widgets/note/other.html.j2",
        "widgets/note/page.html.j2",
    ]
    findings = inspect_workspace(project.root, types=False).counted()
    assert {f.severity for f in findings if f.rule == "template-unused"} == {"warning"}


@pytest.mark.parametrize(
    "script",
    [
        'export default afterPrice(({ t }) => "");\n',
        '// import view from "./view.html.j2";\nexport default afterPrice(({ t }) => "view.html.j2");\n',
    ],
)
def test_deleted_import_is_found(tmp_path, script):
    project = Project(tmp_path).add_widget(
        "note", widget_ts='import { afterPrice } from "awning";\n' + script
    )
    assert "widgets/note/view.html.j2" in found(project)


@pytest.mark.parametrize(
    "script",
    [
        'import other from "./other.html.j2";\nexport default afterPrice(({ t }) => view({ t }) + other({ t }));\n',
        'export default afterPrice(({ t }) => view({ t }));\nexport { default } from "./other.html.j2";\n',
        'import { more } from "./more";\nexport default afterPrice(({ t }) => view({ t }) + more);\n',
    ],
)
def test_used_templates_are_no_warning(tmp_path, script):
    project = Project(tmp_path)
    head = 'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
    more = 'import other from "./other.html.j2";\nexport const more = other({});\n'
    add(project, script=head + script, other__html__j2=PAGE, more__ts=more)
    assert found(project) == []


def test_shared_template_is_used_when_any_widget_uses_it(tmp_path):
    project = Project(tmp_path)
    project.add_widget("note", view_html_j2='<p>{{ t("hello") }}</p>{% include "row.html.j2" %}').add_widget(
        "two"
    )
    project.add_file("widgets/_shared/row.html.j2", "row").add_file("widgets/_shared/old.html.j2", "old")
    assert found(project) == ["widgets/_shared/old.html.j2"]
    assert found(project, "two") == []


def test_template_that_another_widget_imports_is_used(tmp_path):
    project = Project(tmp_path).add_widget("note")
    project.add_file("widgets/note/card.html.j2", "card")
    assert found(project) == ["widgets/note/card.html.j2"]
    script = (
        'import { afterPrice } from "awning";\nimport card from "../note/card.html.j2";\n'
        "export default afterPrice(({ t }) => card({ t }));\n"
    )
    project.add_widget("two", widget_ts=script)
    assert found(project) == ["widgets/two/view.html.j2"]


def test_script_that_cannot_be_read_leaves_the_rule_silent(tmp_path):
    project = Project(tmp_path).add_widget("note", widget_ts="export default (\n")
    assert found(project) == []

"""The setting `kill_switch`: whether the app data can disable the widgets of a snippet."""

import pytest
from project import Project

from awning.errors import Faulty

SCHEMA = '{"properties": {"days": {"default": 3}}}'
RAW = "svcPlugins.subscribeEvent('svc-content-after-price', () => {});"


def app_body(project: Project, setting: str = "") -> str:
    project.add_file("pyproject.toml", f'[tool.awning]\nlanguages = ["en", "lv"]\n{setting}\n').build()
    return project.dist("body.html")


@pytest.mark.parametrize(
    ("setting", "has_settings", "switch"),
    [
        ("", True, True),
        ("", False, False),
        ("kill_switch = true", False, True),
        ("kill_switch = true", True, True),
        ("kill_switch = false", True, False),
    ],
)
def test_switch_is_in_snippets_with_app_data_or_as_the_workspace_says(
    project: Project, setting: str, has_settings: bool, switch: bool
) -> None:
    project.add_widget("plain").add_widget("set", **({"data_schema_json": SCHEMA} if has_settings else {}))
    body = app_body(project, setting)
    assert ("_awning" in body) is switch
    assert ("{{svc_app_data}}" in body) is (switch or has_settings)
    assert project.build().kill_switch is switch


def test_every_widget_of_the_snippet_is_behind_the_switch(project: Project) -> None:
    project.add_widget("plain").add_widget("set", data_schema_json=SCHEMA)
    body = app_body(project)
    assert body.count('("plain"') == 2, "its run, and its part of the app data"


def test_snippet_without_settings_is_the_same_as_without_the_switch(project: Project) -> None:
    project.add_widget("plain")
    assert app_body(project) == app_body(project, "kill_switch = false")


def test_raw_widgets_are_named_in_the_build_record(project: Project) -> None:
    record = project.add_widget("by-hand", widget_ts=RAW).add_widget("note").build()
    assert {widget.name: widget.raw for widget in record.widgets} == {"by-hand": True, "note": False}


def test_switch_must_be_true_or_false(project: Project) -> None:
    with pytest.raises(Faulty) as refused:
        app_body(project.add_widget("note"), 'kill_switch = "no"')
    (diagnostic,) = refused.value.diagnostics
    assert "kill_switch" in diagnostic.message


def test_widget_cannot_have_the_name_of_the_reserved_key(project: Project) -> None:
    project.add_widget("_awning").add_widget("note")
    assert [widget.name for widget in project.build().widgets] == ["note"]

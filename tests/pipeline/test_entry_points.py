"""The generated entry points: what each snippet imports and calls, as a table."""

import re

import pytest

from awning.jsrc import jsrc_root
from awning.pipeline.read import plan_snippets
from awning.pipeline.stage.entry_points import (
    EntryContext,
    WidgetTraits,
    entry_source,
    root_class,
    runtime_imports,
)

HELLO_EN = '{"hello": "Hello en"}'
HELLO_LV = '{"hello": "Hello lv"}'
PLURAL = '[hello]\none = "a"\nother = "b"\n'
FORMS = '{"one": "a", "other": "b"}'


def common(code, insert="replace"):
    return f"{insert}, {code});"


HELLO = f"oneLanguage({HELLO_EN})"
BOTH = 'byLanguage(["lv"], {"hello": ["Hello en", "Hello lv"]})'
EQUAL = '[hello]\none = "b"\nother = "b"\n'
CALLS = {
    "messages of one language": ({}, "en", common(HELLO)),
    "messages of all languages": ({}, None, common(BOTH)),
    "plurals": (
        {"messages_en_toml": PLURAL},
        "en",
        common(f'oneLanguage({{"hello": plurals("en", {FORMS})}})'),
    ),
    "plurals of all languages": (
        {"messages_en_toml": PLURAL},
        None,
        common(f'byLanguage(["lv"], {{"hello": [plurals("en", {FORMS}), "Hello lv"]}})'),
    ),
    "no plurals where a language has none": (
        {"messages_en_toml": PLURAL},
        "lv",
        common(f"oneLanguage({HELLO_LV})"),
    ),
    "no plurals where all forms are equal": (
        {"messages_en_toml": EQUAL},
        "en",
        common('oneLanguage({"hello": "b"})'),
    ),
    "app data": ({"data_schema_json": "{}"}, "en", common(f'data("note", {{}}, {HELLO})')),
}


def body(project, language, *, shadow_styles=None, samples=False, **traits):
    workspace = project.read()
    snippets = plan_snippets(workspace, ("note",))
    planned = next(planned for planned in snippets if (planned.place, planned.language) == ("body", language))
    context = EntryContext(
        app="My app", samples=samples, shadow_styles=shadow_styles or {}, traits=WidgetTraits(**traits)
    )
    return entry_source(planned, context)


@pytest.mark.parametrize("case", CALLS, ids=str)
def test_entry_point_passes_only_the_existing_parts_of_a_widget(project, case):
    files, language, expected = CALLS[case]
    source = body(project.add_widget("note", **files), language)
    assert f'run("note", "{root_class("My app", "note")}", w0, {expected}' in source


def test_plural_rules_are_those_of_a_language_as_browsers_write_it(project):
    project.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["pt_BR"]\n')
    project.add_widget("note").add_file("widgets/note/messages/pt_BR.toml", PLURAL)
    assert f'{{"hello": plurals("pt-BR", {FORMS})}}' in body(project, "pt_BR")


def test_defaults_are_passed_with_the_app_data(project):
    source = body(
        project.add_widget("note", data_schema_json='{"properties": {"days": {"default": 3}}}'), "en"
    )
    assert 'const data = appData("My app");' in source
    assert 'data("note", {"days": 3}, ' in source


def test_only_what_is_used_is_imported(project):
    assert 'import { oneLanguage, replace, run } from "awning/run";' in body(project.add_widget("note"), "en")


def test_development_build_imports_each_helper_of_the_runtime_from_its_own_module():
    """A name that the table of modules lacks would not be imported."""
    text = (jsrc_root() / "runtime" / "run.ts").read_text(encoding="utf-8")
    modules = {
        name: module
        for names, module in re.findall(r'^export \{ (.*) \} from "\./(.*)\.ts";$', text, re.MULTILINE)
        for name in names.split(", ")
    }
    assert "run" in modules
    assert set(runtime_imports(modules, direct=True)) == {
        f'import {{ {name} }} from "awning/runtime/{module}";' for name, module in modules.items()
    }


def test_interactive_content_is_patched(project):
    source = body(project.add_widget("note"), "en", interactive=frozenset({"note"}))
    assert common(HELLO, "keep") in source


def test_a_shadow_root_gets_its_style(project):
    toml = 'title = "A"\nslot = "after-price"\nisolation = "shadow"\n'
    source = body(project.add_widget("note", widget_toml=toml), "en", shadow_styles={"note": '.a{b:"c"}'})
    assert r'shadow(".a{b:\"c\"}"), ' in source


SAMPLED = {
    "plain": ({}, {}, 'sampled("note", replace), '),
    "interactive": ({}, {"interactive": frozenset({"note"})}, 'sampled("note", keep), '),
    "asynchronous": (
        {},
        {"asynchronous": frozenset({"note"})},
        'later("note", sampled("note", replace)), ',
    ),
    "in a shadow root": (
        {"widget_toml": 'title = "A"\nslot = "after-price"\nisolation = "shadow"\n'},
        {},
        'sampled("note", shadow("")), ',
    ),
}


@pytest.mark.parametrize("case", SAMPLED)
def test_sampled_renderings_are_reported_once_the_html_is_there(project, case):
    files, traits, expected = SAMPLED[case]
    source = body(project.add_widget("note", **files), "en", samples=True, **traits)
    assert expected in source


def test_every_planned_snippet_has_its_path_and_entry(project):
    workspace = project.add_widget("note").read()
    assert [(planned.path, planned.entry) for planned in plan_snippets(workspace)][:4] == [
        ("head.html", "app/default/head"),
        ("body.html", "app/default/body"),
        ("en/head.html", "app/en/head"),
        ("en/body.html", "app/en/body"),
    ]


def test_widgets_of_one_name_in_two_apps_have_different_classes():
    assert root_class("one", "note") != root_class("two", "note")


def test_widget_that_imports_a_slot_is_interactive_and_asynchronous(project, staged):
    imported = 'import { afterPrice } from "awning";\n'
    slot = imported + "export const slot = afterPrice(async ({ t }) => t('hello'));"
    project.add_widget("note", slot_ts=slot, widget_ts='export { slot as default } from "./slot.ts";')
    both = imported + 'import { slot } from "../note/slot.ts";\nexport default [afterPrice(() => ""), slot];'
    project.add_widget("both", widget_ts=both)
    assert 'later("both", keep), ' in staged("both/default/body")


def test_a_widget_of_one_language_has_its_texts_in_every_snippet(project):
    project.add_widget("note", widget_toml='title = "A"\nslot = "after-price"\nlanguages = ["lv"]\n')
    assert common(f"oneLanguage({HELLO_LV})") in body(project, None)

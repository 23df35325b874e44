"""Misspelt and missing imports from "awning", and misspelt arguments of messages, are errors of the build."""

import pytest

from awning.check.imports import import_findings
from awning.diagnostics import Severity
from awning.errors import Faulty
from awning.pipeline.incremental import inspect_workspace
from awning.pipeline.inspect import awning_exports
from awning.script.file import ScriptFile

SHOWS = "export default afterCheckout(({ t }) => t('hello'));\n"


def faults(project) -> list[tuple[str, str]]:
    with pytest.raises(Faulty) as raised:
        project.build()
    return [(diagnostic.rule, str(diagnostic.place)) for diagnostic in raised.value.diagnostics]


def test_name_misspelt_only_in_the_import_is_reported(project):
    script = 'import { afterChekout } from "awning";\n' + SHOWS
    project.add_widget("note", slot="after-checkout", widget_ts=script)
    assert faults(project) == [
        ("missing-export", "widgets/note/widget.ts:1:10"),
        ("missing-import", "widgets/note/widget.ts:2:16"),
    ]


def test_name_misspelt_everywhere_is_reported_once(project):
    script = 'import { afterChekout } from "awning";\n' + SHOWS.replace("afterCheckout", "afterChekout")
    project.add_widget("note", slot="after-checkout", widget_ts=script)
    assert faults(project) == [("missing-export", "widgets/note/widget.ts:1:10")]


@pytest.mark.parametrize(
    ("script", "rules"),
    [
        ('import { afterPrice, type Item, money as euro } from "awning";\nafterPrice(euro(1));', []),
        ('import type { PriceArgs, Cart } from "awning";', []),
        ('import {\n  afterPrice,\n  live,\n} from "awning";\nlive(afterPrice());', []),
        ('import { Nothing } from "awning";', ["missing-export"]),
        ("export default afterPrice<Data>(() => 1);", ["missing-import"]),
        ("const price = money(1, currency);", ["missing-import"]),
        ('import { money } from "./money.ts";\nmoney(1);', []),
        ("const money = (n: number) => n;\nmoney(1);", []),
        ("function money(n: number) { return n; }\nmoney(1);", []),
        ("const f = ({ money }) => money(1);", []),
        ("shop.money(1); const o = { money(n) { return n; } };", []),
        ("interface Shop { date(): string; money(n: number): string }", []),
        ("type Shop = { time(zone?: string): string };", []),
        ("declare class Shop { unit(): string }", []),
        ("const text = late ? date(1) : 2;", ["missing-import"]),
        ("// money(1)\nconst text = 'money(1)';", []),
    ],
)
def test_missing_exports_and_missing_imports_are_reported(script, rules):
    assert [
        diagnostic.rule
        for diagnostic in import_findings(ScriptFile(path="a.ts", text=script), awning_exports())
    ] == rules


def test_argument_misspelt_in_every_language_is_reported_with_both_places(project):
    text = 'hello = "a"\nsaved = "{precent} % off"\n'
    view = '<p>\n{{ t("hello") }}{{ t("saved", percent=3) }}</p>'
    project.add_widget("note", view_html_j2=view, messages_en_toml=text, messages_lv_toml=text)
    (diagnostic,) = inspect_workspace(project.root, types=False).counted()
    assert (diagnostic.rule, diagnostic.place.path, diagnostic.place.line) == (
        "message-arguments",
        "widgets/note/view.html.j2",
        2,
    )
    assert "widgets/note/messages/en.toml:2" in diagnostic.message
    assert diagnostic.hint == '"percent" is passed: did you mean "precent"? One of the two is misspelt.'
    assert inspect_workspace(project.root, types=False).counted() == (diagnostic,)  # from the cache too


@pytest.mark.parametrize(
    ("odd", "others", "blamed"),
    [
        ("en", "share", "widgets/note/messages/en.toml:2:1"),
        ("lv", "share", "widgets/note/messages/lv.toml:2:1"),
        ("de", "share", "widgets/note/messages/de.toml:2:1"),
        ("de", "count", "widgets/note/messages/de.toml:2:1"),
    ],
)
def test_argument_is_reported_in_the_language_that_differs(project, odd, others, blamed):
    languages = ("en", "lv", "de")
    project.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["en", "lv", "de"]\n')
    texts = {
        f"messages_{language}_toml": f'hello = "a"\nleft = "{{{"shar" if language == odd else others}}}"\n'
        for language in languages
    }
    project.add_widget("note", view_html_j2='{{ t("hello") }}', **texts)
    diagnostics = [
        diagnostic
        for diagnostic in inspect_workspace(project.root, types=False).counted()
        if diagnostic.rule == "message-arguments"
    ]
    assert [str(diagnostic.place) for diagnostic in diagnostics] == [blamed]
    assert diagnostics[0].hint == ('did you mean "share"?' if others == "share" else None)


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"view_html_j2": '<p>\n{{ t("hello", cnt=3) }}</p>'}, "widgets/note/view.html.j2:2:15"),
        (
            {
                "view_html_j2": "<p></p>",
                "widget_ts": 'import { afterPrice } from "awning";\n'
                'export default afterPrice(({ t, cnt }) =>\n  t("hello", {\n    cnt,\n  }));\n',
            },
            "widgets/note/widget.ts:4:5",
        ),
    ],
)  # fmt: skip
def test_misspelt_count_is_reported_at_its_place(project, files, place):
    text = '[hello]\none = "an hour"\nother = "{count} hours"\n'
    lv = text.replace("other", 'zero = "0"\nother')
    project.add_widget("note", messages_en_toml=text, messages_lv_toml=lv, **files)
    diagnostics = [
        diagnostic
        for diagnostic in inspect_workspace(project.root, types=False).counted()
        if diagnostic.rule == "message-arguments"
    ]
    assert [(str(diagnostic.place), diagnostic.hint) for diagnostic in diagnostics] == [
        (place, '"cnt" is passed: did you mean "count"?')
    ]


def test_argument_that_some_texts_omit_is_accepted(project):
    text = '[hello]\none = "an hour"\nother = "{count} hours"\n'
    project.add_widget(
        "note",
        view_html_j2='{{ t("hello", count=3) }}',
        messages_en_toml=text,
        messages_lv_toml=text.replace("other", 'zero = "0"\nother'),
    )
    assert inspect_workspace(project.root, types=False).counted() == ()


@pytest.mark.parametrize(
    "files",
    [
        {"view_html_j2": "{% if %}"},
        {"view_html_j2": '{% include "row.html.j2" %}'},
        {"widget_ts": "export default (;"},
        {"widget_ts": 'import view from "./vew.html.j2";\nexport default afterPrice(view);\n'},
        {"view_html_j2": '{{ t("helo") }}'},
    ],
)
def test_unused_messages_are_not_reported_with_other_errors(project, files):
    project.add_widget("note", **files)
    assert "message-unused" not in {
        diagnostic.rule for diagnostic in inspect_workspace(project.root, types=False).counted()
    }


EXPORTED = {
    "({ item }) => item.name;": "a function",
    "async ({ item }) => item.name;": "a function",
    "function ({ item }) { return item.name; }": "a function",
    "class Note {}": "a class",
    "{ slots: [] };": "an object",
    "[afterPrice(() => ''), () => ''];": "a function",
    "note;\nconst other = 1, note = () => '';": "a function",
    "[note];\nfunction note() { return ''; }": "a function",
    "afterPrice(() => '');": "",
    "(afterPrice(() => ''));": "",
    "[afterPrice(() => '')];": "",
    "made();\nfunction made() { return afterPrice(() => ''); }": "",
    "slot;\nconst slot = afterPrice(() => '');": "",
}
"""Default exports, and what else than a slot they export."""


@pytest.mark.parametrize("exported", EXPORTED)
def test_default_export_must_be_a_slot(findings_of, exported):
    head = 'import { afterPrice } from "awning";\nexport default '
    findings = findings_of(EXPORTED, lambda exported: {"widget_ts": f"{head}{exported}\n"})[exported]
    reported = [
        (finding.message, finding.place.line, finding.severity)
        for finding in findings
        if finding.rule == "missing-export"
    ]
    line, what = 3 if "note" in exported else 2, EXPORTED[exported]
    message = f"the widget's script exports {what}, which is not a slot"
    assert reported == ([(message, line, Severity.ERROR)] if what else [])


def test_default_export_by_an_alias_is_checked(project):
    project.add_widget("note", widget_ts="const note = () => '';\nexport { note as default };\n")
    assert faults(project) == [("missing-export", "widgets/note/widget.ts:1:14")]


def test_message_named_by_a_word_of_the_schema_is_used(project):
    material = '{"type": "object", "properties": {"material": {"enum": ["linen", "wool"]}}}'
    script = (
        'import { afterPrice } from "awning";\nimport type { Data } from "./data.schema";\n'
        'import view from "./view.html.j2";\n'
        'export default afterPrice<Data>(({ t, data }) => view({ text: t(data.material ?? "linen") }));\n'
    )
    texts = {
        "view_html_j2": "<p>{{ text }}</p>",
        "messages_en_toml": 'linen = "Linen"\nwool = "Wool"\nsilk = "Silk"\n',
    }
    texts["messages_lv_toml"] = 'linen = "Lins"\nwool = "Vilna"\nsilk = "Zīds"\n'
    project.add_widget("note", widget_ts=script, data_schema_json=material, **texts)
    found = [d for d in inspect_workspace(project.root, types=False).counted() if d.rule == "message-unused"]
    assert [(d.message, str(d.place)) for d in found] == [
        ('nothing uses the message "silk"', "widgets/note/messages/en.toml:3:1")
    ]

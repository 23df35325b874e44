"""The calls of `t` in a script: keys and arguments, unknown where the syntax does not show them."""

import pytest

from awning.script.file import ScriptFile


def message_calls(script):
    return ScriptFile(path="a.ts", text=script).facts.message_calls


CALLS = (
    ('t("a")', [("a", ())]),
    ("t('a')", [("a", ())]),
    ("t(`a`)", [("a", ())]),
    ('t?.("a")', [("a", ())]),
    ('t("a", { count: 3, name, "of": 1, f() {} })', [("a", ("count", "name", "of", "f"))]),
    ('t("a", {})', [("a", ())]),
    ('t("a", { n: 1 } as Names)', [("a", ("n",))]),
    ('t("a" as Key)', [("a", ())]),
    ('t(more ? "a" : "b", { n })', [("a", ("n",)), ("b", ("n",))]),
    ('t(more ? "a" : key)', [("a", ())]),
    ('t("a", values)', [("a", None)]),
    ('t("a", { ...values, n: 1 })', [("a", None)]),
    ('t("a", { [name]: 1 })', [("a", None)]),
    ("t(key)", []),
    ("t(`a-${n}`)", []),
    ('t("a" + n)', []),
    ('t("a\\u0062")', []),
    ("t(...all)", []),
    ('t("a", ...all)', []),
    ("t()", []),
    ('shop.t("a")', []),
    ('tt("a")', []),
    ('// t("a")', []),
    ("'t(\"a\")'", []),
    ('t("a", { n: t("b") })', [("a", ("n",)), ("b", ())]),
    ('({ t: say }) => say("a")', [("a", ())]),
    ('({ t }) => t("a")', [("a", ())]),
    ('function f(t: Translate) { return t("a"); }', [("a", ())]),
    ('const { t } = given; t("a")', [("a", ())]),
    ('const t = (x: string) => x; t("a")', []),
    ('function t(x: string) {} t("a")', []),
    ('import { t } from "./mine.ts"; t("a")', []),
    ('import { tell as t } from "./mine.ts"; t("a")', []),
    ('import t from "./mine.ts"; t("a")', []),
)


@pytest.mark.parametrize(("script", "calls"), CALLS, ids=[script for script, _ in CALLS])
def test_message_calls_have_key_and_arguments(script, calls):
    assert [(call.key, call.arguments) for call in message_calls(script)] == calls


def test_call_is_at_the_place_of_its_key():
    script = '// ā\nconst x = "Rīga" + t(\n  /* why */ "a",\n);'
    (call,) = message_calls(script)
    place = ScriptFile(path="a.ts", text=script).place(call.at)
    assert (place.line, place.column) == (3, 13)


@pytest.mark.parametrize("script", ["t(", 't("a', "t(?:)", "({ t: }) => t('a'", "\ud800t('a')", "", "\x00"])
def test_broken_script_causes_no_exception(script):
    message_calls(script)

"""The fields of a widget with `remembered` keep their values over updates, reloads and new blocks."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from frames import Small, SmallPages
from shop_scripts import SHOP, Snippet

INSERTS = {"keep": "keep", "shadow": 'shadow("")'}
KEY = "awning::aw-sample"
FIELDS = """<form>
  <input name="from" value="Me"><textarea name="note"></textarea>
  <input type="checkbox" name="extra" value="card" checked><input type="checkbox" name="extra" value="ribbon">
  <input type="radio" name="size" value="s" checked><input type="radio" name="size" value="l">
  <select name="colour"><option>red</option><option>blue</option></select>
  <input type="password" name="secret"><input type="hidden" name="token" value="t">
  <input name="code" autocomplete="off"><input name="card" autocomplete="cc-number"><input id="nameless">
  <button type="reset">Empty</button>
</form>"""
WIDGET = """
import { afterCart, live, remembered } from "awning";
export default afterCart(live(({ cart }) => `<p>${cart.total}</p>` + (cart.total == 1 ? "" : `FORM`), remembered({
  mounted: (root) => log("mounted", root.className),
  on: {
    "input [name=note]": (event, field) => log(event.type, field.value, field.form.elements["from"].value),
    "change [name=size]": (event, field) => log(event.type, field.value),
  },
})));
""".replace("FORM", FIELDS)

STORAGE = """
const stored = new Map(Object.entries(STORED));
Object.defineProperty(window, "sessionStorage", { value: {
  getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, `${value}`) } });
"""
"""A stand-in for sessionStorage with some values, because each small page is new and has stored none."""

ROOT = "const root = box().firstChild.firstChild.shadowRoot ?? box().firstChild.firstChild;"
USE = f"""(values) => {{ {ROOT}
  const use = (field, change) => {{ change(field);
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, {{ bubbles: true }})); }};
  for (const [selector, value] of Object.entries(values))
    use(root.querySelector(selector), (field) => {{
      if (typeof value == "string") field.value = value; else field.checked = value; }});
}}"""
VALUES = f"""() => {{ {ROOT}
  return Object.fromEntries([...root.querySelectorAll("input, textarea, select")].map((field) =>
    [field.name + (/radio|checkbox/.test(field.type) ? "=" + field.value : ""),
      /radio|checkbox/.test(field.type) ? field.checked : field.value]));
}}"""
DEFAULTS = {
    "from": "Me", "note": "", "extra=card": True, "extra=ribbon": False, "size=s": True, "size=l": False,
    "colour": "red", "secret": "", "token": "t", "code": "", "card": "", "": "",
}  # fmt: skip
USED = {
    "[name=from]": "Anna", "[name=note]": "Daudz laimes! </script>", "[value=card]": False, "[value=ribbon]": True,
    "[value=l]": True, "select": "blue", "[name=secret]": "s3", "[name=token]": "other", "[name=code]": "X",
    "[name=card]": "4111", "#nameless": "typed",
}  # fmt: skip
REMEMBERED = {
    **DEFAULTS, "from": "Anna", "note": "Daudz laimes! </script>", "extra=card": False, "extra=ribbon": True,
    "size=s": False, "size=l": True, "colour": "blue",
}  # fmt: skip


def open_widget(
    small_pages: SmallPages, code: str, stored: Mapping[str, str] | None = None, storage: str = STORAGE
) -> Small:
    return small_pages.load(
        storage.replace("STORED", json.dumps(stored or {}).replace("</", "<\\/")) + SHOP + "cart();", code
    )


def stored_in(small: Small) -> dict[str, str]:
    values: dict[str, str] = small.run("() => Object.fromEntries(stored)")
    return values


@pytest.mark.parametrize("how", INSERTS)
def test_fields_have_their_values_after_a_reload(small_pages: SmallPages, snippet: Snippet, how: str) -> None:
    code = snippet(WIDGET, insert=INSERTS[how])
    before = open_widget(small_pages, code)
    assert before.run(VALUES) == DEFAULTS
    before.run(USE, USED)
    after = open_widget(small_pages, code, stored_in(before))
    assert after.run(VALUES) == REMEMBERED
    assert [*after.errors, *after.console] == []


@pytest.mark.parametrize("how", INSERTS)
def test_fields_have_their_values_in_a_new_block(small_pages: SmallPages, snippet: Snippet, how: str) -> None:
    small = open_widget(small_pages, snippet(WIDGET, insert=INSERTS[how]))
    small.run(USE, USED)
    small.run("() => { box().replaceChildren(); cart(); }")
    assert small.run(VALUES) == REMEMBERED


def test_handlers_get_the_values_of_all_fields_that_return(small_pages: SmallPages, snippet: Snippet) -> None:
    stored = {KEY: json.dumps({"from": "Anna", "note": "Hello", "size": "l"})}
    small = open_widget(small_pages, snippet(WIDGET, insert="keep"), stored)
    assert small.log == ["mounted", "aw-sample", "input", "Hello", "Anna", "change", "l"]


def test_handlers_hear_nothing_of_fields_that_stay_the_same(
    small_pages: SmallPages, snippet: Snippet
) -> None:
    stored = {KEY: json.dumps({"note": "", "size": "s"})}
    small = open_widget(small_pages, snippet(WIDGET, insert="keep"), stored)
    assert small.log == ["mounted", "aw-sample"]


def test_fields_that_a_later_rendering_adds_get_their_values(
    small_pages: SmallPages, snippet: Snippet
) -> None:
    widget = WIDGET.replace("afterCart", "afterCheckout")
    small = open_widget(small_pages, snippet(widget, insert="keep"), {KEY: '{"note": "Hello"}'}, STORAGE)
    small.run("() => checkout()")
    small.run("() => total(1)")
    assert "note" not in small.run(VALUES)
    small.run("() => total(2)")
    assert small.run(VALUES)["note"] == "Hello"


def test_values_of_fields_that_are_gone_stay_stored(small_pages: SmallPages, snippet: Snippet) -> None:
    small = open_widget(small_pages, snippet(WIDGET, insert="keep"), {KEY: '{"later": "kept", "from": "x"}'})
    small.run(USE, {"[name=from]": "Anna"})
    assert json.loads(stored_in(small)[KEY])["later"] == "kept"


@pytest.mark.parametrize("how", INSERTS)
def test_reset_of_a_form_forgets_its_fields(small_pages: SmallPages, snippet: Snippet, how: str) -> None:
    code = snippet(WIDGET, insert=INSERTS[how])
    small = open_widget(small_pages, code)
    small.run(USE, USED)
    small.run(f"() => {{ {ROOT} root.querySelector('button').click(); }}")
    assert json.loads(stored_in(small)[KEY]) == {}
    assert open_widget(small_pages, code, stored_in(small)).run(VALUES) == DEFAULTS


HOSTILE: dict[str, Any] = {
    "no JSON": "{note",
    "nothing": "",
    "null": "null",
    "a number": "17",
    "a text": '"note"',
    "a list": '["note"]',
    "other types": json.dumps(
        {"note": {"a": 1}, "from": 5, "extra=card": "false", "size": ["l"], "colour": None, "secret": "x"}
    ),
    "values that the fields cannot have": json.dumps({"colour": "green", "size": "xl", "token": "x"}),
    "names of prototypes": '{"__proto__": {"note": "x"}, "constructor": "x", "toString": "x"}',
    "excluded fields": json.dumps({"secret": "x", "token": "x", "code": "x", "card": "x", "": "x"}),
}


@pytest.mark.parametrize("stored", HOSTILE.values(), ids=HOSTILE)
def test_stored_values_that_do_not_fit_are_ignored(
    small_pages: SmallPages, snippet: Snippet, stored: str
) -> None:
    small = open_widget(small_pages, snippet(WIDGET, insert="keep"), {KEY: stored})
    assert small.run(VALUES) == DEFAULTS
    small.run(USE, {"[name=note]": "typed"})
    assert json.loads(stored_in(small)[KEY])["note"] == "typed"
    assert [*small.errors, *small.console] == []


def test_values_of_other_apps_stay_untouched(small_pages: SmallPages, snippet: Snippet) -> None:
    others = {"note": "x", "awning": "y", "awning::aw-other": '{"note": "z"}', "awning:/2:aw-sample": "{}"}
    small = open_widget(small_pages, snippet(WIDGET, insert="keep"), others)
    assert small.run(VALUES) == DEFAULTS
    small.run(USE, USED)
    assert {key: value for key, value in stored_in(small).items() if key != KEY} == others


REFUSING = {
    "blocked": """Object.defineProperty(window, "sessionStorage", {
      get() { throw new DOMException("", "SecurityError"); } });""",
    "missing": 'Object.defineProperty(window, "sessionStorage", { value: null });',
    "full": """Object.defineProperty(window, "sessionStorage", { value: { getItem: () => null,
      setItem: () => { throw new DOMException("", "QuotaExceededError"); } } });""",
}


@pytest.mark.parametrize("storage", REFUSING.values(), ids=REFUSING)
def test_fields_work_without_storage(small_pages: SmallPages, snippet: Snippet, storage: str) -> None:
    small = open_widget(small_pages, snippet(WIDGET, insert="keep"), storage=storage)
    small.run(USE, USED)
    assert small.run(VALUES)["note"] == "Daudz laimes! </script>"
    small.run(f"() => {{ {ROOT} root.querySelector('form').reset(); }}")
    assert [*small.errors, *small.console] == []


def test_widgets_without_it_have_none_of_its_code(snippet: Snippet) -> None:
    plain = WIDGET.replace("remembered(", "(").replace(", remembered }", " }")
    assert "sessionStorage" in snippet(WIDGET)
    assert "sessionStorage" not in snippet(plain)

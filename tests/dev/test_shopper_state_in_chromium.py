"""What a shopper did on a page stays after each kind of save, in place and with a reload."""

import re
from itertools import count

import pytest
from dev_loop import DevLoop, running_loop
from playwright.sync_api import Page, expect
from project import MANIFEST, Project
from shop_choices import choose_option

SCRIPT = """
import { afterPrice, live } from "awning";
import view from "./view.html.j2";

export default afterPrice(live(({ t, variant }) => view({ t, chosen: variant?.id ?? "none" }), {
  mounted: (root) => root.querySelector("output")?.setAttribute("data-ready", ""),
  on: {
    "input textarea": (_event, field) => {
      const output = field.closest("div")?.querySelector("output");
      if (output) output.value = String(100 - (field as HTMLTextAreaElement).value.length);
    },
    "click .more": (_event, button) => button.classList.toggle("is-on"),
    "input .shown": (_event, element) => {
      const field = element as HTMLInputElement;
      const shown = field.closest("div")?.querySelector(".showing");
      queueMicrotask(() => {
        if (shown) shown.textContent = field.value;
      });
    },
  },
}));
"""
VIEW = """
<div>
<p class="hello">{{ t("hello") }}</p>
<p class="chosen">{{ chosen }}</p>
<label>Note <textarea name="note"></textarea></label>
<label>Name <input name="name" value="nobody"></label>
<label><input type="checkbox" name="gift"> Gift</label>
<label><input type="radio" name="paper" value="red"> Red</label>
<label><input type="radio" name="paper" value="blue"> Blue</label>
<select name="size"><option>S</option><option>M</option></select>
<details><summary>More</summary>Details</details>
<div class="scrolls" style="height:40px;overflow:auto"><div style="height:400px">Long</div></div>
<button type="button" class="more">More</button>
<output>100</output>
<input type="range" class="shown" name="range" max="10" value="1" aria-label="Range">
<select class="shown" name="options"><option>Red</option><option>Blue</option></select>
<input class="shown" name="handler" aria-label="Handler">
<p class="showing"></p>
<p contenteditable id="editable">Text</p>
<input type="file" name="photo" aria-label="Photo">
</div>
"""
FORM = "widgets/form"
TITLE = re.compile(r"^app_title = .*$", re.MULTILINE)
SHOP = '[[product]]\nkey = "P1"\nstock = {stock}\n'


@pytest.fixture(scope="module", params=["scoped"])
def loop(request, tmp_path_factory, dev_files):
    project = Project(tmp_path_factory.mktemp("app"))
    project.add_widget(
        "form",
        widget_toml=f'title = "Form"\nslot = "after-price"\nisolation = "{request.param}"\n',
        widget_ts=SCRIPT,
        view_html_j2=VIEW,
        style_css=".hello { color: teal }\n",
    )
    project.add_widget("other")
    project.add_file("storefront/shop.toml", SHOP.format(stock=5))
    with running_loop(project.root, dev_files) as loop:
        yield loop


def use(tab: Page) -> None:
    """Do what a shopper does: choose, type, tick, open, scroll and select."""
    choose_option(tab, "L")
    tab.locator("[data-buy] [name=quantity]").fill("3")
    expect(tab.locator(".chosen")).to_have_text("105")
    tab.locator("[name=note]").fill("Hello")
    tab.locator("[name=name]").fill("somebody")
    tab.locator("#editable").press_sequentially("My ")
    tab.locator("[name=gift]").check()
    tab.locator("[name=paper][value=blue]").check()
    tab.locator("[name=size]").select_option("M")
    tab.locator(".more").click()
    tab.locator("summary").click()
    tab.locator(".scrolls").evaluate("element => { element.scrollTop = 70 }")
    tab.locator("[name=name]").focus()
    tab.locator("[name=name]").evaluate("field => field.setSelectionRange(2, 5, 'backward')")
    tab.evaluate("scrollTo({ top: 120, behavior: 'instant' })")


STATE = """() => {
  const host = document.querySelector(".placeholder-after-price");
  const inner = [...host.querySelectorAll("*")].map(element => element.shadowRoot).find(root => root);
  const root = [inner, host].find(place => place?.querySelector("[name=note]"));
  const one = selector => root.querySelector(selector);
  const active = (root.getRootNode?.() ?? document).activeElement;
  return {
    typed: [one("[name=note]").value, one("[name=name]").value, one("#editable").textContent],
    focus: (root.activeElement ?? document.activeElement)?.name,
    selection: [one("[name=name]").selectionStart, one("[name=name]").selectionEnd,
                one("[name=name]").selectionDirection],
    ticked: one("[name=gift]").checked,
    chosen: one("[name=paper]:checked")?.value,
    option: one("[name=size]").value,
    opened: one("details").open,
    scrolled: [scrollY, one(".scrolls").scrollTop],
    counted: one("output").value,
    ready: one("output").hasAttribute("data-ready"),
    variant: [document.querySelector("[data-option='0']").value, one(".chosen").textContent],
    quantity: document.querySelector("[data-buy] [name=quantity]").value,
    cart: location.search,
  };
}"""

KEPT = {
    "typed": ["Hello", "somebody", "My Text"],
    "focus": "name",
    "selection": [2, 5, "backward"],
    "ticked": True,
    "chosen": "blue",
    "option": "M",
    "opened": True,
    "scrolled": [120, 70],
    "counted": "95",
    "ready": True,
    "variant": ["L", "105"],
    "quantity": "3",
    "cart": "?cart=P3x3",
}

NUMBERS = count(1)
SAVES = {
    "template": (
        f"{FORM}/view.html.j2",
        lambda n: VIEW.replace("<div>\n", f"<div>\n<b>new {n}</b>\n", 1),
        "new {}",
    ),
    "style": (f"{FORM}/style.css", ".hello {{ color: rgb(1, 2, {}) }}\n".format, None),
    "script": (f"{FORM}/widget.ts", lambda n: SCRIPT.replace('?? "none"', f'?? "none {n}"'), None),
    "manifest": ("manifest.toml", lambda n: TITLE.sub(f'app_title = "App {n}"', MANIFEST.read_text()), None),
    "storefront": ("storefront/shop.toml", lambda n: SHOP.format(stock=n + 5), None),
}
IN_PLACE, WITH_RELOAD = "in place", "with a reload"
WITHOUT_SNIPPET = """addEventListener("DOMContentLoaded", () => setTimeout(() => {
  const comments = [...document.body.childNodes].filter((node) => node instanceof Comment);
  comments.find(({ data }) => data === "/awning-snippet")?.remove();
}))"""
"""What a page does that does not let itself be redrawn in place."""


def open_page(loop: DevLoop, tab: Page, way: str, path: str = "product/1") -> None:
    if way == WITH_RELOAD:
        tab.add_init_script(WITHOUT_SNIPPET)
    loop.open(tab, path)


CASES = [
    *(("scoped", kind, IN_PLACE) for kind in SAVES),
    *(("scoped", kind, WITH_RELOAD) for kind in ("template", "manifest")),
    *(("shadow", kind, IN_PLACE) for kind in ("script", "storefront")),
]


@pytest.mark.parametrize(("loop", "kind", "way"), CASES, indirect=["loop"], scope="module")
def test_state_of_the_page_stays_after_a_save(loop: DevLoop, tab: Page, kind: str, way: str):
    path, change, text = SAVES[kind]
    number = next(NUMBERS)
    open_page(loop, tab, way, "product/1?cart=P3x3")
    use(tab)
    loop.save(path, change(number))
    loop.wait_until_shown(tab)
    if text:
        expect(tab.locator(".placeholder-after-price")).to_contain_text(text.format(number))
    assert tab.evaluate(STATE) == {**KEPT, "cart": "?cart=P3x3"}


def test_what_cannot_be_kept_is_named(loop: DevLoop, tab: Page):
    loop.open(tab)
    tab.get_by_role("button", name="awning").click()
    status = tab.locator("awning-inspector .status")
    tab.locator("[name=note]").fill("Hello")
    loop.save(f"{FORM}/view.html.j2", VIEW.replace('name="note"', 'name="other"'))
    expect(status).to_contain_text('not kept: the text in "note"')
    loop.save(f"{FORM}/view.html.j2", VIEW)


VIEW_FILE, SCRIPT_FILE = f"{FORM}/view.html.j2", f"{FORM}/widget.ts"
READS, RAISES = "queueMicrotask(", "field.value = field.value.toUpperCase();\n"
OTHER_VALUES = {
    "range": (VIEW_FILE, VIEW.replace('max="10"', 'max="5"'), "8", "5", 'the text in "range"'),
    "options": (VIEW_FILE, VIEW.replace("<option>Blue</option>", ""), "Blue", "Red", 'the choice "options"'),
    "handler": (SCRIPT_FILE, SCRIPT.replace(READS, RAISES + READS), "ab", "AB", None),
}


@pytest.mark.parametrize("name", OTHER_VALUES)
def test_page_lives_on_after_a_reload_when_a_field_takes_another_value(loop: DevLoop, tab: Page, name: str):
    """A handler changes the page on each `input` event. A page that tried again after each change would never stop."""
    path, text, entered, taken, lost = OTHER_VALUES[name]
    before = loop.read(path)
    open_page(loop, tab, WITH_RELOAD)
    field = tab.locator(f"[name={name}]")
    if name == "options":
        field.select_option(entered)
    else:
        field.fill(entered)
    expect(tab.locator(".showing")).to_have_text(entered)
    loop.save(path, text)
    loop.wait_until_shown(tab)
    expect(field).to_have_value(taken)
    tab.keyboard.press("Shift")
    said = f"Reloaded; not kept: {lost}" if lost else ""
    expect(tab.locator("awning-inspector .status")).to_have_text(said)
    loop.save(path, before)


@pytest.mark.parametrize("way", [IN_PLACE, WITH_RELOAD])
def test_page_follows_on_when_the_new_field_has_no_caret(loop: DevLoop, tab: Page, way: str):
    open_page(loop, tab, way)
    name = tab.locator("[name=name]")
    name.fill("anna")
    for kind in ("email", "text"):
        loop.save(VIEW_FILE, VIEW.replace('name="name"', f'name="name" type="{kind}"'))
        loop.wait_until_shown(tab)
        expect(name).to_have_attribute("type", kind)
        expect(name).to_have_value("anna")
        expect(name).to_be_focused()
    loop.save(VIEW_FILE, VIEW)


def test_page_that_takes_no_html_names_the_text_and_follows_on(loop: DevLoop, tab: Page):
    loop.open(tab, "product/1?csp=trusted-types")
    tab.locator("#editable").press_sequentially("My ")
    status = tab.locator("awning-inspector .status")
    for said in (re.compile('Reloaded; not kept: the text in "#editable"'), ""):
        text = f"Note {next(NUMBERS)}"
        loop.save(VIEW_FILE, VIEW.replace("Note", text))
        loop.wait_until_shown(tab)
        expect(tab.locator(".placeholder-after-price")).to_contain_text(text)
        tab.keyboard.press("Shift")
        expect(status).to_have_text(said)
    loop.save(VIEW_FILE, VIEW)


def test_file_that_was_chosen_stays_in_place_and_is_named_after_a_reload(loop: DevLoop, tab: Page):
    loop.open(tab)
    photo = tab.locator("[name=photo]")
    photo.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"a"})
    loop.save(f"{FORM}/view.html.j2", VIEW.replace("Note", f"Note {next(NUMBERS)}"))
    loop.wait_until_shown(tab)
    assert photo.evaluate("field => field.files.length") == 1
    loop.save("storefront/shop.toml", SHOP.format(stock=next(NUMBERS) + 5))
    loop.wait_until_shown(tab)
    tab.keyboard.press("Shift")  # an action of the shopper ends the wait for what could not be restored
    expect(tab.locator("awning-inspector .status")).to_have_text(
        'Reloaded; not kept: the chosen file "photo"'
    )


def test_password_stays_in_place_and_is_not_stored_over_a_reload(loop: DevLoop, tab: Page):
    secret = VIEW.replace('name="handler"', 'name="secret" type="password"')
    loop.save(VIEW_FILE, secret)
    tab.add_init_script("window.stored = sessionStorage.getItem('awning-shopper')")
    loop.open(tab)
    field = tab.locator("[name=secret]")
    field.fill("hush-hush")
    loop.save(VIEW_FILE, secret.replace("Note", "Remark"))
    loop.wait_until_shown(tab)
    expect(field).to_have_value("hush-hush")
    expect(tab.locator("awning-inspector .status")).not_to_contain_text("not kept")
    loop.save("storefront/shop.toml", SHOP.format(stock=next(NUMBERS) + 5))
    loop.wait_until_shown(tab)
    assert "hush" not in tab.evaluate("window.stored")
    tab.keyboard.press("Shift")
    expect(tab.locator("awning-inspector .status")).to_have_text('Reloaded; not kept: the password "secret"')
    loop.save(VIEW_FILE, VIEW)


def test_choices_at_the_checkout_stay_after_a_reload(loop: DevLoop, tab: Page):
    loop.open(tab, "checkout")
    tab.get_by_label("Name").fill("Anna")
    tab.locator("[data-shipping]").last.check()
    tab.locator("[data-code] [name=code]").fill("SAVE10")
    tab.locator("[data-code] button").click()
    expect(tab.locator("[data-applied]")).to_contain_text("SAVE10")
    totals = tab.locator("[data-totals]").inner_text()
    loop.save("storefront/shop.toml", SHOP.format(stock=next(NUMBERS) + 5))
    loop.wait_until_shown(tab)
    expect(tab.locator("[data-totals]")).to_have_text(totals, use_inner_text=True)
    expect(tab.get_by_label("Name")).to_have_value("Anna")
    expect(tab.locator("[data-shipping]").last).to_be_checked()


def test_handlers_of_older_code_no_longer_run(loop: DevLoop, tab: Page):
    """The handler of each version toggles a button, so two handlers would leave it as it was."""
    loop.open(tab)
    more = tab.locator(".more")
    for _ in range(3):
        loop.save(f"{FORM}/widget.ts", f"{SCRIPT}// {next(NUMBERS)}\n")
        loop.wait_until_shown(tab)
        before = "is-on" in (more.get_attribute("class") or "")
        more.click()
        assert ("is-on" in (more.get_attribute("class") or "")) != before

"""Each check of the laboratory fails for a widget that breaks it, and passes for one that looks broken and is not.

One run of pytest tests all the widgets, each with its own check. The reference widgets pass every check, so a sound
widget is here only where it comes close to the broken one.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from nested_runs import run_pytest

from awning.contract.checks import WIDGET_CHECKS
from awning.workspace.scaffolding import make_workspace
from awning_harness.checks.families import check_functions, check_name

STATE = '[[state]]\nname = "any"\ntitle = "Any"\npayload = "P1"\n'
HOST = "https://points.example.com/near.json"
ASKING = f'{STATE}[state.fetch]\n"{HOST}" = {{ text = "Main Street" }}\n'
RENDERED = """\
import {{ afterPrice }} from "awning";
{before}
export default afterPrice(({{ item, variant, page, data }}: any) => {{ {body} }});
"""
RAW = """\
declare const svcPlugins: any;
{before}
let handler: any;
const base = "svc-content-after-price";
const show = (item: any, variant: any): void => {{ {body} }};
svcPlugins.subscribeEvent(base, (_: any, init: any, param: any) => {{
  handler = init();
  show(param.item, null);
}});
svcPlugins.subscribeEvent(`${{base}}-updated`, (_: any, _init: any, param: any, updated: any) => {{ {updated} }});
"""
CART = """\
declare const svcPlugins: any;
let handler: any;
svcPlugins.subscribeEvent("svc-content-after-cart", (_: any, init: any, param: any) => {{ {body} }});
"""
UPDATED = "if (handler) show(param.item, updated.selectedVariant);"


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A widget: the body of its render function or, with `updated`, of a script that calls svcPlugins itself."""

    body: str
    before: str = ""
    updated: str = ""
    files: dict[str, str] = field(default_factory=dict)
    states: str = STATE
    reason: str = ""
    slot: str = "after-price"

    @property
    def script(self) -> str:
        template = CART if self.slot == "after-cart" else RAW if self.updated else RENDERED
        return template.format(before=self.before, body=self.body, updated=self.updated)


def rendered(body: str, reason: str = "", **options) -> Tried:
    return Tried(body=body, reason=reason, **options)


def raw(body: str, reason: str = "", updated: str = UPDATED, **options) -> Tried:
    return Tried(body=body, reason=reason, updated=updated, **options)


def carted(body: str, reason: str = "", states: str = STATE.replace("P1", "C1")) -> Tried:
    return Tried(body=body, reason=reason, slot="after-cart", states=states)


TEXT = "return '<p>text</p>';"
NO_LINES = STATE.replace("P1", "empty") + "empty = true\n"
PRICE = "return `<p>${Number(item.price)}</p>`;"
SCHEMA = '{"type": "object", "properties": {"note": {"type": "string", "default": "text"}}}'
NESTED_SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "own": {"type": "string", "default": "text"},
            "list": {
                "type": "array",
                "default": [{"note": "text"}],
                "items": {"type": "object", "properties": {"note": {"type": "string", "default": "text"}}},
            },
        },
    }
)
REFUSED = {
    "states": STATE + f'[state.fetch]\n"{HOST}" = "422 refused.json"\n',
    "files": {"refused.json": '{"why": "full"}'},
}
FETCH = f'fetch("{HOST}").then((answer) => answer.json())'
SENDING = (
    "const button = document.createElement('button'); button.className = 'send'; button.type = 'button';"
    " button.textContent = 'send'; handler.setContent(button);"
)
STEPPING = ASKING.replace("[state.fetch]", "steps = ['click \".send\"']\n[state.fetch]")
CHOOSING = """\
const place = document.createElement("div");
place.innerHTML = '<button type="button">Near</button> <button type="button">Far</button> <p></p>';
const show = (text: string): void => void (place.querySelector("p")!.textContent = text);
let last = "";
const ask = async (path: string): Promise<string> =>
  (await (await fetch(`https://points.example.com/${{path}}.json`)).json()).text;
for (const button of place.querySelectorAll("button")) {{
  const path = button.textContent!.toLowerCase();
  button.onclick = () => {{ {} }};
}}
handler.setContent(place);
"""
"""Two buttons, each of which asks a host for another text."""
CHOSEN = f"""\
{STATE}steps = ['click "button:first-of-type"', 'click "button:last-of-type"']
[state.fetch]
"{HOST}" = {{ text = "near" }}
"https://points.example.com/far.json" = {{ text = "far" }}
"""
PRESSED = STATE + "steps = ['click \".send\"']\n"
STORING = """\
document.addEventListener("click", (event) => {{
  if ((event.target as Element).matches(".send")) {{ {} }}
}});"""
CHECKBOX = "return '<label>more <input type=\"checkbox\"></label>';"
LIVE = 'import { live } from "awning";'
PREVIEWED = """\
return (live(() => '<input class="text" maxlength="20"><p class="preview"></p>', {{ on: {{
  "input .text": (_: any, field: any) => {{ field.nextElementSibling.{content} = field.value; }},
}} }}) as any)({{}});
"""
SENT = """\
return (live(() => '<form><textarea></textarea><output></output></form>', {{ on: {{
  "submit form": (event: any, form: any) => {{
    event.preventDefault();
    form.querySelector("output").{content} = form.querySelector("textarea").value;
    location.assign("https://sent.example.com/");
  }},
}} }}) as any)({{}});
"""
"""A form that leaves the page when it is sent."""
OPENING = f"{STATE}steps = ['click \"summary\"']\n"
CLOSED = f"{STATE}steps = ['click \"button\"']\n"
CLOSING = """\
if (localStorage.getItem("closed") || document.cookie.includes("closed")) return;
const button = document.createElement("button");
button.textContent = "close";
button.onclick = () => {{
  localStorage.setItem("closed", "yes");
  document.cookie = "closed=yes; path=/";
  handler.setContent(new Text({text}));
}};
handler.setContent(button);
"""
"""A block with a button that is gone once a shopper has used it, also after a reload: the browser stores the use."""

SLIDING = """
return `<style>@keyframes slide {{ from {{ transform: none }} to {{ transform: translateX(9px) }} }}
{media} {{ .note {{ animation: slide 2s infinite alternate }} }}</style><p class="note">text</p>`;
"""
"""A block with a text that moves, in a media query or in all cases."""

TRIED: dict[str, tuple[Tried, ...]] = {
    # By check: a broken widget, and a sound one that comes close to it. After a slash, what further ones are about.
    "is-as-wide-as-its-place-on-a-phone/german": (
        rendered(
            "return `<details><summary>more</summary><p>${'x'.repeat(page.language == 'de' ? 60 : 1)}</p></details>`;",
            'the state "any" (de): the block is ',
            states=OPENING,
        ),
        rendered("return '<details><summary>more</summary><p>text</p></details>';", states=OPENING),
    ),
    "is-as-wide-as-its-place-on-a-phone/stored": (
        raw(CLOSING.format(text="'x'.repeat(60)"), "px wider than its place", states=CLOSED),
        raw(CLOSING.format(text="'text'"), states=CLOSED),
    ),
    "update-order": (
        rendered("return `<p>${calls++} calls</p>`;", "alone, it shows '", before="let calls = 0;"),
    ),
    "updates-shown": (
        rendered(
            "return (first ||= `<p>${Number(item.price)}</p>`);",
            "it ignores updates",
            before='let first = "";',
        ),
    ),
    "updates-shown/folded": (
        rendered(
            "return FOLDED + (first ||= `<p>${Number(item.price)}</p>`) + '</details>';",
            "it ignores updates",
            before='let first = ""; const FOLDED = "<details><summary>more</summary>";',
        ),
        rendered("return `<details><summary>more</summary><p>${Number(item.price)}</p></details>`;"),
    ),
    "repeated-events": (
        rendered(
            "return `<p>${++calls % 4}</p>`;",
            "arrives three times, the block shows '",
            before="let calls = 0;",
        ),
    ),
    "repeated-events/timers": (
        raw(
            "handler.setContent('<p>text</p>'); setTimeout(() => { throw Error('timed'); });", "Error: timed"
        ),
        raw("handler.setContent('<p>text</p>'); setTimeout(() => {});"),
    ),
    "repeated-events/animations": (
        raw(
            "handler.setContent('<p>text</p>'); requestAnimationFrame(() => { throw Error('drawn'); });",
            "Error: drawn",
        ),
        raw("handler.setContent('<p>text</p>'); requestAnimationFrame(() => {});"),
    ),
    "late-events": (
        raw(
            "handler.setContent('<p>text</p>');",
            "when the snippet comes late, the page has no block; on the page as it is, it has 1 block",
            before="let early = document.readyState == 'loading'; svcPlugins.subscribeEvent = early"
            " ? svcPlugins.subscribeEvent : () => {};",
        ),
    ),
    "early-updates": (
        raw(
            "handler.setContent('<p>text</p>');",
            "unhandled-error",
            updated="handler.setContent('<p>text</p>');",
        ),
        raw("handler.setContent('<p>text</p>');"),
    ),
    "missing-events": (
        rendered("return variant ? '<p>text</p>' : '';", "without an update the block shows nothing"),
    ),
    "answer-order": (
        raw(
            f"{FETCH}.then(() => handler.setContent(`<p>${{Number((variant ?? item).price)}}</p>`));",
            "when answers arrive in another order, the block shows '",
            states=ASKING,
        ),
        rendered(f"return {FETCH}.then(() => `<p>${{Number(item.price)}}</p>`);", states=ASKING),
    ),
    "answer-order/kept": (
        raw(
            f"const price = Number((variant ?? item).price); kept[price] ??= {FETCH};"
            " void kept[price].then(() => handler.setContent(`<p>${price}</p>`));",
            "when answers arrive in another order, the block shows '",
            before="const kept: Record<number, Promise<unknown>> = {};",
            states=ASKING,
        ),
    ),
    "answer-order/steps": (
        raw(
            CHOOSING.format("void ask(path).then(show);"),
            "when answers arrive in another order, the block shows 'Near Far near'",
            states=CHOSEN,
        ),
        raw(
            CHOOSING.format("last = path; void ask(path).then((text) => last === path && show(text));"),
            states=CHOSEN,
        ),
    ),
    "answer-order/replaced": (
        raw(
            CHOOSING.format("void ask(path).then((text) => { show(text); handler.setContent(place); });"),
            "when answers arrive in another order, the block shows 'Near Far near'",
            states=CHOSEN,
        ),
        raw(
            CHOOSING.format("if (!last) void ask((last = path)).then((text) => { show(text); last = ''; });"),
            states=CHOSEN,
        ),
    ),
    "failing-hosts": (
        raw(
            f"{FETCH}.then((answer) => handler.setContent(answer.text.toUpperCase()));",
            "unhandled rejection",
            states=ASKING,
        ),
        raw(
            f"{FETCH}.then((answer) => handler.setContent('<p>near</p>')).catch(() => handler.setContent(''));",
            states=ASKING,
        ),
    ),
    "failing-hosts/rejected": (
        rendered(
            f"return {FETCH}.then((answer) => `<p>${{answer.text.length}}</p>`);",
            "when the host answers with an error of the server: breaks-failing-hosts-rejected ",
            states=ASKING,
        ),
        rendered(
            f"return {FETCH}.then((answer) => `<p>${{answer.text.length}}</p>`).catch(() => '<p>later</p>');",
            states=ASKING,
        ),
    ),
    "failing-hosts/steps": (
        raw(
            f"{SENDING} button.onclick = () => {FETCH};",
            "after the steps, when there is no connection",
            states=STEPPING,
        ),
        raw(f"{SENDING} button.onclick = () => {FETCH}.catch(() => button.remove());", states=STEPPING),
    ),
    "hostile-answers": (
        raw(
            f"{FETCH}.then((answer) => handler.setContent('<p>' + answer.text + '</p>'));",
            "with a hostile text in the answer of a host, it becomes a part of the page",
            states=ASKING,
        ),
        raw(f"{FETCH}.then((answer) => handler.setContent(new Text(answer.text)));", states=ASKING),
    ),
    "hostile-answers/status": (
        raw(
            f"fetch('{HOST}').then(async (answer) => {{ const {{ why }} = await answer.json();"
            " if (!answer.ok) handler.setContent(why); });",
            "with a hostile text in the answer of a host, it becomes a part of the page",
            **REFUSED,
        ),
        raw(
            f"fetch('{HOST}').then(async (answer) => {{ const {{ why }} = await answer.json();"
            " if (!answer.ok) handler.setContent(new Text(why)); });",
            **REFUSED,
        ),
    ),
    "hostile-answers/steps": (
        raw(
            f"{SENDING} button.onclick = () => {FETCH}.then(({{ text }}) => (button.outerHTML = `<p>${{text}}</p>`));",
            "with a hostile text in the answer of a host, it becomes a part of the page",
            states=STEPPING,
        ),
        raw(
            f"{SENDING} button.onclick = () => {FETCH}.then(({{ text }}) => (button.textContent = text));",
            states=STEPPING,
        ),
    ),
    "other-apps": (
        rendered(
            "document.querySelectorAll('[data-foreign]').forEach((e) => e.remove()); " + TEXT,
            "among other apps",
        ),
    ),
    "page-intact": (
        rendered(
            "return '<style>h1 { color: red }</style><p>text</p>';", "the widget changes the page outside"
        ),
        rendered(TEXT, files={"style.css": "h1 { color: red }\n"}),
    ),
    "other-apps/steps": (
        raw(
            f"{SENDING} button.onclick = () => document.querySelectorAll('[data-foreign]').forEach((e) => e.remove());",
            "after the steps, the block of another app is gone",
            states=PRESSED,
        ),
        raw(f"{SENDING} button.onclick = () => button.append(' again');", states=PRESSED),
    ),
    "page-intact/other-pages": (
        rendered("return '<style>blockquote { margin: 0 }</style><p>text</p>';", "<blockquote> has margin"),
        rendered(TEXT, files={"style.css": "blockquote { margin: 0 }\n"}),
    ),
    "page-intact/added": (
        raw(
            f"{SENDING} button.onclick = () => document.body.append(document.createElement('div'));",
            "after the steps, the page has other elements outside of the block: <div>",
            states=PRESSED,
        ),
        raw(
            f"{SENDING} button.onclick = () => {{ const size = document.querySelector('select')!;"
            " size.selectedIndex = 1; size.dispatchEvent(new Event('change', { bubbles: true })); };",
            states=PRESSED,
        ),
    ),
    "page-intact/body": (
        raw(
            f"{SENDING} button.onclick = () => (document.body.style.opacity = '0');",
            "after the steps, the widget changes the page outside of its block: <body> has opacity: 0",
            states=PRESSED,
        ),
        raw(
            f"{SENDING} button.onclick = () => (document.querySelector('main')!.inert = true);",
            states=PRESSED,
        ),
    ),
    "other-apps/changed": (
        raw(
            f"{SENDING} button.onclick = () => document.querySelector('[data-foreign]')!.append('!');",
            "after the steps, the block of another app is changed",
            states=PRESSED,
        ),
        raw(
            f"{SENDING} button.onclick = () => document.querySelectorAll('[data-foreign]').forEach((e) => {{"
            " (e as any).inert = true; e.setAttribute('aria-hidden', 'true'); });",
            states=PRESSED,
        ),
    ),
    "page-intact/steps": (
        raw(
            f"{SENDING} button.onclick = () => document.querySelector('h1')!.classList.add('sent');",
            'after the steps, the widget changes the page outside of its block: <h1> has <h1 class="sent">',
            states=PRESSED,
        ),
        raw(
            f"{SENDING} button.onclick = () => (document.body.style.overflow = 'hidden');",
            states=PRESSED.replace("['click", "['select M/Blue', 'click"),
        ),
    ),
    "cart-replaced": (
        carted("if (!handler) { handler = init(); handler.setContent('text'); }", "the page has no block"),
        carted("handler = init(); handler.setContent('text');"),
    ),
    "cart-replaced/old-handler": (
        carted(
            "handler = handler ?? init(); handler.setContent(`<p>${param.cartData.total}</p>`);", "no block"
        ),
        carted("init().setContent(`<p>${param.cartData.total}</p>`);"),
    ),
    "two-carts": (
        carted(
            "init().setContent('<p id=\"own\"></p>');"
            " document.getElementById('own')!.textContent = param.cartData.total;",
            "in a shop with a cart and a side cart",
        ),
        carted(
            "const own = init().setContent('<p class=\"own\"></p>');"
            " own.find('.own').text(param.cartData.total);"
        ),
    ),
    "hostile-texts": (
        raw("handler.setContent('<p>' + item.name + '</p>');", "it becomes a part of the page: <x-planted>"),
        raw(
            "const p = document.createElement('p'); p.textContent = item.name; p.style.overflowWrap = 'anywhere';"
            " handler.setContent(p);"
        ),
    ),
    "hostile-texts/own-word": (
        rendered(
            "return `<p class=\"own\">${'x'.repeat(60)}</p>`;",
            "also without it, the block is ",
        ),
        rendered('return `<p class="own" style="overflow-wrap:anywhere">${\'x\'.repeat(60)}</p>`;'),
    ),
    "hostile-texts/updates": (
        raw(
            "handler.setContent(variant ? '<p>' + variant.options[0].title + '</p>' : '<p>text</p>');",
            "it becomes a part of the page",
        ),
        raw("handler.setContent(variant ? '<p>' + variant.options.length + '</p>' : '<p>text</p>');"),
    ),
    "hostile-texts/typed": (
        rendered(
            PREVIEWED.format(content="innerHTML"),
            '"<x-planted>" typed into input.text becomes a part of the page: <x-planted> in p.preview',
            before=LIVE,
        ),
        rendered(PREVIEWED.format(content="textContent"), before=LIVE),
    ),
    "hostile-texts/sent": (
        rendered(
            SENT.format(content="innerHTML"),
            '"<x-planted>" typed into textarea becomes a part of the page: <x-planted> in output',
            before=LIVE,
        ),
        rendered(SENT.format(content="textContent"), before=LIVE),
    ),
    "odd-payloads": (
        rendered("return `<p>${item.variants[0].stock ?? 0}</p>`;", "with no variants in the payload"),
        rendered("return `<p>${item.variants.length}</p>`;"),
    ),
    "odd-payloads/one-zero": (
        rendered(
            "return item.price ? `<p>${Math.round(1000 * item.price / item.weight)}</p>` : '<p>free</p>';",
            "with no weight in the payload",
        ),
        rendered("return `<p>${item.weight ? Math.round(1000 * item.price / item.weight) : 0}</p>`;"),
    ),
    "raw-values": (rendered("return `<p>${Number(item.nothing)} left</p>`;", "a raw value: 'NaN left'"),),
    "raw-values/function": (
        rendered("return () => '<p>text</p>';", "a raw value: '()=>"),
        rendered("return (() => '<p>text</p>')();"),
    ),
    "currency": (
        rendered("return `<p>€${Number(item.price)}</p>`;", "in a shop with USD the block shows €"),
        rendered(
            "return `<p>${money(item.price, item.currency)}</p>`;",
            before='import { money } from "awning";',
        ),
    ),
    "language": (
        rendered(
            'return `<p>${new Date(0).toLocaleDateString("en", { month: "long" })}</p>`;',
            "in de the block shows 'January', which is en",
        ),
        rendered('return `<p>${new Date(0).toLocaleDateString(page.language, { month: "long" })}</p>`;'),
    ),
    "hostile-app-data": (
        rendered("return '<p>' + data.note + '</p>';", "in the app data", files={"data.schema.json": SCHEMA}),
        rendered("return '<p>' + data.note.length + '</p>';", files={"data.schema.json": SCHEMA}),
    ),
    "hostile-app-data/field": (
        rendered(
            "return '<p>' + data.own.length + '</p><p class=\"terms\">' + data.list[0].note + '</p>';",
            'with a hostile text in the app data\'s "list[].note", it becomes a part of the page: '
            "<x-planted> in p.terms",
            files={"data.schema.json": NESTED_SCHEMA},
        ),
        rendered(
            "return '<p>' + data.own.length + data.list.length + '</p>';",
            files={"data.schema.json": NESTED_SCHEMA},
        ),
    ),
    "blocked-storage/step": (
        rendered(
            'return \'<button class="send" type="button">send</button>\';',
            "after the steps, when the browser refuses storage",
            before=STORING.format("localStorage.setItem('pressed', 'yes')"),
            states=PRESSED,
        ),
        rendered(
            'return \'<button class="send" type="button">send</button>\';',
            before=STORING.format("try { localStorage.setItem('pressed', 'yes') } catch {}"),
            states=PRESSED,
        ),
    ),
    "blocked-storage": (
        rendered("localStorage.getItem('note'); " + TEXT, "when the browser refuses storage"),
        rendered("try { localStorage.getItem('note'); } catch {} " + TEXT),
    ),
    "every-shop/too-wide": (
        rendered("return '<p style=\"width:310px\">text</p>';", "px wider than its place of 300 px"),
    ),
    "every-shop/reduced-motion": (
        rendered(SLIDING.format(media="@media all"), "prefers reduced motion, and it moves: p.note (slide)"),
        rendered(SLIDING.format(media="@media (prefers-reduced-motion: no-preference)")),
    ),
    "restored-page": (
        rendered(
            "return '<p class=\"note\">text</p>';",
            "when the shopper has returned to the page, the block shows ''",
            before="addEventListener('pagehide', () => document.querySelector('.note')?.remove());",
        ),
        rendered(TEXT, before="addEventListener('pageshow', () => document.title.trim());"),
    ),
    "every-shop/empty": (
        rendered(
            TEXT,
            "the block must be empty, also on the state's plain page; it shows: 'text'",
            states=STATE + "empty = true\n",
        ),
        rendered("return '';", states=STATE + "empty = true\n"),
    ),
    "every-shop/empty-cart": (
        carted(
            "if (param.cartData) init().setContent('<p>text</p>');",
            "the block must be empty, also in a shop that fires the event for an empty cart; it shows: 'text'",
            states=NO_LINES,
        ),
        carted("if (param.cartData.items?.length) init().setContent('<p>text</p>');", states=NO_LINES),
    ),
    "growth/carts": (
        carted(
            "handler = init(); setInterval(() => undefined, 1000); handler.setContent('<p>text</p>');",
            "5 carts that are replaced in place leave 5 more intervals on the page: 3 become 8",
        ),
        carted(
            "handler = init(); clearInterval((window as any).kept);"
            " (window as any).kept = setInterval(() => undefined, 1000); handler.setContent('<p>text</p>');"
        ),
    ),
    "growth/observers": (
        rendered(
            "new ResizeObserver(() => undefined).observe(document.body); return '<p>text</p>';",
            "more observers on the page",
        ),
        rendered(
            "const own = window as any; own.sizes?.disconnect(); own.sizes = new ResizeObserver(() => undefined);"
            " own.sizes.observe(document.body); return '<p>text</p>';"
        ),
    ),
    "growth/toggle": (
        raw(
            f"{SENDING} let isOpen = false; button.onclick = () => {{ isOpen = !isOpen;"
            " if (isOpen) document.addEventListener('click', () => undefined); };",
            "10 times more, leave 5 more listeners on the page",
            states=PRESSED,
        ),
        raw(
            f"{SENDING} button.onclick = (event) => {{ event.stopPropagation();"
            " document.addEventListener('click', () => undefined, { once: true });"
            " const ending = new AbortController();"
            " document.addEventListener('keydown', () => undefined, { signal: ending.signal });"
            " ending.abort(); document.body.click(); };",
            states=PRESSED,
        ),
    ),
    "growth/counting": (
        raw(
            f"{SENDING} button.onclick = () => {{ const close = () => undefined;"
            " document.addEventListener('click', close, true); document.removeEventListener('click', close); };",
            "10 times more, leave 10 more listeners on the page",
            states=PRESSED,
        ),
        raw(
            f"{SENDING} button.onclick = () => {{ let left = 9;"
            " const counting = setInterval(() => { if (!left--) clearInterval(counting); }, 20); };",
            states=PRESSED,
        ),
    ),
    "growth/leaving": (
        raw(
            f"{SENDING} button.onclick = () => window.addEventListener('click', () => undefined);",
            "10 times more, leave 10 more listeners on the page",
            states=PRESSED,
        ),
        raw(
            f"{SENDING} button.onclick = () => {{ if (button.value) location.assign('/en/cart'); button.value = '1';"
            " document.addEventListener('click', () => undefined); };",
            states=PRESSED,
        ),
    ),
    "growth/steps": (
        raw(
            f"{SENDING} button.onclick = () => void setInterval(() => undefined, 1000);",
            "the steps in the block, 10 times more, leave 10 more intervals on the page: 5 become 15",
            states=PRESSED,
        ),
        raw(
            f"{SENDING} let kept = 0; button.onclick = () => {{ clearInterval(kept);"
            " kept = setInterval(() => undefined, 1000) as any; button.after(document.createElement('i')); };",
            states=PRESSED,
        ),
    ),
    "keyboard": (
        rendered(
            'return \'<p class="more" style="cursor:pointer">more</p>\';',
            'p.more ("more") reacts to the mouse',
        ),
        rendered("return '<button type=\"button\">more</button>';"),
    ),
    "keyboard/labels": (
        rendered(
            'return \'<label>more <input type="checkbox" style="display:none"></label>\';',
            'label ("more") reacts to the mouse',
        ),
        rendered("return '<label>more <input type=\"checkbox\"></label>';"),
    ),
    "keyboard/enter": (
        raw(
            f"{SENDING} button.onkeydown = (event) => void (event.key === 'Enter' && event.preventDefault());"
            " button.onclick = () => { button.textContent = 'sent'; };",
            'button.send ("sent") ignores Enter, and does something when it is clicked',
            states=PRESSED,
        ),
        raw(
            f"{SENDING} button.onclick = async () => {{"
            " button.textContent = 'asking'; await null; button.textContent = 'send'; };",
            states=PRESSED,
        ),
    ),
    "focus": (
        raw(
            "handler.setContent(`<button>${Number((variant ?? item).price)}</button>`);",
            "after the update to S/Blue, button loses the focus",
        ),
        rendered("return `<button>${Number(item.price)}</button>`;"),
    ),
    "focus/choices": (
        rendered(
            "document.querySelectorAll('.placeholder-after-price input').forEach((e: any) => (e.checked = false)); "
            + CHECKBOX,
            "input[type=checkbox] loses the choice",
        ),
        rendered(CHECKBOX),
    ),
    "focus/details": (
        raw(
            "handler.setContent(`<details><summary>${Number((variant ?? item).price)}</summary></details>`);",
            "what a shopper has opened closes",
        ),
        rendered("return '<details><summary>more</summary></details>';"),
    ),
    "layout-shift": (
        raw(
            "requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() =>"
            " handler.setContent('<p style=\"height:700px\">text</p>'))));",
            " px; the budget is 100 px",
        ),
        rendered("return '<p style=\"height:700px\">text</p>';"),
    ),
    "long-tasks": (
        rendered(
            "const end = performance.now() + 500; while (performance.now() < end); " + TEXT,
            "keeps the page busy for",
        ),
    ),
    "weight": (
        rendered(
            "return `<p>${noise.length}</p>`;",
            "widgets/breaks-weight/widget.toml: the body snippet has ",
            before=f'const noise = "{"".join(f"{(n * 2654435761) % 2**32:x}" for n in range(9000))}";',
        ),
    ),
}

ONE_THEME = "not test_every_shop or narrow"
"""Leaves one theme of the shops in which a widget is tried. Each theme is tried with each preference of a shopper."""

TESTED_ELSEWHERE = {
    "growth",
    "shows-its-state",
    "keeps-to-its-place",
    "is-as-wide-as-its-place-on-a-phone",
    "has-room-for-longer-texts",
    "keeps-its-declarations",
    "survives-app-data-that-is-not-its-own",
    "looks-as-before",
    "is-accessible",
}
"""The last two in tests/snapshots/ and tests/accessibility/, the others in test_rules_catch.py and
test_pseudo_language.py."""


@pytest.fixture(scope="module")
def outcomes(processes, tmp_path_factory) -> dict[str, list[dict]]:
    """The outcomes of the checks by widget."""
    root = tmp_path_factory.mktemp("checks") / "app"
    make_workspace(root, slot="after-price", languages=("en", "de"))
    chosen: list[str] = []
    for pair, widgets in TRIED.items():
        for kind, tried in zip(("breaks", "keeps"), widgets, strict=False):
            write_widget(root / "widgets" / named(kind, pair), tried)
            chosen.append(f"widgets/{named(kind, pair)}/widget.toml::test_{check_of(pair).replace('-', '_')}")
    _, output = run_pytest(root, "-q", "-k", ONE_THEME, *chosen)
    file = root / "test-results" / "checks.json"
    assert file.is_file(), output
    by_widget: dict[str, list[dict]] = {}
    for row in json.loads(file.read_text())["checks"]:
        by_widget.setdefault(row["widget"], []).append(row)
    return by_widget


def write_widget(folder: Path, tried: Tried) -> None:
    folder.mkdir()
    (folder / "widget.toml").write_text(f'title = "Tried"\nslot = "{tried.slot}"\n')
    (folder / "widget.ts").write_text(tried.script)
    (folder / "states.toml").write_text(tried.states)
    for name, text in tried.files.items():
        (folder / name).write_text(text)


def check_of(pair: str) -> str:
    return pair.partition("/")[0]


def named(kind: str, pair: str) -> str:
    """Return the name of a pair's widget: `breaks-focus-details`."""
    return f"{kind}-{pair.replace('/', '-')}"


def rows_of(outcomes, kind: str, pair: str) -> list[dict]:
    return [row for row in outcomes[named(kind, pair)] if row["check"] == check_of(pair)]


@pytest.mark.parametrize("pair", TRIED)
def test_check_fails_for_a_widget_that_breaks_it(outcomes, pair):
    rows = rows_of(outcomes, "breaks", pair)
    reasons = [row["reason"] for row in rows if row["outcome"] == "failed"]
    assert any(TRIED[pair][0].reason in reason for reason in reasons), rows


@pytest.mark.parametrize("pair", [pair for pair, widgets in TRIED.items() if len(widgets) > 1])
def test_check_passes_for_a_widget_that_keeps_it(outcomes, pair):
    rows = rows_of(outcomes, "keeps", pair)
    assert {row["outcome"] for row in rows} == {"passed"}, rows


def test_each_check_is_tried():
    assert {*map(check_of, TRIED), *TESTED_ELSEWHERE} == set(WIDGET_CHECKS)


def test_checks_of_the_contract_are_those_of_the_harness():
    assert tuple(map(check_name, check_functions())) == WIDGET_CHECKS


def test_each_check_says_what_defect_it_finds():
    for name, function in check_functions().items():
        assert (function.__doc__ or "").strip().endswith("."), name

"""Scripts of the head that use elements of the body, which do not exist yet."""

import pytest

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

ADD = "document.body.append(document.createElement('p'))"
WRONG = {
    "child of the body": ADD,
    "class of the body": "document.body.classList.add('dark')",
    "property of the body": "document.body.id = 'shop'",
    "body in a variable": "const { body } = document; body.append('x')",
    "body of the window's document": "window.document.body.append('x')",
    "body taken apart": "const { style } = document.body",
    "body observed": "new MutationObserver(() => {}).observe(document.body, { childList: true })",
    "style of the body": "getComputedStyle(document.body)",
    "member of an element by its id": "document.getElementById('price').classList.add('big')",
    "content of an element by its id": "document.getElementById('price').innerHTML = 'new'",
    "content of an element by its class": "document.querySelector('.price').textContent = 'new'",
    "listener on an element": "document.querySelector('.buy').addEventListener('click', () => {})",
    "handler of an element": "document.querySelector('.buy').onclick = () => {}",
    "element of a tag": "document.querySelector('main').dataset.shop",
    "element inside another": "document.querySelector('#shop .price').textContent",
    "one of two selectors": "document.querySelector('main, .price').append('x')",
    "element below the root": "document.documentElement.querySelector('main').id",
    "element that TypeScript is told of": "document.querySelector<HTMLElement>('main')!.hidden = true",
    "beginning of the root": "document.documentElement.prepend(document.createElement('aside'))",
    "end of the root": "document.documentElement.appendChild(document.createElement('div'))",
    "text in the root": "document.documentElement.append('x')",
    "beside the head": "document.head.after(document.createElement('div'))",
    "before the head": "document.head.parentNode.insertBefore(document.createElement('p'), document.head)",
    "in a fragment": """const part = document.createDocumentFragment(); part.append(document.createElement('p'));
document.documentElement.append(part)""",
    "list": "document.querySelectorAll('.price').forEach((one) => one.remove())",
    "loop over a list": "for (const one of document.getElementsByClassName('price')) one.remove()",
    "first of a list": "document.getElementsByTagName('main')[0].remove()",
    "item of a list": "document.querySelectorAll('.price').item(0).append('x')",
    "list in an element of its own": """document.head.append(document.createElement('x-a'));
customElements.define('x-a', class extends HTMLElement {
  constructor() { super(); document.querySelectorAll('.price').forEach((one) => one.remove()); }
})""",
    "jQuery's listener": "$('.buy').on('click', () => {})",
    "jQuery's class": "jQuery('#shop .price').addClass('big')",
    "jQuery's content": "$('#price').html('new')",
    "jQuery's element of an element": "$('main').find('.price').first().hide()",
    "jQuery's body": "$(document.body).addClass('dark')",
    "jQuery's element goes into the body": "$('<p>').appendTo('body')",
    "jQuery under its other name": "(function ($) { $('.buy').click(() => {}) })(jQuery)",
    "through a function": "const one = (text) => document.querySelector(text); one('main').remove()",
    "handed to a function": "function mark(box) { box.id = 'x'; } mark(document.body)",
    "function called at once": f"function start() {{ {ADD} }} start()",
    "async function before it waits": f"(async () => {{ {ADD}; await fetch('/'); }})()",
    "class that is made": f"class App {{ constructor() {{ {ADD} }} }} new App()",
    "each of a list": f"['a', 'b'].forEach(() => {ADD})",
    "asked the wrong way": "const box = document.querySelector('main'); if (!box) box.remove()",
    "ready asked the wrong way": f"if (document.readyState === 'loading') {ADD}",
    "looked up now and used later": """const box = document.querySelector('main');
document.addEventListener('DOMContentLoaded', () => box.remove())""",
}
RIGHT = {
    "element of its own": "customElements.define('x-a', class extends HTMLElement { connectedCallback() {} })",
    "kind of button of its own": "customElements.define('x-b', class extends HTMLElement {}, { extends: 'button' })",
    "DOMContentLoaded": f"document.addEventListener('DOMContentLoaded', () => {ADD})",
    "load": f"window.addEventListener('load', () => {ADD}); window.onload = () => {ADD}",
    "timer": f"setTimeout(() => {ADD}); requestAnimationFrame(() => {ADD})",
    "promise": f"Promise.resolve().then(() => {ADD}); fetch('/').then(() => {ADD})",
    "after await": f"(async () => {{ await fetch('/'); {ADD}; }})()",
    "jQuery's ready": f"$(() => {ADD}); jQuery(document).ready(() => $('.price').hide())",
    "ready function of another file": f"whenReady(() => {ADD})",
    "event of the shop": f"svcPlugins.subscribeEvent('svc-content-after-price', () => {ADD})",
    "event on the document": f"document.onclick = () => {ADD}; $(document).on('click', '.buy', () => {ADD})",
    "observer": f"new MutationObserver(() => {ADD}).observe(document.documentElement, {{ childList: true }})",
    "ready asked": f"""function start() {{ {ADD}; }}
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start); else start()""",
    "ready asked by its opposite": f"if (document.readyState !== 'loading') {ADD}",
    "ready asked by a pattern": f"if (/complete|interactive/.test(document.readyState)) {ADD}",
    "body asked for": f"if (document.body) {ADD}",
    "body asked for by &&": "document.body && document.body.classList.add('dark')",
    "body or another": "(document.body || document.documentElement).append(document.createElement('style'))",
    "body or nothing": "document.body?.classList.add('dark')",
    "waits for the body": f"(function wait() {{ if (!document.body) return setTimeout(wait, 10); {ADD}; }})()",
    "element asked for": "const box = document.querySelector('main'); if (box) box.remove()",
    "element asked for with null": "const box = document.querySelector('main'); if (box !== null) box.remove()",
    "element asked for and left": "(() => { const b = document.querySelector('main'); if (!b) return; b.remove() })()",
    "element or nothing": "document.getElementById('price')?.remove()",
    "in try": f"try {{ {ADD} }} catch {{ setTimeout(() => {ADD}) }}",
    "length of a list": "if (document.querySelectorAll('.price').length) document.body.remove()",
    "length of jQuery's list": "if ($('.price').length > 0) $('.price').hide()",
    "head": "document.head.append(document.createElement('style')); $('head').append('<meta name=x>')",
    "root": "document.documentElement.classList.add('js'); document.querySelector('html').lang",
    "silent elements of the root": """const style = document.createElement('style');
document.documentElement.append(style, document.createElement('script')); document.head.after(style)""",
    "elements of the head": """document.querySelector('meta[name=robots]').content;
document.querySelector('head > link').href;
document.getElementsByTagName('script')[0].parentNode.insertBefore(one, null);
document.querySelector("[property='og:title']").content; $('title').text('x')""",
    "style that the script makes": """const style = document.createElement('style'); style.id = 'mine';
document.head.append(style); document.getElementById('mine').append('p {}')""",
    "style by a constant": """const ID = 'mine'; const style = document.createElement('style');
style.setAttribute('id', ID); document.head.append(style); document.querySelector('#' + ID).append('p {}')""",
    "element that is made": "const box = document.createElement('div'); box.querySelector('p').remove(); box.id = 'x'",
    "selector that is not known": "document.querySelector(location.hash).remove()",
    "function that is never called": f"function start() {{ {ADD} }}",
}
DEPENDS = {
    "condition": f"if (window.theme) {ADD}",
    "condition of a function": f"const start = () => {ADD}; location.search.includes('x') && start()",
    "data that another snippet may bring": "JSON.parse(document.getElementById('settings').textContent)",
    "class that the root may have": "document.querySelector('.no-js').classList.remove('no-js')",
}


def found_in(code, path="widgets/reviews/head.ts"):
    diagnostics = check_text(path, code, Dialect()).diagnostics
    return [diagnostic.severity for diagnostic in diagnostics if diagnostic.rule == "early-dom"]


@pytest.mark.parametrize("code", WRONG.values(), ids=WRONG)
def test_a_head_script_that_uses_the_body_is_an_error(code):
    assert found_in(code) == [Severity.ERROR]


@pytest.mark.parametrize("code", RIGHT.values(), ids=RIGHT)
def test_a_script_that_waits_or_tests_the_element_is_clean(code):
    assert found_in(code) == []


@pytest.mark.parametrize("code", DEPENDS.values(), ids=DEPENDS)
def test_early_access_that_depends_on_the_page_is_a_warning(code):
    assert found_in(code) == [Severity.WARNING]


@pytest.mark.parametrize("code", WRONG.values(), ids=WRONG)
def test_use_of_the_body_in_a_body_script_is_clean(code):
    assert found_in(code, "widgets/reviews/widget.ts") == []


SCRIPT = f"<script>{ADD}</script>"
FILES = {
    "a head script": ("head.js", ADD, 1),
    "a script of another name": ("table-head.ts", ADD, 0),
    "a snippet for the head": ("snippets/head.html", SCRIPT, 1),
    "a snippet for the head by language": ("reviews.head.en.html", SCRIPT, 1),
    "a snippet for the body": ("body.html", SCRIPT, 0),
    "a page's head": ("page.html", f"<html><head>{SCRIPT}</head><body>{SCRIPT}</body></html>", 1),
    "a page's body in words": ("body.html", f"<script>'</head><body>'</script>{SCRIPT}", 0),
    "what comes after the first element of the body": ("head.html", f"<meta name=x><p></p>{SCRIPT}", 0),
    "a module": ("head.html", f"<script type='module'>{ADD}</script>", 0),
    "data of the snippet": (
        "head.html",
        '<script type="application/json" id="data">{}</script><script>document.getElementById("data").text</script>',
        0,
    ),
}


@pytest.mark.parametrize(("path", "code", "count"), FILES.values(), ids=FILES)
def test_scripts_of_the_head_are_recognised_by_file_and_place(path, code, count):
    assert len(found_in(code, path)) == count


def test_early_access_that_ends_the_script_is_reported_at_its_place():
    code = "document.title = 'x';\ndocument.body.lang = 'en';\ndocument.body.id = 'x';\n"
    diagnostics = check_text("head.ts", code, Dialect()).diagnostics
    assert [(diagnostic.rule, diagnostic.place.line) for diagnostic in diagnostics] == [("early-dom", 2)]


def test_each_early_access_that_has_no_effect_is_reported_at_its_place():
    code = "$('.price').hide();\n$('.buy').show();\n"
    diagnostics = check_text("head.ts", code, Dialect()).diagnostics
    assert [(diagnostic.rule, diagnostic.place.line) for diagnostic in diagnostics] == [
        ("early-dom", 1),
        ("early-dom", 2),
    ]

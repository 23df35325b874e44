"""Code that replaces or empties the whole page is an error; code that adds to it, or works on a part, is none."""

import pytest

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity


def found(code: str, name: str = "x.js") -> list[tuple[str, Severity, int]]:
    diagnostics = check_text(name, code, Dialect()).diagnostics
    return [(d.rule, d.severity, d.place.line) for d in diagnostics if d.place and d.rule == "page-replaced"]


@pytest.mark.parametrize(
    "code",
    [
        "document.body.innerHTML = '';",
        "document.body.innerHTML += '<p>x</p>';",
        "document.body.outerHTML = '<body></body>';",
        "document.documentElement.innerHTML = html;",
        "document.documentElement.outerHTML = html;",
        "window.document.body.textContent = 'x';",
        "document.body.innerText = 'x';",
        "document.head.innerHTML = '';",
        "document['body']['innerHTML'] = '';",
        "globalThis.document?.body.replaceChildren();",
        "document.body.replaceChildren(card);",
        "document.body.replaceWith(other);",
        "document.body.remove();",
        "document.documentElement.remove();",
        "document.replaceChildren();",
        "document.body = document.createElement('body');",
        "document.body.setHTMLUnsafe('<p>x</p>');",
        "document.removeChild(document.documentElement);",
        "document.documentElement.removeChild(document.body);",
        "document.documentElement.replaceChild(mine, document.body);",
        "while (document.body.firstChild) { document.body.removeChild(document.body.firstChild); }",
        "while (document.body.lastChild) { document.body.lastChild.remove(); }",
        "document.querySelector('body').innerHTML = '';",
        'document.querySelector("html").outerHTML = "";',
        "document.getElementsByTagName('body')[0].innerHTML = '';",
        "document.querySelectorAll(`body`)[0].innerHTML = '';",
        "$('body').html('<p>x</p>');",
        "jQuery(document.body).empty();",
        "$('html').remove();",
        "$('body')[0].innerHTML = '';",
        "const body = document.body; body.innerHTML = '';",
        "const { body } = document; body.innerHTML = '';",
        "const { documentElement: root } = document; root.innerHTML = '';",
        "var d = document; function f() { d.body.innerHTML = ''; }",
        "if (false) { (document.body).innerHTML = ''; }",
        "[...document.body.children].forEach(c => c.remove());",
        "Array.from(document.body.childNodes).forEach((node) => { node.remove(); });",
        "[...document.body.children].forEach(function (c) { document.body.removeChild(c); });",
        "for (const c of [...document.body.children]) c.remove();",
        "document.querySelectorAll('body > *').forEach(c => c.remove());",
        "document.querySelectorAll('body>*').forEach(c => { const id = c.id; c.remove(); });",
        "$('body > *').remove();",
        "$('html body *').empty();",
        "$(document.body).children().remove();",
        "jQuery('body').contents().detach();",
        "$(document).find('body').empty();",
        "window.$('body').empty();",
        "let b; b = document.body; b.innerHTML = '';",
        "b = document.body; b.innerHTML = '';",
        "(function ($) { $('body').empty(); })(jQuery);",
        "(function (w, $, document) { document.body.innerHTML = ''; })(window, jQuery, document);",
        "jQuery(function ($) { $('body').empty(); });",
        "jQuery(document).ready(($) => { $('body').empty(); });",
        "(function ($) { $.x = 1; })(jQuery); (function ($) { $('body').empty(); })(jQuery);",
        "(function (window, $) { window.document.body.innerHTML = ''; }).call(this, window, $);",
        "const $ = window.jQuery; $('body').empty();",
        "var jq = jQuery.noConflict(); jq('body').empty();",
        "import $ from 'jquery'; $('body').empty();",
        "var $ = window.$ || jQuery; $('body').empty();",
        "var $ = window.jQuery || window.$ || null; $('body').empty();",
        "const $ = window.jQuery ?? jQuery; $('body').empty();",
        "const $ = typeof jQuery == 'undefined' ? undefined : jQuery; $('body').empty();",
        "const $ = window.jQuery && window.jQuery.noConflict(); $('body').empty();",
        "const { jQuery: jq } = window; jq('body').empty();",
        "const root = document.scrollingElement || document.documentElement; root.innerHTML = '';",
        "(document.body || document.documentElement).innerHTML = '';",
        "$('body').children().each(function () { $(this).remove(); });",
        "$('body > *').each(function () { this.remove(); });",
        "$('body > *').each((i, element) => element.remove());",
        "$('body').children().each((i, element) => { $(element).detach(); });",
        "jQuery.each($('body').children(), function (i, element) { jQuery(element).remove(); });",
        "$('body').each(function () { $(this).empty(); });",
        "$('body').each(function () { this.innerHTML = ''; });",
        "$('body').get(0).innerHTML = '';",
        "$('body').children().each(function () { var child = $(this); child.remove(); });",
        "[...document.body.children].forEach(function (c) { const child = c; child.remove(); });",
        "[].forEach.call(document.body.children, function (c) { c.remove(); });",
        "Array.prototype.forEach.call(document.body.childNodes, (c) => document.body.removeChild(c));",
        "[].slice.call(document.body.children).forEach(function (c) { c.remove(); });",
        "document.body.querySelectorAll('*').forEach((c) => c.remove());",
        "document.body.querySelectorAll(':scope > *').forEach((c) => c.remove());",
        "(function ($) { $('body').children().each(function () { $(this).remove(); }); })(window.jQuery || window.$);",
        "$('body').first().empty(); ",
        "[...document.body.children].map((c) => c.remove());",
        "document.body.childNodes.forEach((c) => { c.parentNode.removeChild(c); });",
        "document.querySelectorAll('body > *').forEach((c) => { $(c).remove(); });",
        "document.querySelectorAll('body > *').forEach((c) => { c.innerHTML = ''; });",
        "for (const c of [...document.body.children]) { $(c).remove(); }",
        "for (let i = document.body.children.length; i--; ) document.body.children[i].remove();",
        "while (document.body.childNodes.length) { document.body.removeChild(document.body.childNodes[0]); }",
        "for (let n = 9; n--; ) { document.body.lastChild.remove(); }",
        "export default () => { setTimeout(() => (document.body.innerHTML = ''), 10); };",
    ],
)
def test_replaced_page_is_an_error(code):
    assert found(code) == [("page-replaced", Severity.ERROR, 1)]


@pytest.mark.parametrize(
    "code",
    [
        "declare const $: any; $('body').empty();",
        "document.body!.innerHTML = '';",
        "(document.body as HTMLElement).innerHTML = '';",
    ],
)
def test_casts_are_seen_through(code):
    assert found(code, "x.ts") == [("page-replaced", Severity.ERROR, 1)]


def test_script_of_an_html_page_is_checked():
    page = "<p>x</p>\n<script>\ndocument.body.innerHTML = '';\n</script>\n"
    assert found(page, "body.html") == [("page-replaced", Severity.ERROR, 3)]


@pytest.mark.parametrize(
    "code",
    [
        "document.body.append('x');",
        "const $ = s => root.querySelector(s); $('head').remove();",
        "function $(id) { return root.getElementById(id); } $('body').remove();",
        "import { $ } from './dom'; $('body').remove();",
        "import jQuery from './dom'; jQuery('body').remove();",
        "import * as $ from './dom'; $('body').remove();",
        "(function ($) { $('body').remove(); })(mine);",
        "(function ($) { $('body').remove(); })(jQuery); (function ($) { $('body').remove(); })(mine);",
        "items.forEach(($) => { $('body').remove(); });",
        "class $ {} $('body').remove();",
        "import document from './page'; document.body.innerHTML = '';",
        "import { page as document } from './page'; document.body.innerHTML = '';",
        "import * as document from './page'; document.body.innerHTML = '';",
        "function document() {} document.body.innerHTML = '';",
        "try { x(); } catch (document) { document.body.innerHTML = ''; }",
        "class Page { write(document) { document.body.innerHTML = ''; } }",
        "function f(...document) { document.body.innerHTML = ''; }",
        "let document; document = frame.contentDocument; document.body.innerHTML = '';",
        "const self = this; self.document.body.innerHTML = '';",
        "function f(window) { window.document.body.innerHTML = ''; }",
        "b = document.body; b = card; b.innerHTML = '';",
        "for (const t of list) { document.body.append(t); later(() => document.body.lastChild.remove()); }",
        "for (const t of list) { setTimeout(() => document.body.lastChild.remove(), 9); }",
        "for (const t of list) { document.body.append(t); show(); document.body.lastChild.remove(); }",
        "[...document.body.children].forEach(c => { if (c.id === 'mine') c.remove(); });",
        "[...document.body.children].forEach(c => { if (c.id !== 'mine') return; c.remove(); });",
        "[...document.body.children].filter(c => c.id === 'mine').forEach(c => c.remove());",
        "for (const c of document.body.children) { if (c.id !== 'mine') continue; c.remove(); }",
        "[...document.body.children].forEach(c => card.remove());",
        "$('body > *')[0].remove(); $('body > .card').remove(); $('*', card).remove();",
        "[].forEach.call(document.body.children, (c) => { if (c.id == 'mine') c.remove(); });",
        "[].forEach.call(card.children, (c) => c.remove()); document.body.append.call(document.body, card);",
        "document.body.querySelectorAll('.mine').forEach((c) => c.remove());",
        "$('body').children().each(function () { var mine = $(this).find('.mine'); mine.remove(); });",
        "var $ = window.$ || mine; $('body').remove();",
        "var $ = a ? jQuery : mine; $('body').remove();",
        "$('body').children().each(function () { if (this.id == 'mine') $(this).remove(); });",
        "$('body').children().each(() => { $(this).remove(); });",
        "$('body').children().each(function () { card.remove(); $(card).remove(); $(this).hide(); });",
        "$('.card').each(function () { $(this).remove(); }); $.each(cards, (i, card) => $(card).remove());",
        "$('body').children('.mine').each(function () { $(this).remove(); });",
        "for (const i of own) if (document.body.children[i].id) document.body.children[i].remove();",
        "document.body.children[0].remove(); document.body.removeChild(document.body.children[1]);",
        "while (n--) { document.body.append(card); document.body.children[0].remove(); }",
        "$('body').get(0).append(card); $('body').eq(0).append(card);",
        "const find = window.find || document.body.find; find('body');",
        "$('body').children('.mine').remove(); $('body').find('.mine').empty(); $('body').children().hide();",
        "$(card).find('body').empty(); card.querySelectorAll('*').forEach(c => c.remove());",
        "document.body.insertAdjacentHTML('beforeend', '<p>x</p>');",
        "document.body.appendChild(card); document.body.removeChild(card);",
        "document.body.firstChild.before(card);",
        "document.body.prepend(card); document.body.firstChild.remove();",
        "document.body.style.overflow = 'hidden'; document.body.className += ' x';",
        "const html = document.body.innerHTML; const text = document.body.textContent;",
        "if (document.body.innerHTML === '') { document.title = 'x'; }",
        "document.querySelector('#box').innerHTML = '';",
        "document.querySelector('body .box').innerHTML = '';",
        "document.getElementById('body').innerHTML = '';",
        "frame.contentDocument.body.innerHTML = '';",
        "const document = frame.contentDocument; document.body.innerHTML = '';",
        "function write(document) { document.body.innerHTML = ''; }",
        "const doc = new DOMParser().parseFromString(html, 'text/html'); doc.body.innerHTML = '';",
        "let body = document.body; body = card; body.innerHTML = '';",
        "const body = document.body; function f(body) { body.innerHTML = ''; }",
        "const popup = open('/x'); popup.document.body.innerHTML = '';",
        "$('body').append('<p>x</p>'); $('body').addClass('x'); const html = $('body').html();",
        "$('body .box').html(''); $('.body').empty(); $(card).remove();",
        "document.body.classList.remove('x'); document.body.removeAttribute('x');",
        "dialog.open(); card.remove(); body.innerHTML = '';",
        "const text = \"document.body.innerHTML = ''\";",
        "// document.body.innerHTML = ''",
    ],
)
def test_rest_of_the_page_stays(code):
    assert found(code) == []


def test_hint_fits_what_removes_the_page():
    (diagnostic,) = check_text("x.js", "document.body.remove();", Dialect()).diagnostics
    assert "remove only what the widget added" in diagnostic.hint

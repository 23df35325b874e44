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
        "export default () => { setTimeout(() => (document.body.innerHTML = ''), 10); };",
    ],
)
def test_replaced_page_is_an_error(code):
    assert found(code) == [("page-replaced", Severity.ERROR, 1)]


@pytest.mark.parametrize(
    "code", ["document.body!.innerHTML = '';", "(document.body as HTMLElement).innerHTML = '';"]
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

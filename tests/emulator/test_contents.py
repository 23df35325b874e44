"""Each row of what is known about initContentHandler and setContent, with and without jQuery on the page."""

import pytest
from frames import SmallPages

SETUP = """
const PRICE = "svc-content-after-price";
const params = { item: { id: "1", variants: [] }, page: { language: "en", page: "catalog" } };
const on = (callback) => svcPlugins.subscribeEvent(PRICE, callback);
const host = () => awningEmulator.host("#box", PRICE, params);
const box = () => document.getElementById("box");
const given = (...contents) => {
  on((event, init) => { const c = init(); contents.forEach((one) => c.setContent(one)); });
  host();
};
"""

CONTENTS = {
    "nothing set: no DOM at all": ("on((event, init) => { init(); }); host();", ""),
    "a string": ("given('<b>x</b>');", '<div data-order="1"><b>x</b></div>'),
    "a second setContent replaces": ("given('<b>x</b>', 'y');", '<div data-order="1">y</div>'),
    "a number becomes text": ("given(0);", '<div data-order="1">0</div>'),
    "an empty string empties": ("given('x', '');", '<div data-order="1"></div>'),
    "null empties": ("given('x', null);", '<div data-order="1"></div>'),
    "false empties": ("given('x', false);", '<div data-order="1"></div>'),
    "undefined changes nothing": ("given('x', undefined);", '<div data-order="1">x</div>'),
    "undefined alone makes no DOM": ("given(undefined);", ""),
    "an element": (
        "const b = document.createElement('b'); b.textContent = 'x'; given(b);",
        '<div data-order="1"><b>x</b></div>',
    ),
    "a list of elements": (
        "given([document.createElement('b'), document.createElement('i')]);",
        '<div data-order="1"><b></b><i></i></div>',
    ),
    "a function gets index and old content": (
        "given('x', function (index, old) { return this.nodeName + index + old; });",
        '<div data-order="1">DIV0x</div>',
    ),
    "a function that gives nothing changes nothing": (
        "given('x', () => undefined);",
        '<div data-order="1">x</div>',
    ),
    "a function that gives nothing makes no DOM": ("given(() => undefined);", ""),
    "not a number empties": ("given('x', NaN);", '<div data-order="1"></div>'),
    "table rows stay": ("given('<tr><td>x</td></tr>');", '<div data-order="1"><tr><td>x</td></tr></div>'),
    "self-closed tags are closed": ("given('<p/>x');", '<div data-order="1"><p></p>x</div>'),
    "nothing is escaped": ("given('<img alt=\"&amp;\">');", '<div data-order="1"><img alt="&amp;"></div>'),
    "position is fixed by the call of init": (
        (
            "on((e, init) => { const c = init(); setTimeout(() => c.setContent('late')); });"
            "on((e, init) => init().setContent('early')); host();"
        ),
        '<div data-order="1">late</div><div data-order="2">early</div>',
    ),
    "a silent block in between takes its position": (
        (
            "on((e, init) => init().setContent('a')); on((e, init) => void init());"
            "on((e, init) => init().setContent('c')); host();"
        ),
        '<div data-order="1">a</div><div data-order="3">c</div>',
    ),
    "init called twice makes two blocks": (
        "on((e, init) => { init().setContent('a'); init().setContent('b'); }); host();",
        '<div data-order="1">a</div><div data-order="2">b</div>',
    ),
    "init in the update adds a block each time": (
        (
            "svcPlugins.subscribeEvent(PRICE + '-updated', (e, init) => init().setContent('u'));"
            "host(); awningEmulator.fire(PRICE + '-updated', {});"
        ),
        '<div data-order="1">u</div><div data-order="2">u</div>',
    ),
    "what the container held before stays first": (
        "box().innerHTML = '<s></s>'; given('x');",
        '<s></s><div data-order="1">x</div>',
    ),
}


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize(("code", "expected"), CONTENTS.values(), ids=CONTENTS)
def test_content(small_pages: SmallPages, code: str, expected: str, jquery: bool) -> None:
    small = small_pages.load(SETUP + code, jquery=jquery)
    assert small.html == expected
    assert small.errors == []


TOLD = {
    "a string": ("'<b>x</b>'", "<b>x</b>"),
    "a number": ("0", "0"),
    "what empties": ("false", ""),
    "an element": ("document.createElement('b')", "<b></b>"),
    "a list of elements": ("[document.createElement('b'), document.createElement('i')]", "<b></b><i></i>"),
    "what a function gives": ("(index, old) => index + old + 'x'", "0x"),
}


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize(("content", "told"), TOLD.values(), ids=TOLD)
def test_trace_tells_content_as_html(small_pages: SmallPages, content: str, told: str, jquery: bool) -> None:
    small = small_pages.load(SETUP + f"given({content});", jquery=jquery)
    assert small.kinds("content") == [("content", told)]


SCRIPTS = {
    "run on insertion": ("given('<script>log(box().innerHTML.length > 0)<\\/script>');", [True]),
    "run at once later": (
        (
            "on((e, init) => { const c = init(); c.setContent('x'); log('before');"
            "c.setContent('<script>log(1)<\\/script>'); log('after'); }); host();"
        ),
        ["before", 1, "after"],
    ),
    "run once": ("given('<script>log(1)<\\/script>'); setTimeout(() => log('end'));", [1, "end"]),
    "do not run while the container is outside the document": (
        (
            "const b = box(); b.remove(); on((e, init) => init().setContent('<script>log(1)<\\/script>'));"
            "awningEmulator.host(b, PRICE, params);"
        ),
        [],
    ),
    "of another type do not run": ("given('<script type=\"application/json\">log(1)<\\/script>');", []),
    "run in order": ("given('<script>log(1)<\\/script><script>log(2)<\\/script>');", [1, 2]),
}


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize(("code", "expected"), SCRIPTS.values(), ids=SCRIPTS)
def test_scripts_in_content(small_pages: SmallPages, code: str, expected: list[object], jquery: bool) -> None:
    small = small_pages.load(SETUP + code, jquery=jquery)
    small.run("1")
    assert small.log == expected


def test_set_content_returns_the_wrapper_as_a_jquery_object(small_pages: SmallPages) -> None:
    code = """
      on((e, init) => { const r = init().setContent('x'); log(r instanceof jQuery, r.attr('data-order')); });
      host();
    """
    assert small_pages.load(SETUP + code, jquery=True).log == [True, "1"]


def test_a_jquery_object_is_content(small_pages: SmallPages) -> None:
    small = small_pages.load(SETUP + "given(jQuery('<b>x</b>'));", jquery=True)
    assert small.html == '<div data-order="1"><b>x</b></div>'


@pytest.mark.parametrize(
    ("when", "code", "hidden"),
    [
        ("never", "on((e, init) => init().setContent('x'));", True),
        ("init", "on((e, init) => { init(); });", False),
        ("content", "on((e, init) => { init(); });", True),
        ("content", "on((e, init) => { init().setContent('x'); });", False),
    ],
)
def test_hidden_container_is_revealed(small_pages: SmallPages, when: str, code: str, hidden: bool) -> None:
    small = small_pages.load(
        SETUP + code + "host();", configure=f"{{reveal: '{when}'}}", body='<div id="box" hidden></div>'
    )
    assert small.run("() => box().hidden") is hidden


def test_hooks_are_called_at_the_first_init_and_the_first_content(small_pages: SmallPages) -> None:
    code = """
      on((e, init) => { const c = init(); log('between'); c.setContent('a'); c.setContent('b'); });
      on((e, init) => void init());
      awningEmulator.host('#box', PRICE, params, { init: () => log('init'), content: () => log('content') });
    """
    assert small_pages.load(SETUP + code).log == ["init", "between", "content"]


@pytest.mark.parametrize("container", ["box()", "'#box'", "[box()]"], ids=["element", "selector", "list"])
def test_container_may_be_given_as(small_pages: SmallPages, container: str) -> None:
    code = f"on((e, init) => init().setContent('x')); awningEmulator.host({container}, PRICE, params);"
    assert small_pages.load(SETUP + code).html == '<div data-order="1">x</div>'


def test_missing_container_is_an_error(small_pages: SmallPages) -> None:
    small = small_pages.load(
        SETUP + "try { awningEmulator.host('#none', PRICE, params); } catch (e) { log(e.message); }"
    )
    assert small.log == ["there is no element for the container #none"]

"""What initContentHandler and setContent do with each kind of content, with and without jQuery on the page.

Where blocks stand, and when they come back, is in test_event_model.py, except for what few of its lives do.
"""

from collections.abc import Hashable, Mapping

import pytest
from frames import Noted, SmallPages

SETUP = """
const PRICE = "svc-content-after-price";
const params = { item: { id: "1", variants: [] }, page: { language: "en", page: "catalog" } };
const on = (callback) => svcPlugins.subscribeEvent(PRICE, callback);
const host = () => awningEmulator.host("#box", PRICE, params);
const box = () => document.getElementById("box");
const frame = () => document.head.appendChild(document.createElement("iframe")).contentDocument;
const given = (...contents) => {
  on((event, init) => { const c = init(); contents.forEach((one) => c.setContent(one)); });
  host();
};
"""

CONTENTS = {
    "a string": ("given('<b>x</b>');", '<div data-order="1"><b>x</b></div>'),
    "a number becomes text": ("given(0);", '<div data-order="1">0</div>'),
    "an empty string empties": ("given('x', '');", '<div data-order="1"></div>'),
    "null empties": ("given('x', null);", '<div data-order="1"></div>'),
    "false empties": ("given('x', false);", '<div data-order="1"></div>'),
    "undefined changes nothing": ("given('x', undefined);", '<div data-order="1">x</div>'),
    "undefined alone is an empty block": ("given(undefined);", '<div data-order="1"></div>'),
    "no argument alone is an empty block": (
        "on((e, init) => init().setContent()); host();",
        '<div data-order="1"></div>',
    ),
    "no argument changes nothing": (
        "on((e, init) => { const c = init(); c.setContent('x'); c.setContent(); }); host();",
        '<div data-order="1">x</div>',
    ),
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
    "a function that gives nothing alone is an empty block": (
        "given(() => undefined);",
        '<div data-order="1"></div>',
    ),
    "a function that gives a function gets an empty block": (
        "given('x', () => (index, old) => `[${old}]`);",
        '<div data-order="1">[]</div>',
    ),
    "a function in a list is called": (
        "given('x', [function (index, old) { return this.nodeName + old; }, 'y']);",
        '<div data-order="1">DIVy</div>',
    ),
    "an async function is not called": (
        "given('x', async () => log('called'));",
        '<div data-order="1"></div>',
    ),
    "a regular expression is text": ("given(/x/);", '<div data-order="1">/x/</div>'),
    "an error is text": ("given(new Error('x'));", '<div data-order="1">Error: x</div>'),
    "a promise empties": ("given('x', Promise.resolve('y'));", '<div data-order="1"></div>'),
    "arguments are a list": (
        "(function () { given(arguments); })(document.createElement('b'), document.createElement('i'));",
        '<div data-order="1"><b></b><i></i></div>',
    ),
    "a list ends at its first gap": (
        "given({ 0: document.createElement('b'), 2: document.createElement('i'), length: 3 });",
        '<div data-order="1"><b></b></div>',
    ),
    "an object with what is no node is an error": (
        (
            "on((e, init) => { const c = init(); c.setContent('x'); try { c.setContent({ 0: 'y', length: 1 }); }"
            " catch (error) { c.setContent(error.name); } }); host();"
        ),
        '<div data-order="1">TypeError</div>',
    ),
    "an element of another window": (
        "given(frame().createElement('b'));",
        '<div data-order="1"><b></b></div>',
    ),
    "a text of another window": ("given(frame().createTextNode('x'));", '<div data-order="1">x</div>'),
    "a fragment of another window": (
        (
            "const all = frame().createDocumentFragment(); all.append(document.createElement('b'), 'x');"
            " given(all);"
        ),
        '<div data-order="1"><b></b>x</div>',
    ),
    "a list of another window": (
        (
            "const doc = frame(); doc.body.innerHTML = '<b></b><i></i>';"
            " given(new doc.defaultView.Array(...doc.body.childNodes));"
        ),
        '<div data-order="1"><b></b><i></i></div>',
    ),
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
    "an object that holds nothing empties": ("given('x', {});", '<div data-order="1"></div>'),
    "a date becomes text": (
        "given(new (class extends Date { toString() { return 'x'; } })());",
        '<div data-order="1">x</div>',
    ),
    "a text node": ("given(document.createTextNode('<x>'));", '<div data-order="1">&lt;x&gt;</div>'),
    "a table row that does not come first is dropped": (
        "given('<b>a</b><tr><td>x</td></tr>');",
        '<div data-order="1"><b>a</b>x</div>',
    ),
    "what the container held before stays first": (
        "box().innerHTML = '<s></s>'; given('x');",
        '<s></s><div data-order="1">x</div>',
    ),
}


@pytest.fixture(scope="module")
def noted(small_pages: SmallPages) -> Mapping[Hashable, Noted]:
    """The pages of both tables, each with and without jQuery."""
    return small_pages.noted(
        {
            (case, jquery): {"script": SETUP + code, "jquery": jquery}
            for case, (code, _) in {**CONTENTS, **SCRIPTS}.items()
            for jquery in (True, False)
        }
    )


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize("case", CONTENTS)
def test_set_content_inserts_each_type_of_content(
    noted: Mapping[Hashable, Noted], case: str, jquery: bool
) -> None:
    small = noted[case, jquery]
    assert (small.html, small.errors) == (CONTENTS[case][1], [])


HTML_IN_TRACE = {
    "a string": ("'<b>x</b>'", "<b>x</b>"),
    "a number": ("0", "0"),
    "what empties": ("false", ""),
    "an element": ("document.createElement('b')", "<b></b>"),
    "a list of elements": ("[document.createElement('b'), document.createElement('i')]", "<b></b><i></i>"),
    "what a function gives": ("(index, old) => index + old + 'x'", "0x"),
}


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize(("content", "html"), HTML_IN_TRACE.values(), ids=HTML_IN_TRACE)
def test_trace_has_content_as_html(small_pages: SmallPages, content: str, html: str, jquery: bool) -> None:
    small = small_pages.load(SETUP + f"given({content});", jquery=jquery)
    assert small.kinds("content") == [("content", html)]


SCRIPTS = {
    "run on insertion": ("given('<script>log(box().innerHTML.length > 0)<\\/script>');", [True]),
    "run at once later": (
        (
            "on((e, init) => { const c = init(); c.setContent('x'); log('before');"
            "c.setContent('<script>log(1)<\\/script>'); log('after'); }); host();"
        ),
        ["before", 1, "after"],
    ),
    "run once": (
        "given('<script>log(1)<\\/script>'); addEventListener('load', () => log('end'));",
        [1, "end"],
    ),
    "do not run while the container is outside the document": (
        (
            "const b = box(); b.remove(); on((e, init) => init().setContent('<script>log(1)<\\/script>'));"
            "awningEmulator.host(b, PRICE, params);"
        ),
        [],
    ),
    "an element runs once": (
        (
            "const s = document.createElement('script'); s.text = 'log(1)'; given(s);"
            "addEventListener('load', () => log(s.type, 'end'));"
        ),
        [1, "", "end"],
    ),
    "an element runs once in a block that is in the page": (
        (
            "const s = document.createElement('script'); s.text = 'log(1)'; given('x', s);"
            "addEventListener('load', () => log('end'));"
        ),
        [1, "end"],
    ),
    "run again when a block that was taken out comes back": (
        (
            "on((e, init) => { const c = init(); c.setContent('<script>log(1)<\\/script>'); box().firstChild.remove();"
            "log('out'); c.setContent(); }); host();"
        ),
        [1, "out", 1],
    ),
    "do not run again when a block is moved inside the page": (
        (
            "on((e, init) => { const c = init(); c.setContent('<script>log(1)<\\/script>');"
            "document.body.append(box().firstChild); c.setContent(); log(box().children.length); }); host();"
        ),
        [1, 1],
    ),
    "have no currentScript and see their block in its place": (
        "given('<script>log(document.currentScript, box().firstChild.dataset.order)<\\/script>');",
        [None, "1"],
    ),
    "leave var and functions to the page, but not let, const and class": (
        (
            "given('<script>var a = 1; let b = 2; function c() {} class D {}<\\/script>');"
            "log(typeof a, typeof b, typeof c, typeof D);"
            "addEventListener('load', () => log(typeof a, typeof b, typeof c, typeof D));"
        ),
        ["undefined"] * 4 + ["number", "undefined", "function", "undefined"],
    ),
    "that are strict run as an element": (
        (
            "given('<script>\"use strict\"; let b = 2; log(!!document.currentScript)<\\/script>');"
            "addEventListener('load', () => log(b));"
        ),
        [True, 2],
    ),
    "that throw stop their setContent": (
        (
            "on((e, init) => { try { init().setContent('<script>throw new Error(\"x\")<\\/script><b>1</b>'); }"
            "catch (error) { log(error.message); } log(box().textContent); }); host();"
        ),
        ["x", 'throw new Error("x")1'],
    ),
    "of another type do not run": ("given('<script type=\"application/json\">log(1)<\\/script>');", []),
    "run in order": ("given('<script>log(1)<\\/script><script>log(2)<\\/script>');", [1, 2]),
}


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize("case", SCRIPTS)
def test_scripts_in_content_run_as_in_the_service(
    noted: Mapping[Hashable, Noted], case: str, jquery: bool
) -> None:
    assert noted[case, jquery].log == SCRIPTS[case][1]


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
def test_container_may_be_an_element_a_selector_or_a_list(small_pages: SmallPages, container: str) -> None:
    code = f"on((e, init) => init().setContent('x')); awningEmulator.host({container}, PRICE, params);"
    assert small_pages.load(SETUP + code).html == '<div data-order="1">x</div>'


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize("container", ["'#none'", "[]", "null"])
def test_without_a_container_events_are_delivered_and_nothing_is_inserted(
    small_pages: SmallPages, container: str, jquery: bool
) -> None:
    code = f"""
      on((e, init) => {{ const c = init(); log(c.setContent('x').length, c.params === params); }});
      awningEmulator.host({container}, PRICE, params);
    """
    small = small_pages.load(SETUP + code, jquery=jquery)
    assert (small.log, small.html, small.errors) == ([1, True], "", [])
    assert [line.split(":")[0] for line in small.console] == ["warning"]


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
def test_block_is_appended_to_each_element_of_a_container(small_pages: SmallPages, jquery: bool) -> None:
    """As with jQuery's `.append`, the last element gets the block itself. The copies in the others are not updated."""
    code = """
      box().innerHTML = '<p></p><p><div data-order="0"></div></p><p></p>'.replaceAll('p>', 'section>');
      let c;
      on((e, init) => { c = init(); c.setContent('<b>x</b><script>log("ran")<\\/script>'); });
      awningEmulator.host('section', PRICE, params);
      const shown = () => [...document.querySelectorAll('section')].map((one) => one.textContent.slice(0, 1) +
        [...one.children].map((child) => child.dataset.order));
      addEventListener('load', () => { log(shown()); c.setContent('y');
        log(shown(), document.querySelectorAll('[type]').length); });
    """
    small = small_pages.load(SETUP + code, jquery=jquery)
    assert small.log == ["ran", ["x1", "x0,1", "x1"], ["x1", "x0,1", "y1"], 0]


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
def test_block_enters_one_element_of_a_container_that_has_a_later_block(
    small_pages: SmallPages, jquery: bool
) -> None:
    code = """
      box().innerHTML = '<p></p><p><div data-order="0"></div><div data-order="5"></div></p><p></p>'
        .replaceAll('p>', 'section>');
      on((e, init) => { init().setContent('<b>x</b><script>log("ran")<\\/script>'); });
      awningEmulator.host('section', PRICE, params);
      addEventListener('load', () => log([...document.querySelectorAll('section')].map((one) =>
        [...one.children].map((child) => child.dataset.order).join())));
    """
    assert small_pages.load(SETUP + code, jquery=jquery).log == ["ran", ["", "0,1,5", ""]]


PLACES = {
    "a block that its app wrapped inside the container stays": (
        "const outer = document.createElement('section'); block.replaceWith(outer); outer.append(block);",
        '<section><div data-order="1">y</div></section>',
    ),
    "a div that is no child does not count": (
        "block.remove(); box().innerHTML = '<p><div data-order=\"9\"></div></p>'.replaceAll('p>', 'ul>');",
        '<ul><div data-order="9"></div></ul><div data-order="1">y</div>',
    ),
    "an order counts as it was when it was read first": (
        (
            "block.remove(); box().innerHTML = '<div data-order=\"0\"></div>'; c.setContent('x'); block.remove();"
            " box().firstChild.setAttribute('data-order', '2');"
        ),
        '<div data-order="2"></div><div data-order="1">y</div>',
    ),
}


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
@pytest.mark.parametrize(("change", "html"), PLACES.values(), ids=PLACES)
def test_block_is_placed_when_the_container_does_not_contain_it(
    small_pages: SmallPages, change: str, html: str, jquery: bool
) -> None:
    code = f"""
      let c, block;
      on((e, init) => {{ c = init(); c.setContent('x'); block = box().firstElementChild; }});
      host();
      addEventListener('load', () => {{ {change} c.setContent('y'); }});
    """
    assert small_pages.load(SETUP + code, jquery=jquery).html == html


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
def test_missing_params_are_an_empty_object(small_pages: SmallPages, jquery: bool) -> None:
    code = """
      on((e, init, param) => log(JSON.stringify(param), init().params === param));
      awningEmulator.host('#box', PRICE);
    """
    assert small_pages.load(SETUP + code, jquery=jquery).log == ["{}", True]


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
def test_an_empty_first_content_counts_as_content(small_pages: SmallPages, jquery: bool) -> None:
    code = """
      on((e, init) => { const c = init(); log('init'); c.setContent(); log('after'); });
      awningEmulator.host('#box', PRICE, params, { content: () => log('content') });
    """
    small = small_pages.load(SETUP + code, jquery=jquery)
    assert small.log == ["init", "content", "after"]
    assert small.kinds("content") == [("content", "")]


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
def test_content_handler_has_two_keys_in_this_order_and_gives_a_new_object_each_time(
    small_pages: SmallPages, jquery: bool
) -> None:
    code = """
      on((e, init) => {
        const c = init(), [a, b] = [c.setContent('a'), c.setContent('b')];
        log(Object.keys(c).join(), a === b, a[0] === b[0]);
      });
      host();
    """
    assert small_pages.load(SETUP + code, jquery=jquery).log == ["setContent,params", False, True]


@pytest.mark.parametrize("jquery", [True, False], ids=["jquery", "no-jquery"])
def test_an_inline_script_that_throws_ends_the_delivery_and_is_logged_once(
    small_pages: SmallPages, jquery: bool
) -> None:
    code = """
      on((e, init) => { init().setContent('<script>throw new Error("inline")<\\/script>'); log('never'); });
      on(() => log('never'));
      host();
      addEventListener('load', () => log('end'));
    """
    small = small_pages.load(SETUP + code, jquery=jquery)
    assert small.log == ["end"]
    assert ["inline" in line for line in small.console] == [True]
    assert small.errors == []

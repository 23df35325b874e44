"""Each hostile string in each accepted context: nothing runs, nothing is fetched, no tag appears."""

import json
from time import monotonic

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.template.html.html_context import HtmlRefusal

CONTEXTS = {
    "text": "<p>§</p>",
    "text alone": "§",
    "text between": "<b>§</b>§<i>§</i>",
    "cell": "<table><tr><td>§</td></tr></table>",
    "option": "<select><option value='§'>§</option></select>",
    "title": "<title>§</title>",
    "textarea": "<textarea rows=2>§</textarea>",
    "textarea between": "<textarea>a < §</ §</textarea>",
    "svg title": "<svg><title>§</title><text x='§'>§</text></svg>",
    "math": "<math><mi>§</mi></math>",
    "template": "<template><p title='§'>§</p></template>",
    "double quotes": '<p title="§">x</p>',
    "single quotes": "<p title='§'>x</p>",
    "no quotes": "<p title=§>x</p>",
    "no quotes, glued": "<p title=a§b§ id=§>x</p>",
    "class": '<p class="a §">x</p>',
    "microdata": "<p itemscope><meta itemprop=name content='§'></p>",
    "data and aria": "<p data-x='§' aria-label=\"§\">x</p>",
    "input": "<input type='§' name='§' value='§' placeholder=§>",
    "reference": '<p title="&amp;§;">&lt;§&gt;</p>',
    "link": "<a href='§'>x</a>",
    "link, no quotes": "<a href=§>x</a>",
    "link, two values": "<a href='§§'>x</a>",
    "link, scheme letters": "<a href='java§'>x</a>",
    "link, host": "<a href='https://§.example/§'>x</a>",
    "link, protocol": "<a href='https:§'>x</a>",
    "link, root": "<a href='/§'>x</a>",
    "link, path": "<a href='/shop/§/x§'>x</a>",
    "link, after a value": "<a href='§/x/§?a=§#§'>x</a>",
    "link, query": "<a href='?a=§&amp;b=§'>x</a>",
    "link, query with a bare ampersand": "<a href='/x?a=1&§=§'>x</a>",
    "link, fragment": "<a href='#§'>x</a>",
    "mail": "<a href='mailto:§?subject=§'>x</a>",
    "telephone": "<a href='tel:§'>x</a>",
    "form": "<form action='§'><button formaction='§'>x</button></form>",
    "cite": "<q cite='§'>x</q>",
    "svg link": "<svg><a xlink:href='§' href='§'><rect/></a></svg>",
    "svg use": "<svg><use href='#§'/></svg>",
    "svg paint": "<svg><rect fill='§' mask='§' stroke=§ width='§'/></svg>",
    "style": "<p style='width: §%; color: §'>x</p>",
    "style, no quotes": "<p style=color:§>x</p>",
    "style, string": """<p style='font-family: "§", serif'>x</p>""",
    "style, other quotes": """<p style="font-family: '§'; color: §">x</p>""",
    "style, function": "<p style='width: calc(100% - §px); color: rgb(§, §, §)'>x</p>",
    "style, group": "<p style='width: calc((§) / 2); clip-path: inset(§ § round §)'>x</p>",
    "style, variable of a value": "<p style='--a: §; background: image-set(var(--a) 1x), §'>x</p>",
    "style, string variable": """<p style='--a: "§"; background: §, §; mask: §'>x</p>""",
    "style, halves of a name": "<p style='background: ur§; mask: image-§; color: §§; fill: url§'>x</p>",
    "style, reference": "<p style='clip-path: url(#§); mask: url(#a§) §; filter: blur(§px)'>x</p>",
    "svg references": (
        "<svg><defs><lineargradient id='§' href='#§'/></defs><rect fill='url(#§)' clip-path=url(#a§) "
        "filter='url(#§)' marker-end='url(\"#§\")' style='stroke: url(#§); mask: url(#§)'/></svg>"
    ),
    "style, entities": "<p style='font-family: &quot;§&quot;'>x</p>",
    "data script": '<script type=\'application/json\'>{"a": §, "b": [§]}</script>',
    "style element": "<style>.a { width: §px; color: § } .b { color: red }</style>",
    "style element, string": "<style>.a::before { content: '§' }</style>",
}
LOADING = {
    "image": "<img src='§' alt='§'>",
    "image, no quotes": "<img src=§>",
    "image, path": "<img src='https://cdn.example/§/a.png'>",
    "image element by its other name": "<image src='§'>",
    "srcset": "<img srcset='§'>",
    "srcset, candidates": "<img srcset='§ 1x, /a/§.png 2x, /b§ §x'>",
    "picture": "<picture><source srcset='§'><img src='/x.png'></picture>",
    "video": "<video poster='§' src='§'></video>",
    "svg image": "<svg><image href='§' xlink:href='§'/></svg>",
    "style, address": "<p style='background: url(§); color: §'>x</p>",
    "style, no quotes, address": "<p style=background:url(§)>x</p>",
    "style, quoted address": """<p style='background: url("§") no-repeat'>x</p>""",
    "style, address in other quotes": """<p style="list-style-image: url('§')">x</p>""",
    "style, parts of an address": "<p style='background: url(https://cdn.example/§/a.png?b=§&amp;c=§#§)'>x</p>",
    "style, variable": "<p style='--photo: url(§); background: var(--photo)'>x</p>",
    "style element, address": "<style>.a, p { background: url(§) } .b { color: red }</style><p>x</p>",
    "frame": "<iframe src='https://player.example/embed/§?t=§'></iframe>",
}
FIXED_HOSTS = {
    "image, path": "https://cdn.example/",
    "style, parts of an address": "https://cdn.example/",
    "frame": "https://player.example/embed/",
}

EACH_IN_FRAMES = 8
"""Frames take each eighth string: one takes as long as ten images, and `image, path` escapes as they do."""


@pytest.mark.parametrize("way", ["attached", "scripts"])
@pytest.mark.parametrize("name", CONTEXTS)
def test_hostile_values_run_no_script_and_fetch_nothing(laboratory, parts, hostile, name, way) -> None:
    laboratory.happened()
    assert laboratory.call("trial", parts(CONTEXTS[name]), "x", hostile, way) == []
    assert laboratory.happened() == []


@pytest.mark.parametrize("name", CONTEXTS)
def test_hostile_values_run_no_script_in_a_server_rendered_page(laboratory, parts, hostile, name) -> None:
    laboratory.happened()
    assert laboratory.call("written", parts(CONTEXTS[name]), "x", hostile) == []
    assert laboratory.happened() == []


@pytest.mark.parametrize("name", CONTEXTS)
def test_hostile_markup_runs_no_script(laboratory, parts, hostile, name) -> None:
    """Markup is printed as it is between tags. In quotes, addresses, styles and RCDATA it is escaped."""
    laboratory.happened()
    faults = laboratory.call("trial", parts(CONTEXTS[name], markup=True), "x", hostile, "scripts")
    assert [fault for fault in faults if fault[2] != "placeholder"] == []
    assert laboratory.happened() == []


@pytest.mark.parametrize("name", LOADING)
def test_only_urls_with_allowed_schemes_are_loaded(laboratory, parts, hostile, name) -> None:
    laboratory.happened()
    values = hostile[:: EACH_IN_FRAMES if name == "frame" else 1]
    assert laboratory.call("trial", parts(LOADING[name]), "x", values, "scripts") == []
    start, loaded = FIXED_HOSTS.get(name, "http"), laboratory.happened()
    assert loaded
    assert [url for url in loaded if not url.startswith(start)] == []


KEPT = [
    ("background-image", "linear-gradient(90deg, #fff 0%, #000 100%)"),
    ("background-image", "repeating-conic-gradient(from 45deg at 1px 2px, red 0 25%, rgb(0 0 0 / 0) 0 50%)"),
    ("background-image", "radial-gradient(circle at top left, hsl(120deg 50% 50%), transparent 40%), none"),
    ("background-image", "-webkit-cross-fade(linear-gradient(red, blue), linear-gradient(red, red), 50%)"),
    ("background", "no-repeat center/cover linear-gradient(\n  red,\n  blue\n)"),
    ("width", "calc((100% - 10px) / 2)"),
    ("width", "calc(100%/3 - 2*1em - 2*1px)"),
    ("width", "min(100%, max(10px, calc(1vw + (2px * 3))))"),
    ("width", "clamp(1rem, 2.5vw, 2rem)"),
    ("width", "round(up, 101px, 10px)"),
    ("rotate", "atan2(1, sqrt(2))"),
    ("filter", "drop-shadow(0 0 2px rgba(0, 0, 0, .5)) hue-rotate(90deg) blur(2px)"),
    ("backdrop-filter", "saturate(180%) contrast(1.2)"),
    ("clip-path", "polygon(evenodd, 0 0, 100% 0, calc(100% - 1em) 100%)"),
    ("clip-path", "inset(10px round 5px / 2px)"),
    ("clip-path", "ellipse(50% 40% at 50% 50%)"),
    ("clip-path", "path('M0 0h9v-9.5l-3,4z')"),
    ("clip-path", "xywh(1px 2px 50% 50% round 1px)"),
    ("offset-path", "ray(45deg closest-side contain)"),
    ("font-family", "\"Open Sans\", 'Noto Serif', Arial, sans-serif"),
    ("font-family", '"Ā „Grotesk“"'),
    ("font", 'italic bold 12px/1.5 "A B", serif'),
    ("color", "color-mix(in oklch, var(--none, red) 40%, #c8501a)"),
    ("color", "oklch(70% 0.1 200 / 50%)"),
    ("color", "rgb(from red r g calc(b + 20))"),
    ("color", "light-dark(#fff, black)"),
    (
        "transform",
        "translate(-50%, calc(-1 * 10px)) rotate(0.5turn) matrix3d(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1)",
    ),
    ("transition-timing-function", "linear(0, 0.25, 1), cubic-bezier(0.4, 0, 0.2, 1), steps(4, jump-end)"),
    (
        "grid-template-columns",
        "[full-start] minmax(1rem, 1fr) [main-start] repeat(auto-fit, minmax(5em, 1fr)) [end]",
    ),
    ("grid-template-areas", '"head head" "side main"'),
    ("grid-area", "1 / 2 / span 3 / -1"),
    ("aspect-ratio", "16/9"),
    ("content", '"„" attr(data-x) counter(list, upper-roman) "\\201C"'),
    ("quotes", "'«' '»'"),
    ("box-shadow", "inset 0 0 0 1px rgb(0 0 0/.1), 0 1px 2px #0003"),
    ("mask-image", "linear-gradient(to right, transparent, black 10%)"),
    ("will-change", "transform, opacity"),
    ("font-feature-settings", '"tnum" 1, "ss01" off'),
    ("animation", "1s ease-in-out infinite alternate spin"),
    ("shape-outside", "circle(closest-side at 10px 10px)"),
    ("margin", "0 auto !important"),
    ("text-decoration", "underline wavy color-mix(in srgb, red, blue)"),
]
"""Values that load nothing, of the kinds that shops have."""


@pytest.mark.parametrize(("name", "value"), KEPT)
def test_value_that_loads_nothing_is_kept(laboratory, parts, name: str, value: str) -> None:
    read = """([name, html]) => {
      const host = document.createElement("div");
      host.innerHTML = html;
      document.body.append(host);
      const style = host.querySelector("style");
      const rule = style ? style.sheet.cssRules[0].style : host.firstChild.style;
      const value = [rule.getPropertyValue(name), rule.getPropertyPriority(name)];
      host.remove();
      return value;
    }"""
    bare, _, important = value.partition(" !")
    expected = laboratory.page.evaluate(
        "([name, value]) => { const p = document.createElement('p'); p.style.setProperty(name, value);"
        " return p.style.getPropertyValue(name); }",
        [name, bare],
    )
    assert expected
    for template in (
        f'<p style="{name}: §">x</p>',
        f"<p style='{name}: §'>x</p>",
        f"<style>p {{ {name}: § }}</style>",
    ):
        pieces = parts(template)
        html = laboratory.call("fillAll", pieces, [value])[0]
        assert laboratory.page.evaluate(read, [name, html]) == [expected, important]


CSS_WORDS = [
    "ur", "l(", "url(", "URL(", "src(", "image(", "set(", "-set(", "image-set(", "-webkit-image-set(", "--f(",
    "e(", "ge(", "cross-fade(", "attr(", "env(", "var(--a)", "path(", "calc(", "paint(", "expression(", "(",
    ")", ")", ")", '"', "'", "\\", "\\22 ", "\\a", "/", "*", "/*", "*/", "//", " ", " ", ",", "-", "--", "#",
    "//evil.test/a", "evil.png", '"//evil.test/b"', "'//evil.test/c'", "linear-gradient(red, blue)", "1x",
    "red", "10px", "%", "!important", ";", ":", "{", "}", "[", "]", "@", "&quot;", "&", "<", "</style>", "\n",
    "\u212a", "\ud800", "\u00e9", "if(", "image\u00e9(",
]  # fmt: skip
"""Pieces of values: names of functions and their halves, quotes, groups, marks that begin or end something."""
CSS_TEMPLATES = {
    "<p style='color: red; background: §; top: 0'>x</p>": "top",
    "<p style='background: ur§§; mask: image-§ 1x), §; top: 0'>x</p>": "",
    "<p style='--a: \"§\"; background: §, §; mask: §; top: 0'>x</p>": "top",
    "<p style='--a: §; background: image-set(var(--a) 1x); mask: image-set(var(--b) 1x); --b: §; top: 0'>x</p>": "top",
    "<p style='width: calc((§) * §); background: linear-gradient(§, §); top: 0'>x</p>": "top",
    "<p style=background:§>x</p>": "",
    "<p style='list-style: url(#§) §; clip-path: url(#§); top: 0'>x</p>": "top",
    "<style>.a { background: §; top: 0 } .b { mask: '§' §; top: 0 } p { top: 0 }</style><p class='a b'>x</p>": "rules",
}


css_soup = st.lists(st.sampled_from(CSS_WORDS), min_size=1, max_size=7).map("".join)
css_calls = st.builds(
    "{}{}{} 1x)".format,
    st.sampled_from(["", "red ", "none, ", "linear-gradient(red, blue), ", "0 0 / 1px "]),
    st.sampled_from([word for word in CSS_WORDS if word.endswith("(")]),
    st.sampled_from([*(word for word in CSS_WORDS if "evil" in word), "url(//evil.test/d)", "(0 + 1"]),
)
"""Calls of functions with an address, where a browser takes them: words alone would seldom make one."""

css_values = css_soup | css_calls


@settings(max_examples=volume("css-values"), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(CSS_TEMPLATES)), st.lists(css_values, min_size=20, max_size=60))
@example("<p style='background: ur§§; mask: image-§ 1x), §; top: 0'>x</p>", ["l(evil.png)", "set('evil.png'"])
def test_generated_value_in_a_style_loads_nothing_and_stays_in_its_declaration(
    laboratory, parts, template: str, values: list[str]
) -> None:
    try:
        pieces = parts(template)
    except HtmlRefusal:
        assert CSS_TEMPLATES[template] == ""
        return
    holes = len(pieces) // 2
    rows = [[values[(row + 3 * hole) % len(values)] for hole in range(holes)] for row in range(len(values))]
    declared = laboratory.call("declared", pieces, rows)
    if CSS_TEMPLATES[template] == "top":
        assert all("top" in names.split(",") for names in declared)
        own = {name.partition(":")[0].strip().rpartition("'")[2] for name in template.split(";")}
        longhands = (*own, "-webkit-mask")
        assert all(name.startswith(longhands) for names in declared for name in names.split(","))
    elif CSS_TEMPLATES[template] == "rules":
        shapes = {tuple(rule.partition("{")[0] for rule in names.split("},")) for names in declared}
        assert shapes == {(".a", ".b", "p")}
    assert laboratory.call("trial", pieces, "x", rows, "attached") == []
    assert laboratory.happened() == []


def test_planted_address_in_a_style_is_detected(laboratory) -> None:
    laboratory.happened()
    raw = ["<p style='background: ", "escapeMarkupInSingleQuotes", "'>x</p>"]
    planted = [
        'image-set("//evil.test/a" 1x)',
        "url(//evil.test/b)",
        "-webkit-image-set(url(//evil.test/c) 1x)",
    ]
    laboratory.call("trial", raw, "x", planted, "attached")
    seen, end = laboratory.happened(), monotonic() + 5
    while len(seen) < len(planted) and monotonic() < end:
        seen += laboratory.happened()
    assert sorted(seen) == [f"http://evil.test/{name}" for name in "abc"]


TEXTS = {
    "text": ("<p class=x>§</p>", None),
    "textarea": ("<textarea class=x>§</textarea>", None),
    "pre": ("<pre class=x>§</pre>", None),
    "listing": ("<listing class=x>§</listing>", None),
    "title": ("<title class=x>§</title>", None),
    "double quotes": ('<p class=x title="§">', "title"),
    "single quotes": ("<p class=x title='§'>", "title"),
    "no quotes": ("<p class=x title=§>", "title"),
    "data": ("<p class=x data-y='§'>", "data-y"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_browser_reads_back_the_printed_text(laboratory, parts, hostile, name) -> None:
    template, attribute = TEXTS[name]
    read = laboratory.call("read", parts(template), hostile, attribute)
    dropped = "" if name in {"text", "pre", "listing"} else "\ufffd"
    expected = [as_parsed(text).replace("\0", dropped) for text in hostile]
    assert read == expected


def as_parsed(text: str) -> str:
    """The text with line ends as after HTML parsing (WHATWG HTML, 13.2.3.5)."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def test_there_are_more_than_five_hundred_different_hostile_strings(all_hostile) -> None:
    assert len(set(all_hostile)) == len(all_hostile) > 500


def test_value_in_a_style_attribute_sets_no_other_property(laboratory, parts, hostile) -> None:
    declared = laboratory.call("declared", parts("<p style='width: §px; color: §'>x</p>"), hostile)
    assert set(declared) <= {"", "width", "color", "width,color"}


@pytest.mark.parametrize("value", [["calc("], ["rgb(1", "2"], ["red", "var(--x"], [["min(max("]]])
@pytest.mark.parametrize(
    ("template", "declared"),
    [
        ("<p style='width: 1px; color: §; display: none; top: 0'>x</p>", "width,color,display,top"),
        ("<style>.a { color: § } .b { display: none }</style>", ".a{color},.b{display}"),
    ],
)
def test_list_in_a_style_leaves_no_open_parenthesis(
    laboratory, parts, template: str, declared: str, value: list[object]
) -> None:
    """An open parenthesis would make the browser ignore the author's later declarations and rules."""
    assert laboratory.call("declared", parts(template), ["red"]) == [declared]
    rendered = laboratory.page.evaluate(
        "([parts, value]) => { try { return laboratory.declared(parts, [[value]]); } catch { return null; } }",
        [parts(template), value],
    )
    assert rendered is None


@pytest.mark.parametrize("url", ["url(§)", "url( §/§ )", "url('§')", 'url("/a/§?b=§")', "url(/§.png)"])
def test_value_in_a_css_url_sets_no_other_property(laboratory, parts, hostile, url: str) -> None:
    escaped = url.replace('"', "&quot;").replace("'", "&#39;")
    template = f"<p style='list-style-image: {escaped}; color: red'>x</p>"
    assert set(laboratory.call("declared", parts(template), hostile)) == {"list-style-image,color"}
    element = f"<style>.a {{ list-style-image: {url} }} .b {{ color: red }}</style>"
    assert set(laboratory.call("declared", parts(element), hostile)) == {".a{list-style-image},.b{color}"}
    laboratory.happened()


def test_data_script_with_a_hostile_value_is_one_json_value(laboratory, parts, hostile) -> None:
    template = """<script class=x type='application/json'>{"a": §}</script>"""
    values = [*hostile, *(json.dumps(value) for value in hostile)]
    read = laboratory.call("read", parts(template), values, None)
    assert [json.loads(text)["a"] for text in read[len(hostile) :]] == hostile
    assert all(isinstance(json.loads(text), dict) for text in read)


def test_value_in_a_style_element_adds_no_rule(laboratory, parts, hostile) -> None:
    template = "<style>.a { width: §px } .b { quotes: '§' '§' }</style>"
    declared = laboratory.call("declared", parts(template), hostile)
    assert set(declared) <= {".a{width},.b{quotes}", ".a{},.b{quotes}"}


def test_laboratory_detects_planted_attacks(laboratory) -> None:
    laboratory.happened()
    raw = ["<p>", "escapeMarkupInDoubleQuotes", "</p>"]
    values = [
        "<img src=//evil.test/i onerror=alert(1)>",
        "<a href=javascript:pwn()>",
        "<script>pwn()</script>",
        "{{svc_language}}",
    ]
    detected = {fault[2] for fault in laboratory.call("trial", raw, "x", values, "scripts")}
    assert detected == {"skeleton", "address", "placeholder"}
    seen, end = laboratory.happened(), monotonic() + 5
    while len(seen) < 3 and monotonic() < end:  # the page executes `onerror` after the failure is known here
        seen += laboratory.happened()
    assert sorted(seen) == ["executed", "executed", "http://evil.test/i"]

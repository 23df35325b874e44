"""`awning add widget NAME --from old.html`: the verbatim widget of a snippet, and the snippets that are refused."""

import tomllib
from contextlib import chdir

import pytest
from command_line import call_awning
from project import Project

SUBSCRIBES = 'svcPlugins.subscribeEvent("svc-content-{slot}", function (e, init) {{ init().setContent("<p>x</p>"); }});'
PLAIN = f"<script>{SUBSCRIBES.format(slot='after-price')}</script>"


@pytest.fixture
def bring(project, awning):
    """Import a snippet as the widget `old`. Returns the result of the command.

    The workspace has no other widget: types of scripts would take most of the time.
    """

    def call(html, *options):
        content = html if isinstance(html, bytes) else html.encode()
        (project.root / "old.html").write_bytes(content)
        return awning("add", "widget", "old", "--from", "old.html", *options)

    return call


def text(project, path):
    return (project.root / "widgets" / "old" / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("slots", "line"),
    [
        (("after-price",), 'slot = "after-price"'),
        (("after-cart",), 'slot = "after-cart"'),
        (("after-checkout-updated", "after-price"), 'slots = ["after-price", "after-checkout"]'),
    ],
)
def test_slots_are_taken_from_the_subscribed_events(project, bring, awning, slots, line):
    html = "".join(f"<script>{SUBSCRIBES.format(slot=slot)}</script>" for slot in slots)
    result = bring(html)
    assert result.code == 0
    assert line in text(project, "widget.toml").splitlines()
    assert awning("build", "--allow-errors").code == 0


OTHER_HOSTS = {
    "a style sheet": ('<link rel=stylesheet href="https://a.example/b.css?c#d">', "https://a.example/b.css"),
    "a style sheet of the page's scheme": (
        '<link rel=stylesheet href="//a.example/b.css">',
        "http://a.example/b.css",
    ),
    "a host": ('<link rel=stylesheet href="https://a.example">', "https://a.example/"),
    "a script": ('<script src="https://a.example/b.js"></script>', "https://a.example/b.js"),
    "a picture": ('<img src="https://a.example/b.png?c=1&amp;d" alt="">', "https://a.example/b.png"),
    "a host in capitals with its port": (
        '<img src="HTTPS://A.example:443/ā b.png" alt="">',
        "https://a.example/%C4%81%20b.png",
    ),
    "a host and a path that browsers write in another way": (
        '<img src="https://straße.example/a|b^" alt="">',
        "https://xn--strae-oqa.example/a%7Cb%5E",
    ),
    "pictures of several sizes": (
        '<img srcset="b.png 1x, https://a.example/c,d.png 2x" alt="">',
        "https://a.example/c,d.png",
    ),
    "the poster of a video": ('<video poster="//a.example/b.png"></video>', "http://a.example/b.png"),
    "an object": ('<object data="https://a.example/b"></object>', "https://a.example/b"),
    "a picture in a drawing": ('<svg><image href="https://a.example/b"/></svg>', "https://a.example/b"),
    "a picture in a style attribute": (
        "<p style='a: url(\"https://a.example/b\")'>a</p>",
        "https://a.example/b",
    ),
    "an address with brackets": (
        "<style>a { b: url('https://a.example/b(1).png') } /* url(https://a.example/c) */</style>",
        "https://a.example/b(1).png",
    ),
    "a style by url in a style": ("<style>@import url(//a.example/b);</style>", "http://a.example/b"),
    "a picture in a style": (
        "<style>a { b: url(https://a.example/b.png) }</style>",
        "https://a.example/b.png",
    ),
    "a loader": (
        "<script>var s = document.createElement('script'); s.src = '//a.example/b.js?c';</script>",
        "http://a.example/b.js",
    ),
    "jQuery": (
        '<script src="https://code.jquery.com/jquery-3.6.0.min.js"></script>',
        "https://code.jquery.com/jquery-3.6.0.min.js",
    ),
    "a style in a style": ("<style>@import 'https://a.example/b.css';</style>", "https://a.example/b.css"),
}


@pytest.fixture(scope="module")
def brought(tmp_path_factory):
    """A workspace with a widget for each snippet of OTHER_HOSTS, by its name, and what `add widget` said of it."""
    project, said = Project(tmp_path_factory.mktemp("shop")), {}
    for number, (case, (html, _)) in enumerate(OTHER_HOSTS.items()):
        file = project.root / f"old-{number}.html"
        file.write_text(f"{PLAIN}\n{html}", encoding="utf-8")
        with chdir(project.root):
            said[case] = call_awning("add", "widget", file.stem, "--from", file.name).err
    return project, said


@pytest.mark.parametrize(("number", "case"), list(enumerate(OTHER_HOSTS)), ids=OTHER_HOSTS)
def test_state_answers_for_a_file_of_another_host_and_a_remark_names_the_line(brought, number, case):
    project, said = brought
    states = (project.root / f"widgets/old-{number}/states.toml").read_text(encoding="utf-8")
    assert tomllib.loads(states)["state"][0]["fetch"] == {OTHER_HOSTS[case][1]: 200}
    line = f"old-{number}.html:2: tests ask no other host: states.toml has an empty answer"
    assert line in said[case]


def test_widgets_with_files_of_other_hosts_build(brought):
    project, _ = brought
    project.build()
    assert project.dist("body.html").count("subscribeEvent") == len(OTHER_HOSTS)


NO_OTHER_HOST = {
    "the page's own": '<script src="/b.js"></script><img src="b.png" alt="">',
    "a pixel for pages without JavaScript": '<noscript><img src="https://a.example/b.png" alt=""></noscript>',
    "a template": '<template><img src="https://a.example/b.png" alt=""></template>',
    "a script that does not run": '<script nomodule src="https://a.example/b.js"></script>',
    "a link to follow": '<a href="https://a.example/">a</a><img data-src="https://a.example/b.png" src="b.png" alt="">',
}


@pytest.mark.parametrize("case", NO_OTHER_HOST, ids=str)
def test_state_has_no_answer_when_no_other_host_is_asked(project, bring, case):
    result = bring(NO_OTHER_HOST[case] + PLAIN)
    assert "fetch" not in tomllib.loads(text(project, "states.toml"))["state"][0]
    assert "tests ask no other host" not in result.err


def test_address_with_the_language_has_no_answer_and_a_remark_asks_for_one(project, bring):
    result = bring(PLAIN + '\n<img src="https://a.example/{{svc_language}}/b.png?c" alt="">')
    assert "fetch" not in tomllib.loads(text(project, "states.toml"))["state"][0]
    assert (
        "old.html:2: tests ask no other host: name an answer for each language in states.toml" in result.err
    )


GLOBALS = {
    "letters that are not ASCII": ("<script>function ārējs() {} </script>", {"ārējs"}),
    "a variable in a block": ("<script>if (1) { var a; function b() {} let c; }</script>", {"a", "b"}),
    "a loop": ("<script>for (var i in {}) {} for (const j of []) {}</script>", {"i"}),
    "a pattern": ("<script>var {a, b: [c]} = x;</script>", {"a", "c"}),
    "no declaration": ("<script>(function () { a = 1; var b; b = 2; })();</script>", {"a"}),
    "no declaration in a loop or a pattern": (
        "<script>(function () { for (a in {}) {} [b, ...c] = {}; ({ d, e: f = 1, g: b.h } = {}); })();</script>",
        {"a", "b", "c", "d", "f"},
    ),
    "a member of the window": ("<script>window.$b = 1; self['c'] = 2; a.d = 3;</script>", {"$b", "c"}),
    "the service's own name": ("<script>window.svcPlugins = window.svcPlugins || 1;</script>", set()),
    "what every page has": ("<script>window.onload = f; location = '#a';</script>", set()),
    "names of its own": ("<script>let a; const b = 1; class C {} (() => { var d; })();</script>", set()),
    "a module": ('<script type="module">var a; window.b = 1;</script>', {"b"}),
    "a loader with the window as an argument": (
        "<script>(function (w, d, n) { w[n] = w[n] || []; w.q = 1; })(window, document, 'layer');</script>",
        {"layer", "q"},
    ),
    "libraries with the window as an argument": (
        "<script>(function (g, f) { g.A = f(); }(this, f)); (g => g.B = 1)(typeof self == 'a' ? self : this);</script>",
        {"A", "B"},
    ),
    "a module, whose this is not the window": (
        (
            "<script type=module>(function (g) { g.a = 1; })(this); (g => g.C = 1)(window);</script>"
            "<script>(function (g) { g.D = 1; })(this);</script>"
        ),
        {"C", "D"},
    ),
    "parameters of other functions with the name of the window's": (
        """<script>!function (e, t) { e.A = t(); (() => { e.B = 1; })();
        try {} catch (e) { e.d = 1; } [function (e) { e.b = 1; }, () => { var e = {}; e.c = 1; }];
        }(this, function () { function f(e) { e.g = 1; } });
        </script>""",
        {"A", "B"},
    ),
    "an object as an argument": (
        """<script>(function () { (g => g.B = 1)(window); })(); (() => { (function (g) { g.C = 1; })(this); })();
        (function () { (function (g) { g.a = 1; })(this); })(); new class { x = (function (g) { g.d = 1; })(this); };
        </script>""",
        {"B", "C"},
    ),
    "a function that defines members of the window": (
        "<script>Object.assign(window, { a: 1, 'b': 2 }); Object.defineProperty(window, 'c', {});</script>",
        {"a", "b", "c"},
    ),
    "this outside of functions": (
        (
            "<script>this.a = 1; (() => { this['b'] = 2; })(); f = function () { this.c = 3; };</script>"
            "<script type=module>this.d = 1;</script>"
        ),
        {"a", "b", "f"},
    ),
    "a script that no browser runs": ("<script nomodule>var a;</script>", set()),
    "a script with a syntax error beside another": (
        "<script>var a = ;</script><script>var b;</script>",
        {"b"},
    ),
}


@pytest.mark.parametrize("case", GLOBALS, ids=str)
def test_globals_of_a_snippet_are_allowed_and_remarked(project, bring, case):
    html, names = GLOBALS[case]
    result = bring(f"{PLAIN}\n{html}")
    settings = tomllib.loads(text(project, "widget.toml"))
    assert settings.get("globals", {}) == dict.fromkeys(names, "old.html leaves it on the window")
    assert ("old.html:2: names on the window, as before" in result.err) == bool(names)


def test_name_of_the_snippet_is_any_text_in_widget_toml(project, awning):
    project.add_widget()
    (project.root / "😀\x7f.html").write_text(f"<script>window.x = 1;</script>{PLAIN}", encoding="utf-8")
    result = awning("add", "widget", "old", "--from", "😀\x7f.html")
    assert result.code == 0, result.err
    settings = tomllib.loads(text(project, "widget.toml"))
    assert settings["globals"] == {"x": "😀\x7f.html leaves it on the window"}


@pytest.mark.parametrize(
    "html",
    [
        PLAIN,
        f"<html lang=lv>\r\n<body onload='f()'>\r\n<p>{{{{svc_language}}}} {{% x %}}</p>\r\n{PLAIN}</body></html>\r\n",
        f"<!-- by Ann --><style>p {{ }}</style><p>ā<noscript><style>p {{}}</style></noscript>{PLAIN}",
        f"<script>var a = ;</script>{PLAIN}",
    ],
)
def test_snippet_is_in_the_widget_and_in_dist_byte_for_byte(project, bring, awning, html):
    result = bring(html)
    assert result.code == 0, result.err
    assert (project.root / "widgets/old/body.html").read_bytes() == html.encode()
    assert awning("build", "--allow-errors").code == 0
    for language in ("", "en/", "lv/"):
        content = project.tree()[f"widgets/old/{language}body.html"].decode()
        assert content.partition("-->")[2] == html


def test_byte_order_mark_is_left_out(project, bring):
    bring(b"\xef\xbb\xbf" + PLAIN.encode())
    assert text(project, "body.html") == PLAIN


def test_snippet_of_the_head_is_in_the_head_snippet(project, awning):
    project.add_file("head.html", "<script>window.early = 1;</script>")
    project.add_file("old.html", PLAIN)
    result = awning("add", "widget", "old", "--from", "old.html", "--from-head", "head.html")
    assert result.code == 0, result.err
    assert tomllib.loads(text(project, "widget.toml"))["globals"] == {
        "early": "head.html leaves it on the window"
    }
    assert awning("build").code == 0
    assert project.dist("head.html").endswith("--><script>window.early = 1;</script>")


def test_snippet_that_does_not_subscribe_has_no_slot_and_an_empty_state(project, bring, awning):
    result = bring("<script>window.a = 1;</script>")
    assert result.code == 0
    assert "old.html: no script calls svcPlugins.subscribeEvent, so the widget has no slot" in result.err
    assert "slot" not in tomllib.loads(text(project, "widget.toml"))
    (state,) = tomllib.loads(text(project, "states.toml"))["state"]
    assert (state["payload"], state["empty"]) == ("P1", True)
    assert awning("build").code == 0


def test_event_that_names_no_slot_is_remarked(project, bring):
    result = bring("<script>svcPlugins.subscribeEvent(name, f);</script>")
    assert "old.html: no event tells the slot: if the widget has one, name it in widget.toml" in result.err
    assert "empty" not in tomllib.loads(text(project, "states.toml"))["state"][0]


@pytest.mark.parametrize(
    ("html", "is_off"), [("<p>a</p>", True), ("<noscript><p>a</p></noscript><style>a {}</style>", False)]
)
def test_check_of_the_page_is_off_for_a_snippet_with_elements(project, bring, html, is_off):
    bring(html + PLAIN)
    assert ("page-intact" in tomllib.loads(text(project, "widget.toml")).get("checks", {})) == is_off


FINDINGS = {
    "code that is run": (PLAIN.replace("init()", "eval('1'); init()"), "widgets/old/body.html:1:", "no-eval"),
    "document.write": (f"\n<script>document.write('a')</script>{PLAIN}", "body.html:2:9:", "document-write"),
    "a syntax error": (f"<script>var a = ;</script>\n{PLAIN}", "body.html:1:17:", "script-syntax"),
    "an open comment": (f"{PLAIN}\n<!-- a", "body.html:2:1:", "open-end"),
    "an event rule": (
        PLAIN.replace("init().", "init(); init()."),
        "body.html:1:",
        "init-once",
    ),
}


@pytest.mark.parametrize("case", FINDINGS, ids=str)
def test_findings_of_the_check_are_printed_with_their_place(bring, case):
    html, place, rule = FINDINGS[case]
    result = bring(html)
    assert result.code == 0
    assert place in result.err
    assert f"[{rule}]" in result.err


VALID = {
    "the code of a sloppy script": (
        "<script>with (a) { b }; var await = 1; f('\\251'); function l(a, a) {}\n<!-- c\n</script>"
    ),
    "a module": "<script type=module>const a = await f(); export { a };</script>",
    "data and templates": (
        "<script type='application/json'>{</script><template><script>(</script></template>"
        "<noscript><script>(</script></noscript><script nomodule>(</script>"
    ),
}


@pytest.mark.parametrize("case", VALID, ids=str)
def test_valid_code_of_a_snippet_has_no_syntax_error(bring, case):
    assert "script-syntax" not in bring(VALID[case] + PLAIN).err


REFUSED = {
    "an empty file": (" \n", (), "old.html is empty"),
    "another slot": (
        PLAIN,
        ("--slot", "after-cart"),
        "subscribes to events of after-price, not of after-cart",
    ),
    "a binary file": (b"\x89PNG\r\n\x1a\n\0\0" + PLAIN.encode(), (), "old.html"),
    "another encoding": (PLAIN.replace("x", "ā").encode("utf-16"), (), "old.html"),
    "bare": (PLAIN, ("--bare",), "exclude each other"),
}


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_invalid_snippet_is_refused_and_nothing_is_written(project, bring, case):
    html, options, message = REFUSED[case]
    result = bring(html, *options)
    assert result.code == 2
    assert message in result.err
    assert not (project.root / "widgets" / "old").exists()


def test_slot_option_is_used_when_no_event_names_a_slot(project, bring):
    assert bring("<script>svcPlugins.subscribeEvent(name, f);</script>", "--slot", "after-cart").code == 0
    assert 'slot = "after-cart"' in text(project, "widget.toml")


def test_missing_file_and_existing_widget_name_are_refused(project, awning, bring):
    assert awning("add", "widget", "x", "--from", "none.html").code == 2
    assert bring(PLAIN).code == 0
    before = project.tree("widgets")
    assert bring(PLAIN.replace("<p>", "<b>")).code == 2
    assert project.tree("widgets") == before


def test_new_widget_without_a_slot_is_refused(project, awning):
    result = awning("add", "widget", "x")
    assert result.code == 2
    assert "--slot after-price" in result.err


def test_names_of_the_profiles_dialect_are_recognised(project, awning):
    project.add_file(
        "pyproject.toml",
        '[tool.awning]\nlanguages = ["en"]\n[tool.awning.profiles.default.dialect]\n'
        'global_object = "shopPlugins"\nevent_prefix = "shop-"\nplaceholder_prefix = "shop_"\n',
    )
    html = PLAIN.replace("svcPlugins", "shopPlugins").replace("svc-", "shop-")
    project.add_file("old.html", html)
    assert awning("add", "widget", "old", "--from", "old.html").code == 0
    assert tomllib.loads(text(project, "widget.toml"))["slot"] == "after-price"

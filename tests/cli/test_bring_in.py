"""`awning add widget NAME --from old.html`: the files made from a snippet, and the snippets that are refused."""

import tomllib

import pytest

SUBSCRIBES = 'svcPlugins.subscribeEvent("svc-content-{slot}", function (e, init) {{ init().setContent("<p>x</p>"); }});'
PLAIN = f"<script>{SUBSCRIBES.format(slot='after-price')}</script>"


@pytest.fixture
def bring(project, awning):
    """Import a snippet as the widget `old`. Returns the result of the command."""
    project.add_widget()

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


FILES = {
    "the script": (PLAIN, "widget.ts", "svcPlugins.subscribeEvent"),
    "jQuery's own name": (
        PLAIN.replace("init()", "$('a'); init()"),
        "widget.ts",
        "declare const $: any, jQuery: any;",
    ),
    "a style": ("<style>.a { b: c }</style>" + PLAIN, "style.css", ".a { b: c }"),
    "a style for a medium": (
        "<style media=print>.a{}</style>" + PLAIN,
        "style.css",
        "@media print {\n.a{}\n}",
    ),
    "the markup": (
        '<p id="b" class="a">1 &lt; 2</p>' + PLAIN,
        "markup.html.j2",
        '<p id="b" class="a">1 &lt; 2</p>\n',
    ),
    "braces in the markup": ("<p>{{ x }} {% y</p>" + PLAIN, "markup.html.j2", "{{ '{{' }} x }} {{ '{%' }} y"),
    "the language in the markup": (
        '<p lang="{{svc_language}}">a</p>' + PLAIN,
        "markup.html.j2",
        '"{{ language }}"',
    ),
    "a comment": ("<!-- by Ann -->" + PLAIN, "widget.ts", "// by Ann\n"),
    "a comment above a module": (
        f"<!-- by Ann -->{PLAIN}<script type=module>let a = 1;</script>",
        "widget.ts",
        "// by Ann\n",
    ),
    "a script of the head": (
        f"<head><script>var a = 1;</script></head><body>{PLAIN}</body>",
        "head.ts",
        "var a = 1;",
    ),
    "a module": (PLAIN + "<script type=module>let a = 1;</script>", "module-1.ts", "let a = 1;"),
    "a script beside markup": ("<p id=a>a</p>" + PLAIN, "widget.ts", "\n\nsvcPlugins.subscribeEvent"),
    "a script that uses the markup": (
        "<p id=a>a</p>" + PLAIN.replace("<script>", "<script>f('#a');"),
        "widget.ts",
        "whenParsed(() => {\nf('#a');svcPlugins",
    ),
    "a script that uses a form": (
        "<form name=box></form>" + PLAIN.replace("<script>", "<script>document.forms.box.q.value = 1;"),
        "widget.ts",
        "whenParsed(() => {\ndocument.forms.box",
    ),
    "a script from elsewhere beside markup": (
        '<p>a</p><script src="https://a.example/b.js"></script>' + PLAIN,
        "widget.ts",
        "whenParsed(() => {\nvoid load(",
    ),
    "a module's imports": (
        PLAIN + '<script type=module>let a = 1;\nimport "./parsed.ts";</script>',
        "module-1.ts",
        'import "./parsed.ts";\n\nwhenParsed(() => {\nlet a = 1;\n',
    ),
    "data": (PLAIN + '<script type="application/json" id="d">[1]</script>', "page.ts", '[1]</script>")'),
    "a style sheet": (
        '<link rel=stylesheet href="https://a.example/b.css">' + PLAIN,
        "page.ts",
        "https://a.example/b.css",
    ),
    "a library": (
        '<script src="https://a.example/b.js"></script>' + PLAIN,
        "widget.ts",
        'load("https://a.example/b.js").then',
    ),
}


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
    "a style in a style": ("<style>@import 'https://a.example/b.css';</style>", "https://a.example/b.css"),
}


@pytest.mark.parametrize("case", OTHER_HOSTS, ids=str)
def test_state_answers_for_a_file_of_another_host_and_a_remark_names_the_line(project, bring, awning, case):
    html, address = OTHER_HOSTS[case]
    result = bring(f"{PLAIN}\n{html}")
    assert tomllib.loads(text(project, "states.toml"))["state"][0]["fetch"] == {address: 200}
    assert "old.html:2: tests ask no other host: states.toml has an empty answer" in result.err
    built = awning("build")
    assert built.code == 0, built.err


NO_OTHER_HOST = {
    "the page's own": '<script src="/b.js"></script><img src="b.png" alt="">',
    "jQuery": '<script src="https://code.jquery.com/jquery-3.6.0.min.js"></script>',
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
    "letters that are not ASCII": (
        '<a onclick="ārējs()">a</a><script>function ārējs() {} </script>',
        {"ārējs": "a handler in HTML or another script uses it"},
        "for a handler in HTML or another script: ārējs (allowed in widget.toml)",
    ),
    "a handler": (
        '<a onclick="f()">a</a><script>function f() {}</script>',
        {"f": "a handler in HTML or another script uses it"},
        "for a handler in HTML or another script: f (allowed in widget.toml)",
    ),
    "a script": (
        "<script>window.$b = 1; window.svcPlugins = window.svcPlugins || 1;</script>",
        {"$b": "old.html puts it on the window"},
        "old.html:2: on the window, as before: $b (allowed in widget.toml)",
    ),
}


@pytest.mark.parametrize("case", GLOBALS, ids=str)
def test_globals_of_a_snippet_are_allowed_and_remarked(project, bring, awning, case):
    html, names, remark = GLOBALS[case]
    result = bring(f"{PLAIN}\n{html}")
    assert tomllib.loads(text(project, "widget.toml"))["globals"] == names
    assert remark in result.err
    built = awning("build")
    assert built.code == 0, built.err


def test_name_of_the_snippet_is_any_text_in_widget_toml(project, awning):
    project.add_widget()
    (project.root / "😀\x7f.html").write_text(f"<script>window.x = 1;</script>{PLAIN}", encoding="utf-8")
    result = awning("add", "widget", "old", "--from", "😀\x7f.html")
    assert result.code == 0, result.err
    settings = tomllib.loads(text(project, "widget.toml"))
    assert settings["globals"] == {"x": "😀\x7f.html puts it on the window"}


def test_no_global_is_allowed_when_a_snippet_leaves_none(project, bring):
    bring(PLAIN)
    assert "globals" not in text(project, "widget.toml")


@pytest.mark.parametrize("case", FILES, ids=str)
def test_each_part_of_a_snippet_becomes_a_file_and_the_widget_builds(project, bring, awning, case):
    html, path, holds = FILES[case]
    result = bring(html)
    assert result.code == 0, result.err
    assert f"widgets/old/{path}" in result.out.splitlines()
    assert holds in text(project, path)
    built = awning("build")
    assert built.code == 0, built.err


REMARKS = {
    "app data": (
        "\n" + PLAIN.replace("init()", "x({{svc_app_data}}); init()"),
        "old.html:2: {{svc_app_data}} is now an empty object",
    ),
    "the language": (
        PLAIN.replace('"<p>', '"{{svc_language}}<p>'),
        "old.html:1: {{svc_language}} is now document.documentElement.lang",
    ),
    "jQuery": ('<script src="/js/jquery-3.1.min.js"></script>' + PLAIN, "old.html:1: jQuery is left out"),
    "a plug-in of jQuery": (
        '<script src="jquery.slider.js"></script>' + PLAIN,
        "jquery.slider.js is loaded by the widget's script",
    ),
    "a handler": (
        '<a onclick="f()">a</a><script>function f() {}</script>' + PLAIN,
        "old.html:1: assigned to the window, for a handler in HTML or another script: f",
    ),
    "markup": (
        "\n<p>a</p>" + PLAIN,
        "old.html:2: the markup is inserted when the page is parsed\n",
    ),
    "a script that uses the markup": (
        "<p id=a>a</p>\n" + PLAIN.replace("<script>", "<script>f('#a');"),
        "old.html:2: the scripts may use the markup, so they run when the page is parsed, and subscribe later",
    ),
    "a tag of the head": ("<head><meta charset=utf-8></head>" + PLAIN, "<meta> is left out"),
    "an import map": ('<script type="importmap">{}</script>' + PLAIN, "<script> is left out"),
    "findings": (PLAIN.replace("init()", "eval('1'); init()"), "no-eval"),
    "no findings": (PLAIN, "awning check widgets/old: nothing found"),
}


@pytest.mark.parametrize("case", REMARKS, ids=str)
def test_remark_about_a_snippet_names_its_line(bring, case):
    html, remark = REMARKS[case]
    result = bring(html)
    assert result.code == 0, result.err
    assert remark in result.err


REFUSED = {
    "no script": ("<p>text</p>", (), "no script in old.html calls svcPlugins.subscribeEvent"),
    "an empty file": ("", (), "no script in old.html calls"),
    "another service's names": (
        PLAIN.replace("svcPlugins", "shopPlugins"),
        (),
        "calls svcPlugins.subscribeEvent",
    ),
    "no event": ("<script>svcPlugins.subscribeEvent(name, f);</script>", (), "--slot after-price or"),
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
    html = (
        PLAIN.replace("svcPlugins", "shopPlugins")
        .replace("svc-", "shop-")
        .replace("<p>", "{{shop_language}}")
    )
    project.add_file("old.html", html)
    assert awning("add", "widget", "old", "--from", "old.html").code == 0
    assert "documentElement.lang" in text(project, "widget.ts")

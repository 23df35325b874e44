"""Which elements of a snippet have a hash for a Content Security Policy, and that Chromium computes the same."""

import hashlib
from base64 import b64encode

import pytest
from project import Project

from awning.build_record import read_build_record
from awning.contract import Dialect
from awning.snippet.inline import inline_elements

HOST = "window.svcPlugins = {subscribeEvent: function () {}};"
VERBATIM = (
    '<script>\r\nwindow.ran = ["one"];\r</script><script type="text/plain">not run</script>'
    '<script type="Module">window.ran.push("mödule");</script><style>\r\nb { color: rgb(4, 5, 6) }</style><b>b</b>'
    '<script>window.language = "{{svc_language}}";</script>'
    '<i style="color:&#10;rgb(7, 8, 9)" ONCLICK="window.ran.push(&quot;clicked&quot;)">i</i>'
)


def of(text):
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", []),
        ("<p onclick=a()>x</p>", [("script-attr", of("a()"))]),
        ("<p STYLE='a:&quot;\r\n' style=b:c class=on one=1 on=2 onclick=''>", [("style-attr", of('a:"\n'))]),
        ("<style onload=a>b</style>", [("script-attr", of("a")), ("style", of("b"))]),
        ("<b title='<i style=a>'></b><p style='{{svc_language}}'>", [("style-attr", None)]),
        ("<script>a</script>", [("script", of("a"))]),
        ("<SCRIPT TYPE=' text/JavaScript '>a\r\nb\rc\0</SCRIPT>", [("script", of("a\nb\nc\ufffd"))]),
        ("<script type=application/json>{{svc_app_data}}</script>", []),
        ("<script type=x-template>a</script><script src=a.js>b</script>", []),
        ("<script type=importmap>{}</script>", [("script", of("{}"))]),
        ("<style>a{}</style><style type=text/less>b</style>", [("style", of("a{}"))]),
        ("<!--<script>a</script>--><textarea><style>b</style></textarea>", []),
        ("<script>a", []),
        (
            "<script>'{{ SVC_language }}'</script><style>{%%%v%%%}</style>",
            [("script", None), ("style", None)],
        ),
        ("<svg><style>a</style></svg><script></script>", [("style", of("a")), ("script", of(""))]),
        ("<svg><style>a &gt; b</style></svg>", [("style", of("a > b"))]),
        ("<svg><style>&gt;<![CDATA[ a > &gt; ]]></style></svg>", [("style", of("> a > &gt; "))]),
        ("<svg><style><![CDATA[a<b>]]>&gt;</style></svg>", [("style", of("a<b>>"))]),
        ("<svg><script><![CDATA[a]]></script></svg>", [("script", of("a"))]),
        ("<svg><style>a<!-- x -->b</style></svg>", [("style", of("ab"))]),
        ("<svg><style>a<g style=b />c</style></svg>", [("style", None), ("style-attr", of("b"))]),
        ("<svg><g><style>a &gt;<![CDATA[ b]]></svg><b>", [("style", of("a > b"))]),
        ("<svg><style>a<p>b", [("style", of("a"))]),
        ("<svg><style>a</p>b", [("style", of("a"))]),
        ("<svg><style>a</math>b</svg>", [("style", None)]),
        (
            "<svg><style/><g style=a /><script src=b /><g style=c /></svg>",
            [("style-attr", of("a")), ("style-attr", of("c"))],
        ),
        ("<script><!--<script></script>--></script>", [("script", of("<!--<script></script>-->"))]),
    ],
)
def test_element_has_the_hash_of_its_parsed_text(html, expected):
    elements = inline_elements(html, Dialect())
    assert [(element.element, element.csp_hash) for element in elements] == expected
    assert all((element.csp_hash is None) == bool(element.reason) for element in elements)


@pytest.fixture
def built(tmp_path):
    project = Project(tmp_path / "shop").add_widget("styled", style_css="p { color: rgb(1, 2, 3) }")
    project.add_file("widgets/old/widget.toml", 'title = "Old"\n').add_file("widgets/old/body.html", VERBATIM)
    project.build()
    return project


def test_record_has_the_hashes_of_every_snippet(built):
    record = read_build_record(built.root / "dist")
    for snippet in record.snippets:
        html = (built.root / "dist" / snippet.path).read_bytes().decode()
        assert snippet.inline == inline_elements(html, Dialect())
    body = record.snippet("body")
    assert [element.csp_hash is None for element in body.inline if element.element == "script"].count(
        True
    ) == 1


def test_chromium_runs_what_the_record_lists_and_nothing_else(built, browser):
    page = browser.new_page()
    record = read_build_record(built.root / "dist")
    html = built.dist("body.html")
    inline = record.snippet("body").inline

    def visit(left_out=None):
        hashes = {
            kind: " ".join(
                f"'{e.csp_hash}'"
                for e in inline
                if e.element in {kind, f"{kind}-attr"} and e.csp_hash and e != left_out
            )
            for kind in ("script", "style")
        }
        policy = (
            f"default-src 'none'; script-src 'unsafe-hashes' '{of(HOST)}' {hashes['script']};"
            f"style-src 'unsafe-hashes' {hashes['style']}"
        )
        headers = {"content-security-policy": policy, "content-type": "text/html; charset=utf-8"}
        body = f"<!doctype html><script>{HOST}</script><body>{html}"
        page.route("http://shop.example/", lambda route: route.fulfill(body=body, headers=headers))
        blocked = []
        page.on("console", lambda message: blocked.append(message.text))
        page.goto("http://shop.example/")
        page.unroute("http://shop.example/")
        page.evaluate("document.querySelector('i').click()")
        colour = "getComputedStyle(document.querySelector('{}')).color"
        ran = page.evaluate(f"[window.ran, window.language, {colour.format('b')}, {colour.format('i')}]")
        return ran, [text for text in blocked if "Content Security Policy" in text]

    ran, blocked = visit()
    assert ran == [["one", "mödule", "clicked"], None, "rgb(4, 5, 6)", "rgb(7, 8, 9)"]
    assert len(blocked) == 1, "only the script with a placeholder"
    for element in inline:
        if element.csp_hash:
            assert len(visit(left_out=element)[1]) == 2, element
    page.close()

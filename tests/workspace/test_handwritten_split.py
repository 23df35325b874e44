"""Which parts of a snippet can leave its HTML, and into which file. A comparison here is a function of the test."""

import pytest

from awning.contract import Dialect
from awning.workspace.handwritten.split import split
from awning.workspace.handwritten.widget import HandwrittenSnippet, bring_in

SUBSCRIBES = (
    'svcPlugins.subscribeEvent("svc-content-after-price", function (e, init) { init().setContent("x"); });'
)
SCRIPT = f"<script>{SUBSCRIBES}</script>"


def nothing_differs(_files):
    return None


def split_snippet(html, differs=nothing_differs, head=""):
    """Return the widget after `split`, and the remarks of `split` without the file's name."""
    snippet = HandwrittenSnippet(name="old.html", place="body", html=html, dialect=Dialect())
    snippets = [snippet]
    if head:
        snippets.append(HandwrittenSnippet(name="head.html", place="head", html=head, dialect=Dialect()))
    widget = bring_in(snippets, title="Old")
    after = split(widget, snippet, differs, has_slot="slot" in widget.files["widget.toml"])
    return after.files, [line.removeprefix("old.html:") for line in after.remarks[len(widget.remarks) :]]


def test_style_leaves_the_html_and_the_rest_of_it_stays_byte_for_byte():
    files, remarks = split_snippet(
        "<b>1</b>\r\n<style type='text/css'>\r\nb { top: 0 }\r\n</style> <i>2</i>\r\n"
    )
    assert files["style.css"] == "b { top: 0 }\n"
    assert files["body.html"] == "<b>1</b>\r\n <i>2</i>\r\n"
    assert remarks == [
        "2: the style is in style.css: no difference was found",
        "1: the markup stays in body.html: a template needs a script that shows it",
    ]


def test_styles_are_in_one_sheet_in_their_order():
    files, _ = split_snippet("<style>a { top: 0 }</style><p>b</p><style>\nb { top: 0 }\n</style>")
    assert (files["style.css"], files["body.html"]) == ("a { top: 0 }\nb { top: 0 }\n", "<p>b</p>")


def test_snippet_of_a_style_and_a_script_becomes_a_widget_with_a_script():
    files, remarks = split_snippet(f"<style>a {{ top: 0 }}</style>\n{SCRIPT}\n")
    assert sorted(files) == ["states.toml", "style.css", "widget.toml", "widget.ts"]
    assert files["widget.ts"].splitlines()[1:] == [SUBSCRIBES]
    assert remarks[1] == "2: the script is in widget.ts: no difference was found"


def test_names_of_functions_do_not_keep_a_script():
    code = "b.onclick = () => { var a = 1; function c() { return a; } if (a) { function d() {} d(); } return c(); };"
    files, _ = split_snippet(f"<script>{SUBSCRIBES} {code}</script>")
    assert files["widget.ts"].splitlines()[1:] == [f"{SUBSCRIBES} {code}"]


STAYS = {
    "a style for some media": ("<style media=print>a { top: 0 }</style>", "it has the attribute media"),
    "a style that scripts find": ("<style id=a>a { top: 0 }</style>", "it has the attribute id"),
    "a style of another language": ("<style type=text/less>a { b {} }</style>", "it is not CSS"),
    "a style with a placeholder": (
        "<style>a { content: '{{svc_language}}' }</style>",
        "the service replaces a placeholder in it",
    ),
    "a script with a placeholder": (
        f"<script>var a = '{{{{svc_language}}}}'; {SUBSCRIBES}</script>",
        "the service replaces a placeholder in it",
    ),
    "a script of another host": ("<script src='//a.example/b.js'></script>", "it has the attribute src"),
    "a module": (f"<script type=module>{SUBSCRIBES}</script>", "it is not a classic script"),
    "data": ("<script type=application/json>{}</script>", "it is not a classic script"),
    "a script beside another": (
        f"{SCRIPT}<script>a()</script>",
        "a widget has a script or HTML as it is, and other parts stay in body.html",
    ),
    "a script beside a comment": (
        f"<!--[if IE]> <![endif]-->{SCRIPT}",
        "a widget has a script or HTML as it is, and other parts stay in body.html",
    ),
    "a script without a slot": (
        "<script>a()</script>",
        "a widget with a script has a slot, and this one has none",
    ),
    "a script with names for the page": (
        f"<script>const a = 1; {SUBSCRIBES}</script>",
        "the page has the names that it declares, and those of a widget's script are its own",
    ),
    "a script with a function for the page": (
        f"<script>{SUBSCRIBES} if (a) {{ function print() {{}} }}</script>",
        "the page has the names that it declares, and those of a widget's script are its own",
    ),
    "a script with a variable of a loop": (
        f"<script>{SUBSCRIBES} for (var name of []) ;</script>",
        "the page has the names that it declares, and those of a widget's script are its own",
    ),
    "a script with a name that nothing declares": (
        f"<script>{SUBSCRIBES} b.onclick = function () {{ count = 1; }};</script>",
        "it sets count without declaring it, which a widget's script cannot do",
    ),
    "a loop with a name that nothing declares": (
        f"<script>{SUBSCRIBES} b.onclick = function () {{ for (count in b); }};</script>",
        "it sets count without declaring it, which a widget's script cannot do",
    ),
    "a pattern with a name that nothing declares": (
        f"<script>{SUBSCRIBES} b.onclick = function () {{ ({{ c: [count] }} = b); }};</script>",
        "it sets count without declaring it, which a widget's script cannot do",
    ),
    "a script whose this is the window": (
        f"<script>{SUBSCRIBES} b.onclick = () => {{ this.layer = []; }};</script>",
        "its this outside of functions is the window, and that of a widget's script is not",
    ),
    "a script with a function of a block": (
        f"<script>{SUBSCRIBES} b.onclick = function () {{ if (c) {{ function print() {{}} }} print(); }};</script>",
        "it uses print outside of the block that declares it, which a widget's script cannot do",
    ),
    "a script with a function of a case": (
        f"<script>{SUBSCRIBES} b.onclick = () => {{ switch (c) {{ case 1: function a() {{}} }} a(); }};</script>",
        "it uses a outside of the block that declares it, which a widget's script cannot do",
    ),
    "a script that is another one in TypeScript": (
        f"<script>{SUBSCRIBES} f(a<b, c>(d));</script>",
        "its code means something else in TypeScript",
    ),
    "a script that asks for its caller": (
        f"<script>{SUBSCRIBES} b.onclick = function () {{ return arguments.callee; }};</script>",
        "it asks for its caller, which a widget's script cannot do",
    ),
    "a style with an import": (
        "<style>@import 'a.css'; b { top: 0 }</style>",
        "@import holds for a sheet of its own",
    ),
    "a style with a namespace": (
        "<style>@NAMESPACE url(http://www.w3.org/2000/svg); b { top: 0 }</style>",
        "@NAMESPACE holds for a sheet of its own",
    ),
    "a style behind a sheet of another host": (
        "<link rel=stylesheet href='//a.example/b.css'><style>a { top: 0 }</style>",
        "its rules come after those that <link> before it may bring",
    ),
    "a style behind a script of another host": (
        "<div><script src='//a.example/b.js'></script></div><style>a { top: 0 }</style>",
        "its rules come after those that <script> before it may bring",
    ),
    "a style with a placeholder that has spaces": (
        "<style>a { content: '{{ SVC_language }}' }</style>",
        "the service replaces a placeholder in it",
    ),
}


@pytest.mark.parametrize(("html", "reason"), STAYS.values(), ids=STAYS)
def test_part_stays_with_its_reason_and_without_a_comparison(html, reason):
    compared = []
    files, remarks = split_snippet(html, compared.append)
    assert files["body.html"] == html
    assert any(line.partition("stays in body.html: ")[2] == reason for line in remarks)
    assert compared == []


@pytest.mark.parametrize(
    "html",
    [
        "<noscript><style>a { top: 0 }</style></noscript>",
        "<template><style>a { top: 0 }</style></template>",
        "<div><template shadowrootmode=open><style>a { top: 0 }</style></template></div>",
        "<div><style>a { top: 0 }</style></div>",
        "<svg><style>a { top: 0 }</style></svg>",
        "<!-- <style>a { top: 0 }</style> -->",
        "<textarea><style>a { top: 0 }</style></textarea>",
        "<style>a { top: 0 }",
    ],
)
def test_style_inside_of_something_is_no_part(html):
    files, _ = split_snippet(html)
    assert (files["body.html"], "style.css" in files) == (html, False)


def test_script_beside_a_snippet_of_the_head_stays():
    files, remarks = split_snippet(SCRIPT, head="<meta name=a>")
    assert files["body.html"] == SCRIPT
    assert "other parts stay" in remarks[0]


def test_part_with_a_difference_stays_and_the_others_go():
    html = "<style>a { top: 0 }</style>\n<style>b { top: 0 }</style>"
    files, remarks = split_snippet(html, lambda files: "red" if "a {" in files.get("style.css", "") else None)
    assert (files["style.css"], files["body.html"]) == ("b { top: 0 }\n", "<style>a { top: 0 }</style>\n")
    assert remarks == [
        "1: the style stays in body.html: red",
        "2: the style is in style.css: no difference was found",
    ]


def test_nothing_is_taken_apart_when_the_page_itself_differs_each_time():
    html = f"<style>a {{ top: 0 }}</style>{SCRIPT}"
    compared = []

    def differs(files):
        compared.append(files)
        return "the elements differ"

    files, remarks = split_snippet(html, differs)
    assert files["body.html"] == html
    assert compared == [files]
    assert remarks[0] == (
        "1: the style stays in body.html: the page cannot be compared with itself: the elements differ"
    )

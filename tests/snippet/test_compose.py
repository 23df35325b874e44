"""The HTML of a snippet. Nothing in it can end its element early or be replaced as a placeholder."""

import html5lib
import pytest

from awning.contract import Dialect
from awning.snippet.compose import Parts, compose
from awning.snippet.placeholders import joined_placeholder, spells_placeholder, written_placeholders
from awning.snippet.weigh import over_budget, weigh

SPECIFIED = Dialect()
OTHER = Dialect(placeholder_prefix="abc_")
FINGERPRINT = "0123456789abcdef" * 4


def composed(**parts):
    return compose(Parts(**{"app": "My app", **parts}), SPECIFIED, FINGERPRINT)


def elements(snippet):
    """(name, attributes, text) of every element, as a browser parses the snippet in a body."""
    fragment = html5lib.parseFragment(snippet, treebuilder="etree", namespaceHTMLElements=False)
    return [(e.tag, dict(e.attrib), e.text or "") for e in fragment.iter() if isinstance(e.tag, str)][1:]


def test_a_body_snippet_has_stamp_style_data_and_script():
    assert composed(style=".a{}", script="f();\n", data=True) == (
        "<!--awning 0123456789ab--><style>.a{}</style>"
        '<script type="application/json" data-awning="My app" lang="{{svc_language}}">{{svc_app_data}}</script>'
        "<script>f()</script>"
    )


def test_snippet_without_content_is_empty():
    assert composed() == ""


def test_without_app_data_there_is_no_data_element():
    assert composed(script="f()") == "<!--awning 0123456789ab--><script>f()</script>"


def test_the_dialect_names_the_placeholders():
    snippet = compose(Parts(app="a", script="f()", data=True), OTHER, FINGERPRINT)
    assert 'lang="{{abc_language}}">{{abc_app_data}}</script>' in snippet


@pytest.mark.parametrize(
    "script",
    [
        'x="</script><b>"',
        'x="</SCRIPT >"',
        'x="<!--<script>"',
        "x=`<!--`;y='<script>'",
        "x=/<!--<script/",
    ],
)
def test_script_cannot_end_its_element_early(script):
    tags = elements(composed(script=script, data=True))
    assert [name for name, _, _ in tags] == ["script", "script"]
    assert "<b>" not in composed(script=script).replace(r"<\/script><b>", "")


def test_style_cannot_end_its_element_early():
    tags = elements(composed(style='.a{content:"</style><img src=x>"}', script="f()"))
    assert [name for name, _, _ in tags] == ["style", "script"]


@pytest.mark.parametrize("app", ['a"b', "{{svc_app_data}}", "<b>&amp;", "{{SVC_language}}"])
def test_app_name_is_escaped_without_placeholders(app):
    snippet = composed(app=app, script="f()", data=True)
    name, attributes, text = elements(snippet)[0]
    assert (name, attributes["data-awning"], text) == ("script", app, "{{svc_app_data}}")
    assert snippet.lower().count("{{svc_") == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{svc_app_data}}", True),
        ("{{ svc_language }}", True),
        ("{{SVC_LANGUAGE}}", True),
        ("{{svc_anything", True),
        ("{svc_app_data}", False),
        ("{ {svc_app_data}}", False),
        ("{{other}}", False),
    ],
)
def test_placeholders_are_recognised_in_every_spelling(text, expected):
    assert spells_placeholder(text, SPECIFIED) is expected


def test_placeholder_in_a_source_is_reported_at_its_place():
    text = 'const a = 1;\nconst b = "{{svc_app_data}}";\n'
    (diagnostic,) = written_placeholders("widgets/a/widget.ts", text, SPECIFIED)
    assert (diagnostic.rule, str(diagnostic.place)) == ("placeholder-literal", "widgets/a/widget.ts:2:12")
    assert "data for {{svc_app_data}}" in diagnostic.hint
    assert joined_placeholder("widgets/a/widget.ts", SPECIFIED).place.line == 0


def test_equal_content_has_equal_weight():
    assert weigh(b"") == weigh(b"")
    assert weigh(b"").gzip == 0
    assert weigh(b"a" * 1000) == weigh(b"a" * 1000)
    assert weigh(b"a" * 1000).bytes == 1000


@pytest.mark.parametrize(("budget", "over"), [(None, False), (10_000, False), (10, True)])
def test_budget_is_compared_with_gzip_bytes(budget, over):
    diagnostic = over_budget("note", weigh(b"x" * 100), budget)
    assert (diagnostic is not None) is over
    assert diagnostic is None or diagnostic.rule == "size-budget"

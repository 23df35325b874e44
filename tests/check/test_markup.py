"""Tags without their counterpart are warnings with both places. Whatever HTML or a branch allows is none."""

import pytest
from project import Project

from awning.check.markup import MOST_FAULTS, markup_findings
from awning.check.markup_parts import MOST_CHARACTERS
from awning.pipeline.incremental import inspect_workspace
from awning.pipeline.style.sheet_findings import template_sheet_findings

VIEW = "widgets/a/view.html.j2"


def found(text, *, included=(), **others):
    texts = {VIEW: text} | {f"widgets/a/{name}.html.j2": other for name, other in others.items()}
    parts = frozenset(f"widgets/a/{name}.html.j2" for name in included)
    findings = list(markup_findings("widgets/a/", texts, parts))
    assert {(finding.rule, finding.severity) for finding in findings} <= {("template-tags", "warning")}
    assert all(finding.hint for finding in findings)
    return [
        f"{finding.place.path[10:-8]}:{finding.place.line}:{finding.place.column} {finding.message}"
        for finding in findings
    ]


WRONG = {
    "<div><p></span></section>": [
        "view:1:9 </span> closes nothing: <div> is open there (widgets/a/view.html.j2:1:1)",
        "view:1:16 </section> closes nothing: <div> is open there (widgets/a/view.html.j2:1:1)",
    ],
    "<div>": ["view:1:1 <div> is never closed"],
    "</div>": ["view:1:1 </div> closes nothing"],
    "<div>\n <b></div>": ["view:2:2 <b> is never closed before </div> (widgets/a/view.html.j2:2:5)"],
    "<b><i></b></i>": ["view:1:4 <i> is never closed before </b> (widgets/a/view.html.j2:1:7)"],
    "<p><div></div></p>": [
        (
            "view:1:15 </p> closes nothing: a paragraph cannot contain <div>, which has closed it"
            " (widgets/a/view.html.j2:1:4)"
        )
    ],
    "<ul><li>a<li>b</ol>": [
        "view:1:15 </ol> closes nothing: <ul> is open there (widgets/a/view.html.j2:1:1)"
    ],
    "<div></dvi>": ["view:1:6 </dvi> closes nothing: <div> is open there (widgets/a/view.html.j2:1:1)"],
    "<DIV></div><Span>": ["view:1:12 <span> is never closed"],
    "<div/>text": ["view:1:1 <div> is never closed"],
    "<script>a<b</script><b>": ["view:1:21 <b> is never closed"],
    "<svg><style/></svg><b>": ["view:1:20 <b> is never closed"],
    "<style/><b></style><i>": ["view:1:20 <i> is never closed"],
    "{% raw %}{{ <i>{% endraw %}<b></b>": ["view:1:13 <i> is never closed"],
    "{% for a in b %}{% if not loop.first %}</div>{% endif %}<div>{% endfor %}": [
        "view:1:57 <div> is never closed"
    ],
    "<b>{% for a in c %}{% if not loop.first %}</i>{% endif %}<div>{% endfor %}</div></b>": [
        "view:1:43 </i> closes nothing: <b> is open there (widgets/a/view.html.j2:1:1)"
    ],
    "<b><div>{% for a in c %}</i>{% endfor %}</div></b>": [
        "view:1:25 </i> closes nothing: <div> is open there (widgets/a/view.html.j2:1:4)"
    ],
    "<textarea><b>": ["view:1:1 <textarea> is never closed"],
    "<svg><path/><g></svg>": ["view:1:13 <g> is never closed before </svg> (widgets/a/view.html.j2:1:16)"],
    '<a title="{{ a > b }}" {% if b %}href="x"{% endif %}>': ["view:1:1 <a> is never closed"],
    "{% if a %}<div>{% endif %}": ["view:1:11 <div> is never closed"],
    "{% if a %}</div>{% endif %}": ["view:1:11 </div> closes nothing"],
    "{% for a in b %}<div>{% endfor %}": ["view:1:17 <div> is never closed"],
    "<div>{% if a %}</span>{% endif %}</div>": [
        "view:1:16 </span> closes nothing: <div> is open there (widgets/a/view.html.j2:1:1)"
    ],
    "{% if a %}<div>{% else %}<section>{% endif %}</div>": [
        "view:1:46 </div> closes nothing: <div> or <section> is open there (widgets/a/view.html.j2:1:11)"
    ],
    "{% macro m() %}<div>{% endmacro %}{{ m() }}": ["view:1:16 <div> is never closed"],
    "{% call m() %}<b>{% endcall %}": ["view:1:15 <b> is never closed"],
    "{% block a %}<p><b></p>{% endblock %}": [
        "view:1:17 <b> is never closed before </p> (widgets/a/view.html.j2:1:20)"
    ],
}


@pytest.mark.parametrize("template", WRONG)
def test_tag_without_counterpart_is_reported_with_both_places(template):
    assert found(template) == WRONG[template]


RIGHT = (
    "<p>a<p>b",
    "<p>a</p>\n<p>1 < 2 and 3 > 2, {{ '</p>' }}</p>",
    "<ul><li>a<li>b</ul>",
    "<ul>{% for x in y %}<li>{{ x }}{% endfor %}</ul>",
    "<ul>{% for x in y recursive %}<li>{% if x.c %}<ul>{{ loop(x.c) }}</ul>{% endif %}</li>{% endfor %}</ul>",
    "<dl><dt>a<dd>b<dt>c</dl>",
    "<table><tr><td>a<td>b<tr><td>c</table>",
    "<table><caption>a<colgroup><col><thead><tr><th>x<tbody><tr><td>y<tfoot></table>",
    "<select><optgroup><option>a<option>b<optgroup><option>c</select>",
    "<ruby>a<rp>(<rt>b<rp>)</ruby>",
    "<br><img src=x><input/><hr /><video><source src=x><track></video>",
    '<svg viewBox="0 0 1 1"><path d=""/><g><circle/><linearGradient></linearGradient></g></svg>',
    "<svg><foreignObject><div><br></div></foreignObject><use/></svg><math><mi>x</mi><mspace/></math>",
    "<my-element a=1></my-element><template><div></div></template>",
    "<p><button><div>x</div></button></p><p><span><div>x</div></span></p>",
    "<p>a<span>b</span></p><div>c</div>",
    "<!-- <div> --><!doctype html><p>a</p>",
    "<script>var a = '<div>';</script><style>a > b {}</style><textarea><div></textarea>",
    "{# <div> #}{% raw %}{{ x }}{% endraw %}<p>",
    "<div title=\"{{ a > b }}\" data-x='{{ '<b>' }}' {{ attributes|xmlattr }}></div>",
    '<div {% if a %}class="x" {% else %}id="y"{% endif %}></div><input value="{% if a %}>{% endif %}">',
    '{% if a %}<div>{% else %}<div class="b">{% endif %}x</div>',
    "{% if a %}<a>{% else %}<span>{% endif %}x{% if a %}</a>{% else %}</span>{% endif %}",
    "{% if a %}<div>{% endif %}x{% if a %}</div>{% endif %}",
    "{% if a %}<div>{% elif b %}<div>{% elif c %}<div>{% endif %}x{% if a or b or c %}</div>{% endif %}",
    "<p>{% if a %}<b>{% endif %}x{% if a %}</b>{% endif %}</p>",
    "<div><script>for(var i=0;i<n;i++){x()}</script></div>",
    '<script type="application/ld+json">{"a": "x<b {{ \'</script>\' }}"}</script><p>',
    "<style>/* a <b */ {# </style> #}</style><title>1 <b</title><div><textarea>5 <b</textarea></div>",
    "<script><!-- a<b <script></script> --></script><SCRIPT>a<b</SCRIPT ><script>if(a<{{ b }}){}</script>",
    "<svg><style/><circle/></svg><svg><title/><g></g></svg><math><script/></math>",
    "<script>{% if a %}x<y{% else %}y<!--{% endif %}</script>",
    "{% raw %}<b>{{ 1 < i }}</b><script>{% a<b</script>{% endraw %}",
    "<p>a{% if b %}</p><p>{% endif %}c</p>",
    "{% for r in a %}{% if r == 0 %}<div>{% endif %}x{% if r == 2 %}</div>{% endif %}{% endfor %}",
    "<div>{% for r in a %}{% if not loop.first %}</div><div>{% endif %}x{% endfor %}</div>",
    "<table>{% for r in a %}{% if not loop.first %}</tr>{% endif %}<tr><td>x{% endfor %}</tr></table>",
    "<i></i>{% for r in a %}{% if not loop.first %}</div>{% endif %}<div>{% endfor %}</div>",
    "<b>{% for r in a %}{% if r.x %}{% if not loop.first %}</div>{% endif %}<div>{% endif %}x{% endfor %}</div></b>",
    (
        "<b>{% for r in a %}{% if loop.index0 % 3 == 0 %}{% if not loop.first %}</div>{% endif %}<div>{% endif %}x"
        "{% endfor %}{% if a %}</div>{% endif %}</b>"
    ),
    (
        "<b><div>{% for r in a %}{% if r.x %}</div>{% endif %}{% if r.x %}<div>{% endif %}x{% endfor %}</div></b>"
    ),
    "<b><div>{% for r in a %}x</div>{% if not loop.last %}<div>{% endif %}{% endfor %}</b>",
    "<div>{% for r in a %}{% if r.x %}</div>{% if not loop.last %}<div>{% endif %}{% endif %}{% endfor %}",
    (
        "<ul>{% for r in a %}{% if not loop.first %}</ul></li>{% endif %}<li>x<ul>{% for c in r %}<li>y{% endfor %}"
        "{% endfor %}</ul></li></ul>"
    ),
    (
        "<ul>{% for r in a %}{% if r.up %}</ul></li>{% endif %}{% if r.down %}<ul>{% endif %}<li>x{% endfor %}"
        "{% for r in up %}</ul></li>{% endfor %}</ul>"
    ),
    (
        "<b>{% if z %}{% for r in a %}{% if not loop.first %}</i></div>{% endif %}<div><i>{% endfor %}</i></div>"
        "{% else %}y{% endif %}</b>"
    ),
    (
        "<b>{% for g in h %}{% for r in g %}{% if not loop.first %}</div>{% endif %}<div>{% endfor %}</div>{% endfor %}"
        "</b>"
    ),
    "{% for a in b %}<ul>{% endfor %}{% for a in b %}</ul>{% else %}{% endfor %}",
    "{% set a %}<div>{% endset %}{% set b = '<div>' %}{{ a }}",
    "{% with a = 1 %}<div>{% endwith %}{% filter upper %}</div>{% endfilter %}",
    "{% macro o() %}<div>{% endmacro %}{% macro c() %}</div>{% endmacro %}{{ o() }}x{{ c() }}",
    "{%- if a -%}<b>x</b>{%- else -%}<i>y</i>{%- endif -%}",
    "<{{ tag }}></{{ tag }}><div>",
    '<div {% if a %}class="a">{% else %}class="b">{% endif %}</div>',
    "{% if a %}",
    '<div class="a {% if b %}c"{% else %}d"{% endif %}>it</div>',
    "<a href='{% if a %}x'{% else %}y'{% endif %}></a>",
    "{% macro open() %}<a href='{% endmacro %}<b></b>",
)


@pytest.mark.parametrize("template", RIGHT)
def test_other_markup_is_no_finding(template):
    assert found(template) == []


def test_included_templates_belong_to_the_template_around_them():
    frame = '{% include "head.html.j2" %}<p>x{% include "foot.html.j2" %}'
    assert found(frame, included=("head", "foot"), head="<div><b>", foot="</b></div>") == []
    assert found(frame, included=("head", "foot"), head="<div><b>", foot="</div>") == [
        "head:1:6 <b> is never closed before </div> (widgets/a/foot.html.j2:1:1)"
    ]


def test_fault_inside_an_included_template_is_reported_there():
    assert found('{% include "part.html.j2" %}', included=("part",), part="<div></b></div>") == [
        "part:1:6 </b> closes nothing: <div> is open there (widgets/a/part.html.j2:1:1)"
    ]


def test_blocks_of_a_template_that_extends_another_are_read():
    layout = "<div>{% block a %}{% endblock %}</div>"
    child = (
        '{% extends "layout.html.j2" %}{% block a %}</div><div>{% endblock %}{% block c %}<i>{% endblock %}'
    )
    assert found(child, included=("layout",), layout=layout) == ["view:1:82 <i> is never closed"]


@pytest.mark.parametrize(
    "text",
    [
        '<a "',
        "{{",
        "<div ",
        "<!--",
        '<a b="{{',
        "<div>",
        "{% if a %}",
        "</p>",
        "<",
        "<p><div>",
        "{% raw %}",
        "<!",
    ],
)
def test_odd_text_of_any_length_is_read(text):
    long = text * (MOST_CHARACTERS // len(text))
    assert len(found(long)) <= MOST_FAULTS  # a quadratic reading takes minutes


def test_tags_are_a_warning_of_check_that_a_comment_silences(tmp_path):
    view = '<div class="a">\n  <b>{{ t("hello") }}</div>\n'
    project = Project(tmp_path).add_widget("note", view_html_j2=view)
    [finding] = inspect_workspace(project.root, types=False).counted()
    assert (finding.rule, str(finding.place)) == ("template-tags", "widgets/note/view.html.j2:2:3")
    ignored = view.replace("</div>", "</div>{# awning-ignore template-tags: the script closes it #}")
    assert inspect_workspace(project.add_widget("note", view_html_j2=ignored).root).counted() == ()


@pytest.mark.parametrize(
    ("template", "places"),
    [
        ('<style>/* @import "https://x.com/f.css" */</style>', []),
        ("<style>a::before { content: '@import \"https://x.com/f.css\"' }</style>", []),
        ('<!-- <style>@import "//x.com/f.css";</style> -->{# <link rel=stylesheet href=//x.com> #}', []),
        (
            "{{ '<link rel=stylesheet href=//x.com>' }}<textarea><link rel=stylesheet href=//x.com></textarea>",
            [],
        ),
        ('<link rel="stylesheet" href="/a.css"><link rel="icon" href="//x.com" title="stylesheet">', []),
        ('<style>@import "a.css";</style><script>\'<style>@import "//x.com/f.css";</style>\'</script>', []),
        (
            '<b>\n<style>/**/ @IMPORT "//x.com/{{ a }}.css";\n\n  @import url(https://x.com);</style>',
            ["2:13", "4:3"],
        ),
        (
            '<style {% if a > b %}media="all"{% endif %}>{% if a %}@import "//x.com";{% endif %}</style>',
            ["1:55"],
        ),
        ('<link {% if a > b %}rel="stylesheet"{% endif %}\n href=" https://{{ a }}/b.css">', ["1:1"]),
        ("<LINK href=//cdn.example/a.css rel='preload stylesheet'>", ["1:1"]),
    ],
)
def test_style_sheets_of_other_hosts_are_found_where_a_browser_reads_them(template, places):
    findings = template_sheet_findings(VIEW, template)
    assert [f"{finding.place.line}:{finding.place.column}" for finding in findings] == places

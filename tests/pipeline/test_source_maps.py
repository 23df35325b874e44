"""The maps in dist/maps lead from the snippet's script to the template's line."""

import re

import pytest
from project import Project
from vlq import decode, place_of

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.jsrc import jsrc_root
from awning.pipeline.phases import build_workspace

TEMPLATE = """\
{% extends "base.html.j2" %}
{% from "forms.html.j2" import field %}
{% block body %}
<section class="at-4">
  <p class="at-5">static</p>
  {# a comment
     of two lines #}
  <p class="at-8">{{ title }}</p><b class="ät-8b">“ä𝄞”</b><i class="at-8c"></i>
  {% for line in lines -%}

    <li class="at-11">{{ line.title }} {{ loop.index }}. <u class="at-11b"></u>
      <i class="at-12">`${tick} \\ back</i>
    </li><s class="at-13"></s>
    {% include "row.html.j2" %}
  {% else %}
    <em class="at-16">{{ t("hello") }}</em>
  {% endfor %}
  {% if a %}{% set x %}<q class="at-18">{{ a }}</q>{% endset %}
  {{ x }}<q class="at-19"></q>{% endif %}
  {{ field(b) }}
  {{ super() }}
  {% set y = at_22|upper %}{{ y }}
  {% with z = at_23|lower %}{{ z }}{% endwith %}
  {% if at_24 %}<br>{% elif
    at_25 %}<hr>{% endif %}
</section>
{% endblock %}
"""
BASE = """\
<div class="base-1">
{% block body %}
  <p class="base-3">{{ c }}</p>
  <p class="base-4">base</p>
{% endblock %}
</div><hr class="base-6">
"""
ROW = "<b class='row-1'>\n  {{ line.sku }}\n  <b class='row-3'></b>\n</b>\n"
FORMS = (
    "{% macro field(x) %}\n<label class='forms-2'>{{ x }}</label>\n<i class='forms-3'></i>{% endmacro %}\n"
)
READ = re.findall(r"at_\d+", TEMPLATE)
FILES = {"at": "view", "ät": "view", "base": "base", "row": "row", "forms": "forms"}
MARKS = re.findall(r"(?:at|ät|base|row|forms)-\d+[bc]?(?=[\"'])", TEMPLATE + BASE + ROW + FORMS)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("maps") / "shop")
    project.add_widget("note", view_html_j2=TEMPLATE).add_widget("other")
    for name, text in (("base", BASE), ("row", ROW), ("forms", FORMS)):
        folder = "_shared" if name == "base" else "note"
        project.add_file(f"widgets/{folder}/{name}.html.j2", text)
    project.build()
    return project


def script_of(page):
    (script,) = re.findall(r"<script>(.*)</script>", page, re.DOTALL)
    return script


@pytest.mark.parametrize("name", READ)
def test_variable_of_a_statement_maps_to_its_line(built, name):
    script = script_of(built.dist("body.html"))
    origin = decode(built.dist("maps/body.js.map")).origin(*place_of(script, name))
    assert origin == ("widgets/note/view.html.j2", int(name.partition("_")[2]))


def test_source_maps_do_not_change_the_script(built, tmp_path):
    """The same modules without their maps give the same script, and the script does not name its sources."""
    stage = built.stage(tmp_path / "stage")
    entry = EntryPoint("body", stage / "entries/app/default/body.ts")

    def bundled(**options):
        request = BundleRequest(entry_points=(entry,), root=stage, jsrc=jsrc_root(), **options)
        return bundle(find_esbuild(), request).outputs["body"].code.decode()

    before = bundled()
    for module in stage.rglob("*.j2"):
        module.write_text(re.sub(r"//# sourceMappingURL=.*\n", "", module.read_text()))
    assert bundled(source_maps=False) == before
    script = script_of(built.dist("body.html"))
    assert [word for word in (".j2", "sourceMapping", "note/view") if word in script] == []


def test_a_dev_build_names_template_and_line_in_its_errors(built, tmp_path):
    build_workspace(built.read(), out=tmp_path / "dev", dev=True)
    script = script_of((tmp_path / "dev/body.html").read_text())
    assert "widgets/note/view.html.j2:11" in script


def test_characters_of_two_utf_16_units_count_as_two(built):
    """ECMA-426 counts UTF-16 units, as editors and browsers do."""
    script = script_of(built.dist("body.html"))
    assert "\U0001d11e" in script
    line, column = place_of(script, 'at-8c"')
    assert column > script.split("\n")[line].index('at-8c"')


def quote_after(mark):
    return "'" if mark.startswith(("row", "forms")) else '"'


@pytest.mark.parametrize("path", ["body", "lv/body", "widgets/note/body"])
@pytest.mark.parametrize("mark", MARKS)
def test_fragment_of_each_line_maps_to_that_line(built, path, mark):
    script = script_of(built.dist(f"{path}.html"))
    origin = decode(built.dist(f"maps/{path}.js.map")).origin(*place_of(script, mark + quote_after(mark)))
    name, line = re.fullmatch(r"(\w+)-(\d+)[bc]?", mark).groups()
    folder = "_shared" if name == "base" else "note"
    assert origin == (f"widgets/{folder}/{FILES[name]}.html.j2", int(line))


def test_maps_are_right_in_a_language_with_longer_texts(tmp_path):
    project = Project(tmp_path / "shop").add_widget(
        "note",
        view_html_j2='<div>\n<p>{{ t("hello") }}</p>\n<i class="at-3"></i>\n<i class="at-4"></i>\n</div>\n',
        messages_lv_toml=f'hello = "{"long " * 30}"\n',
    )
    project.build()
    for path in ("body", "en/body", "lv/body"):
        script, lines = script_of(project.dist(f"{path}.html")), decode(project.dist(f"maps/{path}.js.map"))
        for line in (3, 4):
            origin = lines.origin(*place_of(script, f'at-{line}"'))
            assert origin == ("widgets/note/view.html.j2", line), path

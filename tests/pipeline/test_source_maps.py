"""From the shipped script to the template's line, by the maps that a build puts into dist/maps."""

import re

import pytest
from project import Project
from vlq import decode, place_of

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


def quote_after(mark):
    return "'" if mark.startswith(("row", "forms")) else '"'


@pytest.mark.parametrize("path", ["body", "lv/body", "widgets/note/body"])
@pytest.mark.parametrize("mark", MARKS)
def test_a_fragment_of_each_line_leads_to_it(built, path, mark):
    script = script_of(built.dist(f"{path}.html"))
    origin = decode(built.dist(f"maps/{path}.js.map")).origin(*place_of(script, mark + quote_after(mark)))
    name, line = re.fullmatch(r"(\w+)-(\d+)[bc]?", mark).groups()
    folder = "_shared" if name == "base" else "note"
    assert origin == (f"widgets/{folder}/{FILES[name]}.html.j2", int(line))

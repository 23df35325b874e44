"""Compiled modules: their shape, their imports, and that compilation is deterministic."""

import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from awning.template.compile import compile_template
from awning.template.compiled_template import CompiledTemplate, MessageUse
from awning.template.template_set import LocatedText

OTHERS = {
    "row.html": "<li>{{ item }}{{ t('row-text') }}</li>",
    "text.html": "<b>text</b>",
    "macros.html": "{% macro m() %}{{ x }}{% endmacro %}",
    "base.html": "<h1>{% block a %}{{ title }}{% endblock %}</h1>",
}
PAGE = (
    "{% extends 'base.html' %}{% block a %}{% for item in items %}{% include 'row.html' %}{% endfor %}"
    "{{ t('shown', count=n) }}{{ t(key) }}{% endblock %}"
)


def compiled(template: str, **options: bool) -> CompiledTemplate:
    return compile_template(template, path="widgets/a/view.html.j2", loader=OTHERS.get, **options)


def code(template: str, **options: bool) -> str:
    return compiled(template, **options).code


def test_module_of_a_simple_template_is_compact() -> None:
    assert code("<p>{{ kind }}</p><b>{{ item.price }}</b>") == (
        'import { get } from "awning/template/access";\n'
        'import { put } from "awning/template/text";\n'
        "export default function render(context) {\n"
        "  context = {__proto__: null, ...context};\n"
        "  return `<p>${\n"
        "      put(context.kind)\n"
        "    }<\\/p><b>${\n"
        "      put((context.item?.__proto__ == Object.prototype && "
        '!("price" in {}) ? context.item.price : get(context.item, "price")))\n'
        "    }<\\/b>`;\n"
        "}\n"
    )


COPIED = "context = {__proto__: null, ...context};"


@pytest.mark.parametrize(
    ("template", "copied"),
    [
        ("text", False),
        ("{{ a }}", True),
        ("{#def a: string #}{{ a }}", True),
        ("{% include 'text.html' %}", False),
        ("{% import 'macros.html' as m with context %}{{ m.m() }}", True),
    ],
)
def test_context_without_a_prototype_is_made_only_when_it_is_read(template: str, copied: bool) -> None:
    assert (COPIED in code(template)) is copied


def test_each_branch_of_an_if_has_a_line_of_its_own() -> None:
    lines = code("{% if a %}<b>{{ a }}</b>{% elif b %}b{% endif %}").splitlines()
    assert "  else if (truth(context.b)) {" in lines


@pytest.mark.parametrize("text", ["`", "${x}", "$", "\\", '"', "'", "\\`", "\u2028", "</script>", "𝄞"])
def test_text_cannot_end_its_literal_early(text: str) -> None:
    module = code(f"<p>{text}{{{{ x }}}}{text}</p>")
    literal = module.partition("return ")[2]
    inside = re.sub(r"\\.", "", literal)
    assert (inside.count("`"), inside.count("${"), inside.count("</")) == (2, 1, 0)
    assert "\u2028" not in module


def test_a_template_reports_its_variables_and_messages() -> None:
    template = compiled(PAGE)
    assert template.included == ("base.html", "row.html")
    assert [variable.name for variable in template.reads or ()] == ["items", "key", "n", "t"]
    assert [use.key for use in template.messages] == ["row-text", "shown"]
    assert template.diagnostics == ()


def test_the_place_of_a_message_is_that_of_its_key() -> None:
    (use,) = compiled("<p>\n  {{ t('key') }}").messages
    assert use == MessageUse(key="key", place=use.place, arguments=())
    assert str(use.place) == "widgets/a/view.html.j2:2:8"


def test_only_helpers_in_use_are_imported() -> None:
    assert code("<p>text</p>").startswith("export default")
    lines = re.findall(r'import \{ (.*) \} from "(.*)"', code("{{ x|upper }}"))
    assert lines == [("filter_upper", "awning/template/filters/text"), ("put", "awning/template/text")]


def test_no_line_of_a_module_closes_a_script() -> None:
    assert "</" not in code("<p>{{ '</script>' }}</p><b title='{{ \"</script>\"|safe }}'></b>")


def test_dev_modules_name_line_and_have_a_source_map() -> None:
    text = code("<p>\n{{ x.y + 1 }}\n</p>", dev=True)
    assert '"widgets/a/view.html.j2:2"' in text
    (data,) = re.findall(r"base64,(\S+)", text)
    source_map = json.loads(base64.b64decode(data))
    assert source_map["sources"] == ["widgets/a/view.html.j2"]
    assert source_map["sourcesContent"] == ["<p>\n{{ x.y + 1 }}\n</p>"]


def test_production_modules_have_no_template_places_and_no_source_map() -> None:
    text = code("<p>\n{{ x.y + 1 }}\n</p>")
    assert "view.html.j2" not in text
    assert "sourceMapping" not in text


def test_a_loader_may_return_the_path_of_a_template() -> None:
    module = compile_template(
        "{% include 'a.html' %}",
        path="v",
        loader=lambda _: LocatedText("{{ t('k') }}", "shared/a.html"),
        dev=True,
    )
    assert module.messages[0].place.path == "shared/a.html"
    assert '"shared/a.html:1"' in module.code


PRINT = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
from test_modules import PAGE, code
print(code(PAGE), code(PAGE, dev=True))
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_modules_are_the_same_for_every_hash_seed(seed: str) -> None:
    script = PRINT.format(folder=str(Path(__file__).parent))
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, check=True, capture_output=True, text=True
    )
    assert done.stdout == f"{code(PAGE)} {code(PAGE, dev=True)}\n"


def test_scoped_block_gets_only_the_names_that_it_reads() -> None:
    sets = "{% set a = 1 %}{% set b = 2 %}"
    code = compile_template(sets + "{% block x scoped %}{{ a }}{% endblock %}", path="x.html").code
    assert '({__proto__: null, ...context, ["a"]: a_0})' in code


@pytest.mark.parametrize(
    "inside", ["{% include 'row.html' %}", "{% block y %}{{ b }}{% endblock %}", "{{ self.x() }}"]
)
def test_scoped_block_with_nested_blocks_gets_all_names(inside: str) -> None:
    sets = "{% set a = 1 %}{% set b = 2 %}"
    text = f"{sets}{{% block x scoped %}}{{{{ a }}}}{inside}{{% endblock %}}"
    code = compile_template(text, path="x.html", loader=OTHERS.get).code
    assert '["a"]: a_0, ["b"]: b_0' in code

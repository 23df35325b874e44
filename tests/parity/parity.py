"""Cases, and the three ways to render one: the reference environment, plain Jinja2, and JavaScript in Chromium.

A corpus file holds one case a line: `[@deviation,...] TEMPLATE [<== JSON CONTEXT]`; `\\n` is a line break. A line that
begins with `# ` is a comment. `!` in front means that the compiler must refuse the template.
"""

import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
from playwright.sync_api import Page

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.errors import Faulty
from awning.jsrc import jsrc_root
from awning.template.compile import compile_template
from awning.template.own_filters import FILTERS
from awning.template.reference import reference_environment

HERE = Path(__file__).parent

SHARED = {
    "base.html": "<title>{% block title %}Base{% endblock %}</title>{% set shade = 'grey' %}"
    "{% block body %}<p>{{ shade }}</p>{% endblock %}{% block foot scoped %}{% endblock %}",
    "middle.html": "{% extends 'base.html' %}{% block body %}[{{ super() }}]{% endblock %}",
    "row.html": "<li>{{ item }}{{ loop.index if loop }}</li>",
    "tree.html": "<b>{{ node.n }}</b>{% for node in node.c %}{% include 'tree.html' %}{% endfor %}",
    "forms.html": "{% macro input(name, value='', type='text') %}"
    "<input name='{{ name }}' value='{{ value }}'>{{ type }}{% endmacro %}"
    "{% macro wrap() %}<i>{{ caller() }}</i>{% endmacro %}{% set version = 3 %}{% set _private = 1 %}",
    "says.html": "{{ who }}{% set said = who ~ '!' %}{% macro shout() %}{{ said }}{% endmacro %}",
    "who.html": "({{ who }}|{{ who is defined }})",
    "calls.html": "{{ m() }}",
    "child.html": "{% extends 'parent.html' %}{% set tone = 'dark' %}{% set shade = 'red' %}"
    "{% block all %}{{ tone }}{% endblock %}",
    "parent.html": "{% set shade = 'blue' %}{% macro dye(x) %}[{{ x }}{{ shade }}]{% endmacro %}"
    "{% set left = 1 if no %}{% block all %}{% endblock %}",
    "card.html": "<div title='{{ item.a }}'>{{ item.b|default('?') }}"
    "{% for tag in item.tags %} #{{ tag }}{% endfor %}"
    "{% if item.on %}{{ '%.2f'|format(item.p) }}{% endif %}</div>",
    "shop.html": "{% macro price(value, unit='EUR') -%} <b>{{ '{:,.2f}'.format(value) }}</b>&nbsp;{{ unit }} "
    "{%- endmacro %}{% macro badges(tags) %}{% for tag in tags %}<i class='badge'>{{ tag|upper }}</i>"
    "{% else %}{{ s }}{% endfor %}{% endmacro %}"
    "{% macro card(of) %}{{ price(of.p) }}{{ badges(of.tags) }}{% endmacro %}",
    "page.html": "<main>{% block main required %}{% endblock %}</main>"
    "<aside>{% block side %}side {{ s }}{% endblock %}</aside>"
    "{% for item in w %}{% block line scoped %}{{ item }}{% endblock %}{% endfor %}",
}
"""Templates that cases include, import and extend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A template, its context, and the deviations by which it differs from plain Jinja2."""

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    deviations: tuple[str, ...] = ()
    refused: bool = False


def read_case(line: str) -> Case:
    deviations: tuple[str, ...] = ()
    refused = line.startswith("!")
    text = line.removeprefix("!")
    if text.startswith("@"):
        names, _, text = text[1:].partition(" ")
        deviations = tuple(names.split(","))
    template, _, context = text.partition(" <== ")
    return Case(
        template=template.replace("\\n", "\n"),
        context=json.loads(context) if context else {},
        deviations=deviations,
        refused=refused,
    )


def corpus() -> dict[str, Case]:
    """Return every case by its file and line."""
    cases = {}
    for path in sorted((HERE / "corpus").glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("# "):
                cases[f"{path.stem}:{number}"] = read_case(line)
    return cases


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered text, or an error."""

    text: str | None
    error: str = ""


def rendered_by(environment: jinja2.Environment, template: str, context: dict[str, Any]) -> Rendered:
    environment.loader = jinja2.DictLoader({**SHARED, "case.html": template})
    try:
        with warnings.catch_warnings():
            # For a slice of a constant, such as `true[1:]`, Python warns before it raises.
            warnings.simplefilter("ignore", SyntaxWarning)
            return Rendered(environment.get_template("case.html").render(json.loads(json.dumps(context))))
    except Exception as error:  # noqa: BLE001 - whatever Python raises is the answer
        return Rendered(None, f"{type(error).__name__}: {error}")


def by_reference(template: str, context: dict[str, Any]) -> Rendered:
    return rendered_by(reference_environment(), template, context)


def by_jinja(template: str, context: dict[str, Any]) -> Rendered:
    environment = jinja2.Environment(autoescape=True)
    environment.filters |= {name: spec.twin for name, spec in FILTERS.items() if spec.twin is not None}
    return rendered_by(environment, template, context)


def compiled(template: str, *, dev: bool = False) -> str | Faulty:
    try:
        return compile_template(template, path="case.html", loader=SHARED.get, dev=dev).code
    except Faulty as refusal:
        return refusal


RENDER = """(contexts) => JSON.stringify(JSON.parse(contexts).map((list, at) => list.map((context) => {
  try { return [renders[at](context), ""]; } catch (error) { return [null, String(error)]; }
})))"""


@dataclass
class JavaScript:
    """Compiled modules, bundled and minified as they ship, run in one page."""

    page: Page
    folder: Path
    bundles: int = 0

    def render(
        self, modules: Sequence[str], contexts: Sequence[Sequence[dict[str, Any]]]
    ) -> list[list[Rendered]]:
        """Render each module with each of its contexts."""
        self.page.evaluate(self.script(modules))
        answers = json.loads(self.page.evaluate(RENDER, json.dumps(contexts)))
        return [[Rendered(*answer) for answer in results] for results in answers]

    def called(self, template: str, function: str) -> Any:
        """Return what a function of the page returns, which finds the compiled template in `renders[0]`."""
        code = compiled(template)
        assert isinstance(code, str), code
        self.page.evaluate(self.script([code]))
        return self.page.evaluate(function)

    def script(self, modules: Sequence[str]) -> str:
        self.bundles += 1
        root = self.folder / str(self.bundles)
        root.mkdir()
        imports = []
        for number, code in enumerate(modules):
            (root / f"m{number}.js").write_text(code, encoding="utf-8")
            imports.append(f'import r{number} from "./m{number}.js";')
        renders = ", ".join(f"r{number}" for number in range(len(modules)))
        entry = root / "entry.js"
        entry.write_text("\n".join([*imports, f"globalThis.renders = [{renders}];"]), encoding="utf-8")
        request = BundleRequest(
            entry_points=(EntryPoint("entry", entry),), root=root, jsrc=jsrc_root(), source_maps=False
        )
        return bundle(find_esbuild(), request).outputs["entry"].code.decode()


Render = Callable[[str, dict[str, Any]], Rendered]

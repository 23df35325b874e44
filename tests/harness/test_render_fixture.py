"""The fixture `render`: templates, messages and money in QuickJS, without a browser."""

import pytest

from awning.errors import ConfigurationError, Faulty
from awning.template.reference import reference_environment
from awning.workspace.scaffolding import make_workspace
from awning_harness.fixtures import renderer as render_module
from awning_harness.fixtures.renderer import Renderer, RenderingFailed, open_renderer

EURO = {"symbol": "€", "decimals": 2}
MESSAGES = {
    "en": """\
in-stock = "In stock"
left = "{count} left of {name}"
days = { one = "{count} day", other = "{count} days" }
""",
    "lv": """\
in-stock = "Ir"
left = "{count} no {name}"
days = { zero = "{count} dienu", one = "{count} diena", other = "{count} dienas" }
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("render") / "app"
    make_workspace(root, slot="after-price")
    folder = root / "widgets" / "stock-note"
    for language, messages in MESSAGES.items():
        (folder / "messages" / f"{language}.toml").write_text(messages)
    (root / "widgets" / "_shared").mkdir(exist_ok=True)
    (root / "widgets" / "_shared" / "shared.html.j2").write_text("<i>{{ name }}</i>")
    return folder


@pytest.fixture
def render(folder) -> Renderer:
    return open_renderer(folder, test=folder / "test_own.py", name=None)


@pytest.fixture
def template(folder, render):
    """A function that renders a template with this text."""

    def rendered(text: str, **context: object) -> str:
        (folder / "own.html.j2").write_text(text)
        return render("own.html.j2", context, language="en")

    return rendered


SAME = {
    "escaped": ("<p>{{ name }}</p>", {"name": "<b>&'\""}),
    "loop": ("{% for n in names %}{{ loop.index }}{{ n }}{% endfor %}", {"names": ["a", "b"]}),
    "numbers": ("{{ 1.50 }} {{ n }} {{ n / 4 }}", {"n": 3}),
    "nothing": ("{{ missing }}{{ n }}", {"n": None}),
}


@pytest.mark.parametrize("name", SAME)
def test_rendering_is_that_of_the_reference(template, name):
    text, context = SAME[name]
    assert template(text, **context) == reference_environment().from_string(text).render(context)


def test_messages_are_those_of_the_language(template):
    assert template('{{ t("left", count=3, name="Cup") }}') == "3 left of Cup"


def test_missing_message_is_its_key(template):
    assert template('{{ t("missing") }}') == "missing"


def test_money_with_a_display_needs_no_browser(template, render):
    assert template("{{ price|money }}", price=12.5, currency=EURO) == "€12.50"
    assert render.money(1234.5, EURO) == "€1234.50"


def test_text_has_its_values(render):
    assert render.text("left", language="en", count=2, name="Cup") == "2 left of Cup"


def test_shared_template_is_included(template):
    assert template('{% include "shared.html.j2" %}', name="Cup") == "<i>Cup</i>"


def test_renderings_share_nothing(template):
    text = "{% set ns = namespace(n=0) %}{% set ns.n = ns.n + 1 %}{{ ns.n }}"
    assert [template(text), template(text)] == ["1", "1"]


FAILURES = {
    "list": (
        "<p>\n{{ n }}",
        {"n": [1]},
        "own.html.j2:2: a list or mapping cannot be printed: use join or tojson",
    ),
    "order": ("<p>\n{{ n < n }}", {"n": [1]}, "own.html.j2:2: only numbers and texts have an order"),
    "currency_code": ("{{ 1|money('JPY') }}", {}, "formats with Intl.NumberFormat, which only a browser has"),
    "date": ('{{ "2026-03-02"|date }}', {}, "formats with Intl.DateTimeFormat"),
    "plural": ('{{ t("days", count=1) }}', {}, "formats with Intl.PluralRules"),
    "endless": ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", {}, "own.html.j2 in en fails:"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_rendering_that_needs_a_browser_says_so(template, name):
    text, context, message = FAILURES[name]
    with pytest.raises(RenderingFailed) as failure:
        template(text, **context)
    assert message in str(failure.value)


def test_rendering_without_an_end_is_ended(template, monkeypatch):
    monkeypatch.setattr(render_module, "WITHIN_S", 0.2)
    loops = "".join(f"{{% for {name} in range(999) %}}" for name in "abc")
    text = loops + 3 * "{% endfor %}"
    with pytest.raises(RenderingFailed, match="never ends"):
        template(text)


def test_refused_template_names_its_place(template):
    with pytest.raises(Faulty, match=r"own\.html\.j2:1"):
        template("<script>{{ name }}</script>")


def test_unknown_names_are_reported(render, folder):
    with pytest.raises(ConfigurationError, match=r"no template 'veiw\.html\.j2'"):
        render("veiw.html.j2")
    with pytest.raises(ConfigurationError, match="no language 'xx'"):
        render.text("left", language="xx")
    with pytest.raises(ConfigurationError, match="not in the folder of a widget"):
        open_renderer(folder, test=folder.parent.parent / "test_own.py", name=None)


def test_messages_differ_by_language(template, render):
    assert template('{{ t("in-stock") }}') == "In stock"
    assert render("own.html.j2", language="lv") == "Ir"

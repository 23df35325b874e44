"""`awning doctor --assumptions`: what an app depends on, what is settled, and how to settle the rest."""

import pytest

from awning.contract.assumptions import ASSUMPTIONS
from awning.contract.assumptions.subjects import SUBJECTS

CART_TOML = 'title = "Note"\nslot = "after-cart"\n'


@pytest.fixture
def known(awning):
    """`known()` returns the assumptions of `doctor --assumptions --json`, by id."""

    def call(**environ):
        result = awning("doctor", "--assumptions", "--json", **environ)
        assert result.code == 0, result.err
        return {each["id"]: each for each in result.json["assumptions"]}

    return call


@pytest.fixture
def used(known):
    """`used()` returns the users of each assumption that the app depends on."""
    return lambda: {id_: each["used_by"] for id_, each in known().items() if each["used_by"]}


def test_each_assumption_says_what_it_is_about():
    assert {id_: row.about for id_, row in ASSUMPTIONS.items() if not row.about} == {}
    assert {id_: row.about for id_, row in ASSUMPTIONS.items() if not SUBJECTS.issuperset(row.about)} == {}


@pytest.mark.parametrize(
    ("files", "depends"),
    [
        ({"widget_toml": CART_TOML, "view_html_j2": "{{ cart['items']|length }}"}, {"cart-fields"}),
        (
            {"widget_toml": CART_TOML, "view_html_j2": "{% for i in cart['items'] %}{{ i.sku }}{% endfor %}"},
            {"cart-fields"},
        ),
        ({"widget_toml": CART_TOML, "view_html_j2": "{{ cart.total }}"}, set()),
        ({"view_html_j2": "{{ item.weight }}"}, set()),
        ({"view_html_j2": "{{ page.page }}"}, {"page-value"}),
        ({"view_html_j2": "{{ page.language }}"}, set()),
    ],
)
def test_template_depends_on_the_fields_that_it_reads(project, used, files, depends):
    project.add_widget(**files)
    assert {"cart-fields", "page-value"} & used().keys() == depends


@pytest.mark.parametrize(
    ("body", "depends"),
    [
        ("({ cart }) => `${cart.items.length}`", {"cart-fields"}),
        ("({ cart: { items } }) => `${items}`", {"cart-fields"}),
        ('({ cart }) => `${cart["discount_code"]}`', {"cart-fields"}),
        ("({ cart }) => `${cart.total}`", set()),
        ("({ page }) => page.page", {"page-value"}),
        ("({ page }) => page.language", set()),
    ],
)
def test_script_depends_on_the_fields_that_it_reads(project, used, body, depends):
    script = f'import {{ afterCart }} from "awning";\nexport default afterCart({body});\n'
    project.add_widget(widget_toml=CART_TOML, widget_ts=script)
    assert {"cart-fields", "page-value"} & used().keys() == depends


def test_app_depends_on_what_its_events_do(project, used):
    project.add_widget("price").add_widget("basket", widget_toml=CART_TOML, view_html_j2="x")
    found = used()
    assert found["empty-cart"] == ["basket"]
    assert found["repeat-first-update"] == ["price"]
    assert found["replay"] == ["basket", "price"]


def test_only_a_script_without_the_runtime_depends_on_what_the_runtime_avoids(project, used):
    project.add_widget()
    assert not {"second-init", "scripts-run", "page-global", "live-event"} & used().keys()
    script = 'svcPlugins.subscribeEvent("svc-content-after-price", (e, init) => init().setContent("a"));\n'
    project.add_widget("raw", widget_ts=script)
    assert {"scripts-run", "live-event"} <= used().keys()


def test_app_depends_on_the_calls_that_awning_makes_for_it(project, used):
    project.add_widget()
    found = used()
    assert found["unset-snippet"] == found["rate-limit"] == ["awning"]
    assert not {"head-calls", "unset-data", "data-insertion", "null-snippet", "token-lifetime"} & found.keys()
    with (project.root / "pyproject.toml").open("a") as toml:
        toml.write("[tool.awning.profiles.default]\nhead_snippets = true\n")
    project.add_widget("set", data_schema_json='{"type": "object", "properties": {"a": {"type": "string"}}}')
    found = used()
    assert found["head-calls"] == ["awning"]
    assert found["data-insertion"] == ["note", "set"], "the kill switch is in the app data, too"
    assert "unset-data" in found


SETTLED = """
[tool.awning.profiles.live.assumptions]
unset-snippet = { answer = "empty", by = "probe", on = "2026-03-02", service = "https://a.example/v1" }
cart-fields = { answer = "known", by = "capture", on = "2026-03-02" }
token-lifetime = { answer = "77" }
"""


def test_doctor_tells_what_is_settled_for_the_profile_and_how(project, known, awning):
    project.add_widget(widget_toml=CART_TOML, view_html_j2="{{ cart['items']|length }}")
    with (project.root / "pyproject.toml").open("a") as toml:
        toml.write(SETTLED)
    live = known(AWNING_PROFILE="live")
    assert {
        id_: (each["basis"], each["answer"])
        for id_, each in live.items()
        if each["on"] or id_ == "token-lifetime"
    } == {
        "unset-snippet": ("probe", "empty"),
        "cart-fields": ("capture", "known"),
        "token-lifetime": ("hand", "77"),
    }
    assert live["unset-snippet"]["service"] == "https://a.example/v1"
    text = awning("doctor", "--assumptions", AWNING_PROFILE="live").out
    assert 'Settled for the profile "live" (3)' in text
    assert "cart-fields" not in text[: text.index("Settled")]


def test_guesses_that_the_app_depends_on_are_first_with_a_way_to_settle_them(project, awning):
    project.add_widget(widget_toml=CART_TOML, view_html_j2="{{ cart['items']|length }}")
    text = awning("doctor", "--assumptions").out
    first = text[: text.index("observed at other services")]
    assert "This app depends on these guesses" in first
    assert "awning payload check" in first[first.index("cart-fields") :]
    assert "token-lifetime" not in first
    assert "replay " not in first


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ('unset-snipet = { answer = "null" }', "unset-snippet"),
        ('unset-snippet = { answer = "nil" }', "null, empty, absent, not-found"),
        ('unset-snippet = "null"', "a table"),
        ("unset-snippet = { }", "answer"),
        ('unset-snippet = { answer = "null", by = "me" }', "probe, capture, hand"),
        ('unset-snippet = { answer = "null", on = "yesterday" }', "2026-03-02"),
        ('token-lifetime = { answer = "-1" }', "86400"),
        ("unset-snippet = { answer = 1 }", "a string"),
    ],
)
def test_wrong_answer_in_a_profile_is_reported_at_its_place(project, awning, entry, says):
    project.add_widget()
    toml = project.root / "pyproject.toml"
    text = f"{toml.read_text()}\n[tool.awning.profiles.default.assumptions]\n{entry}\n"
    toml.write_text(text)
    result = awning("check")
    assert result.code == 1
    assert f"pyproject.toml:{text.count(chr(10))}:" in result.out + result.err
    assert says in result.out + result.err


def test_doctor_lists_assumptions_of_an_app_with_errors_and_says_so(project, awning):
    project.add_widget(view_html_j2="{{ x|nosuch }}", widget_toml="title = 1\n")
    result = awning("doctor", "--assumptions")
    assert result.code == 0
    assert "has errors: awning check" in result.err
    assert "unset-snippet" in result.out


def test_doctor_lists_assumptions_outside_of_a_workspace(awning, known, project, tmp_path):
    result = awning("doctor", "--assumptions", "--json", cwd=tmp_path)
    assert result.code == 0
    assert {each["used_by"] for each in result.json["assumptions"]} == {None}

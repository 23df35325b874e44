"""The verbs `awning template compile` and `awning template render`."""

import json
from functools import partial
from pathlib import Path

import pytest
from command_line import run_awning


@pytest.fixture
def awning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """The command line in a folder with templates."""
    monkeypatch.chdir(tmp_path)
    Path("a.html.j2").write_text("<p>{{ x|upper }}{% include 'b.html.j2' %}</p>\n")
    Path("b.html.j2").write_text("{{ y }}")
    Path("wrong.html.j2").write_text("<p>\n  {{ x|nope }}</p>")
    Path("raises.html.j2").write_text("{{ x + 1 }}")

    return partial(run_awning, capfd, "template")


def test_single_file_compiles_to_a_self_contained_module(awning, tmp_path) -> None:
    assert awning("compile", "a.html.j2", "-o", "deep/a.mjs").code == 0
    text = (tmp_path / "deep/a.mjs").read_text()
    assert "import" not in text
    assert "as default" in text


def test_several_files_compile_to_a_folder_even_if_one_is_refused(awning, tmp_path) -> None:
    ended = awning("compile", "a.html.j2", "wrong.html.j2", "b.html.j2", "-o", "out", "--json")
    assert ended.code == 1
    document = json.loads(ended.out)
    assert document["schema_version"] == 1
    assert [(result["path"], result["ok"]) for result in document["results"]] == [
        ("a.html.j2", True),
        ("wrong.html.j2", False),
        ("b.html.j2", True),
    ]
    (diagnostic,) = document["results"][1]["diagnostics"]
    assert (diagnostic["rule"], diagnostic["line"], diagnostic["column"]) == ("template-filter", 2, 8)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.mjs", "b.mjs"]


def nested(depth: int) -> str:
    return '{"y": ' + "[" * depth + "]" * depth + "}"


@pytest.mark.parametrize("depth", [600, 50_000])
def test_a_context_that_is_nested_too_deeply_is_refused(awning, tmp_path, depth: int) -> None:
    (tmp_path / "deep.json").write_text(nested(depth))
    ended = awning("render", "b.html.j2", "--context", "@deep.json")
    assert ended.code == 2
    assert "@deep.json is nested too deeply: lists and objects may be 500 deep" in ended.err
    assert "Recursion" not in ended.err


def test_a_context_that_is_nested_less_deeply_is_rendered(awning) -> None:
    Path("nested.html.j2").write_text("{{ y|tojson }}")
    assert awning("render", "nested.html.j2", "--context", nested(499)).out == "[" * 499 + "]" * 499


def test_a_template_that_is_too_large_is_refused(awning, tmp_path) -> None:
    with (tmp_path / "huge.html.j2").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    ended = awning("compile", "huge.html.j2", "-o", "out.mjs")
    assert ended.code == 1
    assert "huge.html.j2:1:1: error[template-too-large]" in ended.err


def test_endless_recursion_is_reported(awning, tmp_path) -> None:
    (tmp_path / "endless.html.j2").write_text("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}")
    ended = awning("render", "endless.html.j2", "--context", "{}")
    assert ended.code == 1
    assert "error[template-raises]: it is nested too deeply, or calls itself without end" in ended.err


def test_missing_file_is_reported(awning) -> None:
    ended = awning("compile", "gone.html.j2", "b.html.j2", "-o", "out", "--json")
    assert ended.code == 1
    assert [result["ok"] for result in json.loads(ended.out)["results"]] == [False, True]


def test_faults_are_shown_with_their_line(awning) -> None:
    ended = awning("compile", "wrong.html.j2", "-o", "w.mjs")
    assert ended.code == 1
    assert "wrong.html.j2:2:8: error[template-filter]" in ended.err
    assert "{{ x|nope }}" in ended.err
    assert not Path("w.mjs").exists()


def test_files_of_the_same_name_do_not_overwrite_each_other(awning) -> None:
    Path("c").mkdir()
    Path("c/b.html.j2").write_text("c")
    assert awning("compile", "b.html.j2", "c/b.html.j2", "-o", "out").code == 2


def test_render_prints_the_output(awning) -> None:
    ended = awning("render", "a.html.j2", "--context", '{"x": "<a", "y": 2.0}')
    assert (ended.code, ended.out) == (0, "<p>&lt;A2</p>")


def test_render_reads_the_context_from_a_file(awning) -> None:
    Path("context.json").write_text('{"x": "q", "y": null}')
    assert awning("render", "a.html.j2", "--context", "@context.json").out == "<p>Q</p>"


@pytest.mark.parametrize("context", ["{", "[1]", "@gone.json"])
def test_context_that_is_not_an_object_is_a_usage_error(awning, context) -> None:
    assert awning("render", "a.html.j2", "--context", context).code == 2


def test_a_context_file_that_cannot_be_read_is_reported(awning, tmp_path):
    ended = awning("render", "a.html.j2", "--context", "@gone.json")
    assert (ended.code, "--context names gone.json, which cannot be read" in ended.err) == (2, True)


@pytest.mark.parametrize("name", ["wrong.html.j2", "raises.html.j2"])
def test_render_reports_a_template_that_is_refused_or_raises(awning, name) -> None:
    ended = awning("render", name, "--context", "{}")
    assert (ended.code, ended.out) == (1, "")
    assert name in ended.err


def test_render_names_the_template_and_the_line_that_print_a_list(awning) -> None:
    Path("outer.html.j2").write_text("<p>{% include 'list.html.j2' %}</p>")
    Path("list.html.j2").write_text("\n{{ y }}")
    ended = awning("render", "outer.html.j2", "--context", '{"y": [1]}')
    assert (ended.code, ended.out) == (1, "")
    message = "TypeError: a list or mapping cannot be printed: use join or tojson"
    assert ended.err.startswith(f"list.html.j2:2: error[template-raises]: {message}\n")


def test_render_refuses_an_intl_filter(awning, tmp_path) -> None:
    (tmp_path / "price.html.j2").write_text("<p>\n{{ x|money }}</p>")
    ended = awning("render", "price.html.j2", "--context", '{"x": 5, "currency": "EUR"}')
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("price.html.j2:2: error[template-browser-filter]")
    assert "filter money" in ended.err


def test_rendered_text_is_in_the_document(tmp_path, capfd):
    (tmp_path / "a.html.j2").write_text("<p>{{ name }}</p>")
    document = json.loads(
        run_awning(
            capfd, "template", "render", tmp_path / "a.html.j2", "--context", '{"name": "<A>"}', "--json"
        ).out
    )
    assert (document["ok"], document["text"], document["diagnostics"]) == (True, "<p>&lt;A&gt;</p>", [])
    (tmp_path / "a.html.j2").write_text("{% include 'none' %}")
    refused = run_awning(capfd, "template", "render", tmp_path / "a.html.j2", "--context", "{}", "--json")
    document = json.loads(refused.out)
    assert (refused.code, document["ok"], document["text"]) == (1, False, None)
    assert document["diagnostics"]

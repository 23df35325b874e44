"""The setting `beacon` of the workspace, in snippets."""

import re

import pytest
from project import Project

from awning.build_record import BuildName, build_mark
from awning.errors import Faulty

ADDRESS = "https://errors.example/awning"


def project_with(project: Project, beacon: str) -> Project:
    path = project.add_widget("note").root / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("[tool.awning]\n", f'[tool.awning]\nbeacon = "{beacon}"\n'), encoding="utf-8"
    )
    return project


def test_the_address_and_the_apps_title_are_in_the_snippet(project: Project) -> None:
    project_with(project, ADDRESS).build()
    body = (project.root / "dist/body.html").read_text(encoding="utf-8")
    assert re.search(rf'sendBeacon\("{ADDRESS}"', body)


def test_each_snippet_has_the_name_of_build_and_language(project: Project) -> None:
    record = project_with(project, ADDRESS).build()
    for language in (None, "en", "lv"):
        built = record.snippet("body", language)
        assert built is not None
        (name,) = set(re.findall(r'"([0-9a-f]{12}\.[a-z.]*)"', project.dist(built.path)))
        assert BuildName.read(name) == BuildName(fingerprint=record.fingerprint[:12], language=language)


def test_snippet_of_one_widget_has_no_language_of_the_app(project: Project) -> None:
    project_with(project, ADDRESS).build()
    (name,) = set(re.findall(r'"[0-9a-f]{12}\.(.{2})"', project.dist("widgets/note/lv/body.html")))
    assert name == "-."


@pytest.mark.parametrize("language", [None, "lv", "pt-BR", "pt_BR", "es-419", "zh-Hant-TW"])
def test_name_of_a_snippet_is_read_as_it_was_written(language: str | None) -> None:
    mark = build_mark(("lv", "zh-Hant-TW"))
    text = BuildName(fingerprint="0123456789abcdef", language=language).text(mark)
    assert len(text) == len(mark)
    assert BuildName.read(text) == BuildName(fingerprint="0123456789ab", language=language)


@pytest.mark.parametrize(
    "text", ["", "0123456789ab", "0123456789ag.lv", "0123456789ab.l v", "0123456789abc.lv"]
)
def test_other_texts_are_no_name_of_a_snippet(text: str) -> None:
    assert BuildName.read(text) is None


def test_source_map_fits_the_named_script(project: Project) -> None:
    """The name is as long as what it replaces, so no place in the script moves."""
    project_with(project, ADDRESS).build()
    named = project.dist("lv/body.html")
    (name,) = set(re.findall(r'"([0-9a-f]{12}\.[a-z.]*)"', named))
    assert len(name) == len(build_mark(("en", "lv")))


def test_sample_rate_is_in_the_snippet_and_in_the_build_record(project: Project) -> None:
    project_with(project, ADDRESS)
    path = project.root / "pyproject.toml"
    path.write_text(
        path.read_text().replace("beacon =", "beacon_sample_rate = 0.25\nbeacon ="), encoding="utf-8"
    )
    record = project.build()
    assert "Math.random()<.25" in project.dist("body.html")
    assert record.beacon_sample_rate == 0.25


def test_beacon_without_a_sample_rate_has_no_code_for_samples(project: Project) -> None:
    assert project_with(project, ADDRESS).build().beacon_sample_rate is None
    assert "Math.random" not in project.dist("body.html")


@pytest.mark.parametrize("rate", ["0", "1.5", "-1", '"0.1"', "true", "nan"])
def test_sample_rate_must_be_a_share(project: Project, rate: str) -> None:
    project_with(project, ADDRESS)
    path = project.root / "pyproject.toml"
    path.write_text(path.read_text() + f"beacon_sample_rate = {rate}\n", encoding="utf-8")
    with pytest.raises(Faulty) as refused:
        project.build()
    assert ["beacon_sample_rate" in diagnostic.message for diagnostic in refused.value.diagnostics] == [True]


def test_sample_rate_needs_a_beacon(project: Project) -> None:
    project.add_widget("note")
    path = project.root / "pyproject.toml"
    path.write_text(path.read_text() + "beacon_sample_rate = 0.1\n", encoding="utf-8")
    with pytest.raises(Faulty) as refused:
        project.build()
    (diagnostic,) = refused.value.diagnostics
    assert 'no effect without "beacon"' in diagnostic.message


def test_widget_that_fails_while_it_is_loaded_is_reported(project: Project) -> None:
    fails = 'import { afterPrice } from "awning"; JSON.parse("{"); export default afterPrice(() => "x");'
    project.add_widget("bad", widget_ts=fails)
    project_with(project, ADDRESS).build()
    body = project.dist("body.html")
    assert re.search(r'console\.error\("bad",\w+\),\w+\("bad",\w+\)', body)


def test_snippet_without_a_beacon_has_no_beacon_code(project: Project) -> None:
    project.add_widget("note").build()
    assert "sendBeacon" not in (project.root / "dist/body.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "address",
    [
        "http://errors.example/",
        "errors.example",
        "https://",
        "https://key@errors.example/",
        "https://a.b/{{svc_x}}",
        "",
    ],
)
def test_beacon_address_must_be_https_without_secrets_or_placeholders(project: Project, address: str) -> None:
    with pytest.raises(Faulty) as refused:
        project_with(project, address).build()
    (diagnostic,) = refused.value.diagnostics
    assert "beacon" in diagnostic.message
    assert diagnostic.place is not None
    assert diagnostic.place.path == "pyproject.toml"

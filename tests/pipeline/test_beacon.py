"""The setting `beacon` of the workspace, in snippets."""

import re

import pytest
from project import Project

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

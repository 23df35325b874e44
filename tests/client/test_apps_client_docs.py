"""docs/apps-client.md covers each call and each error, and its examples run."""

import inspect
import re
from pathlib import Path

import pytest

from awning import errors
from awning.client import Operation, Secret, apps
from awning.client.app_data import decode_app_data
from awning_harness.service import serve

TEXT = (Path(__file__).parents[2] / "docs" / "apps-client.md").read_text("utf-8")
CALLS = [
    name
    for name, function in inspect.getmembers(apps, inspect.isfunction)
    if not name.startswith("_") and function.__module__ == apps.__name__
]


@pytest.mark.parametrize("name", CALLS)
def test_every_call_is_documented(name):
    assert f"`apps.{name}(" in TEXT


def test_documented_calls_are_the_existing_ones():
    documented = set(re.findall(r"\bapps\.(\w+)\(", TEXT))
    assert documented == set(CALLS)
    assert isinstance(apps.languages(Secret("code")), Operation)


@pytest.mark.parametrize("kind", [errors.Unreachable, errors.BadAnswer, errors.Refused, errors.Unauthorized])
def test_every_error_is_documented(kind):
    assert f"- `{kind.__name__}`: " in TEXT


def test_documented_examples_run(monkeypatch):
    with serve() as running:
        app, key = running.service.register_app({"app_title": "A"})
        website = running.service.create_website(languages=["lv", "en"], brandname="Bakery")
        code = running.service.install(app, website.id)
        monkeypatch.setenv("AWNING_BASE_URL", running.apps_url)
        monkeypatch.setenv("AWNING_API_KEY", key)
        monkeypatch.setenv("AWNING_AUTH_CODE", code)
        names = {}
        for example in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
            exec(compile(example, "apps-client.md", "exec"), names)
        assert running.service.snippet(code, language="en") == "<p>en</p>"
        with names["apps_client"](running.apps_url, Secret(key)) as client:
            stored = client.run(apps.get_data(Secret(code)))
    assert decode_app_data(stored) == {"free-shipping-bar": {"threshold": 50}}
    assert [website.brandname for website in names["results"]] == ["Bakery"]

"""The recipes of docs/verification.md run unchanged and pass every request of `awning conformance`."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.urls import clear_url_caches, set_urlconf
from verifiers import SECRET, asgi, run, wsgi

PAGE = (Path(__file__).parents[2] / "docs/verification.md").read_text(encoding="utf-8")


@pytest.fixture
def recipe(monkeypatch):
    """The names that the Python under a heading defines."""
    monkeypatch.setenv("AWNING_APP_SECRET", SECRET)

    def names(heading):
        section = PAGE.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
        code = re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
        namespace = {"__name__": "recipe"}
        exec(compile(code, f"docs/verification.md, {heading}", "exec"), namespace)
        return namespace

    return names


def failures(send):
    return [(result.request.name, result.status) for result in run(send) if not result.passed]


def test_plain_python_recipe_passes(recipe):
    assert recipe("In Python")["verdict"].authentic is False


def test_asgi_recipe_passes(recipe):
    assert failures(asgi(recipe("ASGI")["app"])) == []


def test_flask_recipe_passes(recipe, caplog):
    assert failures(wsgi(recipe("Flask")["app"])) == []
    assert "request refused: there is no hash parameter" in caplog.text
    assert SECRET not in caplog.text


def test_flask_recipe_redirects_to_the_return_link(recipe):
    client = recipe("Flask")["app"].test_client()
    [first, *_] = run(wsgi(recipe("Flask")["app"]))
    answer = client.get(f"/install?{first.request.query}")
    assert answer.status_code == 302
    assert answer.location == "https://service.example/apps/return?appId=1&language=en&svcVersion=2.701"


def test_django_recipe_passes(recipe):
    namespace = recipe("Django")
    if not settings.configured:
        settings.configure(ALLOWED_HOSTS=["localhost"], SECRET_KEY="x", LOGGING_CONFIG=None)
    settings.ROOT_URLCONF = tuple(namespace["urlpatterns"])
    clear_url_caches()
    try:
        assert failures(wsgi(WSGIHandler())) == []
    finally:
        set_urlconf(None)

"""The publisher against the simulated service, which shares no code with it: pages show the built snippets."""

import html
import json

import pytest

from awning_harness.service import serve

MANIFEST = {
    "app_type": "APP",
    "app_title": "Test",
    "app_secret": "planted-canary-s3cret",
    "app_default_snippet": "<i>default</i>",
}


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture
def site(running, workspace, monkeypatch, awning):
    """An app that is installed on a website with two languages and listed in the inventory."""
    running.service.reset()
    running.service.assumptions.take_set("observed")
    app_id, key = running.service.register_app(MANIFEST)
    website = running.service.create_website(languages=("lv", "de"))
    monkeypatch.setenv("AWNING_AUTH_CODE", running.service.install(app_id, website.id))
    monkeypatch.setenv("AWNING_API_KEY", key)
    monkeypatch.setenv("AWNING_BASE_URL", running.apps_url)
    assert awning("instances", "add", "--name", "site")[0] == 0
    return website.id


def on_page(running, website_id, language):
    (snippets,) = running.service.page_snippets(website_id, language)
    return snippets.body


def apply(awning):
    code, out, _ = awning("publish", "apply", "--json")
    return code, {c["language"]: c["outcome"] for c in json.loads(out)["cells"]}


def test_pages_show_the_published_snippet_in_their_language(running, site, awning):
    assert on_page(running, site, "lv") == "<i>default</i>"
    published = {None: "applied", "lv": "applied", "en": "skipped", "de": "skipped"}
    assert apply(awning) == (0, published)
    assert on_page(running, site, "lv") == "<b>lv ā</b>"
    assert on_page(running, site, "de").strip() == "<b></b>"
    assert apply(awning) == (0, {**published, None: "unchanged", "lv": "unchanged"})


@pytest.mark.parametrize("assumption_set", ["documented", "hostile"])
def test_publish_succeeds_and_repeats_unchanged_under_every_assumption_set(
    assumption_set, running, site, awning
):
    running.service.assumptions.take_set(assumption_set)
    assert apply(awning)[1] == {None: "applied", "lv": "applied", "en": "skipped", "de": "skipped"}
    assert apply(awning)[1] == {None: "unchanged", "lv": "unchanged", "en": "skipped", "de": "skipped"}


OPEN_QUESTIONS = [("unset-snippet", value) for value in ("null", "empty", "absent", "not-found")] + [
    ("language-fallback", "website"),
    ("snippet-storage", "crlf"),
    ("snippet-storage", "trimmed"),
]


@pytest.mark.parametrize(("question", "answer"), OPEN_QUESTIONS)
def test_publish_succeeds_under_either_answer_to_an_open_question(question, answer, running, site, awning):
    running.service.assumptions.set(question, answer)
    assert apply(awning)[0] == 0
    assert apply(awning) == (0, {None: "unchanged", "lv": "unchanged", "en": "skipped", "de": "skipped"})


@pytest.mark.parametrize("fallback", ["none", "website"])
def test_language_without_a_snippet_does_not_get_the_websites_by_a_rollback(
    fallback, running, site, awning, rebuild
):
    """Nothing was set for the language, even where the service answers with the website's snippet."""
    running.service.assumptions.set("language-fallback", fallback)
    rebuild({None: "<b>1</b>", "lv": "<b>lv</b>"})
    assert apply(awning)[0] == 0
    rebuild({None: "<b>2</b>", "lv": "<b>lv</b>"})
    apply(awning)
    _, out, _ = awning("publish", "rollback", "--previous", "--json")
    assert {c["language"]: (c["outcome"], c["reason"]) for c in json.loads(out)["cells"]} == {
        None: ("applied", None),
        "lv": ("refused", "nothing was set before"),
    }


def test_languages_own_snippet_that_equals_the_websites_comes_back(running, site, awning, rebuild):
    """The journal knows that the language's own snippet was written, though both texts are equal."""
    running.service.assumptions.set("language-fallback", "website")
    rebuild({None: "<b>0</b>", "lv": "<b>same</b>"})
    apply(awning)
    rebuild({None: "<b>same</b>", "lv": "<b>same</b>"})
    apply(awning)
    rebuild({None: "<b>same</b>", "lv": "<b>lv</b>"})
    assert apply(awning)[1]["lv"] == "applied"
    assert awning("publish", "rollback", "--previous", "--only", "site")[0] == 0
    assert on_page(running, site, "lv") == "<b>same</b>"


def test_websites_snippet_that_was_taken_for_the_languages_is_not_set_for_it_by_a_rollback(
    running, site, awning, rebuild
):
    """The build has the same text twice. A read of the language returns it from the website: the language has none."""
    running.service.assumptions.set("language-fallback", "website")
    rebuild({None: "<b>1</b>", "lv": "<b>1</b>"})
    assert apply(awning)[1] == {None: "applied", "lv": "unchanged", "de": "skipped"}
    rebuild({"lv": "<b>2</b>"})
    assert apply(awning)[1]["lv"] == "applied"
    _, out, _ = awning("publish", "rollback", "--previous", "--json")
    endings = {c["language"]: c["reason"] for c in json.loads(out)["cells"]}
    assert endings["lv"] == "nothing was set before"


def test_build_without_a_default_asks_for_the_websites_snippet(running, site, awning, rebuild):
    running.service.assumptions.set("language-fallback", "website")
    rebuild({None: "<b>1</b>"})
    apply(awning)
    rebuild({"lv": "<b>lv</b>"})
    assert apply(awning)[1]["lv"] == "applied"
    _, out, _ = awning("publish", "rollback", "--previous", "--json")
    endings = {c["language"]: c["reason"] for c in json.loads(out)["cells"]}
    assert endings["lv"] == "nothing was set before"


def test_truncated_snippet_is_reported(running, site, awning, rebuild):
    rebuild({None: "x" * 70_000})
    running.service.assumptions.set("snippet-size", "truncated")
    code, out, _ = awning("publish", "apply", "--json")
    assert code == 5
    assert "only its first 65535 of 70000 characters" in json.loads(out)["cells"][0]["reason"]


def test_wrong_key_exits_6(running, site, awning, monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", "SVC-wrong")
    assert awning("publish", "apply")[0] == 6


@pytest.mark.parametrize(
    ("insertion", "order"),
    [("raw", "one-pass"), ("json", "one-pass"), ("html-escaped", "data-first"), ("raw", "data-first")],
)
def test_app_data_reaches_the_page_under_every_insertion(insertion, order, running, site, awning, tmp_path):
    running.service.assumptions.set("data-insertion", insertion)
    running.service.assumptions.set("placeholder-order", order)
    apply(awning)
    data = {"w": {"text": "</b>{{svc_language}}&quot;"}}
    (tmp_path / "data.json").write_text(json.dumps(data))
    assert awning("data", "set", "site", "data.json")[0] == 0
    inside = html.unescape(on_page(running, site, "de").strip().removeprefix("<b>").removesuffix("</b>"))
    read = json.loads(inside)
    assert (json.loads(read) if isinstance(read, str) else read) == data
    code, out, _ = awning("data", "get", "site")
    assert (code, json.loads(out)) == (0, data)

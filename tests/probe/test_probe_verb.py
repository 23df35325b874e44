"""`awning probe` against the simulated service on sockets: from the inventory to the profile that `service` plays."""

import json
import sqlite3
from functools import partial

import pytest
from command_line import run_awning
from live_shop import Reply, live_shop, product_page
from project import Project

from awning.contract.assumptions import ASSUMPTIONS
from awning.probe.probes import PROBES
from awning.workspace.reader import read_profile
from awning_harness.dev.dev_session import open_dev_session
from awning_harness.service import Service, serve
from awning_harness.shop import open_shop

MANIFEST = {"app_title": "A", "app_default_snippet": "<i>default</i>"}


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture
def shop(running, tmp_path, monkeypatch, capfd):
    """A workspace with one test instance of a running service in its inventory."""
    service = running.service
    service.reset()
    service.assumptions.take_set("observed")
    app_id, key = service.register_app(MANIFEST)
    website = service.create_website().id
    code = service.install(app_id, website)
    project = Project(tmp_path / "shop").add_widget()
    monkeypatch.chdir(project.root)
    monkeypatch.setenv("AWNING_BASE_URL", running.apps_url)
    monkeypatch.setenv("AWNING_API_KEY", key)
    monkeypatch.setenv("AWNING_AUTH_CODE", code)
    assert run_awning(capfd, "instances", "add", "--name", "test").code == 0
    service.set_snippet(code, "<b>ours</b>")
    service.set_data(code, '{"a": 1}')

    class Shop:
        root = project.root
        secrets = (key, code)

        def __init__(self):
            self.service, self.code, self.website, self.output = service, code, website, ""

        def awning(self, *arguments):
            result = run_awning(capfd, *arguments)
            self.output += result.out + result.err
            return result

        def probe(self, *arguments):
            return self.awning("probe", "--instance", "test", *arguments)

    return Shop()


def test_probe_writes_the_answers_into_the_profile(shop, running):
    shop.service.assumptions.set("data-form", "php")
    shop.service.assumptions.set("unset-snippet", "absent")
    result = shop.probe("--only", "data-form", "--only", "unset-snippet")
    assert result.code == 0, result.err
    assert "data-form" in result.out
    assert "php  (awning assumed: kept)" in result.out
    settled = read_profile(shop.root, environ={}).settled
    assert {id_: (each.answer, each.by, each.service) for id_, each in settled.items()} == {
        "data-form": ("php", "probe", running.apps_url),
        "unset-snippet": ("absent", "probe", running.apps_url),
    }
    assert all(each.on for each in settled.values())


def test_service_dev_and_test_play_the_settled_answers(shop, tmp_path):
    shop.service.assumptions.set("snippet-storage", "crlf")
    assert shop.probe("--only", "snippet-storage").code == 0
    profile = read_profile(shop.root, environ={})
    played = Service.of_profile(profile)
    assert played.assumptions["snippet-storage"] == "crlf"
    named = Service.of_profile(profile, assumptions="observed")
    assert named.assumptions["snippet-storage"] == "verbatim"
    named.close()
    session = open_dev_session(shop.root, languages=("en",), title="A", profile=profile)
    assert session.service.assumptions["snippet-storage"] == "crlf"
    played.close()
    with open_shop(shop.root, dist=tmp_path, folder=tmp_path) as tested:
        assert tested.service.assumptions["snippet-storage"] == "crlf"


def test_all_probes_in_one_run_settle_what_can_be_seen(shop):
    before = shop.service.snippet(shop.code)
    document = shop.probe("--json").json
    states = {each["assumption"]: each["state"] for each in document["probes"]}
    assert states.keys() == PROBES.keys()
    assert {id_ for id_, state in states.items() if state != "settled"} <= {
        "unset-data",
        "unset-data-insertion",
        "unknown-language",
        "second-installed",
        "rate-limit",
    }
    assert shop.service.snippet(shop.code) == before
    assert document["problem"] is None
    known = shop.awning("doctor", "--assumptions", "--json").json["assumptions"]
    probed = {each["id"] for each in known if each["basis"] == "probe"}
    assert probed == {id_ for id_, state in states.items() if state == "settled"}


def test_doctor_names_the_probe_of_each_guess(shop):
    known = {
        each["id"]: each for each in shop.awning("doctor", "--assumptions", "--json").json["assumptions"]
    }
    for id_, probe in PROBES.items():
        more = " --throwaway" if probe.leaves else ""
        assert known[id_]["settle"] == f"awning probe --instance ID --only {id_}{more}"
    assert known["default-cache"]["settle"] is None


WAYS = {
    "nonces": lambda body: Reply(
        product_page(body=body, nonce="n"), headers={"Content-Security-Policy": "script-src 'nonce-n'"}
    ),
    "compressed": lambda body: Reply(
        product_page(body=body), headers={"ETag": '"1"'}, chunked=True, compressed=True
    ),
    "redirect": lambda _body: Reply(status=302, headers={"Location": "/compressed"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_probe_reads_the_page_of_another_shop(shop, way):
    """The shop's pages come in the ways of real servers, with the service's snippet between those of other apps."""

    def page(kind):
        [app] = shop.service.page_snippets(shop.website, "en")
        return WAYS[kind](app.body)

    shop.service.assumptions.set("data-insertion", "html-escaped")
    with live_shop() as live, (shop.root / "pyproject.toml").open("a") as file:
        for kind in WAYS:
            live.add(f"/{kind}", partial(page, kind))
        file.write(f'[tool.awning.profiles.default]\npage = "{live.url}/{way}"\n')
        file.flush()
        result = shop.probe("--only", "data-insertion", "--json")
    [outcome] = result.json["probes"]
    assert (result.code, outcome["state"], outcome["answer"]) == (0, "settled", "html-escaped"), (
        result.out + result.err
    )


def test_named_probe_that_is_not_settled_exits_1(shop):
    assert shop.probe("--only", "unset-data").code == 1
    result = shop.probe("--only", "unknown-language")
    assert result.code == 1
    assert "--throwaway" in result.out
    assert shop.probe("--only", "unknown-language", "--throwaway").code == 0
    assert "this leaves an empty snippet for a language" in shop.output


def test_wrong_key_is_refused(shop, monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", "SVC-wrong")
    assert shop.probe().code == 6


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--instance", "nobody"), "nobody"),
        (("--instance", "test", "--only", "default-cache"), "default-cache"),
        ((), "--instance"),
    ],
)
def test_wrong_call_exits_2(shop, arguments, says):
    result = shop.awning("probe", *arguments)
    assert result.code == 2
    assert says in result.err


def test_no_output_has_a_secret_or_a_text_of_the_shop(shop):
    shop.probe("--json")
    shop.probe("--throwaway")
    shop.awning("doctor", "--assumptions")
    text = shop.output + (shop.root / "pyproject.toml").read_text()
    assert not [secret for secret in shop.secrets if secret in text]
    assert "ours" not in text


def test_probe_outside_of_a_workspace_prints_the_answers_and_says_that_it_saves_none(
    shop, tmp_path, monkeypatch
):
    state = shop.root / ".awning/state"
    monkeypatch.setenv("AWNING_STATE_DIR", str(state))
    monkeypatch.chdir(tmp_path)
    result = shop.probe("--only", "data-form")
    assert (result.code, "kept" in result.out) == (0, True)
    assert "not saved" in result.err


def test_answers_that_cannot_be_saved_are_printed_all_the_same(shop):
    file = shop.root / "pyproject.toml"
    file.write_text(
        file.read_text() + '\n[tool.awning.profiles]\nlive = { page = "https://live.example/{language}" }\n'
    )
    result = shop.probe("--only", "data-form", "--profile", "live", "--json")
    assert result.code == 2
    assert (result.json["probes"][0]["answer"], result.json["saved"]) == ("kept", None)
    assert "profiles" in result.err
    assert "cannot be added" in result.json["unsaved"]


def leave_change(shop, service):
    """Leave what a killed run leaves: its text in the instance, and a row of what was there before."""
    with sqlite3.connect(shop.root / ".awning/state/state.sqlite") as db:
        [(hashed,)] = db.execute("SELECT key FROM instance").fetchall()
        db.execute(
            "INSERT INTO probe_restore VALUES (?, 'snippet', '', ?, ?, 0)",
            (hashed, service, json.dumps("<b>older</b>")),
        )
    shop.service.set_snippet(shop.code, "<!--awning probe-->\n")


def test_next_run_says_what_it_mends(shop):
    assert shop.probe("--only", "data-form").code == 0
    leave_change(shop, shop.probe("--only", "data-form", "--json").json["service"])
    result = shop.probe("--only", "data-form")
    assert "the body snippet of test was put back" in result.err
    assert shop.service.snippet(shop.code) == "<b>older</b>"


@pytest.mark.parametrize("is_gone", [False, True])
def test_change_of_a_removed_instance_is_mended_or_purged(shop, running, monkeypatch, is_gone):
    leave_change(shop, running.apps_url)
    app = shop.service.instance(shop.code).app_id
    other = shop.service.install(app, shop.service.create_website().id)
    monkeypatch.setenv("AWNING_AUTH_CODE", other)
    assert shop.awning("instances", "remove", "test", "--yes").code == 0
    assert shop.awning("instances", "add", "--name", "other").code == 0
    if is_gone:
        shop.service.faults.put(
            [{"fault": "status", "status": 403, "route": "get_snippet"}], ("get_snippet",)
        )
    said = [shop.awning("probe", "--instance", "other", "--only", "auth-code-case").err for _ in range(2)]
    if is_gone:
        assert all("gone for good: awning instances purge test" in text for text in said)
        assert shop.awning("instances", "purge", "test", "--yes").code == 0
    else:
        assert "the body snippet of test was put back" in said[0]
        assert shop.service.snippet(shop.code) == "<b>older</b>"
    again = shop.awning("probe", "--instance", "other", "--only", "auth-code-case")
    assert "test" not in again.err
    with sqlite3.connect(shop.root / ".awning/state/state.sqlite") as db:
        assert db.execute("SELECT * FROM probe_restore").fetchall() == []


def test_assumptions_without_a_probe_are_those_that_calls_do_not_show():
    of_calls = {
        id_
        for id_, row in ASSUMPTIONS.items()
        if any(about.partition(":")[0] in {"call", "own-call"} for about in row.about)
    }
    assert of_calls - PROBES.keys() == {"installing-snippets", "before-installed", "after-delete"}

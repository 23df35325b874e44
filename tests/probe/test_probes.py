"""Each probe finds each answer of its assumption, and leaves the instance as it was."""

import json
from contextlib import closing
from dataclasses import replace
from itertools import count, cycle, product

import pytest
from probed import DATA

from awning.client import Response
from awning.contract.assumptions import ASSUMPTIONS
from awning.probe.probes import PROBES
from awning.probe.restores import Restores
from awning.probe.running import ProbeRun, ProbeState, chosen_probes

ROWS = [(name, answer) for name in PROBES for answer in ASSUMPTIONS[name].alternatives]
OF_UNSET = {"unset-data", "unset-data-insertion"}
"""The assumptions that an instance shows to which no app data were ever written."""


def named(value):
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(("name", "answer"), ROWS, ids=named)
def test_probe_finds_the_answer_and_leaves_no_change(world, name, answer):
    world.set(data=None if name in OF_UNSET else DATA)
    before = world.content
    world.service.assumptions.set(name, answer)
    assert world.ask(name, throwaway=bool(PROBES[name].leaves)) == (ProbeState.SETTLED, answer, None)
    if not PROBES[name].leaves:
        assert world.content == before
    assert world.waiting() == 0


@pytest.mark.parametrize("assumption_set", ["documented", "observed", "hostile"])
def test_probes_find_the_answers_of_a_whole_set(world, assumption_set):
    world.set()
    world.service.assumptions.take_set(assumption_set)
    before = world.content
    outcomes = {each.probe.assumption: each for each in world.probe().outcomes}
    wanted = {id_: ASSUMPTIONS[id_].sets[assumption_set] for id_ in PROBES}
    settled = {id_: each.answer for id_, each in outcomes.items() if each.answer is not None}
    assert settled == {id_: wanted[id_] for id_ in settled}
    unsettled = {id_: (each.state, each.detail) for id_, each in outcomes.items() if each.answer is None}
    assert unsettled.keys() <= {
        "unset-data",
        "unset-data-insertion",
        "unset-snippet",
        "language-fallback",
        "unknown-language",
        "second-installed",
    }, unsettled
    assert world.content == before


@pytest.mark.parametrize(("own", "fallback"), [(None, "none"), (None, "website"), ("<b>lv</b>", "website")])
@pytest.mark.parametrize(
    ("name", "answer"), [row for row in ROWS if "a page" in PROBES[row[0]].calls], ids=named
)
def test_page_shows_the_answer_with_and_without_a_snippet_of_its_language(world, name, answer, own, fallback):
    world.set(data=None if name == "unset-data-insertion" else DATA)
    world.service.set_snippet(world.code, own, language="lv")
    world.service.assumptions.set("language-fallback", fallback)
    world.service.assumptions.set(name, answer)
    before = world.content
    assert world.ask(name) == (ProbeState.SETTLED, answer, None)
    assert world.content == before


def test_page_that_does_not_show_the_snippet_settles_nothing(world):
    world.set()
    world.scripts_of_page = lambda _address: ["other"]
    state, _, detail = world.ask("data-insertion")
    assert state == ProbeState.UNSEEN
    assert "cache" in detail


@pytest.mark.parametrize(
    ("name", "unset"),
    [
        (name, unset)
        for name in PROBES
        for unset in ("null", "empty", "absent", "not-found")
        # `unset-snippet` sees the other answers without a write.
        if PROBES[name].changes and (name, unset == "empty") != ("unset-snippet", False)
    ],
)
def test_probe_that_cannot_be_undone_runs_only_with_throwaway(world, name, unset):
    world.service.assumptions.set("unset-snippet", unset)
    world.service.assumptions.set("unset-data", {"not-found": "list"}.get(unset, unset))
    state, _, detail = world.ask(name)
    assert state == ProbeState.SKIPPED
    assert "--throwaway" in detail
    assert world.link.writes == 0
    assert world.content == ([], [])


@pytest.mark.parametrize("name", [name for name in PROBES if PROBES[name].changes or PROBES[name].leaves])
def test_throwaway_probe_says_what_stays_before_it_writes(world, name):
    writes = []
    world.service.assumptions.set("unset-snippet", "empty")
    world.said = type(
        "Said", (list,), {"append": lambda _self, text: writes.append((world.link.writes, text))}
    )()
    state, answer, _ = world.ask(name, throwaway=True)
    assert writes[0][0] == 0
    assert "leaves" in writes[0][1]
    assert state in {ProbeState.SETTLED, ProbeState.UNSEEN}, answer
    snippets, data = world.content
    assert {text for _, _, text in snippets} <= {"", "<!--awning probe-->"}
    assert data in ([], [{"awning": "awning probe"}])


OF_SNIPPETS = [*product(["null", "empty", "absent", "not-found"], ["none", "website"])]
OF_DATA = [*product(["null", "empty", "absent", "list"], ["php", "kept", "text"])]


@pytest.mark.parametrize(
    ("unset_snippet", "fallback", "unset_data", "form"),
    [
        (*of_snippets, *of_data)
        for turn in (0, 3)
        for of_snippets, of_data in zip(cycle(OF_SNIPPETS[turn:] + OF_SNIPPETS[:turn]), OF_DATA, strict=False)
    ],
)
def test_throwaway_probes_that_run_again_settle_nothing_wrong(
    world, unset_snippet, fallback, unset_data, form
):
    true = {
        "unset-snippet": unset_snippet,
        "language-fallback": fallback,
        "unset-data": unset_data,
        "data-form": form,
    }
    for name, answer in true.items():
        world.service.assumptions.set(name, answer)
    runs = [world.probe(throwaway=True).outcomes for _ in range(2)]
    for outcomes in runs:
        answers = {each.probe.assumption: each.answer for each in outcomes if each.answer is not None}
        assert answers == {name: world.service.assumptions[name] for name in answers}
        assert ProbeState.OTHER not in {each.state for each in outcomes}
    first = {each.probe.assumption for each in runs[0] if each.answer is not None}
    # With a fallback, an empty answer may be the website-wide snippet.
    hidden = {"unset-snippet"} if (unset_snippet, fallback) == ("empty", "website") else set()
    assert first >= {*true, "unset-data-insertion"} - hidden
    assert not first & hidden
    assert ("empty-snippet" in first) == (unset_snippet != "empty")


@pytest.mark.parametrize(
    ("name", "spoil", "says"),
    [
        ("final-slash", Response(status=301, body=b""), "HTTP 301 without a JSON object"),
        ("auth-code-case", Response(status=400, body=b'{"error":true,"error_code":7}'), "error_code 7"),
        ("head-calls", Response(status=200, body=b"<html>"), "without a JSON object"),
        ("app-info-call", Response(status=405, body=b'{"error":true}'), "no error_code"),
        ("unset-snippet", Response(status=200, body=b'{"error":false,"snippet":7}'), "snippet: 7"),
        (
            "error-code",
            Response(status=404, body=b'{"error":true,"error_code":"x"}'),
            "error_code a text of 1 bytes",
        ),
        ("rate-limit", Response(status=429, body=b"{}"), "HTTP 429 after 0 calls"),
        ("unset-data", Response(status=404, body=b'{"error":true,"error_code":1}'), "HTTP 404"),
        ("data-list", Response(status=302, body=b""), "HTTP 302"),
    ],
)
def test_answer_that_fits_no_choice_is_other_with_what_came(world, name, spoil, says):
    if name == "data-list":
        world.set()
        world.link.spoil = lambda operation, response: (
            spoil if operation.body == b'{"data": []}' else response
        )
    else:
        world.link.spoil = lambda _operation, _response: spoil
    state, answer, detail = world.ask(name)
    assert (state, answer) == (ProbeState.OTHER, None)
    assert says in detail


@pytest.mark.parametrize("status", [500, 502, 503])
def test_failing_service_fails_the_probe_and_nothing_else(world, status):
    world.set()
    world.link.spoil = lambda operation, response: (
        Response(status=status, body=b"")
        if operation.method == "POST" and b"awning_probe" in operation.body
        else response
    )
    before = world.content
    state, _, detail = world.ask("unknown-body-keys")
    assert state == ProbeState.FAILED
    assert str(status) in detail
    assert world.content == before


@pytest.mark.parametrize("name", ["head-calls", "app-info-call"])
def test_refusal_that_names_the_call_does_not_make_it_exist(world, name):
    def refuse(operation, response):
        message = f"no such call: {operation.path}"
        body = {"error": True, "error_code": 404, "error_message": message, "path": operation.path}
        is_unknown = any(part in operation.path for part in ("head_snippet", "app_info", "awning_probe"))
        return Response(status=404, body=json.dumps(body).encode()) if is_unknown else response

    world.link.spoil = refuse
    assert world.ask(name)[1] == "absent"


@pytest.mark.parametrize("name", ["head-calls", "app-info-call"])
def test_refusals_that_all_differ_settle_no_call(world, name):
    numbers = count()
    world.link.spoil = lambda _operation, _response: Response(
        status=404,
        body=json.dumps({"error": True, "error_code": 404, "error_message": f"no {next(numbers)}"}).encode(),
    )
    assert world.ask(name)[0] == ProbeState.UNSEEN


@pytest.mark.parametrize("unset", ["null", "absent", "not-found"])
@pytest.mark.parametrize("fallback", ["none", "website"])
def test_empty_snippet_of_the_website_is_not_taken_for_one_that_was_never_set(world, unset, fallback):
    world.set(body="")
    world.service.assumptions.set("unset-snippet", unset)
    world.service.assumptions.set("language-fallback", fallback)
    assert world.ask("unset-snippet")[1] == (unset if fallback == "none" else None)


@pytest.mark.parametrize("answer", [b'{"error": false, "snippet": null}', b'{"error": false}'])
def test_unused_language_without_a_snippet_says_nothing_about_languages_with_their_own(world, answer):
    world.set()
    for language in ("lv", "en", "de"):
        world.service.set_snippet(world.code, f"<b>{language}</b>", language=language)
    empty = Response(status=200, body=answer)
    world.link.spoil = lambda operation, response: empty if "zu" in operation.path else response
    assert world.ask("language-fallback")[0] == ProbeState.UNSEEN


@pytest.mark.parametrize("name", [name for name in PROBES if "a page" in PROBES[name].calls])
def test_website_without_a_language_shows_no_page(world, name):
    world.set(data=None if name in OF_UNSET else DATA)
    with closing(Restores.open(world.state)) as restores:
        shop = replace(world.shop(restores), languages=())
        [outcome] = ProbeRun(shop=shop, report=lambda _outcome: None).run(chosen_probes([name])).outcomes
    assert (outcome.state, outcome.detail) == (ProbeState.UNSEEN, "the website has no language")


@pytest.mark.parametrize("name", [name for name in PROBES if "snippet" in PROBES[name].calls])
def test_snippet_that_reads_back_as_a_number_ends_no_run(world, name):
    world.set()
    number = Response(status=200, body=b'{"error": false, "snippet": 7}')
    world.link.spoil = lambda operation, response: number if "/lv/" in operation.path else response
    assert world.ask(name, throwaway=True)[0] in set(ProbeState)


def test_refused_language_of_no_website_says_nothing_about_its_languages(world):
    world.set()
    world.service.assumptions.set("language-fallback", "website")
    refused = Response(status=404, body=b'{"error": true, "error_code": 404, "error_message": "?"}')
    world.link.spoil = lambda operation, response: (
        refused if "zu" in operation.path or dict(operation.query).get("language") == "zu" else response
    )
    assert world.ask("language-fallback")[1] == "website"
    assert world.ask("unset-snippet")[0] == ProbeState.UNSEEN


def test_every_language_with_a_snippet_hides_the_answer(world):
    world.set()
    world.service.assumptions.set("unknown-language", "refused")
    for language in ("lv", "en", "de"):
        world.service.set_snippet(world.code, f"<b>{language}</b>", language=language)
    assert world.ask("unset-snippet")[0] == ProbeState.UNSEEN
    assert world.ask("language-fallback")[0] == ProbeState.UNSEEN


@pytest.mark.parametrize("name", PROBES)
def test_no_outcome_has_a_secret_that_the_service_repeats(world, name):
    world.set()
    key, code = world.link.api_key, world.code
    body = json.dumps({"error": True, "error_code": key, "error_message": code, "snippet": code, "data": key})
    echo = Response(status=418, body=body.encode())
    world.link.spoil = lambda operation, response: response if operation.path == "/apps/get_data/" else echo
    outcomes = world.probe(name, throwaway=True)
    problem = outcomes.problem.message if outcomes.problem else ""
    text = problem + json.dumps([outcome.as_json() for outcome in outcomes.outcomes])
    assert key not in text
    assert code not in text


def test_each_probe_is_about_an_assumption_of_the_service():
    assert {ASSUMPTIONS[name].side for name in PROBES} == {"service"}
    assert all(probe.calls and not (probe.changes and probe.leaves) for probe in PROBES.values())

"""What public clients do, and which assumption sets refuse it: checks the table of docs/service-clients.md."""

from pathlib import Path

import pytest

from awning_harness.service import Service

PAGE = (Path(__file__).parents[2] / "docs" / "service-clients.md").read_text("utf-8")
SETS = ("observed", "documented", "hostile")


def lower_case_code(caller):
    return caller.call("GET", "/apps/languages/", query=f"authcode={caller.auth_code}")[0]


def without_final_slash(caller):
    return caller.call("GET", "/apps/languages")[0]


def head_snippet(caller):
    return caller.call("POST", "/apps/set_head_snippet/", {"snippet": "a"})[0]


def app_info(caller):
    return caller.call("GET", "/apps/app_info/")[0]


def empty_list(caller):
    return caller.call("POST", "/apps/set_data/", {"data": []})[0]


def before_installed(caller):
    caller.auth_code = caller.service.install(caller.app_id, caller.website_id, state="installing")
    return caller.call("POST", "/apps/set_data/", {"data": "a"})[0]


def installed_twice(caller):
    return caller.call("POST", "/apps/installed/")[0]


def unused_language(caller):
    return caller.call("POST", "/apps/set_snippet/", {"snippet": "a", "language": "fr"})[0]


def large_snippet(caller):
    return caller.call("POST", "/apps/set_snippet/", {"snippet": "a" * 70_000})[0]


ROWS = {
    "auth-code-case": (lower_case_code, (200, 401, 401)),
    "final-slash": (without_final_slash, (200, 404, 404)),
    "head-calls": (head_snippet, (200, 404, 404)),
    "app-info-call": (app_info, (200, 404, 404)),
    "data-list": (empty_list, (200, 400, 400)),
    "before-installed": (before_installed, (200, 200, 403)),
    "second-installed": (installed_twice, (200, 200, 409)),
    "unknown-language": (unused_language, (200, 200, 400)),
    "snippet-size": (large_snippet, (200, 200, 400)),
}


@pytest.mark.parametrize("assumption", ROWS)
@pytest.mark.parametrize("name", SETS)
def test_assumption_sets_accept_or_refuse_each_habit_of_old_clients(caller, assumption, name):
    does, statuses = ROWS[assumption]
    caller.service.assumptions.take_set(name)
    assert does(caller) == statuses[SETS.index(name)]


@pytest.mark.parametrize("assumption", ROWS)
def test_table_of_the_documentation_has_the_same_statuses(assumption):
    statuses = " | ".join(str(status) for status in ROWS[assumption][1])
    assert f"| {statuses} | `{assumption}` |" in PAGE


def test_default_assumption_set_is_observed_as_the_docs_state():
    assert Service().assumptions.assumption_set == "observed"
    assert "**The default is `observed`**" in PAGE

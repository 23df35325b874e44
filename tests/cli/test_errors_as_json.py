"""With --json there is one JSON document, whatever goes wrong, and the exit code is the same as without."""

import json

import click
import pytest

from awning.cli.report import is_json_asked_for
from awning.cli.verbs import joined_verbs


def with_json(command, path):
    """Yield each command that has --json, from `command` down, as (path, command)."""
    if any("--json" in parameter.opts for parameter in command.params):
        yield path, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from with_json(below, (*path, name))


VERBS = {
    " ".join(path): command
    for name, verb in joined_verbs().items()
    for path, command in with_json(verb.load(), (name,))
}
NEVER_FAIL = {
    "doctor",
    "explain",
    "new",
    "record snippet",
    "reseller log",
    "service",
    "template compile",
    "trust",
}
"""Commands without errors of their own: they need no workspace, report what they find, or run until interrupted."""


def needed(command):
    """Yield a value for each required argument: valid, but the name of nothing that exists."""
    for parameter in command.params:
        if parameter.required:
            kind = parameter.type
            value = kind.choices[0] if isinstance(kind, click.Choice) else "1"
            yield from [value] if isinstance(parameter, click.Argument) else [parameter.opts[0], value]


def document(out):
    """Check that `out` is a single JSON document about an error. Returns it."""
    error = json.loads(out)
    assert (error["schema_version"], error["ok"]) == (1, False)
    assert error["error"] or error["diagnostics"]
    return error


@pytest.fixture
def nowhere(awning, tmp_path, monkeypatch):
    """The command line in an empty folder, without the environment variables that name services or secrets."""
    for name in ("AWNING_BASE_URL", "AWNING_RESELLER_URL", "AWNING_PORTAL_URL", "AWNING_APP_SECRET"):
        monkeypatch.delenv(name, raising=False)
    empty = tmp_path / "empty"
    empty.mkdir()
    return lambda *arguments, **environ: awning(*arguments, cwd=empty, **environ)


def test_all_verbs_are_tested():
    assert len(VERBS) > 25
    assert set(VERBS) >= NEVER_FAIL


@pytest.mark.parametrize("path", sorted(set(VERBS) - {"test"}))  # which passes unknown options to pytest
def test_usage_error_is_a_json_document(nowhere, path):
    result = nowhere(*path.split(), "--json", "--no-such-flag")
    assert (result.code, "--no-such-flag" in document(result.out)["error"], result.err) == (2, True, "")
    assert nowhere(*path.split(), "--no-such-flag").code == 2


@pytest.mark.parametrize("path", sorted(set(VERBS) - NEVER_FAIL))
def test_verb_that_fails_outside_a_workspace_prints_a_json_document(nowhere, path):
    arguments = [*path.split(), *needed(VERBS[path])]
    result = nowhere(*arguments, "--json")
    assert document(result.out)
    assert result.err == ""
    plain = nowhere(*arguments)
    assert (plain.code, plain.out) == (result.code, "")
    assert result.code in {1, 2}


FAILING = {
    "a server that is not there": ["conformance", "http://127.0.0.1:9", "--secret-env", "A_SECRET"],
    "a secret that is not set": ["verify-request", "a=1", "--secret-env", "NO_SUCH_SECRET"],
    "a file that is not there": ["manifest", "check", "none.toml"],
    "a verb that is not there": ["biuld"],
    "a subcommand that is not there": ["reseller", "websits"],
    "an argument that is missing": ["data", "get"],
}


@pytest.mark.parametrize("case", FAILING)
def test_error_of_each_type_is_a_json_document(nowhere, case):
    result = nowhere(*FAILING[case], "--json", A_SECRET="planted-canary-0452")
    assert document(result.out)
    assert nowhere(*FAILING[case], A_SECRET="planted-canary-0452").code == result.code != 0


ASKED = {
    ("build", "--json"): True,
    ("reseller", "report", "--format", "json"): True,
    ("reseller", "report", "--format=json"): True,
    ("data", "get", "--", "--json"): False,
    ("publish", "log"): True,
    ("publish", "status"): False,
    ("build",): False,
}


@pytest.mark.parametrize("arguments", ASKED)
def test_json_is_selected_by_flag_or_variable(arguments):
    environ = {"AWNING_PUBLISH_LOG_JSON": "1", "AWNING_PUBLISH_STATUS_JSON": "0"}
    assert is_json_asked_for(arguments, environ) is ASKED[arguments]

"""Each verb's `--help` lists its exit codes from one table, and the table is correct."""

import inspect
import re
import sys

import click
import pytest

from awning.cli.decorators import HEADING
from awning.cli.main import awning as whole
from awning.client.reseller.actions import SETTABLE
from awning.client.reseller.selection import WEBSITE_FIELDS
from awning.contract import Exit
from awning.contract.exits import ADDITIONAL, COMMON, MEANINGS, exits_of


def verbs(command, path=()):
    """Every command that does something, with the words that call it."""
    context = click.Context(command)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from verbs(command.get_command(context, name), (*path, name))
    if path and (not isinstance(command, click.Group) or command.invoke_without_command):
        yield path, command


VERBS = dict(verbs(whole))
NAMES = [" ".join(path) for path in VERBS]


@pytest.mark.parametrize(("path", "command"), VERBS.items(), ids=NAMES)
def test_help_of_each_verb_lists_its_exit_codes(path, command):
    text = command.get_help(click.Context(command, info_name=" ".join(path)))
    listed = re.findall(r"^ +(\d+) +(\S.*)$", text[text.index(HEADING) :], re.MULTILINE)
    assert listed == [(str(code.value), MEANINGS[code]) for code in exits_of(path)]


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("reseller websites list", ("Fields, for --where, --columns and --sort:", *WEBSITE_FIELDS)),
        ("reseller settings set", ("Names:", *SETTABLE)),
    ],
)
def test_text_below_the_options_stays_above_the_exit_codes(verb, words):
    path = tuple(verb.split())
    # VERBS has loaded the command before: a second time must not add the exit codes again.
    whole.get_command(click.Context(whole), path[0])
    text = VERBS[path].get_help(click.Context(VERBS[path], info_name=verb))
    before, heading, after = text.partition(HEADING)
    below = before[before.rindex("--help") :]
    assert [word for word in words if word not in below] == []
    assert heading not in after


def test_every_exit_code_has_a_description():
    assert set(MEANINGS) == set(Exit)


def test_exit_code_table_names_existing_verbs():
    for name in ADDITIONAL:
        assert any(f"{verb} ".startswith(f"{name} ") for verb in NAMES), name


def test_exit_codes_used_by_a_verbs_module_are_in_the_table():
    """A module may hold several verbs. Each exit code that it uses must be listed for one of them."""
    codes_of_modules = {}
    for path, command in VERBS.items():
        module = inspect.unwrap(command.callback).__module__
        codes_of_modules.setdefault(module, set()).update(exits_of(path))
    for module, codes in codes_of_modules.items():
        named = {
            Exit[name] for name in re.findall(r"\bExit\.([A-Z]+)", inspect.getsource(sys.modules[module]))
        }
        assert named <= codes, module


NOT_REFUSED = {("host",), ("conformance",), ("manifest", "check"), ("manifest", "diff"), ("manifest", "bump")}
"""Commands that have an option for an address of the service, but do not exit when the service refuses a call."""


@pytest.mark.parametrize(("path", "command"), VERBS.items(), ids=NAMES)
def test_exactly_the_verbs_that_call_the_service_can_exit_refused(path, command):
    named = {parameter.name for parameter in command.params}
    calls = bool(named & {"base_url", "portal_url"}) or (
        path[0] == "reseller" and path != ("reseller", "log")
    )
    if path not in NOT_REFUSED:
        assert (Exit.REFUSED in exits_of(path)) == calls


def test_most_verbs_have_only_the_common_exit_codes():
    assert exits_of(("build",)) == tuple(sorted(COMMON))
    assert exits_of(("publish", "apply")) == (0, 1, 2, 5, 6, 130)
    assert exits_of(("publish", "status")) == (0, 1, 2, 130)

"""Every flag of every command has a variable `AWNING_*`, named after the flag on the command line."""

import click
import pytest

from awning.cli.main import awning as whole
from awning.cli.verbs import joined_verbs


def commands(command, path=()):
    """Every command of the command line, with the words that call it."""
    context = click.Context(command)
    names = command.list_commands(context) if isinstance(command, click.Group) else []
    if path:
        yield path, command
    for name in names:
        yield from commands(command.get_command(context, name), (*path, name))


FLAGS = [
    (path, parameter, next(opt for opt in parameter.opts if opt.startswith("--")))
    for path, command in commands(whole)
    for parameter in command.params
    if isinstance(parameter, click.Option)
]


@pytest.mark.parametrize(("path", "option", "flag"), FLAGS, ids=[f"{' '.join(p)} {f}" for p, _, f in FLAGS])
def test_every_flag_has_an_environment_variable(monkeypatch, path, option, flag):
    name = "_".join(("AWNING", *path, flag.removeprefix("--"))).replace("-", "_").upper()
    for other in option.envvar:
        monkeypatch.delenv(other, raising=False)
    context = click.Context(click.Command("x"))
    assert option.value_from_envvar(context) is None
    monkeypatch.setenv(name, "1")
    assert option.value_from_envvar(context)


def test_tested_flags_cover_the_whole_command_line():
    assert {path[0] for path, _ in commands(whole)} == set(joined_verbs())
    assert len(FLAGS) > 40


def test_each_flag_has_a_variable_of_its_own():
    own = [option.envvar[-1] for _, option, _ in FLAGS]
    assert len({id(option) for _, option, _ in FLAGS}) == len(set(own)) == len(own)


def test_variable_has_the_effect_of_its_flag(project, awning):
    project.add_widget()
    assert awning("build", AWNING_BUILD_JSON="1").json["ok"]
    assert awning("check", AWNING_BUILD_JSON="1", AWNING_CHECK_FORMAT="json").json["findings"] == []


def test_variables_named_after_python_parameters_are_ignored(project, awning):
    project.add_widget()
    assert not awning("build", AWNING_BUILD_AS_JSON="1").out.startswith("{")
    assert "Usage" in awning("build", "--help", AWNING_VERSION="1", AWNING_HELP="1").out

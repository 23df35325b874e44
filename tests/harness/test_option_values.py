"""A documented option of `awning test` with a missing or wrong value is an error with the possible values."""

import pytest
from warm_python import AWNING, run_warm

from awning.errors import ConfigurationError
from awning.workspace.scaffolding import make_workspace
from awning_harness.runs.option_values import CHOICES, NUMBERS, check_values

WRONG = {
    "nothing after it": (["--tracing"], "--tracing needs a value"),
    "another option after it": (["--tracing", "--headed"], "--tracing needs a value"),
    "an empty value": (["--tracing="], "--tracing needs a value"),
    "a path after it": (["--tracing", "widgets/note"], '"widgets/note" is not a value of --tracing'),
    "a misspelt value": (["--matrix=fully"], '"fully" is not a value of --matrix'),
    "no number": (["--explore", "widgets/note"], '"widgets/note" is not a value of --explore'),
    "no seed": (["--explore=5", "--seed"], "--seed needs a value"),
}


@pytest.mark.parametrize("case", WRONG)
def test_option_without_a_usable_value_is_refused_with_its_values(case):
    arguments, message = WRONG[case]
    with pytest.raises(ConfigurationError) as raised:
        check_values(arguments)
    assert raised.value.message == message
    assert (
        arguments[-1].partition("=")[0] in raised.value.hint
        or arguments[0].partition("=")[0] in raised.value.hint
    )


@pytest.mark.parametrize(
    "arguments",
    [
        [f"{option}={value}" for option, values in CHOICES.items() for value in values],
        ["--tracing", "retain-on-failure", "widgets/note"],
        ["--explore", "100", "--seed=-3"],
        ["-k", "tracing", "--headed", "widgets/note", "--browser=chromium"],
    ],
)
def test_option_with_a_value_is_accepted(arguments):
    check_values(arguments)


def test_values_are_those_of_the_options(pytestconfig):
    actions = {name: action for action in _options(pytestconfig) for name in action.names()}
    for option, values in CHOICES.items():
        assert set(actions[option].attrs()["choices"]) == set(values), option
    for option in NUMBERS:
        assert actions[option].attrs()["type"] is int, option


def _options(config):
    parser = config._parser
    return [option for group in (*parser._groups, parser._anonymous) for option in group.options]


@pytest.fixture(scope="module")
def awning_test(processes, tmp_path_factory):
    """Run `awning test` in a workspace."""
    root = tmp_path_factory.mktemp("options") / "app"
    make_workspace(root)

    def call(*arguments):
        return run_warm([*AWNING, "test", *arguments], root)

    return call


def test_refusal_comes_before_the_build(awning_test):
    result = awning_test("--tracing")
    assert result.returncode == 2
    assert result.stderr.startswith("error: --tracing needs a value\n  hint: --tracing=on, ")


def test_help_names_the_options_of_the_documentation(awning_test):
    text = awning_test("--help").stdout
    for option in ("explore", "seed", "update-snapshots", "matrix", "pictures", "screenshot", "tracing"):
        assert f" --{option}" in text
    assert "awning test -- --help" in text


def test_list_of_all_options_has_those_of_awning(awning_test):
    listed = awning_test("--", "--help").stdout
    assert all(f"  {option}=" in listed for option in (*CHOICES, *NUMBERS))

"""The verbs: listed without being imported, added by other packages, refused with a hint if a package is missing."""

import json
import subprocess
import sys
from dataclasses import replace

import click
import pytest

from awning.cli.verbs import BUILT_IN, LazyVerb, joined_verbs
from awning.errors import ConfigurationError

EXTRAS = (
    *(
        "bs4",
        "httptools",
        "mcp",
        "playwright",
        "pygls",
        "pytest",
        "pytest_playwright",
        "xdist",
        "starlette",
        "uvicorn",
    ),
)


def test_harness_adds_its_verbs():
    assert {"dev", "test", "service"} <= set(joined_verbs())


@pytest.mark.parametrize("verb", BUILT_IN, ids=lambda verb: verb.name)
def test_every_built_in_verb_exists(verb):
    assert verb.load().name == verb.name


def test_help_names_every_verb(awning):
    text = awning("--help").out
    assert all(f"\n  {name} " in text for name in joined_verbs())


def test_help_lists_verbs_under_headings_by_task(awning):
    sections = awning("--help").out.split("\n\n")
    headings = {section.splitlines()[0]: section for section in sections}
    assert {"dev", "new", "test"} <= set(headings["Author:"].split())
    assert "\n  publish " in headings["Publish:"]
    assert "\n  host " in headings["Run the app:"]
    assert "\n  service " in headings["Tools:"]


@pytest.mark.parametrize("group", ["manifest", "data", "publish", "instances", "reseller", "release", "add"])
def test_help_of_a_group_has_the_whole_first_sentence_of_each_subcommand(awning, group):
    text = awning(group, "--help").out
    assert [line for line in text.splitlines()[1:] if line.endswith("...")] == []
    if group == "manifest":
        assert "as it will be submitted, but without the secret." in " ".join(text.split())


OF_VERBS = ("awning.cli.build", "awning.contract", "awning.errors", "awning.pipeline", "awning.workspace")


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("lines", "heavy"),
    [
        (
            ["--help", "--version"],
            ("jinja2", "aiohttp", "pydantic", "importlib.metadata", "difflib", "sqlalchemy", *OF_VERBS),
        ),
        (["preview --help", "record --help"], ("sqlalchemy",)),
    ],
)
def test_help_and_version_import_nothing_heavy(lines, heavy):
    code = (
        "import sys\nfrom awning.cli import main\n"
        f"for line in {lines}:\n"
        "    try:\n        main(line.split())\n    except SystemExit:\n        pass\n"
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.usefixtures("processes")
def test_an_unchanged_build_imports_neither_compiler_nor_bundler(project):
    code = (
        "import sys\nfrom awning.cli import main\n"
        "try:\n    main(['build'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('jinja2', 'tomllib', 'awning.bundle', 'awning.template', 'awning.pipeline.phases',"
        " 'awning.pipeline.read')"
        " if name in sys.modules], file=sys.stderr)\n"
    )
    project.add_widget()
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=project.root, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    assert "nothing had changed" in runs[1].stdout
    assert runs[1].stderr.strip() == "[]"


def test_missing_harness_is_reported_with_what_to_install(tmp_path, monkeypatch):
    package = tmp_path / "awning_harness_missing.py"
    package.write_text("import no_such_dependency\n")
    monkeypatch.syspath_prepend(tmp_path)
    verb = LazyVerb(name="dev", heading="Author", help="", target="awning_harness_missing:dev")
    with pytest.raises(ConfigurationError) as raised:
        verb.load()
    assert "awning[harness]" in raised.value.hint


def test_verb_without_a_package_it_starts_is_reported_with_what_to_install(monkeypatch):
    """Without this check, `awning test` would only show the error of its child process: `No module named pytest`."""
    verb = joined_verbs()["test"]
    assert "pytest" in verb.needs
    with pytest.raises(ConfigurationError, match="awning test needs no_such_package") as raised:
        replace(verb, needs=(*verb.needs, "no_such_package")).load()
    assert "awning[harness]" in raised.value.hint


WITHOUT_EXTRAS = f"""
import contextlib, io, json, sys
sys.modules.update(dict.fromkeys({EXTRAS}))
from awning.cli import main
for verb in sys.argv[1:]:
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        try:
            main([verb, "--help"])
        except SystemExit as ended:
            code = int(ended.code or 0)
    print(json.dumps([verb, code, err.getvalue()]))
"""
"""Prints the name, the exit code and the errors of each verb, where no package of an extra can be imported."""


@pytest.mark.usefixtures("processes")
def test_verb_without_its_extra_works_or_reports_what_to_install():
    command = [sys.executable, "-c", WITHOUT_EXTRAS, *joined_verbs()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ended = [json.loads(line) for line in done.stdout.splitlines()]
    assert [verb for verb, _, _ in ended] == [*joined_verbs()]
    assert {code for _, code, _ in ended} == {0, 2}
    assert [verb for verb, code, err in ended if code and "pip install 'awning[" not in err] == []


def test_misspelt_verb_gets_a_suggestion(awning, project):
    project.add_widget()
    result = awning("bild")
    assert result.code == 2
    assert 'Did you mean "build"?' in result.err
    assert "Did you mean" not in awning("zzzz").err


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("emulator", "--bogus"), ""),
        (("build", "--bogus"), ""),
        (("emulator", "--ot"), " Did you mean '--out'?"),
        (("publish", "apply", "--in-flite", "6"), " Did you mean '--in-flight'?"),
    ],
)
def test_misspelt_option_gets_a_suggestion_only_when_one_is_similar(awning, project, words, suggestion):
    project.add_widget()
    result = awning(*words)
    unknown = next(word for word in words if word.startswith("--"))
    assert result.code == 2
    assert result.err.endswith(f"Error: No such option '{unknown}'.{suggestion}\n")


def verbs_of_authors() -> list[str]:
    return [name for name, verb in joined_verbs().items() if verb.heading == "Author"]


@pytest.mark.parametrize("verb", [*verbs_of_authors(), "add widget", "add ci"])
def test_help_of_an_authors_verb_has_examples(awning, verb):
    lines = awning(*verb.split(), "--help").out.splitlines()
    assert [line for line in lines if line.startswith(f"  awning {verb}")]


def leaves(command, path):
    """Yield the commands without subcommands, from `command` down, as (path, command)."""
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from leaves(below, f"{path} {name}")
    else:
        yield path, command


@pytest.mark.parametrize("verb", [*verbs_of_authors(), "explain", "template"])
def test_each_verb_of_an_author_has_json(verb):
    commands = dict(leaves(joined_verbs()[verb].load(), verb))
    options = {
        path: {opt for param in command.params for opt in param.opts} for path, command in commands.items()
    }
    without = [path for path in commands if "--json" not in options[path]]
    assert without == []


def test_help_shows_each_example_on_its_own_line(awning, project):
    project.add_widget()
    for verb in ("service", "reseller", "host"):
        text = awning(verb, "--help").out
        assert "\\b" not in text
        assert text.count("\n  awning ") + text.count("\n  AWNING_") >= 2, text

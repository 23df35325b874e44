"""The verbs: found without importing them, joined by other packages, refused with what to install."""

import subprocess
import sys

import pytest

from awning.cli.verbs import BUILT_IN, LazyVerb, joined_verbs
from awning.errors import ConfigurationError


def test_the_harness_joins_its_verbs():
    assert {"dev", "test", "service"} <= set(joined_verbs())


@pytest.mark.parametrize("verb", BUILT_IN, ids=lambda verb: verb.name)
def test_every_built_in_verb_is_there(verb):
    assert verb.load().name == verb.name


def test_help_names_every_verb(awning):
    text = awning("--help").out
    assert all(f"\n  {name} " in text for name in joined_verbs())


def test_help_imports_no_verb_and_nothing_heavy():
    code = (
        "import sys\nfrom awning.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('jinja2', 'aiohttp', 'pydantic', 'importlib.metadata', 'difflib', 'sqlalchemy',"
        " 'awning.cli.build', 'awning.pipeline', 'awning.workspace') if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_an_unchanged_build_imports_neither_compiler_nor_bundler(project):
    code = (
        "import sys\nfrom awning.cli import main\n"
        "try:\n    main(['build'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('jinja2', 'tomllib', 'awning.bundle', 'awning.template', 'awning.pipeline.full')"
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


def test_a_verb_of_the_harness_says_what_to_install(tmp_path, monkeypatch):
    package = tmp_path / "awning_harness_missing.py"
    package.write_text("import no_such_dependency\n")
    monkeypatch.syspath_prepend(tmp_path)
    verb = LazyVerb(name="dev", help="", target="awning_harness_missing:dev")
    with pytest.raises(ConfigurationError) as raised:
        verb.load()
    assert "awning[harness]" in raised.value.hint

"""A real engine is the oracle of the abstract interpreter: both judge the same scripts, and their verdicts agree.

A disagreement is a bug of the interpreter, or the engine lacks an input. `LACKS_INPUT` lists files of the second kind.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_comparison import Disagreement, compare
from script_engine import RULES, Engine
from script_writer import script
from volumes import volume

from awning.bundle import find_esbuild
from awning.bundle.emulator import emulator_script
from awning.check.files import check_text
from awning.contract import Dialect

CORPUS = sorted((Path(__file__).parents[1] / "check" / "corpus").iterdir())
LACKS_INPUT = {
    "document-write--in-a-dead-branch.js": "the check reports a call that no condition can reach",
    "sync-xhr--in-a-function.js": "nothing on the page calls the function; another file may",
    "sync-xhr--minified-and-never-called.js": "nothing on the page calls the function; another file may",
}
"""Why the engine sees no violation where the check has an error."""
NOT_RUN = {
    "jquery": "the small page has no jQuery",
    "init-early--in-updated-callback": "a page has one initContentHandler for both events",
    "init-once--saved-across-events": "the same",
    ".html": "the small page has no HTML parser, so elements in the head and scripts in the body are not told apart",
}
"""Which files of the corpus are not compared, by a part of their name."""


@pytest.fixture(scope="module")
def engine(processes) -> Iterator[Engine]:
    engine = Engine(emulator_script(find_esbuild()).decode())
    yield engine
    engine.close()


def compared() -> list[Path]:
    """Return all files of the corpus in CI; elsewhere every n-th one, and those of LACKS_INPUT."""
    files = [path for path in CORPUS if not any(part in path.name for part in NOT_RUN)]
    step = max(1, len(files) // volume("engine-corpus"))
    return [path for index, path in enumerate(files) if index % step == 0 or path.name in LACKS_INPUT]


def as_javascript(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ts":
        return text
    command = [find_esbuild().path, "--loader=ts"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("path", compared(), ids=lambda path: path.stem)
def test_interpreter_and_engine_agree_on_the_corpus(engine: Engine, path: Path) -> None:
    difference = compare(engine, path.name, path.read_text(encoding="utf-8"), [as_javascript(path)])
    if path.name in LACKS_INPUT:
        rule = re.split(r"--|\+", path.name)[0]
        assert difference == Disagreement(missed=frozenset(), unseen=frozenset({rule}))
    else:
        assert not difference


@pytest.mark.usefixtures("processes")
def test_interpreter_and_engine_agree_on_generated_scripts(engine: Engine) -> None:
    disagreements = {}
    for seed in range(volume("engine-scripts")):
        text = script(seed)
        if difference := compare(engine, "x.js", text, [text], seed=seed):
            disagreements[seed] = difference
    assert disagreements == {}


def test_generated_scripts_break_each_rule_and_some_break_none() -> None:
    reported = [
        {diagnostic.rule for diagnostic in check_text("x.js", script(seed), Dialect()).diagnostics} & RULES
        for seed in range(100)
    ]
    assert {rule for rules in reported for rule in rules} >= {"init-once", "init-early", "updated-pair"}
    assert reported.count(set()) >= 20


@pytest.mark.usefixtures("processes")
def test_endless_script_is_stopped(engine: Engine) -> None:
    assert "interrupted" in engine.verdict(["for (;;) {}"], lives=1).ended


@pytest.mark.usefixtures("processes")
def test_script_that_uses_all_memory_is_stopped(engine: Engine) -> None:
    assert engine.verdict(["const all = []; for (;;) all.push(new Array(1e6).fill(1));"], lives=1).ended
    assert not engine.verdict(["1 + 1"], lives=1).ended


SEEN = {
    "document.write('x')": "document-write",
    "eval('1')": "no-eval",
    "new Function('return 1')()": "no-eval",
    "setTimeout('f()', 1)": "no-eval",
    "const r = new XMLHttpRequest(); r.open('GET', '/', false)": "sync-xhr",
    "svcPlugins.subscribeEvent('svc-nothing', () => {})": "unknown-event",
}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("code", SEEN)
def test_engine_reports_a_broken_rule(engine: Engine, code: str) -> None:
    assert engine.verdict([code], lives=1).rules == {SEEN[code]}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("document.getElementById('box').hidden = true", {"early-dom"}),
        ("document.body.append('x')", {"early-dom"}),
        ("document.addEventListener('DOMContentLoaded', () => document.body.append('x'))", set()),
    ],
)
def test_engine_and_check_agree_on_head_scripts(engine: Engine, code: str, rules: set[str]) -> None:
    assert engine.verdict([code], head=True, lives=1).rules == rules
    assert not compare(engine, "x.head.html", f"<script>{code}</script>", [code], head=True)

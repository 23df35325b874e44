"""`awning test --pseudo`: a layout without room for longer texts fails, and the pseudo-language does not ship."""

from pathlib import Path

import pytest
from nested_runs import run_pytest
from project import Project

pytestmark = pytest.mark.usefixtures("processes")

STATES = '[[state]]\nname = "any"\ntitle = "Any"\npayload = "P1"\n'
TIGHT = ".text { width: 13ch; overflow: hidden; white-space: nowrap; }\n"
OWN = """\
def test_it_shows_the_pseudo_language(storefront, pseudo):
    visit = storefront.product(language=pseudo)
    assert (pseudo, visit.text()) == ("en-XA", "⟦Ţŵééļvéé çĥåŕš⟧")
    assert storefront.product(language="en").text() == "Twelve chars"
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = Project(tmp_path_factory.mktemp("pseudo") / "shop", languages=("en",))
    texts = {"messages_en_toml": 'hello = "Twelve chars"\n', "states_toml": STATES}
    project.add_widget("roomy", **texts)
    project.add_widget("tight", **texts, style_css=TIGHT)
    project.add_file("widgets/roomy/test_roomy.py", OWN)
    return project.root


def run_over(root: Path, *options: str) -> str:
    return run_pytest(root, "-q", "-rA", "-n0", *options)[1]


def test_text_that_is_cut_off_when_longer_fails(root):
    report = run_over(root, "--pseudo", "-k", "longer or shows_the_pseudo")
    assert "FAILED widgets/tight/widget.toml::test_has_room_for_longer_texts" in report, report
    assert "longer texts are cut off: ⟦" in report
    assert "PASSED widgets/roomy/widget.toml::test_has_room_for_longer_texts" in report
    assert "PASSED widgets/roomy/test_roomy.py::test_it_shows_the_pseudo_language" in report
    assert not (root / "dist").exists()


def test_pseudo_language_is_not_tested_without_the_option(root):
    assert "longer_texts" not in run_over(root, "--collect-only")

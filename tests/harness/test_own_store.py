"""A workspace with a store of its own: states, steps and tests name its products, and the check knows them."""

import re
from pathlib import Path

import pytest
from command_line import run_awning
from nested_runs import run_pytest

from awning.workspace.scaffolding import make_workspace

DOCS = Path(__file__).parents[2] / "docs" / "storefront.md"
EXAMPLE = (
    re.search(r"```toml\n# storefront/shoes\.toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[1]
    + '\n[[shipping]]\nname = "drone"\ntitle = "Drone"\nprice = 12.50\n'
)

STATE = """
[[state]]
name = "own"
title = "A product of our own"
payload = "SHOE"
steps = ["select 39"]
"""

TEST = """
def test_a_product_of_our_own(storefront):
    visit = storefront.product("SHOE", language="en")
    visit.select("39")
    params = visit.evaluate("awningEmulator.trace().length")
    assert params
    assert visit.evaluate("document.querySelector('.product-price').textContent") == "¥7,984"


def test_a_cart_of_our_own(storefront):
    visit = storefront.checkout("pair", language="en", currency="SEK")
    visit.shipping("drone")
    visit.discount("HALF")
    total = visit.evaluate("document.querySelector('[data-shown=total]').textContent")
    assert total == "705,12 kr"
"""


@pytest.fixture
def root(tmp_path):
    """A workspace with the store of the docs' example, and with another way of shipping."""
    make_workspace(tmp_path / "app")
    folder = tmp_path / "app" / "storefront"
    folder.mkdir()
    (folder / "shoes.toml").write_text(EXAMPLE, encoding="utf-8")
    return tmp_path / "app"


def widget_of(root: Path) -> Path:
    (file,) = (root / "widgets").glob("*/widget.toml")
    return file.parent


@pytest.mark.usefixtures("processes")
def test_test_and_check_use_the_store_of_the_workspace(root):
    (widget_of(root) / "states.toml").write_text(STATE, encoding="utf-8")
    (widget_of(root) / "test_own.py").write_text(TEST, encoding="utf-8")
    code, output = run_pytest(root, "-q", "-k", "test_own or test_shows_its_state")
    assert code == 0, output


@pytest.fixture
def checked(root, monkeypatch, capsys):
    """Return a function that checks the workspace; it returns the exit code and what was printed."""
    monkeypatch.chdir(root)

    return lambda: run_awning(capsys, "check")[:2]


def test_check_knows_the_products_of_the_workspace_after_each_change(root, checked):
    file = root / "storefront" / "shoes.toml"
    (widget_of(root) / "states.toml").write_text(STATE, encoding="utf-8")
    code, printed = checked()
    assert code == 0, printed
    file.write_text(EXAMPLE.replace("SHOE", "BOOT"), encoding="utf-8")
    code, printed = checked()
    assert code == 1
    assert 'the simulated shop has no product "SHOE"' in printed
    assert "P8, BOOT" in printed
    file.write_text('[[product]]\nkey = "P1"\nprize = 1\n', encoding="utf-8")
    code, printed = checked()
    assert code == 1
    assert "storefront/shoes.toml:3:1: error[unknown-key]" in printed

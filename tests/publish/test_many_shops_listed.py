"""What verbs print about many shops: those with one reason in one line, others by name, in the order of people."""

from contextlib import closing

import pytest

from awning.cli.publish.output import natural_order
from awning.cli.publish.verify import PrintedCells
from awning.contract import Exit
from awning.publish.inventory.inventory import Inventory
from awning.publish.verify.verified_cell import VerifiedCell, VerifiedKind

NAMES = tuple(f"shop-{number}" for number in range(1, 13))


@pytest.fixture
def shops(awning, served, state_of, shelf, monkeypatch, tmp_path, dist):
    """Twelve instances with one language each, and a file of settings for them."""
    monkeypatch.setenv("AWNING_BASE_URL", served)
    with closing(Inventory.open(state_of())) as inventory:
        inventory.put([inventory.instance(name, name=name) for name in NAMES])
    shelf.languages = {name: ["lv"] for name in NAMES}
    (tmp_path / "new.json").write_text("{}")
    return shelf


def test_names_are_in_the_order_of_people():
    names = ["a", "a0", "a0a", "a2", "a02b", "a10", "a10b2", "a10b12", "b", "10"]
    assert sorted(set(names), key=natural_order) == ["10", *names[:-1]]


def test_wrong_api_key_is_one_line_with_the_first_shops(awning, shops, refused):
    shops.before = lambda *_: refused(401, "Unauthorized")
    code, out, err = awning("publish", "apply", "--progress", "none")
    assert code == Exit.REFUSED
    line, totals = out.splitlines()
    assert line.startswith("refused    36 cells  - ")
    assert line.endswith(": shop-1, shop-2, shop-3, shop-4, shop-5, ...")
    assert (totals, "the service refused the API key" in err) == ("36 refused", True)
    code, out, _ = awning("data", "set", "--all", "new.json", "--yes", "--progress", "none", "--force")
    lines = out.splitlines()
    assert (len(lines), lines[1]) == (2, "12 refused")
    assert lines[0].startswith(
        "refused    12 instances: shop-1, shop-2, shop-3, shop-4, shop-5 and 7 more  - "
    )


def test_few_shops_have_a_line_each(awning, shops, refused):
    wrong = {"shop-2", "shop-10"}
    shops.before = lambda call, code, turn: refused(400, "no") if code in wrong else None
    _, out, _ = awning("publish", "apply", "--progress", "none")
    lines = [line.split("  - ")[0] for line in out.splitlines()]
    assert lines[-3:-1] == ["refused    shop-2 (website), lv, en", "refused    shop-10 (website), lv, en"]
    assert lines[:2] == ["applied    shop-1 (website)", "applied    shop-1 lv"]


def test_verify_names_only_what_is_wrong_and_sorts_it(awning, shops):
    assert awning("publish", "apply")[0] == 0
    for name in ("shop-10", "shop-2"):
        shops.contents[name, "body", "lv"] = "<b>theirs</b>"
    code, out, _ = awning("publish", "verify", "--api-only")
    lines = [line.split("  - ")[0] for line in out.splitlines()]
    assert (code, lines[:2]) == (Exit.DRIFT, ["foreign      shop-2 lv", "foreign      shop-10 lv"])
    assert lines[2:] == ["22 written, 2 foreign"]


def test_verify_counts_what_is_right_by_what_is_to_be_said(capsys):
    printed = PrintedCells(verbose=False)
    cells = [
        VerifiedCell(instance=name, language=None, kind=VerifiedKind.WRITTEN, detail="no page")
        for name in NAMES
    ]
    for cell in (*cells, VerifiedCell(instance="shop-1", language="lv", kind=VerifiedKind.LIVE)):
        printed.add(cell)
    printed.end()
    assert capsys.readouterr().out == "written      12 cells  - no page\n"

"""A snippet that somebody else put into a cell is never overwritten unless that is requested."""

import json

import pytest

from awning.contract import Exit
from awning.publish.cells import Ownership
from awning.publish.release.build_files import page_hash_of, sha256_of

OURS = "<b>ours</b>"


@pytest.mark.parametrize(
    ("there", "is_foreign"),
    [
        (None, False),
        ("", False),
        (" \n", False),
        (OURS, False),
        (f" {OURS}\r\n", False),
        ("<b>theirs</b>", True),
        ("<!--awning 123456789abc--><b>changed by hand</b>", True),
    ],
)
def test_what_is_neither_ours_nor_nobodys_is_foreign(there, is_foreign):
    ownership = Ownership(replaceable=frozenset({sha256_of(OURS), page_hash_of(OURS)}))
    assert ownership.is_foreign(there) is is_foreign
    assert ownership.may_replace(there) is not is_foreign
    assert Ownership(overwrite_foreign=True).may_replace(there)


def cells(out):
    return {cell["language"]: (cell["outcome"], cell["reason"]) for cell in json.loads(out)["cells"]}


def test_foreign_snippet_is_refused_and_left_alone(awning, shop, shelf):
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    code, out, _ = awning("publish", "apply", "--json")
    assert code == Exit.PARTLY
    assert cells(out)["lv"] == ("refused", "foreign content")
    assert cells(out)["en"] == ("applied", None)
    assert shelf.body("code-a")["lv"] == "<b>theirs</b>"


def test_foreign_snippet_is_written_over_on_request_and_stored(awning, shop, shelf, journal_of):
    shelf.contents["code-a", "body", "lv"] = "<b>theirs</b>"
    code, out, _ = awning("publish", "apply", "--overwrite-foreign", "--json")
    assert (code, cells(out)["lv"]) == (0, ("applied", None))
    assert journal_of().snippet(sha256_of("<b>theirs</b>")) == "<b>theirs</b>"


def test_own_snippet_of_an_earlier_release_is_replaced(awning, shop, shelf, rebuild):
    awning("publish", "apply")
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en</b>"})
    code, out, _ = awning("publish", "apply", "--json")
    assert (code, cells(out)["lv"], cells(out)["en"]) == (0, ("applied", None), ("unchanged", None))


def test_default_snippet_of_the_manifest_is_nobodys(awning, shop, shelf, dist):
    shelf.contents["code-a", "body", "lv"] = "<b>the default</b>"
    (dist / "manifest.json").write_text(json.dumps({"app_default_snippet": "<b>the default</b>"}))
    assert cells(awning("publish", "apply", "--json")[1])["lv"] == ("applied", None)


def test_apply_of_an_unreleased_build_releases_it(awning, shop):
    awning("publish", "apply")
    assert [r["release"] for r in json.loads(awning("release", "list", "--json")[1])["releases"]] == [1]
    awning("publish", "apply")
    assert len(json.loads(awning("release", "list", "--json")[1])["releases"]) == 1


def test_release_is_published_by_its_number(awning, shop, shelf, rebuild):
    awning("release", "create")
    rebuild({None: "<b>2</b>"})
    assert awning("publish", "apply", "--release", "1")[0] == 0
    assert shelf.body("code-a")["lv"] == "<b>lv ā</b>"

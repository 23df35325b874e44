"""`plan --diff` and `drift --diff`: the author's lines for what is ours, bytes for somebody else's, safe to print."""

import hashlib
import json

import pytest

from awning.contract import Exit

PATH = "widgets/price/widget.ts"
STAMP = "<!-- awning 0123456789ab -->"


@pytest.fixture
def write_build(dist, rebuild):
    """Write a build whose widget has one source file. Its snippets hold the file's number."""

    def write(number, source):
        rebuild({language: f"<b>{number} {language}</b>" for language in (None, "lv", "en")})
        file = dist / "build.json"
        widget = {"name": "price", "title": "P", "slots": [], "languages": []}
        widget["sources"] = [{"path": PATH, "sha256": str(number)}]
        unit = {"path": "widgets/price/body.html", "unit": "price", "place": "body", "language": None}
        text = f"<i>{number}</i>"
        (dist / "widgets/price").mkdir(parents=True, exist_ok=True)
        (dist / unit["path"]).write_text(text)
        unit |= {"bytes": len(text), "gzip": 0, "sha256": hashlib.sha256(text.encode()).hexdigest()}
        record = json.loads(file.read_text())
        file.write_text(json.dumps({**record, "widgets": [widget], "snippets": [*record["snippets"], unit]}))
        (dist / "maps").mkdir(exist_ok=True)
        content = {"sources": [PATH], "sourcesContent": [source]}
        (dist / "maps/body.js.map").write_text(json.dumps(content))

    return write


@pytest.fixture
def changed(awning, shop, write_build, shelf):
    """A shop with release 1, and a newer build."""
    write_build(1, "one\ntwo\n")
    assert awning("publish", "apply")[0] == 0
    write_build(2, "one\n2\x1b[31m\u202e\n")
    return shelf


@pytest.mark.parametrize("words", [(), ("--refresh",)])
def test_plan_shows_the_lines_of_the_author_once_for_all_cells(words, awning, changed):
    code, out, _ = awning("publish", "plan", "--diff", *words)
    lines = out.splitlines()
    start = lines.index("release 1 -> this build, 3 places:")
    assert code == 0
    assert lines[start + 1 : start + 8] == [
        "  changed  widget price",
        f"    changed  {PATH}",
        f"      +++ {PATH}",
        "      @@ -1,2 +1,2 @@",
        "       one",
        "      -two",
        "      +2\\x1b[31m\\u202e",
    ]
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_plan_has_the_differences_as_fields(awning, changed):
    document = json.loads(awning("publish", "plan", "--diff", "--json")[1])
    (released,) = document["release_differences"]
    assert (released["there"], released["wanted"], released["places"]) == (1, None, 3)
    assert released["widgets"][0]["lines"][-1] == "+2\x1b[31m\u202e"
    assert {cell["differences"][0]["kind"] for cell in document["cells"]} == {"release"}
    without = json.loads(awning("publish", "plan", "--json")[1])
    assert "release_differences" not in without
    assert "differences" not in without["cells"][0]


def test_foreign_content_is_compared_byte_by_byte(awning, changed):
    changed.contents["code-a", "body", "lv"] = "<b>2 lv\x1b]0;\u202e</b>"
    code, out, _ = awning("publish", "plan", "--diff", "--refresh")
    lines = out.splitlines()
    assert code == 0
    first = lines.index("conflict   shop lv  - foreign content") + 1
    assert lines[first : first + 3] == [
        "    18 bytes are there, 11 are wanted; the first difference is at byte 7",
        "    there   3c 62 3e 32 20 6c 76 1b 5d 30 3b e2 80 ae 3c 2f 62 3e  <b>2 lv\\x1b]0;\\u202e</b>",
        "    wanted  3c 62 3e 32 20 6c 76 3c 2f 62 3e  <b>2 lv</b>",
    ]
    assert not {"\x1b", "\u202e"} & set(out)
    document = json.loads(awning("publish", "plan", "--diff", "--refresh", "--json")[1])
    (cell,) = (cell for cell in document["cells"] if cell["language"] == "lv")
    difference = cell["differences"][0]
    assert (difference["kind"], difference["bytes"]["offset"]) == ("foreign", 7)
    assert bytes.fromhex(difference["bytes"]["wanted_hex"]) == b"<b>2 lv</b>"


def test_snippet_of_ours_that_was_changed_by_hand_is_compared_piece_by_piece(awning, changed):
    changed.contents["code-a", "body", "lv"] = f"{STAMP}<b>2 lv</b><i>added</i>"
    out = awning("publish", "plan", "--diff", "--refresh")[1]
    assert "    +<i>" in out
    assert "    +added</i>" in out


def test_drift_shows_what_differs(awning, changed, write_build):
    assert awning("publish", "apply")[0] == 0
    changed.contents["code-a", "body", None] = "<b>1 None</b>"
    changed.contents["code-a", "body", "lv"] = "<p>theirs</p>"
    del changed.contents["code-a", "body", "en"]
    code, out, _ = awning("publish", "drift", "--diff")
    assert code == Exit.DRIFT
    assert "release 1 -> release 2, 1 place:" in out
    assert "    -two" in out
    assert "the first difference is at byte 1" in out
    cells = json.loads(awning("publish", "drift", "--diff", "--json")[1])["cells"]
    kinds = {cell["language"]: [d["kind"] for d in cell["differences"]] for cell in cells}
    assert kinds == {None: ["release"], "lv": ["foreign"], "en": ["unset"]}
    assert "differences" not in json.loads(awning("publish", "drift", "--json")[1])["cells"][0]

"""The inventory, its CSV table, and the state directory."""

import json
import os
import stat
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from awning.client import Secret
from awning.client.secret import is_plain
from awning.errors import ConfigurationError, Faulty
from awning.file_lock import exclusive
from awning.publish.inventory.inventory import Inventory
from awning.publish.inventory.table import from_csv, to_csv
from awning.publish.state.store import Busy, StateDir


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_state_files_are_readable_by_their_owner_only(state, inventory, journal):
    assert mode(state.path) == 0o700
    assert {path.name: mode(path) for path in state.path.iterdir()} == dict.fromkeys(
        sorted(path.name for path in state.path.iterdir()), 0o600
    )
    assert (state.path / ".gitignore").read_text() == "*\n"


def test_nonempty_directory_keeps_its_mode(tmp_path):
    (tmp_path / "other").touch()
    tmp_path.chmod(0o755)
    StateDir(tmp_path)
    assert mode(tmp_path) == 0o755


def test_state_directory_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="cannot be used"):
        StateDir(tmp_path / "file")


def test_keyed_hash_is_stable_and_differs_between_state_directories(tmp_path, state):
    code = Secret("code-a")
    assert state.hash_of(code) == StateDir(state.path).hash_of(code)
    assert state.hash_of(code) != StateDir(tmp_path / "other").hash_of(code)
    assert len(state.hash_of(code)) == 13


def test_second_publish_in_a_state_directory_is_busy(state):
    with state.lock_runs(), pytest.raises(Busy), state.lock_runs():
        pass
    with state.lock_runs():
        pass


def test_publish_waits_for_a_process_that_only_tests_the_lock(state, monkeypatch):
    """The other process has to wait for a processor, for a fifth of a second."""
    now = 100.0

    def sleep(seconds):
        nonlocal now
        now += seconds
        if now > 100.2:
            testing.close()

    with ExitStack() as testing:
        testing.enter_context(exclusive(state.path / "apply.lock"))
        clock = SimpleNamespace(monotonic=lambda: now, sleep=sleep)
        monkeypatch.setattr("awning.file_lock.time", clock)
        with state.lock_runs() as held:
            assert held()


def test_instances_keep_their_order(inventory, state):
    instances = Inventory.open(state).all()
    assert [i.code.reveal() for i in instances] == ["code-a", "code-b"]
    assert [i.display_name for i in instances] == ["first", state.hash_of(Secret("code-b"))]


def test_put_changes_an_instance_with_a_known_code(inventory):
    assert inventory.put([inventory.instance("code-b", name="second", languages="lv en")]) == (0, 1)
    assert [(i.display_name, i.languages) for i in inventory.all()] == [
        ("first", ()),
        ("second", ("lv", "en")),
    ]


def test_name_of_another_instance_is_refused(inventory):
    with pytest.raises(ConfigurationError, match='"first" belongs to another'):
        inventory.put([inventory.instance("code-c"), inventory.instance("code-d", name="first")])
    assert len(inventory.all()) == 2


def test_instances_are_chosen_by_name_or_key(inventory):
    second = inventory.all()[1]
    assert [i.display_name for i in inventory.chosen(["first"])] == ["first"]
    assert inventory.chosen([second.key]) == (second,)
    assert len(inventory.chosen([])) == 2
    with pytest.raises(ConfigurationError, match='no instance is called "frist"') as caught:
        inventory.chosen(["frist"])
    assert caught.value.hint == 'did you mean "first"?'


@pytest.mark.parametrize(
    "fields",
    [
        {"code": ""},
        {"code": "two words"},
        {"code": "ā"},
        {"code": "x" * 600},
        {"name": "@x"},
        {"name": " x"},
        {"name": "a\nb"},
        {"name": ""},
        {"languages": "lv latvian!"},
        {"labels": "a,b"},
    ],
)
def test_invalid_instance_is_refused_without_showing_its_code(inventory, fields):
    with pytest.raises(ConfigurationError) as caught:
        inventory.instance(**{"code": "canary", **fields})
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("auth_code\ncode-a\n", ("first", ("lv",), ("beta",))),
        ("auth_code,languages\ncode-a,en de\n", ("first", ("en", "de"), ("beta",))),
        ("auth_code,labels,name\ncode-a,,second\n", ("second", ("lv",), ())),
        ("name,auth_code\n,code-a\n", (None, ("lv",), ("beta",))),
    ],
)
def test_import_changes_only_the_columns_of_the_table(inventory, text, expected):
    inventory.put([inventory.instance("code-a", name="first", languages="lv", labels="beta")])
    assert inventory.put(from_csv(text, inventory, path="t.csv")) == (0, 1)
    instance = inventory.all()[0]
    assert (instance.name, instance.languages, instance.labels) == expected


def test_import_can_swap_names_and_pass_a_name_on(inventory):
    inventory.put([inventory.instance("code-b", name="second")])
    text = "auth_code,name\ncode-a,second\ncode-b,first\n"
    assert inventory.put(from_csv(text, inventory, path="t.csv")) == (0, 2)
    assert [i.name for i in inventory.all()] == ["second", "first"]
    text = "auth_code,name\ncode-c,second\ncode-a,third\n"
    assert inventory.put(from_csv(text, inventory, path="t.csv")) == (1, 1)
    assert [i.name for i in inventory.all()] == ["third", "first", "second"]
    with pytest.raises(Faulty, match=r't\.csv:2: .*"first" belongs to another'):
        inventory.put(from_csv("auth_code,name\ncode-a,first\n", inventory, path="t.csv"))
    assert [i.name for i in inventory.all()] == ["third", "first", "second"]


def test_removed_instance_leaves_the_inventory(inventory):
    inventory.remove(inventory.all()[0])
    assert len(inventory.all()) == 1


def test_export_and_import_round_trip(inventory):
    inventory.put([inventory.instance("c,d", name='a "b"', languages="lv,en", labels="x y")])
    text = to_csv(inventory.all())
    assert text.splitlines()[0] == "auth_code,languages,name,labels"
    assert '"c,d",lv en,"a ""b""",x y' in text
    assert from_csv("\ufeff" + text, inventory, path="t.csv") == inventory.all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 'no column "auth_code"'),
        ("auth_code,langauges\nx,lv\n", 'unknown column "langauges"'),
        ("auth_code,name\ncanary x,a\n", "t.csv:2"),
        ("auth_code,name\ncanary\n", "another number of columns"),
        ("auth_code,name\ncanary,a,b\n", "another number of columns"),
        ("auth_code,languages\ncanary,lv\ncanary2,l!\n", "t.csv:3"),
        (
            "auth_code,name\ncanary,a\nother,b\n canary ,c\n",
            "t.csv:4: error[inventory-table]: this auth_code is on line 2 already",
        ),
        (
            "auth_code,name\ncanary,a\nother,first\n",
            't.csv:3: error[inventory-table]: the name "first" belongs to another',
        ),
        (
            "auth_code,name\ncanary,a\nother,a\n",
            't.csv:3: error[inventory-table]: the name "a" is on line 2 already',
        ),
        (
            'auth_code,name\nother,a\ncanary,"a"b\n',
            "t.csv:3: error[inventory-table]: a field is not valid CSV",
        ),
        (
            'auth_code,languages,name\nother,lv,"a\nb"\ncanary,l!,"c\r\nd"\n',
            "t.csv:4: error[inventory-table]",
        ),
        ('auth_code,labels\ncanary,"a\nother,b\n', "a quote in it is written twice"),
        ("auth_code,name,name\ncanary,a,b\n", 'the column "name" is there twice'),
    ],
)
def test_invalid_table_is_refused_whole_with_its_line(inventory, text, words):
    with pytest.raises(Faulty) as caught:
        from_csv(text, inventory, path="t.csv")
    assert words in str(caught.value)
    assert "canary" not in str(caught.value)


def test_repr_of_an_instance_hides_its_code(inventory):
    assert "code-a" not in repr(inventory.all())


def test_file_modes_do_not_depend_on_the_umask(tmp_path):
    before = os.umask(0)
    try:
        Inventory.open(StateDir(tmp_path / "loose")).close()
    finally:
        os.umask(before)
    assert {mode(path) for path in (tmp_path / "loose").iterdir()} == {0o600}


UNSAFE = {
    "erases the line": "evil\x1b[2K\x1b[1Gok",
    "C1 control": "evil\x9b2Kok",
    "NUL": "a\x00b",
    "bell": "a\x07b",
    "delete": "a\x7fb",
    "right to left": "bidi\u202e.abc",
    "isolate": "a\u2066b",
    "zero width": "zero\u200bwidth",
    "joiner in Latin": "zero\u200dwidth",
    "byte order mark": "a\ufeffb",
    "line separator": "\u2028sep",
    "paragraph separator": "a\u2029sep",
    "next line": "a\x85b",
    "tag": "a\U000e0041b",
    "filler of Hangul": "a\u3164b",
    "blank of Braille": "a\u2800b",
}
PLAIN = [
    "Rīga",
    "shop \u3000 東京",
    "חנות",
    "فروشگاه\u200cمن",
    "\U0001f468\u200d\U0001f469",
    "a\\x1b",
    "a\xa0b",
    "e\u0301",
]


@pytest.mark.parametrize("text", UNSAFE.values(), ids=UNSAFE)
def test_control_and_invisible_characters_are_refused_in_names_and_labels(inventory, text):
    for field in ("name", "labels", "languages"):
        with pytest.raises(ConfigurationError) as caught:
            inventory.instance("code-c", **{field: text})
        assert is_plain(caught.value.message + (caught.value.hint or ""))


@pytest.mark.parametrize("text", UNSAFE.values(), ids=UNSAFE)
def test_table_with_control_characters_is_refused_with_its_line(inventory, text):
    with pytest.raises(Faulty) as caught:
        from_csv(
            f"auth_code,name,labels\ncode-c,fine,\ncode-d,{text},\ncode-e,,x{text}x\n",
            inventory,
            path="t.csv",
        )
    faults = caught.value.diagnostics
    assert {3} <= {fault.place.line for fault in faults}
    assert all(is_plain(fault.message + (fault.hint or "")) for fault in faults)


@pytest.mark.parametrize("text", PLAIN)
def test_other_names_are_kept_as_they_are(inventory, text):
    inventory.put([inventory.instance("code-c", name=text)])
    assert inventory.chosen([text])[0].name == text


def test_website_with_control_characters_is_shown_escaped(awning, shop, state_of):
    with closing(Inventory.open(state_of())) as inventory:
        (instance,) = inventory.all()
        inventory.set_websites(
            [replace(instance, website_url="http://a\x1b[2K/", website_languages=["l\x9bv"])]
        )
    for words in (("list",), ("list", "--json"), ("export",)):
        code, out, err = awning("instances", *words)
        assert code == 0
        assert all(is_plain(line) for line in (out + err).splitlines()), words
    assert "a\\\\x1b" in awning("instances", "list", "--json")[1]


@pytest.mark.parametrize("option", ["--owner", "--reason"])
def test_acknowledgement_with_control_characters_is_refused(awning, shop, option):
    words = {
        "--owner": "Anna",
        "--until": datetime.now(UTC).date().isoformat(),
        "--reason": "theirs",
        option: "a\x1b[2Kb",
    }
    code, _, err = awning(
        "publish", "drift", "acknowledge", "shop", *(w for pair in words.items() for w in pair)
    )
    assert (code, "control or invisible characters" in err, "\x1b" in err) == (2, True, False)


SEPARATED = {
    "auth_code;languages;name\ncode-c;lv;c\n": 'separated by a semicolon (";")',
    '"auth_code";"name"\n"code-c";"c"\n': 'separated by a semicolon (";")',
    "\ufeffauth_code;name\r\ncode-c;c\r\n": 'separated by a semicolon (";")',
    "auth_code\tname\ncode-c\tc\n": "separated by a tab",
    "name|auth_code\nc|code-c\n": 'separated by a bar ("|")',
    "sep=,\nauth_code,name\ncode-c,c\n": 'says that the separator is a comma (",")',
    "SEP=;\nauth_code;name\ncode-c;c\n": 'says that the separator is a semicolon (";")',
    '"sep=;"\nauth_code;name\n': 'says that the separator is a semicolon (";")',
    "sep=\t\nauth_code\tname\n": "says that the separator is",
}


@pytest.mark.parametrize("text", SEPARATED, ids=[repr(text[:14]) for text in SEPARATED])
def test_table_with_another_separator_is_refused_with_its_name(inventory, text):
    with pytest.raises(Faulty) as caught:
        from_csv(text, inventory, path="t.csv")
    (fault,) = caught.value.diagnostics
    assert SEPARATED[text] in fault.message
    assert fault.place.line == 1
    assert "auth_code,languages,name,labels" in fault.hint


def test_open_state_directory_is_a_warning_that_doctor_repairs(
    awning, shop, state_of, tmp_path, monkeypatch, processes
):
    key = tmp_path / "api.key"
    key.write_text("a-key")
    key.chmod(0o640)
    monkeypatch.setenv("AWNING_API_KEY_FILE", str(key))
    path = state_of().path
    path.chmod(0o755)
    (path / "key").chmod(0o644)
    opened = [path, path / "key", key]
    _, _, err = awning("instances", "add", "--name", "shop")
    assert [line for line in err.splitlines() if line.startswith("warning: ")] == [
        f"warning: others on this machine may read or write {file}; only its owner should" for file in opened
    ]
    assert "awning doctor --fix" in err
    checks = json.loads(awning("doctor", "--json")[1])["checks"]
    warnings = [check for check in checks if check["hint"] == "awning doctor --fix"]
    assert [(check["name"], check["state"]) for check in warnings] == [
        ("state access", "warning"),
        ("state access", "warning"),
        ("AWNING_API_KEY_FILE", "warning"),
    ]
    assert [mode(file) for file in opened] == [0o755, 0o644, 0o640]
    assert "is now only its owner's" in awning("doctor", "--fix")[1]
    assert [mode(file) for file in opened] == [0o700, 0o600, 0o600]
    assert "warning" not in awning("instances", "add", "--name", "shop")[2]

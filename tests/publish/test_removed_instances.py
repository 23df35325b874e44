"""Removing instances after a confirmation; listing, restoring and purging removed ones."""

import io
import json
from contextlib import closing

import pytest
from kept_in import both

from awning.errors import ConfigurationError
from awning.publish.cell_outcome import CellOutcome
from awning.publish.inventory.inventory import Inventory
from awning.publish.inventory.table import from_csv, to_csv
from awning.publish.journal.history import run_results
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.state.server import state_at


@pytest.fixture
def hosts(tmp_path, kept_in):
    """An inventory of two instances, in files or in PostgreSQL."""
    with closing(Inventory.open(state_at(tmp_path / "hosts", kept_in.url))) as inventory:
        first = inventory.instance("code-a", name="shop", languages="lv en", labels="gold")
        inventory.put([first, inventory.instance("code-b", name="other")])
        yield inventory


def named(inventory, name):
    return inventory.chosen([name])[0]


def test_removed_instance_is_unlisted_and_restored_unchanged(hosts):
    shop = named(hosts, "shop")
    hosts.remove(shop)
    assert [i.name for i in hosts.all()] == ["other"]
    assert hosts.find(shop.code) is None
    assert "code-a" not in to_csv(hosts.all())
    assert [*hosts.removed()] == [shop]
    assert hosts.restore(shop) == shop
    assert (named(hosts, "shop"), [*hosts.removed()]) == (shop, [])


def test_added_again_instance_is_no_longer_listed_as_removed(hosts):
    shop = named(hosts, "shop")
    hosts.remove(shop)
    assert hosts.put([hosts.instance("code-a", name="anew")]) == (1, 0)
    assert [*hosts.removed()] == []
    assert named(hosts, "anew").languages == ()


@both
def test_restored_instance_loses_a_name_that_was_taken_meanwhile(hosts):
    shop = named(hosts, "shop")
    hosts.remove(shop)
    hosts.put([hosts.instance("code-c", name="shop")])
    back = hosts.restore(shop)
    assert (back.name, back.languages, back.labels) == (None, ("lv", "en"), ("gold",))
    assert named(hosts, "shop").code.reveal() == "code-c"


@both
def test_purged_instance_cannot_be_restored(hosts):
    shop = named(hosts, "shop")
    hosts.remove(shop)
    hosts.purge(hosts.select_removed(["shop"]))
    assert [*hosts.removed()] == []
    assert hosts.restore(hosts.instance("code-a")).name is None


def test_purged_code_is_in_no_file(state):
    with closing(Inventory.open(state)) as inventory, closing(Inventory.open(state)) as beside:
        inventory.put([inventory.instance("code-to-forget", name="shop")])
        assert beside.all()
        inventory.remove(inventory.all()[0])
        inventory.purge(inventory.select_removed([]))
        files = {path.name: path.read_bytes() for path in state.path.iterdir()}
    assert not [name for name, content in files.items() if b"code-to-forget" in content]


def test_import_of_a_removed_instance_restores_its_other_columns(hosts):
    hosts.remove(named(hosts, "shop"))
    hosts.put(from_csv("auth_code,languages\ncode-a,lv\n", hosts, path="t.csv"))
    back = named(hosts, "shop")
    assert (back.languages, back.labels) == (("lv",), ("gold",))


def test_only_removed_instances_can_be_purged_or_restored(hosts):
    with pytest.raises(ConfigurationError, match='no instance is called "shop"') as caught:
        hosts.select_removed(["shop"])
    assert "--removed" in caught.value.hint


@pytest.fixture
def add(awning, monkeypatch):
    """Add two instances on the command line."""
    for name in ("shop", "other"):
        monkeypatch.setenv("AWNING_AUTH_CODE", f"code-{name}")
        assert awning("instances", "add", "--name", name, "--labels", "gold")[0] == 0


def names(awning, *options):
    document = json.loads(awning("instances", "list", "--json", *options)[1])
    return [row["name"] for row in document["instances"]]


@pytest.fixture
def terminal(monkeypatch):
    """Simulate a terminal on which the user types `answer`."""

    def type_(answer):
        typed = io.StringIO(answer)
        typed.isatty = lambda: True
        monkeypatch.setattr("sys.stdin", typed)
        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    return type_


def test_remove_needs_yes_without_a_terminal(add, awning):
    code, out, err = awning("instances", "remove", "shop")
    assert (code, out) == (2, "")
    assert "--yes" in err
    assert names(awning) == ["shop", "other"]
    assert awning("instances", "remove", "shop", "--yes")[:2] == (0, "shop: removed\n")
    assert (names(awning), names(awning, "--removed")) == (["other"], ["shop"])
    assert "removed 2" in awning("instances", "list", "--removed")[1]


@pytest.mark.parametrize(
    ("answer", "code", "left"),
    [("y\n", 0, ["other"]), ("n\n", 1, ["shop", "other"]), ("\n", 1, ["shop", "other"])],
)
def test_remove_asks_on_a_terminal(add, awning, terminal, answer, code, left):
    terminal(answer)
    ended, _, err = awning("instances", "remove", "shop")
    assert (ended, names(awning)) == (code, left)
    assert "  shop\nRemove 1 instance?" in err


def test_purge_asks_on_a_terminal(add, awning, terminal):
    awning("instances", "remove", "shop", "other", "--yes")
    assert awning("instances", "purge")[0] == 2
    terminal("n\n")
    assert awning("instances", "purge")[0] == 1
    assert awning("instances", "purge", "shop", "--yes")[:2] == (0, "shop: purged\n")
    assert names(awning, "--removed") == ["other"]
    assert awning("instances", "purge", "--yes")[0] == 0
    assert awning("instances", "purge", "--yes")[:2] == (0, "")


def test_removed_instance_is_restored_by_name_or_by_code(add, awning, monkeypatch, tmp_path):
    awning("instances", "remove", "shop", "other", "--yes")
    assert awning("instances", "restore", "shop")[:2] == (0, "shop: restored\n")
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-other")
    code, out, _ = awning("instances", "add", "--json")
    document = json.loads(out)
    assert (code, document["restored"], document["name"], document["labels"]) == (0, True, "other", ["gold"])
    awning("instances", "remove", "shop", "--yes")
    table = tmp_path / "t.csv"
    table.write_text("auth_code\ncode-shop\ncode-other\ncode-new\n")
    assert awning("instances", "import", str(table))[1] == "1 added, 0 changed, 1 restored, 1 unchanged\n"
    assert names(awning)[:2] == ["other", "shop"]


def test_removed_instance_is_not_published_to(awning, shop, shelf):
    assert awning("instances", "remove", "shop", "--yes")[0] == 0
    shelf.calls.clear()
    assert awning("publish", "apply")[0] == 0
    assert shelf.calls == []


def test_results_of_instances_that_were_removed_during_a_run_are_listed_with_few_look_ups(state, monkeypatch):
    with closing(Inventory.open(state)) as inventory, closing(Journal.open(state)) as journal:
        inventory.put([inventory.instance(f"code-{number}", name=f"shop-{number}") for number in range(50)])
        run = journal.begin("a run")
        journal.append(
            JournalEntry(
                run=run, kind=EntryKind.OUTCOME, instance=instance.key, outcome=CellOutcome.UNCHANGED
            )
            for instance in inventory.all()
        )
        removed = [instance for instance in inventory.all() if instance.name != "shop-7"]
        for instance in removed:
            inventory.remove(instance)
        look_up, look_ups = Inventory.by_keys, []

        def counted(self, keys):
            look_ups.append(keys)
            return look_up(self, keys)

        monkeypatch.setattr(Inventory, "by_keys", counted)
        results = [result.instance for result in run_results(run, journal, inventory)]
    assert results == ["shop-7", *(instance.key for instance in removed)]
    assert len(look_ups) == 1

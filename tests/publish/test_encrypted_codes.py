"""authCodes at rest: encrypted with AWNING_STATE_KEY, in files and in PostgreSQL, and looked up by their keyed hash."""

import json
import os
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_in import both
from sqlalchemy import select, text, update

from awning.client import Secret
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.host.host_records import HostRecords
from awning.publish.inventory.acknowledged import EVERY_LANGUAGE, Acknowledgement, Acknowledgements
from awning.publish.inventory.inventory import Inventory
from awning.publish.state.cipher import CodeCipher, is_sealed
from awning.publish.state.server import state_at
from awning.publish.state.store import StateDir
from awning.publish.state.tables import STATE
from awning.publish.state.tables.host import INSTALLATION
from awning.publish.state.tables.inventory import INSTANCE, REMOVED

OLD, NEW = (f"planted-canary-{name}-key-of-32-characters" for name in ("old", "new"))
FILE_KEY = "a-key-of-32-characters-in-a-file"
CODE, OTHER = "code-alpha-of-a-shop", "code-beta-of-a-shop"
"""Not marked as secrets for the leak check, because some tests store them plain. The tests search for them."""


def cipher(*keys):
    return CodeCipher(Secret(" ".join(keys))) if keys else None


@pytest.fixture
def state_with(tmp_path, kept_in):
    """Open the same state store with the given keys."""
    return lambda *keys: state_at(tmp_path / "state", kept_in.url, cipher(*keys))


@pytest.fixture
def add(state_with):
    """Open the store with the given keys, add two instances and remove one of them again."""

    def add(*keys):
        with closing(Inventory.open(state_with(*keys))) as inventory:
            inventory.put(
                [
                    inventory.instance(CODE, name="shop", labels="early"),
                    inventory.instance(OTHER, name="gone"),
                ]
            )
            inventory.remove(inventory.chosen(["gone"])[0])

    return add


def codes_in(state):
    """Return the stored texts of the authCodes of all instances, removed ones included."""
    with closing(state.connect(STATE.name)) as database, database.reading() as connection:
        queries = [select(table.c.auth_code) for table in (INSTANCE, REMOVED)]
        return [code for query in queries for code in connection.execute(query).scalars()]


def read_with(state):
    with closing(Inventory.open(state)) as inventory:
        return [i.code.reveal() for i in (*inventory.all(), *inventory.removed())]


def test_codes_are_stored_encrypted_and_read_with_the_key(add, state_with):
    add(NEW)
    assert all(map(is_sealed, codes_in(state_with())))
    assert read_with(state_with(NEW)) == [CODE, OTHER]


@both
def test_plain_codes_are_encrypted_when_they_are_opened_with_a_key(add, state_with):
    add()
    assert codes_in(state_with()) == [CODE, OTHER]
    assert read_with(state_with(NEW)) == [CODE, OTHER]
    assert all(map(is_sealed, codes_in(state_with())))


def test_plain_text_is_scrubbed_from_the_files(add, state_with, tmp_path):
    add()
    read_with(state_with(NEW))
    for file in (tmp_path / "state").iterdir():
        assert CODE.encode() not in file.read_bytes(), file.name
        assert OTHER.encode() not in file.read_bytes(), file.name


def test_encrypted_store_without_the_key_is_refused(add, state_with):
    add(NEW)
    with pytest.raises(ConfigurationError, match="encrypted, and there is no AWNING_STATE_KEY"):
        Inventory.open(state_with())


def test_encrypted_store_with_another_key_is_refused(add, state_with):
    add(OLD)
    with pytest.raises(ConfigurationError, match="another key than AWNING_STATE_KEY has"):
        Inventory.open(state_with(NEW))


def test_single_code_under_another_key_is_noticed(add, state_with):
    """The id of the other key sorts between the ids of the two keys that the store is opened with."""
    state = state_with(OLD, NEW)
    first, last = sorted(state.cipher.ids)
    with closing(Inventory.open(state)) as inventory:
        inventory.put([inventory.instance(f"{CODE}-{name}", name=name) for name in "abc"])
    with closing(state.connect(STATE.name)) as database, database.writing() as connection:
        for name, key_id in zip("abc", (first, f"{first}0", last), strict=True):
            connection.execute(update(INSTANCE).where(INSTANCE.c.name == name).values(sealed_by=key_id))
    with pytest.raises(ConfigurationError, match="another key"):
        Inventory.open(state)


@both
def test_key_is_changed_without_a_moment_in_which_nothing_can_be_read(add, state_with):
    add(OLD)
    assert read_with(state_with(NEW, OLD)) == [CODE, OTHER]
    assert read_with(state_with(OLD)) == [CODE, OTHER]
    with closing(Inventory.open(state_with(NEW, OLD))) as inventory:
        assert inventory.rekey() == 2
        assert inventory.rekey() == 0
    assert read_with(state_with(NEW)) == [CODE, OTHER]
    with pytest.raises(ConfigurationError, match="another key"):
        Inventory.open(state_with(OLD))


@pytest.mark.parametrize("text", ["v1 ", "v1 x", "v1 a b c"])
def test_cut_code_is_reported_as_damaged(text):
    with pytest.raises(ConfigurationError, match="an encrypted authCode is damaged"):
        CodeCipher(Secret(NEW)).open(text)


@both
def test_change_of_the_key_is_all_or_nothing(add, state_with):
    add(OLD)
    state = state_with(NEW, OLD)
    inventory = Inventory.open(state)
    with closing(state.connect(STATE.name)) as database, database.writing() as connection:
        code = connection.execute(select(REMOVED.c.auth_code)).scalar_one()
        damaged = code[:-6] + ("AAAA" if code[-6:-2] != "AAAA" else "BBBB") + code[-2:]
        connection.execute(update(REMOVED).values(auth_code=damaged))
    before = codes_in(state)
    with closing(inventory), pytest.raises(ConfigurationError, match="is damaged"):
        inventory.rekey()
    assert codes_in(state) == before


KILLED = """
import os, sys
from pathlib import Path
from sqlalchemy import Engine, event
from awning.publish.inventory.inventory import Inventory
from awning.publish.state.cipher import CodeCipher
from awning.publish.state.store import StateDir

updates = 0
@event.listens_for(Engine, "before_cursor_execute")
def look(connection, cursor, statement, *_):
    global updates
    updates += statement.startswith("UPDATE")
    if updates > int(sys.argv[2]):
        os._exit(9)

@event.listens_for(Engine, "commit")
def commit(connection):
    if updates:
        os._exit(9)

Inventory.open(StateDir(Path(sys.argv[1]), CodeCipher.found_in(os.environ))).rekey()
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("updates", [1, 2])
def test_change_of_the_key_whose_process_dies_changes_nothing(updates, add, state_with, tmp_path):
    add(OLD)
    before = codes_in(state_with())
    command = [sys.executable, "-c", KILLED, str(tmp_path / "state"), str(updates)]
    environ = {**os.environ, "AWNING_STATE_KEY": f"{NEW} {OLD}"}
    assert subprocess.run(command, env=environ, check=False, timeout=60).returncode == 9
    assert codes_in(state_with()) == before
    assert read_with(state_with(OLD)) == [CODE, OTHER]


def test_codes_can_be_decrypted_again(add, state_with):
    add(NEW)
    with closing(Inventory.open(state_with(NEW))) as inventory:
        assert inventory.rekey(decrypt=True) == 2
    assert codes_in(state_with()) == [CODE, OTHER]
    assert read_with(state_with()) == [CODE, OTHER]


def test_instance_is_looked_up_without_decrypting_the_others(add, state_with, monkeypatch):
    add(NEW)
    with closing(Inventory.open(state_with(NEW))) as inventory:
        inventory.put([inventory.instance(f"planted-canary-code-{number}") for number in range(20)])
        opened = []
        decrypt = CodeCipher.open
        monkeypatch.setattr(
            CodeCipher, "open", lambda self, sealed: opened.append(sealed) or decrypt(self, sealed)
        )
        assert inventory.find(Secret(CODE)).name == "shop"
        assert inventory.find(Secret("planted-canary-nowhere")) is None
        assert len(opened) == 1


def test_every_change_of_an_instance_works_on_encrypted_codes(add, state_with):
    add(NEW)
    with closing(Inventory.open(state_with(NEW))) as inventory:
        assert inventory.add(inventory.instance(CODE, languages="lv"))[1] == "changed"
        assert inventory.add(inventory.instance(OTHER))[1] == "restored"
        shop, gone = inventory.all()
        assert (shop.name, shop.labels, shop.languages, gone.name) == ("shop", ("early",), ("lv",), "gone")
        inventory.pin(shop, 3)
        inventory.remove(shop)
        assert inventory.restore(inventory.find_removed(Secret(CODE))).pinned == 3
        inventory.remove(gone)
        inventory.purge([gone])
        assert inventory.removed() == {}
    assert len(codes_in(state_with())) == 1


def test_sealed_text_differs_each_time(state_with):
    sealing = cipher(NEW)
    assert sealing.seal(Secret(CODE)) != sealing.seal(Secret(CODE))


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=512))
def test_every_auth_code_is_opened_as_it_was_sealed(code):
    sealed = cipher(NEW).seal(Secret(code))
    assert cipher(OLD, NEW).open(sealed).reveal() == code
    assert code not in sealed or len(code) < 4


@both
def test_code_of_an_installation_under_way_is_encrypted_too(state_with):
    with closing(HostRecords.open(state_with())) as records:
        records.begin("@1", Secret(CODE), now=1.0)
    with closing(HostRecords.open(state_with(OLD))) as records:
        records.begin("@2", Secret(OTHER), now=1.0)
        assert [records.installation(key).code.reveal() for key in ("@1", "@2")] == [CODE, OTHER]
    with closing(state_with().connect(STATE.name)) as database, database.reading() as connection:
        assert all(map(is_sealed, connection.execute(select(INSTALLATION.c.auth_code)).scalars()))
    for keys, words in (((), "there is no AWNING_STATE_KEY"), ((NEW,), "another key")):
        for kind in (HostRecords, Inventory):
            with pytest.raises(ConfigurationError, match=words):
                kind.open(state_with(*keys))


def test_change_of_the_key_changes_the_code_of_an_installation_too(state_with):
    state = state_with(NEW, OLD)
    with closing(HostRecords.open(state_with(OLD))) as records:
        records.begin("@1", Secret(CODE), now=1.0)
        records.begin("@gone", Secret(OTHER), now=1.0)
        records.remove("@gone", now=2.0)
    with closing(Inventory.open(state)) as inventory:
        assert inventory.rekey() == 1
    with closing(HostRecords.open(state_with(NEW))) as records:
        assert records.installation("@1").code.reveal() == CODE
        assert records.installation("@gone").code.reveal() == ""
    with closing(Inventory.open(state_with(NEW))) as inventory:
        assert inventory.rekey(decrypt=True) == 1
    with closing(HostRecords.open(state_with())) as records:
        assert records.installation("@1").code.reveal() == CODE


@both
def test_number_of_a_removed_instance_is_not_given_again(state_with):
    with closing(Inventory.open(state_with())) as inventory:
        inventory.put([inventory.instance(f"code-{name}") for name in "abc"])
        pages = inventory.pages()
        numbers = _numbers(inventory)
        inventory.remove(inventory.all()[-1])
        inventory.put([inventory.instance("code-d")])
        assert not set(_numbers(inventory)) - set(numbers) & set(numbers)
        assert max(_numbers(inventory)) > max(numbers)
        with suppress(StopIteration):
            next(pages)


def _numbers(inventory):
    with inventory._database.reading() as connection:
        return list(connection.execute(text("SELECT id FROM instance ORDER BY id")).scalars())


def test_instances_are_found_after_the_key_of_the_hashes_was_lost(tmp_path):
    folder = tmp_path / "state"
    with closing(Inventory.open(StateDir(folder))) as inventory:
        inventory.put([inventory.instance(CODE, name="shop"), inventory.instance(OTHER)])
        before = inventory.chosen(["shop"])[0]
    day = datetime.now(UTC).date().isoformat()
    known = Acknowledgement(key=before.key, language=EVERY_LANGUAGE, owner="me", until=day, reason="x")
    with closing(Acknowledgements.open(StateDir(folder))) as acknowledgements:
        acknowledgements.add(known)
    (folder / "key").unlink()
    state = StateDir(folder)
    with closing(Inventory.open(state)) as inventory:
        shop = inventory.find(Secret(CODE))
        assert (shop.name, shop.key) == ("shop", state.hash_of(Secret(CODE)))
        assert shop.key != before.key
        assert inventory.add(inventory.instance(OTHER))[1] == "changed"
    with closing(Acknowledgements.open(state)) as acknowledgements:
        assert [acknowledgement.owner for acknowledgement in acknowledgements.of(shop.key)] == ["me"]


# --- by the command line ---


@pytest.fixture
def encrypted(awning, monkeypatch):
    monkeypatch.setenv("AWNING_STATE_KEY", OLD)
    monkeypatch.setenv("AWNING_AUTH_CODE", CODE)
    assert awning("instances", "add", "--name", "shop")[0] == 0


COMMANDS = [("instances", "list"), ("publish", "status"), ("publish", "plan"), ("instances", "export", "-")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_verb_names_the_missing_key(command, encrypted, awning, monkeypatch):
    monkeypatch.delenv("AWNING_STATE_KEY")
    code, out, err = awning(*command)
    assert (code, out) == (Exit.USAGE, "")
    assert "AWNING_STATE_KEY" in err


def test_key_comes_from_a_file_too(awning, monkeypatch, tmp_path, state_of):
    (tmp_path / "secret").write_text(FILE_KEY)
    (tmp_path / "secret").chmod(0o600)
    monkeypatch.setenv("AWNING_STATE_KEY_FILE", str(tmp_path / "secret"))
    awning("instances", "add", "--name", "shop")
    assert awning("instances", "list") == (0, "shop  (all)\n", "")
    assert all(map(is_sealed, codes_in(state_of())))


def test_rekey_verb_changes_the_key(encrypted, awning, monkeypatch):
    monkeypatch.setenv("AWNING_STATE_KEY", f"{NEW} {OLD}")
    code, out, _ = awning("instances", "rekey", "--json")
    assert (code, json.loads(out)["changed"]) == (0, 1)
    assert awning("instances", "rekey")[1] == "every authCode is encrypted with the first key already\n"
    monkeypatch.setenv("AWNING_STATE_KEY", NEW)
    assert awning("instances", "list")[0] == 0


def test_rekey_without_a_key_is_a_usage_error(awning):
    assert awning("instances", "rekey")[0] == Exit.USAGE


def test_publish_and_export_work_on_encrypted_codes(shop, awning, monkeypatch, shelf):
    monkeypatch.setenv("AWNING_STATE_KEY", NEW)
    assert awning("publish", "apply")[0] == 0
    assert shelf.body("code-a")["lv"] == "<b>lv ā</b>"
    assert "code-a" in awning("instances", "export", "-")[1]
    assert awning("publish", "drift")[0] == 0


def test_short_key_is_a_usage_error_that_does_not_show_it(awning, monkeypatch):
    monkeypatch.setenv("AWNING_STATE_KEY", "planted-canary-short")
    code, out, err = awning("instances", "list")
    assert (code, out, "canary" in err) == (Exit.USAGE, "", False)
    assert "openssl rand" in err


def test_missing_package_is_named(awning, monkeypatch):
    monkeypatch.setenv("AWNING_STATE_KEY", NEW)
    for name in [name for name in sys.modules if name.startswith("cryptography")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    code, _, err = awning("instances", "list")
    assert (code, "pip install 'awning[crypto]'" in err) == (Exit.USAGE, True)


@both
def test_other_code_with_the_same_keyed_hash_does_not_replace_the_first(state_with):
    with closing(Inventory.open(state_with(NEW))) as inventory:
        inventory.put([inventory.instance(CODE)])
        clash = replace(inventory.instance(OTHER), key=inventory.instance(CODE).key)
        with pytest.raises(ConfigurationError, match="two authCodes have the keyed hash"):
            inventory.put([clash])
        assert [instance.code.reveal() for instance in inventory.all()] == [CODE]

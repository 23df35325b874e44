"""The state file: restarts change nothing, foreign files are refused, secrets are not in it."""

import sqlite3
import stat
import threading
from datetime import UTC, datetime

import pytest

from awning.errors import ConfigurationError
from awning_harness.service import Service
from awning_harness.service.vault import Vault

MANIFEST = {
    "app_title": "A",
    "app_secret": "planted-canary-app-secret",
    "app_default_snippet": "default {{svc_app_data}}",
}


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state.db"


def test_a_restart_keeps_everything(state):
    before = Service(state)
    website = before.create_website(languages=["en"], brandname="Shop")
    app_id, _ = before.register_app(MANIFEST)
    code = before.install(app_id, website.id)
    before.set_data(code, {"a": 1})
    before.set_snippet(code, "en!", language="en")
    before.clock.set(datetime(2030, 1, 1, tzinfo=UTC), frozen=True)
    before.assumptions.set("data-insertion", "json")
    page = before.page_snippets(website.id, "lv")
    before.close()
    after = Service(state)
    assert after.website(website.id) == website
    assert after.page_snippets(website.id, "lv") == page
    assert after.page_snippets(website.id, "en")[0].body == "en!"
    assert after.instance(code).app_id == app_id
    assert after.clock.now() == datetime(2030, 1, 1, tzinfo=UTC)
    assert after.assumptions["data-insertion"] == "json"
    assert after.app(app_id).sealed_secret is not None
    assert after.vault.open(after.app(app_id).sealed_secret) == "planted-canary-app-secret"
    after.close()


def test_assumption_set_argument_overrides_the_state_file(state):
    first = Service(state)
    first.assumptions.set("unset-snippet", "empty")
    first.close()
    with_set = Service(state, assumptions="hostile")
    assert with_set.assumptions["unset-snippet"] == "absent"
    with_set.reset()
    with_set.close()
    reopened = Service(state)
    assert (reopened.assumptions.assumption_set, reopened.assumptions["unset-snippet"]) == (
        "hostile",
        "absent",
    )
    reopened.close()


def test_no_secret_is_in_the_state_file(state):
    service = Service(state)
    app_id, key = service.register_app(MANIFEST)
    code = service.install(app_id, service.create_website().id)
    service.close()
    dump = b"".join(path.read_bytes() for path in state.parent.iterdir())
    for secret in (key, code, "planted-canary-app-secret"):
        assert secret.encode() not in dump
    for text in (repr(service.app), repr(service.vault), str(vars(service))):
        assert "planted" not in text


def test_key_file_is_readable_by_its_owner_only(state):
    Service(state).close()
    assert stat.S_IMODE(state.with_name("state.db.key").stat().st_mode) == 0o600


def test_changed_or_foreign_sealed_value_is_refused():
    vault = Vault.beside(None)
    sealed = vault.seal("secret ā")
    assert vault.open(sealed) == "secret ā"
    assert vault.seal("secret ā") != sealed
    for wrong in (sealed[:-1] + bytes([sealed[-1] ^ 1]), bytes([sealed[0] ^ 1]) + sealed[1:], b""):
        with pytest.raises(ValueError, match="key"):
            vault.open(wrong)
    with pytest.raises(ValueError, match="key"):
        Vault.beside(None).open(sealed)


def test_file_of_another_program_is_refused_with_a_hint(state):
    other = sqlite3.connect(state)
    other.execute("CREATE TABLE mine (a)")
    other.commit()
    other.close()
    with pytest.raises(
        ConfigurationError, match=r"state\.db cannot be used as the state of a service"
    ) as caught:
        Service(state)
    assert "another file" in caught.value.hint
    state.write_bytes(b"no database at all, but long enough to be read as one" * 30)
    with pytest.raises(ConfigurationError):
        Service(state)


def test_concurrent_threads_lose_no_writes(state):
    service = Service(state)
    website = service.create_website()
    app_id, _ = service.register_app(MANIFEST)
    codes = []

    def install():
        for _ in range(20):
            code = service.install(app_id, website.id)
            service.set_data(code, code[-12:])
            codes.append(code)

    threads = [threading.Thread(target=install) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bodies = [page.body for page in service.page_snippets(website.id, "lv")]
    assert sorted(bodies) == sorted(f"default {code[-12:]}" for code in codes)
    assert len(bodies) == 160
    service.close()


def test_two_services_on_one_file_see_each_others_writes(state):
    first, second = Service(state), Service(state)
    website = first.create_website()
    app_id, _ = second.register_app(MANIFEST)
    code = first.install(app_id, website.id)
    second.set_snippet(code, "from the second")
    assert first.page_snippets(website.id, "lv")[0].body == "from the second"
    first.close()
    second.close()


def test_failed_write_is_rolled_back(state):
    service = Service(state)

    def failing():
        with service.database.writing() as db:
            db.execute("INSERT INTO setting VALUES ('a', 'b')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    with service.database.reading() as db:
        assert db.execute("SELECT count(*) FROM setting").fetchone()[0] == 0
    service.close()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda s: s.install(1, 1), LookupError),
        (lambda s: s.install(s.register_app({})[0], 1), LookupError),
        (lambda s: s.install(s.register_app({})[0], s.create_website().id, state="done"), ValueError),
        (lambda s: s.set_default_snippets(1, body=""), LookupError),
        (lambda s: s.set_data("code", {}), LookupError),
        (lambda s: s.create_website(languages=[]), ValueError),
        (lambda s: s.register_app({"app_default_snippet": 1}), ValueError),
        (lambda s: s.assumptions.set("none", "x"), ValueError),
        (lambda _: Service(assumptions="none"), ValueError),
    ],
)
def test_invalid_values_are_errors(service, call, error):
    with pytest.raises(error):
        call(service)


@pytest.mark.parametrize("content", [b"", b"abc", b"zz" * 32, b"ab" * 31, b"\xff" * 64])
def test_a_damaged_key_of_the_state_file_is_reported_with_a_hint(state, content):
    Service(state).close()
    key = state.with_name("state.db.key")
    key.write_bytes(content)
    with pytest.raises(ConfigurationError, match="key is damaged") as caught:
        Service(state)
    assert "to start with an empty state" in (caught.value.hint or "")

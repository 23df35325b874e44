"""What becomes of app data, by an author's function in a child process with limits."""

import pytest

from awning.data_migration.engine import MigrationEngine, _child
from awning.data_migration.migration import DataMigration, Migrated, Unmigrated, example_faults
from awning.data_schema import read_app_schema

SCHEMA = {
    "properties": {
        "a": {"x-version": 3, "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
    }
}


def migration(module):
    engine = MigrationEngine(code=f"var seen = 0; globalThis.__migrations = {{ a: {module} }};")
    return DataMigration(schema=read_app_schema(SCHEMA), engine=engine, widgets=frozenset("a"))


def became(module, stored):
    result = migration(module).of({"a": stored, "b": 1})
    return result.data if isinstance(result, Migrated) else result and result.reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("{ throw new Error('no\\nsecond line') }", '"a": Error: no'),
        ("{ throw 'text' }", '"a": text'),
        ("{ const f = () => f(); f(); }", '"a": RangeError: Maximum call stack size exceeded'),
        ("{ for (;;); }", '"a": it runs for more than 0.25 s'),
        ("{ const all = []; for (;;) all.push(new Uint8Array(1e6)); }", '"a": it needs more than 64 MB'),
        ("{ return Promise.resolve({}) }", '"a": Error: migrate must not be async'),
        ("{ return }", '"a": data.migrate.ts must return an object'),
        ("{ return { n: 'x'.repeat(2e6) } }", '"a": it returns more than 1 MB'),
        ("{ return [1] }", '"a": data.migrate.ts must return an object'),
        ("{ const own = {}; own.own = own; return own }", '"a": TypeError: circular reference'),
        ("{ return { n: 'x' } }", 'what data.migrate.ts returns does not fit the schema: "a.n"'),
        ("{ return { m: 1 } }", 'what data.migrate.ts returns does not fit the schema: nothing reads "a.m"'),
        ("{ return fetch('/') }", '"a": ReferenceError: fetch is not defined'),
        ("{ return { n: process.env.HOME } }", '"a": ReferenceError: process is not defined'),
    ],
)
def test_function_that_fails_is_a_reason(body, reason):
    assert became(f"{{ migrate: () => {body} }}", {"n": 1}).startswith(reason)


def test_result_has_the_version_and_other_parts_stay():
    module = "{ migrate: (stored, version) => ({ n: stored.n * 10 + version }) }"
    assert became(module, {"n": 1}) == {"a": {"_version": 3, "n": 11}, "b": 1}
    assert became(module, {"n": 1, "_version": 2}) == {"a": {"_version": 3, "n": 12}, "b": 1}
    assert became(module, {"n": 1, "_version": 3}) is None
    assert became(module, {}) is None


def test_dates_do_not_depend_on_the_time_zone_of_the_machine(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    _child.cache_clear()
    module = "{ migrate: () => ({ n: new Date('2026-03-01T10:00').getTime() / 1000 }) }"
    assert became(module, {"n": 1})["a"]["n"] == 1_772_359_200
    _child()[0].close()


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("Math.random()", "Math.random"),
        ("Date.now()", "the present time"),
        ("+new Date()", "the present time"),
        ("new (new Date(0)).constructor().getTime()", "the present time"),
        ("Date().length", "the present time"),
    ],
)
def test_what_differs_each_time_is_refused(value, what):
    reason = f'"a": Error: {what} is different each time, and a migration must give the same result again'
    assert became(f"{{ migrate: () => ({{ n: {value} }}) }}", {"n": 1}) == reason
    steady = "{ migrate: () => ({ n: new Date(7) instanceof Date && Date.UTC(1970, 0) + +new Date(7) }) }"
    assert became(steady, {"n": 1})["a"]["n"] == 7


def test_widget_that_was_switched_off_stays_off():
    assert became("{ migrate: () => ({ n: 1 }) }", {"enabled": False})["a"]["enabled"] is False


def test_nothing_of_one_shop_reaches_another():
    module = (
        "{ migrate: () => { Array.prototype.n = (Array.prototype.n ?? 0) + 1; return { n: ++seen * [].n } } }"
    )
    assert [became(module, {"n": 1})["a"]["n"] for _ in range(3)] == [1, 1, 1]


def test_build_without_a_function_migrates_nothing():
    result = DataMigration(schema=read_app_schema(SCHEMA)).of({"a": {"n": 1}})
    assert isinstance(result, Unmigrated)
    assert "no data.migrate.ts" in result.reason


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (
            "{ migrate: (stored) => ({ n: stored.n.length }), examples: [{ n: [1] }] }",
            'the data {"enabled": false}',
        ),
        ("{ migrate: () => ({}), examples: [{}, { n: 1 }] }", None),
        ("{ migrate: () => ({ n: '' }), examples: [{ n: 1 }] }", "example 1 cannot be migrated"),
        ("{ migrate: () => ({}), examples: 5 }", "examples must be a list"),
        ("{ examples: [] }", "it does not export a function migrate"),
        ("(() => { throw new Error('at load') })()", "Error: at load"),
    ],
)
def test_examples_are_tried(module, message):
    faults = [fault.message for fault in example_faults(migration(module))]
    assert any(message in fault for fault in faults) if message else faults == []

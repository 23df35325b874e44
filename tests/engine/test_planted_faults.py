"""The comparison with the engine can fail: three bugs planted in the interpreter are reported as disagreements."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from engine_comparison import compare
from script_engine import Engine
from script_writer import script

from awning.bundle import find_esbuild
from awning.bundle.emulator import emulator_script
from awning.check.interpreter import events, statements, tasks
from awning.check.interpreter.execution import Execution, Subscription, ThrownException
from awning.check.interpreter.values import UNDEFINED, Environment, PromiseValue, Steps, Value
from awning.script.tree import Node

pytestmark = pytest.mark.usefixtures("processes")

CATCH, PROMISES, UPDATES = (11, 28), (91, 198), (344,)
"""Seeds of generated scripts whose verdict depends on what the planted bug breaks."""
CONSTANT = 437
"""The seed of a script that parses a constant that is not JSON."""


@pytest.fixture(scope="module")
def engine(processes) -> Iterator[Engine]:
    engine = Engine(emulator_script(find_esbuild()).decode())
    yield engine
    engine.close()


def disagreeing(engine: Engine, seeds: tuple[int, ...]) -> set[int]:
    """The seeds whose scripts the interpreter and the engine judge differently."""
    return {seed for seed in seeds if compare(engine, "x.js", script(seed), [script(seed)], seed=seed)}


def test_correct_interpreter_has_no_disagreements(engine: Engine) -> None:
    assert disagreeing(engine, (*CATCH, *PROMISES, *UPDATES, CONSTANT)) == set()


def test_catch_block_that_never_runs_is_a_disagreement(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def try_without_catch(run: Execution, node: Node, scope: Environment) -> Steps:
        with suppress(ThrownException):
            yield from run.execute(run, node.fields["body"], scope)
        return UNDEFINED

    monkeypatch.setitem(statements.STATEMENTS, "try_statement", try_without_catch)
    assert disagreeing(engine, CATCH) == set(CATCH)


def test_promise_callback_that_runs_at_once_is_a_disagreement(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def then_at_once(run: Execution, this: PromiseValue, args: list[Value], node: Node) -> Steps:
        yield from run.call(run, args[0], UNDEFINED, [this.value], node)
        return this

    monkeypatch.setitem(tasks._PROMISE, "then", then_at_once)
    assert disagreeing(engine, PROMISES) == set(PROMISES)


def test_undelivered_second_update_is_a_disagreement(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver = events.deliver
    delivered: list[Subscription] = []

    def deliver_updates_once(
        run: Execution, subscription: Subscription, node: Node, *, doubtful: bool = False
    ) -> None:
        if any(subscription is other for other in delivered):
            return
        if events.kind_of(subscription.event) == "updated":
            delivered.append(subscription)
        deliver(run, subscription, node, doubtful=doubtful)

    monkeypatch.setattr(events, "deliver", deliver_updates_once)
    assert disagreeing(engine, UPDATES) == set(UPDATES)

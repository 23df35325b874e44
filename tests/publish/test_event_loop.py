"""Signals stop a run, and do what they did before when it has ended."""

import asyncio
import signal

import pytest

from awning.publish.event_loop import loop_factory, stopping


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, loop_factory()])
def test_handlers_of_signals_are_back_after_a_run(new_loop):
    received = []
    before = signal.signal(signal.SIGTERM, lambda number, _frame: received.append(number))

    async def run():
        stop = asyncio.Event()
        with stopping(stop):
            signal.raise_signal(signal.SIGTERM)
            await asyncio.wait_for(stop.wait(), 10)
        assert not received
        signal.raise_signal(signal.SIGTERM)

    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(run())
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert received == [signal.SIGTERM] * 2

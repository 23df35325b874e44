"""Publishing to a service in memory: the writes, the outcomes of cells, and the entries in the journal."""

import asyncio
import time
from dataclasses import dataclass
from itertools import count

import pytest
from listed_results import Listed
from volumes import volume

from awning.client import Calling, NoResponse, Operation, Response, Retry, Secret, apps_access
from awning.client.flow import run_flow
from awning.contract import Exit
from awning.publish.apply import Job, apply
from awning.publish.cell_flow import publish_cell
from awning.publish.cell_outcome import CellResult, Summary
from awning.publish.cells import Cell, Ownership
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import JournalUnwritable
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import writes_under_way
from awning.publish.pacing import Pace
from awning.publish.release.build_files import read_build, sha256_of
from awning.publish.runner import RunSettings

LOST, UNSENT = NoResponse(why="lost"), NoResponse(why="cannot connect", sent=False)
LATE = NoResponse(why="no answer within 30 s", timed_out=True)
ACCESS = apps_access("https://service.test/v1", Secret("k"))
FAST = Retry(attempts=3, first_s=0)
ANYBODYS = Ownership(overwrite_foreign=True)


@dataclass(frozen=True)
class Published:
    """The summary of a run, and the result of each cell."""

    summary: Summary
    results: list[CellResult]

    def __getattr__(self, name):
        return getattr(self.summary, name)


def publish(
    shelf,
    build,
    inventory,
    journal,
    *,
    retry=FAST,
    stop_at=None,
    send=None,
    grace_s=2.0,
    late_s=0,
    hurry=True,
    ownership=ANYBODYS,
):
    async def main():
        results = []
        run = journal.begin("test")
        job = Job(
            run=run,
            build_of=lambda _instance: build,
            instances=inventory.all(),
            settings=RunSettings(
                calling=Calling(access=ACCESS, retry=retry),
                pace=Pace(per_instance=None),
                grace_s=grace_s,
                late_s=late_s,
            ),
            ownership=ownership,
            watcher=Listed(results),
        )

        async def stoppable(operation):
            if stop_at is not None and len(shelf.calls) + 1 == stop_at:
                job.settings.stop.set()
                if hurry:
                    job.settings.hurry.set()
            return await (send or shelf.send)(operation)

        async with JournalWriter(journal) as writer:
            return Published(await apply(job, stoppable, writer), results)

    return asyncio.run(main())


def outcomes(summary):
    return {
        (r.instance if r.instance == "first" else "b", r.language): r.ending.outcome.value
        for r in summary.results
    }


def spoil(wanted, reply, *, times=99, code="code-a"):
    left = [times]

    def instead(call, at, turn):
        if call != wanted or at != code or not left[0]:
            return None
        left[0] -= 1
        return reply

    return instead


def held(journal, intent):
    """Return what the place of an intent holds by the journal, and whether that is known."""
    record = journal.records([intent["instance"]])[intent["instance"]][intent["language"]]
    content = record.contents[intent["place"]]
    return content.sha256, content.is_known


GOOD = {
    ("first", None): "applied",
    ("first", "lv"): "applied",
    ("first", "en"): "applied",
    ("first", "ru"): "skipped",
    ("b", None): "applied",
    ("b", "lv"): "applied",
    ("b", "en"): "skipped",
}


def test_every_cell_is_written_read_back_and_counted_once(shelf, build, inventory, journal):
    summary = publish(shelf, build, inventory, journal)
    assert outcomes(summary) == GOOD
    assert summary.totals == {
        "applied": 5,
        "unchanged": 0,
        "skipped": 2,
        "refused": 0,
        "failed": 0,
        "unknown": 0,
    }
    assert summary.exit_code is Exit.DONE
    assert shelf.body("code-a") == {None: "<b>{{svc_app_data}}</b>\n", "lv": "<b>lv ā</b>", "en": "<b>en</b>"}
    reasons = {r.language: r.ending.reason for r in summary.results if r.ending.outcome == "skipped"}
    assert reasons == {"ru": "the build has no such language", "en": "the website does not use this language"}
    assert [call for call, _ in shelf.calls].count("languages") == 2


def test_unchanged_snippets_are_not_written(shelf, build, inventory, journal):
    publish(shelf, build, inventory, journal)
    shelf.calls.clear()
    summary = publish(shelf, build, inventory, journal)
    assert summary.totals["unchanged"] == 5
    assert "set_snippet" not in {call for call, _ in shelf.calls}


def test_only_changed_snippets_are_written(shelf, build, inventory, journal, rebuild, dist):
    publish(shelf, build, inventory, journal)
    rebuild({None: "<b>{{svc_app_data}}</b>\n", "lv": "new", "en": "<b>en</b>"})
    summary = publish(shelf, read_build(dist), inventory, journal)
    assert (summary.totals["applied"], summary.totals["unchanged"]) == (2, 3)
    assert shelf.body("code-b")["lv"] == "new"


def test_journal_keeps_the_previous_snippet(shelf, build, inventory, journal):
    shelf.contents["code-a", "body", "lv"] = "somebody's own"
    publish(shelf, build, inventory, journal)
    intents = [e for e in journal.entries() if e["kind"] == "intent" and e["language"] == "lv"]
    previous = {journal.snippet(e["before"]) for e in intents if e["before"]}
    assert previous == {"somebody's own"}


def test_languages_in_the_inventory_limit_the_cells(shelf, build, inventory, journal):
    inventory.put([inventory.instance("code-a", name="first", languages="en de")])
    summary = publish(shelf, build, inventory, journal)
    ends = outcomes(summary)
    assert (ends["first", "en"], ends["first", "lv"], ends["first", "de"]) == (
        "applied",
        "skipped",
        "skipped",
    )


def test_heads_are_published_with_their_bodies(shelf, inventory, journal, rebuild, dist):
    rebuild({None: "body", "lv": "lv body"}, {None: "head", "lv": "lv head"})
    publish(shelf, read_build(dist, heads=True), inventory, journal)
    assert shelf.contents["code-b", "head", "lv"] == "lv head"
    assert publish(shelf, read_build(dist, heads=True), inventory, journal).totals["unchanged"] == 4


FAULTS = {
    # call, before or after acting, reply, how often -> how the cell ends, whether it was written
    "a write is lost on the way": ("set_snippet", "before", LOST, 1, "applied", True),
    "every write is lost on the way": ("set_snippet", "before", LOST, 99, "unknown", False),
    "a write has no answer in time and is not seen": ("set_snippet", "before", LATE, 99, "unknown", False),
    "a write has no answer in time but is seen": ("set_snippet", "after", LATE, 1, "applied", True),
    "the answer to a write is lost": ("set_snippet", "after", LOST, 1, "applied", True),
    "the answers to all writes are lost": ("set_snippet", "after", LOST, 99, "applied", True),
    "a write cannot be sent once": ("set_snippet", "before", UNSENT, 1, "applied", True),
    "a write can never be sent": ("set_snippet", "before", UNSENT, 99, "failed", False),
    "a write is answered 500 but done": (
        "set_snippet",
        "after",
        Response(status=500, body=b"oops"),
        1,
        "applied",
        True,
    ),
    "writes are answered 500": (
        "set_snippet",
        "before",
        Response(status=500, body=b"oops"),
        99,
        "failed",
        False,
    ),
    "HTTP 200 says error": (
        "set_snippet",
        "before",
        Response(status=200, body=b'{"error":true,"error_code":9,"error_message":"No"}'),
        99,
        "refused",
        False,
    ),
    "a write is said to be done but is not": (
        "set_snippet",
        "before",
        Response(status=200, body=b'{"error":false}'),
        99,
        "failed",
        False,
    ),
    "reads are lost": ("get_snippet", "before", LOST, 99, "failed", False),
    "a few reads are lost": ("get_snippet", "before", LOST, 2, "applied", True),
    "languages cannot be asked for": (
        "languages",
        "before",
        Response(status=500, body=b"{}"),
        99,
        "failed",
        False,
    ),
    "languages are a page": (
        "languages",
        "before",
        Response(status=200, content_type="text/html"),
        99,
        "failed",
        False,
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_fault_of_one_instance_ends_only_its_cells(case, shelf, build, inventory, journal):
    call, when, reply, times, outcome, written = FAULTS[case]
    setattr(shelf, when, spoil(call, reply, times=times))
    summary = publish(shelf, build, inventory, journal)
    ends = outcomes(summary)
    assert {ends["first", language] for language in (None, "lv", "en")} <= {outcome, "applied"}
    assert ends["first", None] == outcome
    assert (None in shelf.body("code-a")) is written
    assert (ends["b", None], ends["b", "lv"]) == ("applied", "applied")
    assert summary.exit_code is (Exit.DONE if outcome == "applied" else Exit.PARTLY)


def test_write_that_cannot_be_read_back_is_unknown_until_the_next_run(shelf, build, inventory, journal):
    written = []

    def after_a_write(call, code, turn):
        if call == "set_snippet":
            written.append(code)
        return LOST if code in written and code == "code-a" else None

    shelf.after = after_a_write
    summary = publish(shelf, build, inventory, journal)
    assert outcomes(summary)["first", None] == "unknown"
    assert summary.exit_code is Exit.PARTLY
    shelf.after = lambda *_: None
    assert outcomes(publish(shelf, build, inventory, journal))["first", None] == "unchanged"


WRITE = ("entry", "set_snippet", "get_snippet")
DOUBTFUL = Response(status=200, body=b'{"error":true,"error_code":12,"error_message":"Busy"}')
NOT_THERE = Response(status=404, body=b'{"error":true,"error_code":404,"error_message":"No such instance"}')
WRONG_KEY = Response(status=200, body=b'{"error":true,"error_code":401,"error_message":"Unauthorized"}')
TROUBLES = {
    # the reply to the first write, for how many seconds the service may still perform it (None: nobody waits)
    # -> steps, outcome
    "no answer in time, then one more timeout": (
        LATE,
        30.0,
        (*WRITE, 30.0, "get_snippet", 0.0, *WRITE),
        "applied",
    ),
    "no answer in time, and nobody can wait": (LATE, None, WRITE, "unknown"),
    "a lost answer": (LOST, None, (*WRITE, 0.0, *WRITE), "applied"),
    "an error in a 200": (DOUBTFUL, None, (*WRITE, 0.0, *WRITE), "applied"),
    "404 for an instance that was read": (NOT_THERE, None, (*WRITE, 0.0, *WRITE), "applied"),
    "a refused key": (WRONG_KEY, None, WRITE[:2], "refused"),
}


@pytest.mark.parametrize("case", TROUBLES)
def test_write_in_trouble_is_read_and_journaled_before_it_is_sent_again(case, shelf, build, inventory):
    reply, late_s, steps, outcome = TROUBLES[case]
    cell = Cell(instance=inventory.all()[0], language=None, snippets=build.snippets[None][-1:])
    flow = publish_cell(cell, 1, Calling(access=ACCESS, retry=FAST), ANYBODYS, late_s=late_s)
    shelf.before = spoil("set_snippet", reply, times=1)
    done = []

    async def perform(step):
        done.append(getattr(step, "name", None) or getattr(step, "seconds", "entry"))
        return await shelf.send(step) if isinstance(step, Operation) else None

    ending = asyncio.run(run_flow(flow, perform))
    assert (tuple(done), ending.outcome) == (("get_snippet", *steps), outcome)


def test_foreign_snippet_behind_a_false_404_is_not_overwritten(shelf, build, inventory):
    """A service that is unwell answers 404 once for a cell that holds the text of somebody else."""
    cell = Cell(instance=inventory.all()[0], language=None, snippets=build.snippets[None][-1:])
    shelf.contents["code-a", "body", None] = "<p>the merchant's own</p>"
    shelf.before = spoil("get_snippet", NOT_THERE, times=1)
    flow = publish_cell(cell, 1, Calling(access=ACCESS, retry=FAST), Ownership())

    async def perform(step):
        return await shelf.send(step) if isinstance(step, Operation) else None

    assert asyncio.run(run_flow(flow, perform)).outcome == "refused"


def test_write_that_is_never_answered_in_time_is_unknown(shelf, build, inventory, journal):
    """The body arrives only after the last read. The cell must not be reported as failed."""
    inventory.remove(inventory.all()[1])
    shelf.before = spoil("set_snippet", LATE)
    summary = publish(shelf, build, inventory, journal)
    assert set(outcomes(summary).values()) == {"unknown", "skipped"}
    assert summary.exit_code is Exit.PARTLY
    shelf.before = lambda *_: None
    for snippet in build.snippets.values():
        body = next(s for s in snippet if s.place == "body")
        language = next(lang for lang, snippets in build.snippets.items() if snippets is snippet)
        shelf.contents["code-a", "body", language] = body.text
    assert set(outcomes(publish(shelf, build, inventory, journal)).values()) == {"unchanged", "skipped"}


@pytest.mark.parametrize(
    ("refusal", "why"),
    [
        (WRONG_KEY, "set_snippet: Unauthorized (error 401, HTTP 200)"),
        (NOT_THERE, "set_snippet: No such instance (error 404, HTTP 404)"),
    ],
)
def test_lost_write_is_unknown_when_the_next_is_refused(refusal, why, shelf, build, inventory, journal):
    inventory.remove(inventory.all()[1])
    replies = iter([LOST])
    shelf.before = lambda call, code, _: next(replies, refusal) if call == "set_snippet" else None
    summary = publish(shelf, build, inventory, journal)
    end = next(r.ending for r in summary.results if (r.instance, r.language) == ("first", None))
    assert end.outcome == "unknown"
    assert end.reason == f"{why}; an earlier write of this run had no answer"
    assert summary.exit_code is Exit.PARTLY


def test_lost_write_is_unknown_when_the_next_cannot_be_sent(shelf, build, inventory, journal):
    replies = iter([LOST])
    shelf.before = lambda call, code, _: next(replies, UNSENT) if call == "set_snippet" else None
    ends = outcomes(publish(shelf, build, inventory, journal))
    assert ends["first", None] == "unknown"
    assert set(ends.values()) == {"unknown", "failed", "skipped"}


def test_unsent_head_after_a_written_body_exits_partly(shelf, inventory, journal, rebuild, dist):
    rebuild({None: "body"}, {None: "head"})
    shelf.before = lambda call, code, _: UNSENT if call == "set_head_snippet" else None
    summary = publish(shelf, read_build(dist, heads=True), inventory, journal)
    assert outcomes(summary)["first", None] == "failed"
    assert summary.exit_code is Exit.PARTLY


def test_concurrent_foreign_write_is_not_overwritten(shelf, build, inventory, journal):
    def meanwhile(call, code, turn):
        if call == "set_snippet" and code == "code-a":
            shelf.contents[code, "body", None] = "theirs"
            return LOST
        return None

    shelf.before = meanwhile
    summary = publish(shelf, build, inventory, journal)
    assert outcomes(summary)["first", None] == "failed"
    assert shelf.body("code-a")[None] == "theirs"


class TestWholeRuns:
    def test_unreachable_service_exits_1_and_trips_the_breaker(self, shelf, build, inventory, journal):
        inventory.put([inventory.instance(f"more-{n}") for n in range(300)])
        shelf.before = lambda *_: UNSENT
        summary = publish(shelf, build, inventory, journal)
        assert summary.exit_code is Exit.FINDINGS
        assert summary.totals["failed"] == 3 * 302
        assert len({code for _, code in shelf.calls}) < 302
        assert any("not tried" in (r.ending.reason or "") for r in summary.results)

    def test_refused_key_exits_6(self, shelf, build, inventory, journal, refused):
        shelf.before = lambda *_: refused(401, "Unauthorized")
        summary = publish(shelf, build, inventory, journal)
        assert summary.exit_code is Exit.REFUSED
        assert summary.totals["refused"] == 6

    def test_one_uninstalled_instance_exits_5(self, shelf, build, inventory, journal):
        del shelf.languages["code-b"]
        summary = publish(shelf, build, inventory, journal)
        assert summary.exit_code is Exit.PARTLY
        assert (summary.totals["applied"], summary.totals["refused"]) == (3, 3)

    def test_run_without_instances_is_done(self, shelf, build, state, journal):
        inventory = Inventory.open(state)
        assert publish(shelf, build, inventory, journal).exit_code is Exit.DONE
        inventory.close()


def crash_after(shelf, turn):
    """Return a `send` that simulates a crash after call number `turn`, and the exception that it raises for that.

    Nothing later happens, not even a write to the journal.
    """

    class Died(BaseException):
        pass

    async def send(operation):
        reply = await shelf.send(operation)
        if len(shelf.calls) >= turn:
            raise Died
        return reply

    return send, Died


CALLS_OF_A_RUN = 2 + 5 * 3
TURNS = range(1, CALLS_OF_A_RUN + 1, volume("publish-calls-between-ends"))


@pytest.mark.parametrize("turn", TURNS)
def test_journal_is_correct_after_a_crash_and_a_second_run_converges(turn, shelf, build, inventory, journal):
    send, died = crash_after(shelf, turn)
    with pytest.raises(died):
        publish(shelf, build, inventory, journal, send=send)
    written = {(code, language) for code, _, language in shelf.contents}
    codes = {i.key: i.code.reveal() for i in inventory.all()}
    last = {(codes[e["instance"]], e["language"]): e for e in journal.latest()}
    noted = {cell for cell, e in last.items() if e["kind"] == "intent" or e["outcome"] == "applied"}
    assert written <= noted, "written without being noted first"
    assert {cell for cell, e in last.items() if e["outcome"] == "applied"} <= written
    assert journal.runs()[0]["how"] == "not finished"
    summary = publish(shelf, build, inventory, journal)
    assert set(outcomes(summary).values()) <= {"applied", "unchanged", "skipped"}
    assert shelf.body("code-a") == {None: "<b>{{svc_app_data}}</b>\n", "lv": "<b>lv ā</b>", "en": "<b>en</b>"}
    assert {e["kind"] for e in journal.latest()} == {"outcome"}


@pytest.mark.parametrize("turn", TURNS)
def test_every_cell_has_one_outcome_when_interrupted_at_any_call(turn, shelf, build, inventory, journal):
    summary = publish(shelf, build, inventory, journal, stop_at=turn)
    assert summary.exit_code is Exit.INTERRUPTED
    assert journal.runs()[0]["how"] == "interrupted"
    ended = [e for e in journal.entries() if e["kind"] == "outcome"]
    assert len(ended) == len(summary.results) == len({(e["instance"], e["language"]) for e in ended})
    applied = {(r.key, r.language) for r in summary.results if r.ending.outcome == "applied"}
    codes = {i.code.reveal(): i.key for i in inventory.all()}
    assert applied == {(codes[code], language) for code, _, language in shelf.contents}
    assert publish(shelf, build, inventory, journal).exit_code is Exit.DONE


@pytest.mark.parametrize(("hanging", "outcome"), [("get_snippet", "skipped"), ("set_snippet", "unknown")])
def test_hanging_call_is_cancelled_after_the_grace_period(hanging, outcome, shelf, build, inventory, journal):
    async def send(operation):
        if operation.name == hanging:
            shelf.calls.append((hanging, ""))
            await asyncio.Event().wait()
        return await shelf.send(operation)

    turn = 4 if hanging == "get_snippet" else 6
    summary = publish(shelf, build, inventory, journal, send=send, stop_at=turn, grace_s=0)
    assert summary.exit_code is Exit.INTERRUPTED
    assert outcomes(summary)["first", None] == outcome
    assert {r.ending.outcome.value for r in summary.results} <= {outcome, "skipped"}
    last = {e["language"]: e["outcome"] for e in journal.latest()}
    assert last[None] == outcome


def test_interrupted_cell_whose_write_was_not_sent_is_skipped(shelf, build, inventory, journal, monkeypatch):
    async def waits(_writer):
        await asyncio.Event().wait()

    monkeypatch.setattr(JournalWriter, "confirm", waits)
    summary = publish(shelf, build, inventory, journal, stop_at=3, grace_s=0.1)
    intents = [e for e in journal.entries() if e["kind"] == EntryKind.INTENT]
    assert len(intents) == 1
    assert summary.totals["unknown"] == 0
    assert {r.ending.reason for r in summary.results} >= {"interrupted before it was written"}
    assert writes_under_way(journal, timeout_s=30) == ({}, {})
    assert held(journal, intents[0]) == (intents[0]["before"], True)


@pytest.mark.parametrize("before", [None, "<b>old</b>"])
def test_cell_whose_write_was_refused_holds_what_it_held_before(before, shelf, build, inventory, journal):
    shelf.before = spoil("set_snippet", WRONG_KEY)
    if before is not None:
        shelf.contents["code-a", "body", None] = before
    publish(shelf, build, inventory, journal)
    intent = next(e for e in journal.entries() if e["kind"] == EntryKind.INTENT)
    assert intent["language"] is None
    assert held(journal, intent) == (intent["before"], True)
    assert intent["before"] == (None if before is None else sha256_of(before))


@pytest.mark.parametrize(("refusal", "outcome"), [("429", "skipped"), ("500", "unknown")])
def test_interrupted_cell_is_unknown_unless_the_service_did_not_process_its_write(
    refusal, outcome, shelf, build, inventory, journal
):
    """After the response, the cell waits: to send the write again, or to be read back."""

    async def send(operation):
        if operation.name == "set_snippet":
            shelf.calls.append(("set_snippet", ""))
            return Response(status=int(refusal))
        if shelf.calls and shelf.calls[-1][0] == "set_snippet":
            await asyncio.Event().wait()
        return await shelf.send(operation)

    inventory.remove(inventory.all()[1])
    slow = Retry(attempts=3, first_s=60)
    summary = publish(shelf, build, inventory, journal, send=send, stop_at=3, grace_s=0.1, retry=slow)
    assert outcomes(summary)["first", None] == outcome


@pytest.mark.parametrize(("hurry", "outcome"), [(False, "applied"), (True, "unknown")])
def test_pause_lets_a_sent_write_be_read_back_and_a_signal_does_not(
    hurry, outcome, shelf, build, inventory, journal
):
    async def send(operation):
        if shelf.calls and shelf.calls[-1][0] == "set_snippet":
            await asyncio.sleep(0.3)
        return await shelf.send(operation)

    inventory.remove(inventory.all()[1])
    summary = publish(
        shelf, build, inventory, journal, send=send, stop_at=3, grace_s=0, late_s=20, hurry=hurry
    )
    assert outcomes(summary)["first", None] == outcome
    assert [r.ending.outcome for r in summary.results[1:]] == ["skipped"] * (len(summary.results) - 1)


def test_write_is_not_sent_when_the_lock_is_lost_while_it_waits(
    shelf, build, inventory, journal, monkeypatch
):
    """The lock is held when the intent is noted, and lost before the write is sent, a second or more later."""
    monkeypatch.setattr("awning.publish.journal.writer.steady_clock", count(100.0).__next__)
    inventory.remove(inventory.all()[1])

    async def main():
        job = Job(
            run=journal.begin("test"),
            build_of=lambda _instance: build,
            instances=inventory.all(),
            settings=RunSettings(calling=Calling(access=ACCESS), pace=Pace(per_instance=None)),
        )
        held = iter([True])
        async with JournalWriter(journal, lambda: next(held, False)) as writer:
            await apply(job, shelf.send, writer)

    with pytest.raises(JournalUnwritable, match="lock of this publish was lost"):
        asyncio.run(main())
    assert [entry["kind"] for entry in journal.latest()] == ["intent"]
    assert "set_snippet" not in {call for call, _ in shelf.calls}


def test_old_answer_about_the_lock_is_asked_for_again(journal, monkeypatch):
    """The process is stopped for ten seconds between the check and the write. Meanwhile the lock is lost."""
    times = iter([100.0, 100.0, 110.0, 110.0])
    monkeypatch.setattr("awning.publish.journal.writer.steady_clock", lambda: next(times))
    held = iter([True])

    async def main():
        async with JournalWriter(journal, lambda: next(held, False)) as writer:
            await writer.confirm()

    with pytest.raises(JournalUnwritable, match="lock of this publish was lost"):
        asyncio.run(main())


def test_writes_that_wait_at_once_share_a_check_of_the_lock(journal):
    checks = []

    def held():
        checks.append(time.monotonic())
        time.sleep(0.02)
        return True

    async def main():
        async with JournalWriter(journal, held) as writer:
            await asyncio.gather(*(writer.confirm() for _ in range(80)))

    asyncio.run(main())
    assert len(checks) == 1


def test_entry_after_a_failed_batch_is_not_written(journal, monkeypatch):
    """The disk is full for a moment. An outcome is lost, so nothing may follow it."""
    append, failures = journal.append, iter([JournalUnwritable("the disk is full")])

    def failing(*arguments):
        for failure in failures:
            raise failure
        append(*arguments)

    monkeypatch.setattr(journal, "append", failing)
    run = journal.begin("test")
    entry = JournalEntry(run=run, kind=EntryKind.END, note="finished")

    async def main():
        async with JournalWriter(journal) as writer:
            writer.note(entry)
            await asyncio.sleep(0)  # the first batch begins
            writer.note(entry)
            with pytest.raises(JournalUnwritable, match="disk is full"):
                await writer.flush()

    asyncio.run(main())
    assert [e["kind"] for e in journal.entries()] == ["begin"]


def test_nothing_is_sent_when_the_journal_cannot_be_written(shelf, build, inventory, journal):
    class Full:
        def append(self, *_):
            raise JournalUnwritable("the journal cannot be written: disk full")

    async def main():
        job = Job(
            run=1,
            build_of=lambda _instance: build,
            instances=inventory.all(),
            settings=RunSettings(calling=Calling(access=ACCESS)),
        )
        async with JournalWriter(Full()) as writer:
            await apply(job, shelf.send, writer)

    with pytest.raises(JournalUnwritable):
        asyncio.run(main())
    assert "set_snippet" not in {call for call, _ in shelf.calls}

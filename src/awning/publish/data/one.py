"""Stores the app data of one instance, journaled as those of many are, so that `data restore` can take it back.

It takes no lock of publishers, because it is one call: it may run while a publish does, as an installation may.
"""

import time

from awning.client import Client
from awning.client.sync_client import store_app_data
from awning.data_schema import are_same
from awning.errors import ServiceError
from awning.publish.app_data import AppData, text_of
from awning.publish.cell_outcome import CellOutcome, Ending, ending_of
from awning.publish.data.work import DataStep, data_outcome
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, RunKind, RunTask
from awning.publish.journal.writes import OF_DATA, writes_under_way
from awning.publish.stores import Stores


def wait_until_settled(instance: Instance, stores: Stores, *, timeout_s: float) -> None:
    """Wait while an earlier write of the app data, such as that of a killed run, may still be performed.

    `timeout_s` is the request timeout, in seconds. Read the app data only after this: a late write would replace what
    is stored now.
    """
    doubts = writes_under_way(stores.journal, timeout_s=timeout_s, kinds=OF_DATA)
    wait_s = doubts.get((instance.key, None), 0.0) - time.time()
    if wait_s > 0:
        time.sleep(wait_s)


def store_journaled(
    client: Client,
    instance: Instance,
    stored: AppData,
    encoded: str,
    stores: Stores,
    *,
    what: str,
    operator: str,
) -> tuple[int, Ending]:
    """Journal the write, store the encoded app data, and read them back. Returns the number of the run, and its ending.

    Data that are stored already are not written. The caller holds the lock of the app data.

    Raises ServiceError when the data are not stored or cannot be read back, DatabaseUnusable when the journal is
    damaged, and JournalUnwritable when it cannot be written.
    """
    journal, values = stores.journal, AppData.of(encoded).values
    run = journal.begin(what, operator=operator, task=RunTask(kind=RunKind.DATA, only=(instance.key,)))
    ending = Ending(outcome=CellOutcome.UNCHANGED)
    try:
        if stored.raw is None or not are_same(values, stored.values):
            ending = Ending(outcome=CellOutcome.UNKNOWN, reason="interrupted while it was written")
            step = DataStep(
                instance=instance,
                run=run,
                calling=client.calling,
                late_s=None,
                text=encoded,
                form=text_of(values),
            )
            intent = step.intent(stored.text)
            journal.append([intent.entry], intent.texts)
            store_app_data(client, instance.code, encoded)
            ending = Ending(outcome=CellOutcome.APPLIED)
    except ServiceError as problem:
        unclear = Ending(outcome=CellOutcome.UNKNOWN, reason=problem.message)
        ending = unclear if problem.unclear else ending_of(problem)
        raise
    finally:
        end = JournalEntry(run=run, kind=EntryKind.END, note="finished")
        journal.append([data_outcome(run, instance, ending), end])
    return run, ending

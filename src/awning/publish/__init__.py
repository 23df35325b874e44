"""The publisher: the built snippets to every instance, one cell at a time, with nothing lost and nothing twice.

    state       the directory or the PostgreSQL database it all lives in, its lock, its keyed hashes
    database    how these are read and written; `layout` and `migrations` say which tables they have
    inventory   the app's own list of instances; `table` is its CSV
    record      `dist/build.json` and the snippets, checked against their hashes
    cells       which (instance, language) pairs there are, and which are left out
    cell_flow   one cell as a generator: read, note, write, read back
    pacing      how fast; `breaker` when to give up
    journal     what happened, append-only; `ledger` shares disk flushes; `salvage` reads a damaged one
    apply       all of it at once
    outcome     how cells end; totals; exit codes

Never imports the pipeline or the workspace: it trusts `dist/` and is told where things are. `awning.publish.apply`
is not imported here: it brings aiohttp along.
"""

from awning.publish.inventory import Instance, Inventory
from awning.publish.journal import Journal, JournalUnwritable
from awning.publish.outcome import CellResult, Ending, Outcome, Summary
from awning.publish.pacing import Pace
from awning.publish.record import Build, Snippet, read_build
from awning.publish.state import Busy, State, StateDir
from awning.publish.state_server import StateServer, database_url, state_at
from awning.publish.table import from_csv, to_csv

__all__ = [
    "Build",
    "Busy",
    "CellResult",
    "Ending",
    "Instance",
    "Inventory",
    "Journal",
    "JournalUnwritable",
    "Outcome",
    "Pace",
    "Snippet",
    "State",
    "StateDir",
    "StateServer",
    "Summary",
    "database_url",
    "from_csv",
    "read_build",
    "state_at",
    "to_csv",
]

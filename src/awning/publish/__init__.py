"""The publisher: writes the built snippets to every instance, one cell at a time.

    state          a directory or a PostgreSQL database: transactions, errors, migrations, the lock
    inventory      the app's own list of instances, and its CSV table
    release        `dist/`, checked against its hashes; frozen builds
    cells          the cells of an instance, and which are skipped
    cell_flow      one cell as a generator: read, journal, write, read back
    pacing         how fast calls are sent; `breaker` stops a run that cannot succeed
    journal        append-only; its `writer` shares disk flushes; its `reader` is for people
    apply          all cells of a run; `rollback` takes them back; `drift` and `verify` compare
    requests       the parameters of a publish; `run` performs it, `reading` performs runs that write nothing
    waves          some instances first, a gate, then more; the state of each run
    fleet          a run by workers on several machines
    health         what pages report about widgets; `disabling` disables a widget
    cell_outcome   how cells end; totals; exit codes

The publisher trusts `dist/`, so it never imports the pipeline or the workspace. This file does not import
`awning.publish.apply`, because that module imports aiohttp, which is slow to import.
"""

from awning.publish.cell_outcome import CellOutcome, CellResult, Ending, Summary, SummaryCounts
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.inventory.table import from_csv, import_csv, to_csv, write_csv
from awning.publish.journal.journal import Journal, JournalUnwritable
from awning.publish.pacing import Pace
from awning.publish.release.record import Build, BuildFiles, Snippet, read_build, read_files
from awning.publish.release.releases import Release, Releases
from awning.publish.state.server import StateServer, database_url, state_at
from awning.publish.state.store import Busy, StateDir, StateStore

__all__ = [
    "Build",
    "BuildFiles",
    "Busy",
    "CellOutcome",
    "CellResult",
    "Ending",
    "Instance",
    "Inventory",
    "Journal",
    "JournalUnwritable",
    "Pace",
    "Release",
    "Releases",
    "Snippet",
    "StateDir",
    "StateServer",
    "StateStore",
    "Summary",
    "SummaryCounts",
    "database_url",
    "from_csv",
    "import_csv",
    "read_build",
    "read_files",
    "state_at",
    "to_csv",
    "write_csv",
]

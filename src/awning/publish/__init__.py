"""The publisher: writes the built snippets to the cells of every instance.

    stores         the open tables of a state store
    state          a directory or a PostgreSQL database: transactions, errors, tables, locks
    inventory      the app's own list of instances, and its CSV table
    release        the build in `dist/`, checked against its hashes; the releases
    cells          the cells of an instance, and which are skipped; `ownership` decides what may be replaced
    requests       the parameters of a publish; `run` performs it, `reading` performs runs that write nothing
    runner         runs a flow for each cell; `pacing` limits its speed, `breaker` stops a run that cannot succeed
    cell_flow      one cell as a generator: read, journal, write, read back
    apply          writes all cells of a run; `rollback` takes cells back
    plan           what a run would do to each cell
    drift, verify  compare the cells with the journal, at the service and on the public pages
    manifest_head  the head snippet that no publish writes, because pages show that of the manifest
    journal        the record of all writes; its `writer` writes it in batches, its `history` reads it for people
    waves          publishes to some instances first and, when a gate holds, to more; stores the state of each run
    fleet          a run by workers on several machines
    health         what pages report about widgets; `disabling` disables a widget
    app_data       reads and checks the app data of instances
    cell_outcome   how cells end; totals; exit codes; `run_status` reads them from the journal

The publisher reads the build from `dist/` and never imports the pipeline or the workspace. aiohttp, which is slow to
import, is imported when a run opens its transport. The names of this package are imported at their first use, so that a
module of its rooms does not import SQLAlchemy for those who need no database.
"""

from typing import TYPE_CHECKING

from awning.late_import import late_names

if TYPE_CHECKING:
    from awning.publish.cell_outcome import CellOutcome, CellResult, Ending, Summary, SummaryCounts
    from awning.publish.inventory.inventory import Instance, Inventory
    from awning.publish.inventory.table import from_csv, import_csv, to_csv, write_csv
    from awning.publish.journal.journal import Journal, JournalUnwritable
    from awning.publish.pacing import Pace
    from awning.publish.release.build_files import Build, BuildFiles, Snippet, read_build, read_files
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

__getattr__ = late_names(
    __name__,
    {
        "cell_outcome": "CellOutcome CellResult Ending Summary SummaryCounts",
        "inventory.inventory": "Instance Inventory",
        "inventory.table": "from_csv import_csv to_csv write_csv",
        "journal.journal": "Journal JournalUnwritable",
        "pacing": "Pace",
        "release.build_files": "Build BuildFiles Snippet read_build read_files",
        "release.releases": "Release Releases",
        "state.server": "StateServer database_url state_at",
        "state.store": "Busy StateDir StateStore",
    },
)

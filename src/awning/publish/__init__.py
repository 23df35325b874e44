"""The publisher: writes the built snippets to the cells of every instance.

    stores         the open tables of a state store
    state          a directory or a PostgreSQL database: transactions, errors, tables, locks
    inventory      the app's own list of instances, and its CSV table
    release        the build in `dist/`, checked against its hashes; the releases
    cells          the cells of an instance, which are skipped, and what may be replaced
    requests       the parameters of a publish; `run` performs it, `reading` performs runs that write nothing
    runner         runs a flow for each cell; stops a run that cannot succeed; `pacing` limits its speed
    cell_flow      one cell as a generator: read, journal, write, read back
    apply          writes all cells of a run; `rollback` takes cells back
    plan           what a run would do to each cell
    drift, verify  compare the cells with the journal, at the service and on the public pages
    manifest_head  the head snippet that no publish writes, because pages show that of the manifest
    journal        the record of all writes; its `writer` writes it in batches, its `history` reads it for people
    waves          publishes to some instances first and, when a gate holds, to more; stores the state of each run
    fleet          a run by workers on several machines
    health         what pages report about widgets; `disabling` disables a widget
    data           reads, checks and changes the app data of instances
    cell_outcome   how cells end; totals; exit codes; `run_status` reads them from the journal

The publisher reads the build from `dist/` and never imports the pipeline or the workspace. aiohttp, which is slow to
import, is imported when a run opens its transport.
"""

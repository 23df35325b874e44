"""The tables of the state store, in two files of a state directory, or together in a PostgreSQL database.

state    inventory, journal, releases, runs, the records of the app's own server (`host`), what probes put back, and the
         changes of a reseller
health   the counts of the reports that pages send. Anybody can send reports, so they have a file of their own. They can
         neither fill the state nor keep others from writing it
"""

from sqlalchemy import Column, MetaData, String, Table

from awning.publish.state.layout import Layout
from awning.publish.state.tables import health, host, inventory, journal, probes, releases, reseller, runs

SETTING = Table(
    "setting", MetaData(), Column("name", String, primary_key=True), Column("value", String, nullable=False)
)
"""The key of the keyed hashes, and the journal's mark. A state directory has them in files."""
STATE = Layout(
    name="state",
    tables=[
        table
        for group in (inventory, journal, releases, runs, host, probes, reseller)
        for table in group.METADATA.sorted_tables
    ],
    server_tables=[SETTING],
    complete=journal.begin_journal,
)
HEALTH = Layout(name="health", tables=health.METADATA.sorted_tables)

"""The tables of inventory, journal and state: one folder each, one file per step (`awning.publish.layout`)."""

from awning.publish.layout import Layout
from awning.publish.migrations.inventory import v1 as inventory_1
from awning.publish.migrations.inventory import v2 as inventory_2
from awning.publish.migrations.journal import v1 as journal_1
from awning.publish.migrations.state import v1 as state_1

INVENTORY = Layout(name="inventory", steps=(inventory_1.forward, inventory_2.forward))
JOURNAL = Layout(name="journal", steps=(journal_1.forward,))
STATE = Layout(name="state", steps=(state_1.forward,))

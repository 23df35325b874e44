"""The migration steps of inventory, journal, releases, runs, health and state: a folder for each, a file per step.

The module `awning.publish.state.layout` runs the steps.
"""

from awning.publish.state.layout import Layout
from awning.publish.state.migrations.health import v1 as health_1
from awning.publish.state.migrations.health import v2 as health_2
from awning.publish.state.migrations.inventory import v1 as inventory_1
from awning.publish.state.migrations.inventory import v2 as inventory_2
from awning.publish.state.migrations.inventory import v3 as inventory_3
from awning.publish.state.migrations.inventory import v4 as inventory_4
from awning.publish.state.migrations.inventory import v5 as inventory_5
from awning.publish.state.migrations.journal import v1 as journal_1
from awning.publish.state.migrations.journal import v2 as journal_2
from awning.publish.state.migrations.journal import v3 as journal_3
from awning.publish.state.migrations.journal import v4 as journal_4
from awning.publish.state.migrations.release import v1 as release_1
from awning.publish.state.migrations.run import v1 as run_1
from awning.publish.state.migrations.run import v2 as run_2
from awning.publish.state.migrations.run import v3 as run_3
from awning.publish.state.migrations.run import v4 as run_4
from awning.publish.state.migrations.state import v1 as state_1

INVENTORY = Layout(
    name="inventory",
    steps=(
        inventory_1.forward,
        inventory_2.forward,
        inventory_3.forward,
        inventory_4.forward,
        inventory_5.forward,
    ),
)
JOURNAL = Layout(
    name="journal", steps=(journal_1.forward, journal_2.forward, journal_3.forward, journal_4.forward)
)
RELEASES = Layout(name="releases", steps=(release_1.forward,))
RUNS = Layout(name="runs", steps=(run_1.forward, run_2.forward, run_3.forward, run_4.forward))
STATE = Layout(name="state", steps=(state_1.forward,))
HEALTH = Layout(name="health", steps=(health_1.forward, health_2.forward))

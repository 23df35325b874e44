"""The migration steps of the server's tables, one file per step (`awning.publish.state.layout` runs them)."""

from awning.host.migrations import v1, v2, v3
from awning.publish.state.layout import Layout

HOST = Layout(name="host", steps=(v1.forward, v2.forward, v3.forward))

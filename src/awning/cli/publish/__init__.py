"""`awning publish`: brings the snippets to every instance. Each verb has a file."""

import click

from awning.cli.publish.apply import apply
from awning.cli.publish.drift import drift
from awning.cli.publish.history import log, status
from awning.cli.publish.plan import plan
from awning.cli.publish.rollback import pin, rollback, unpin

__all__ = ["publish"]


@click.group()
def publish() -> None:
    """Bring the snippets to every instance."""


for command in (plan, apply, rollback, pin, unpin, status, drift, log):
    publish.add_command(command)

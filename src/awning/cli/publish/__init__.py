"""`awning publish`: publishes the snippets to instances. Related verbs such as `pin` and `unpin` share a file."""

import click

from awning.cli.decorators import InOrder
from awning.cli.publish.apply import apply, resume
from awning.cli.publish.disable import disable, enable
from awning.cli.publish.drift import drift
from awning.cli.publish.health import health
from awning.cli.publish.history import log, status
from awning.cli.publish.plan import plan
from awning.cli.publish.rollback import pin, rollback, unpin
from awning.cli.publish.verify import verify
from awning.cli.publish.waves import cancel, pause
from awning.cli.publish.work import work

__all__ = ["publish"]


@click.group(cls=InOrder)
def publish() -> None:
    """Publish the snippets to every instance: plan, apply, verify; rollback takes them back.

    \b
    awning publish plan                        what apply would do
    awning publish apply --waves 1%,10%,100%
    awning publish verify                      what service and pages have now
    awning publish rollback --previous         what each shop held before
    """


for command in (
    plan,
    apply,
    work,
    pause,
    resume,
    cancel,
    rollback,
    pin,
    unpin,
    disable,
    enable,
    status,
    health,
    verify,
    drift,
    log,
):
    publish.add_command(command)

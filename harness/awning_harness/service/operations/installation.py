"""`installed` and `delete` (Apps Integration API, States and transitions)."""

from typing import Any

from awning_harness.service.envelope import Failure
from awning_harness.service.operations.call import Call
from awning_harness.service.store import instances
from awning_harness.service.store.instances import State


def installed(call: Call) -> dict[str, Any]:
    """Finish the installation."""
    call.payload()
    if call.instance.state is State.INSTALLED:
        if call.assumptions["second-installed"] == "refused":
            raise Failure(409, "The app is installed already")
        return {}
    instances.move(call.db, call.instance.id, State.INSTALLED, call.now)
    return {}


def delete(call: Call) -> dict[str, Any]:
    """Uninstall: all snippets and data of the instance are cleared, its authCode is worth nothing any more."""
    call.payload()
    instances.uninstall(call.db, call.instance.id, call.now)
    return {}

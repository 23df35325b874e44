"""What can be found wrong in a workspace without running it. One file per rule; only `--fix` writes."""

from awning.check.messages import Use, missing_arguments, missing_messages, script_uses, unused_messages
from awning.check.script.imported import SLOTS
from awning.check.script.loading import can_fail_while_loaded

__all__ = [
    "SLOTS",
    "Use",
    "can_fail_while_loaded",
    "missing_arguments",
    "missing_messages",
    "script_uses",
    "unused_messages",
]

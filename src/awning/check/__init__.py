"""What can be found wrong in a workspace without running it. One file per rule; only `--fix` writes."""

from awning.check.messages import Use, missing_arguments, missing_messages, script_uses, unused_messages
from awning.check.script.imported import SLOTS
from awning.check.script.loading import can_fail_while_loaded
from awning.check.script.sole import SoleSlot, Texts, sole_slot, texts_of, without_texts

__all__ = [
    "SLOTS",
    "SoleSlot",
    "Texts",
    "Use",
    "can_fail_while_loaded",
    "missing_arguments",
    "missing_messages",
    "script_uses",
    "sole_slot",
    "texts_of",
    "unused_messages",
    "without_texts",
]

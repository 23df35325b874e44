"""What can be found wrong in a workspace without running it. One file per rule; only `--fix` writes."""

from awning.check.messages import missing_messages, script_uses, unused_messages

__all__ = ["missing_messages", "script_uses", "unused_messages"]

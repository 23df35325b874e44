"""The command line: a thin file or folder per verb, which is imported only when a user types the verb."""

from awning.cli.main import main
from awning.cli.verbs import LazyVerb

__all__ = ["LazyVerb", "main"]

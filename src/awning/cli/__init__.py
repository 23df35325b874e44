"""The command line: one thin file per verb, which is imported only when a user types the verb."""

from awning.cli.main import main
from awning.cli.verbs import LazyVerb

__all__ = ["LazyVerb", "main"]

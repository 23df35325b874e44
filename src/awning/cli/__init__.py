"""The command line: one file per verb, thin, loaded when it is typed."""

from awning.cli.main import main
from awning.cli.verbs import LazyVerb

__all__ = ["LazyVerb", "main"]

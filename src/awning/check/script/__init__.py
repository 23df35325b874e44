"""Scripts as trees: .js and .ts files whole, .html files with everything but their scripts blanked out."""

from awning.check.script.source import Source, read_source
from awning.check.script.tree import Node, parse

__all__ = ["Node", "Source", "parse", "read_source"]

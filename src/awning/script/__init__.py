"""An author's scripts, parsed once and read into one table of facts, for the rules and the build.

tree            the syntax tree as plain values (tree-sitter)
file            a file with its code, its scripts and its places; it has the tree and the facts
script_facts    everything that is known about a script without running it
names           declared and used names
imports         imports and exports
message_calls   the calls of `t`
template_calls  the calls of imported templates
loading         whether a module can fail while it is loaded
records         the payloads' records; record_reads has the fields of them that a script reads
"""

from awning.script.file import ScriptFile
from awning.script.imports import SLOT_FUNCTIONS
from awning.script.script_facts import ScriptFacts
from awning.script.tree import Node

__all__ = ["SLOT_FUNCTIONS", "Node", "ScriptFacts", "ScriptFile"]

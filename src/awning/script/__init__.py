"""An author's scripts, parsed once and read into one table of facts, for the rules and the build.

tree            the syntax tree as plain values (tree-sitter)
file            one file: its text, its code, its scripts, its places, its tree and its facts
script_facts    what one parse tells about a script
names           declared and used names
imports         imports and exports
message_calls   the calls of `t`
template_calls  the calls of imported templates
loading         whether a module can fail while it is loaded
globals         the globals that a script sets
records         the fields of the objects that a script receives (payloads, arguments of render functions)
"""

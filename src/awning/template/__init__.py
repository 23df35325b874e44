"""The template compiler. It turns Jinja2's syntax tree into JavaScript that escapes each value for its HTML context.

    parse      Jinja2's lexer and parser, with columns          -> nodes
    declarations   the types that templates declare             -> Promises
    regions    the HTML context of each text and value          -> Region
    lowering   nodes become JavaScript; `expressions` and `statements` have one file per family      -> Js, Statement
    emit       the JavaScript as a tree, then as lines          -> the module's text, its source map

    frame      the state of lowering, and which variable a name means -> Frame, Scope
    types      the types of the variables, as TypeScript        -> declarations

`compile.compile_template` runs the phases. `reference.reference_environment()` defines the meaning of a template;
`deviations` lists the differences from Jinja2.

This file imports nothing, so a build whose templates are all in the cache does not import Jinja2.
"""

"""Reports a script with a syntax error. A browser runs none of it, and the check leaves out the code after the error.

tree-sitter parses each script quickly, but it accepts some errors (`f(1,,2)`) and refuses some valid scripts
(`a?.3:1`). If tree-sitter reports an error, or the script may contain an error that tree-sitter accepts, esbuild
decides. Without a working esbuild, tree-sitter decides.

Each script of a page is looked at by itself: a module as strict code, a classic script as the sloppy code that it is.
What QuickJS reads as a classic script is one (`early_errors`). QuickJS may not know the newest syntax, so a script that
it refuses is an error only if esbuild refuses it, too, or if it has what only a module or a function may have: both
parsers accept that at the top level of a classic script. Without QuickJS, what may be the name `await` is no error.
All refuse `f() = 1`, which fails in a browser only when it runs (ECMA-262, 8.6.4; Chromium: also in strict code).

Some mistakes stay that the parsers accept (`_overlooked`). TypeScript finds those of its own files.
"""

import re
from collections.abc import Iterator

from awning.bundle.run import Loader, find_esbuild, syntax_fault
from awning.check.early_errors import expression_fault, is_classic_script
from awning.check.rule import Finding, Inspected, ScriptRule
from awning.diagnostics import Severity
from awning.errors import ProgramUnusable
from awning.script.file import Program, ScriptFile
from awning.script.names import FUNCTIONS
from awning.script.tree import Node, Tree, parse

VALID = "valid, but the rules cannot read it from here on: they may not see what follows"
VALID_HINT = "browsers run it; the rules read what stands in a script of its own"
UNPLACED = "not valid JavaScript or TypeScript here"

_OF_MODULES = frozenset({"import_statement", "export_statement", "await_expression"})
_WORD = re.compile(r"for\s*await|import\.meta|\w+")
_NAMED_AWAIT = re.compile(rb"await\s*(?![\s\w$\"'{!~])")
"""`await` where it may be a name. Before an operand that no operator can be, it is none."""
_ACCESSOR = re.compile(r"(?:static\s+)?accessor[ \t]+[\w$#\"'\[]")
_AFTER_AWAIT = re.compile(rb"\bawait\s*\Z")
_PATTERNS = frozenset({"array_pattern", "object_pattern"})
_FUNCTIONS = FUNCTIONS | {"method_definition", "generator_function", "generator_function_declaration"}
_USING = re.compile(r"using[ \t]+[^\W\d]")
_MISSED = re.compile(rb",\s*,|\bconst\s+[\w$]+\s*[;,]|\breturn\s+return\b")
"""Code that may contain an error that tree-sitter accepts. A match without an error only costs a run of esbuild."""


def _check(file: Inspected) -> Iterator[Finding]:
    for program in file.source.programs:
        if finding := _fault_of(file.source, program):
            yield finding


def _fault_of(script: ScriptFile, program: Program) -> Finding | None:
    """Return the finding about the first syntax error of one script; None without one."""
    code = script.code_of(program)
    if not code.strip():
        return None
    broken_at = script.broken_at(program)
    strict = script.is_markup and program.module
    is_classic = script.is_markup and not strict
    is_read = is_classic_script(code.decode(errors="replace")) if is_classic else None
    if is_classic and not is_read and (valid := _without_called_targets(code)) != code:
        code, is_read = valid, is_classic_script(valid.decode(errors="replace"))
    if is_classic and not is_read and broken_at is None and (node := _misplaced(parse(code, typed=False))):
        return None if is_read is None and _may_be_of_a_name(code, node.start) else _of_modules(program, node)
    if not is_read and (broken_at is not None or strict or is_read is False or _MISSED.search(code)):
        try:
            fault = syntax_fault(find_esbuild(), code + b"\nexport {}" if strict else code, _loader(script))
        except ProgramUnusable:
            return None if broken_at is None else Finding(offset=broken_at, message=UNPLACED)
        if fault is not None and not (
            is_classic and is_read is None and _may_be_of_a_name(code, fault.offset)
        ):
            language = "TypeScript" if _loader(script) in {"ts", "tsx"} else "JavaScript"
            message = f"not valid {language}: {fault.message}"
            return Finding(offset=program.start + fault.offset, message=message)
    is_accepted = b"using" in code or (b"new" in code and b"?." in code)  # QuickJS accepts errors with these
    is_checked = not script.is_typescript and (not is_read or is_accepted)
    if is_checked and (overlooked := next(_overlooked(script, code, is_classic=is_classic), None)):
        offset, reason = overlooked
        return Finding(offset=program.start + offset, message=f"not valid JavaScript: {reason}")
    return (
        None
        if broken_at is None
        else Finding(offset=broken_at, message=VALID, severity=Severity.NOTE, hint=VALID_HINT)
    )


def _of_modules(program: Program, node: Node) -> Finding:
    word = _WORD.match(node.text)
    message = f"not valid JavaScript: `{word and word[0]}` at the top level of a classic script"
    return Finding(offset=program.start + node.start, message=message, hint=_hint(node))


def _overlooked(script: ScriptFile, code: bytes, *, is_classic: bool) -> Iterator[tuple[int, str]]:
    """Yield the parts of a script that browsers refuse and the parsers accept: the offset in it and the reason.

    Nothing translates the scripts of markup. In other scripts, the bundler replaces decorators and accessors.
    """
    is_markup = script.is_markup
    tree = parse(code, typed=False) if is_markup else script.tree
    using = next((kid for kid in tree.root.kids if is_classic and _is_using(kid)), None)
    if using:
        yield using.start, "`using` at the top level of a classic script: put it into a block"
    for node in tree.root.walk():
        if node.type == "regex" and (reason := expression_fault(node.text)):
            yield node.start, f"this regular expression has a mistake: {reason}"
        elif (
            node.type == "variable_declarator"
            and "value" not in node.fields
            and node.fields["name"].type in _PATTERNS
        ):
            yield node.start, "a declaration of several names needs a value, let [a, b] = ..."
        elif node.type == "new_expression" and _has_optional(node.fields["constructor"]):
            yield node.start, "`a?.b` after `new` stands in parentheses, new (a?.b)()"
        elif node.type == "object_pattern" and (rest := _wrong_rest(node)):
            yield rest.start, "no pattern can follow `...` in an object, ({ ...rest } = value)"
        elif is_markup and node.type == "decorator":
            yield node.start, "browsers know no decorators"
        elif is_markup and node.type == "public_field_definition" and _ACCESSOR.match(node.text):
            yield node.start, "browsers know no accessor fields"


def _wrong_rest(pattern: Node) -> Node | None:
    """Return the rest of an object that is taken apart again, `{ ...{ a } }`, as only that of an array can be."""
    rests = (kid for kid in pattern.kids if kid.type == "rest_pattern" and kid.kids)
    return next((rest for rest in rests if rest.kids[0].type in _PATTERNS), None)


def _has_optional(node: Node) -> bool:
    """Return whether a chain such as `a?.b.c` has `?.` outside of brackets. One of a second `new` is not certain."""
    is_optional = False
    while node.type in {"member_expression", "subscript_expression", "call_expression"}:
        is_optional |= "?." in node.marks or any(part.type == "optional_chain" for part in node.kids)
        node = node.kids[0]
    return is_optional and node.type != "new_expression"


def _is_using(statement: Node) -> bool:
    """Return whether a statement is `using a = b`, which is an assignment in the tree."""
    return bool(_USING.match(statement.text)) and "assignment" in statement.kids[0].type


def _without_called_targets(code: bytes) -> bytes:
    """Return the code with `f.a = 1` in place of `f(a) = 1`. `f() &&= 1` stays: no browser accepts it."""
    valid = bytearray(code)
    for node in parse(code, typed=False).root.walk():
        operator = node.fields.get("operator")
        is_assignment = node.type in {"assignment_expression", "update_expression"} or (
            node.type == "binary_expression"
            and any(part.type == "ERROR" and part.text == "=" for part in node.kids)
            and operator is not None
            and operator.text not in {"&&", "||", "??"}
        )
        target = node.kids[0] if is_assignment and node.kids else None
        if node.type == "for_in_statement":
            target = node.fields.get("left")
        while target and target.type in {"non_null_expression", "parenthesized_expression"} and target.kids:
            target = target.kids[0]
        arguments = target.fields.get("arguments") if target else None
        if target and arguments and arguments.type == "arguments" and target.kids[0].type != "import":
            inside = slice(arguments.start + 2, arguments.end)
            valid[arguments.start : arguments.start + 2] = b".a"
            valid[inside] = re.sub(rb"[^\r\n]", b" ", code[inside])
    return bytes(valid)


def _misplaced(tree: Tree) -> Node | None:
    """Return the first part at the top level of a classic script that only a module or a function may have."""
    waiting = list(reversed(tree.root.kids))
    while waiting:
        node = waiting.pop()
        if node.type in _OF_MODULES or node.type == "return_statement" or _is_of_modules(node):
            return node
        if node.type not in _FUNCTIONS:
            waiting.extend(reversed(node.kids))
    return None


def _is_of_modules(node: Node) -> bool:
    """Return whether a node is `import.meta` or `for await`, which have the types of other code."""
    if node.type == "for_in_statement":
        return re.match(r"for\s*await\b", node.text) is not None
    return node.text == "import.meta"


def _may_be_of_a_name(code: bytes, at: int) -> bool:
    """Return whether a fault is at `await`, or just behind it, where it may be a name."""
    return bool(_NAMED_AWAIT.match(code, at) or _AFTER_AWAIT.search(code[max(0, at - 50) : at]))


def _hint(misplaced: Node) -> str:
    if misplaced.type == "return_statement":
        return "a browser runs none of this script: put the code into a function, (() => { ... })();"
    return 'a browser runs none of this script: give it type="module"'


def _loader(script: ScriptFile) -> Loader:
    if script.typed:
        return "ts"
    return "tsx" if script.path.lower().endswith(".tsx") else "js" if script.is_markup else "jsx"


SCRIPT_SYNTAX = ScriptRule(
    id="script-syntax",
    hint="the mistake is here or just before",
    check=_check,
)

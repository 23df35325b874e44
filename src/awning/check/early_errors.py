"""Early errors (ECMA-262, 17): what JavaScript's engine (QuickJS) refuses in code that it does not run.

esbuild reads each file as a module that may be none. So it refuses names such as `await`, which classic scripts may
have: sloppy code, as pages have it. And it reads no regular expression. There is no QuickJS for macOS on Intel and for
Windows on Arm.
"""

import json
from functools import lru_cache

STACK = 512 * 1024
MEMORY = 256 * 1024 * 1024
LIMITS = ("stack overflow", "out of memory", "too many captures")
"""What the engine says at a limit of its own: a browser may read the same code."""


def is_classic_script(code: str) -> bool | None:
    """Return whether the code has no early error as a classic script; None without an engine, or at a limit of it.

    None of the code runs. It is read twice: after a `throw`, which stands before its directives, and as the body of a
    function, where they count but a `return` does, too.
    """
    body = f"new Function({json.dumps(code)}); throw 0"
    faults = [_syntax_fault(program) for program in (f"throw 0;{code}", body)]
    return None if None in faults else not any(faults)


@lru_cache(maxsize=1000)
def expression_fault(expression: str) -> str:
    """Return why a regular expression such as `/a/g` is not valid; empty if it is, and without an engine."""
    return _syntax_fault(f"throw 0;{expression}") or ""


def _syntax_fault(program: str) -> str | None:
    """Return why a program cannot be read, and empty if it can; None without an engine, or at a limit of it."""
    try:
        import _quickjs  # type: ignore[import-not-found]  # noqa: PLC0415 - most files need no engine
    except ImportError:
        return None
    context = _quickjs.Context()
    context.set_max_stack_size(STACK)
    context.set_memory_limit(MEMORY)
    try:
        context.eval(program)
    except _quickjs.JSException as error:
        if any(limit in str(error) for limit in LIMITS):
            return None
        kind, _, reason = str(error).partition("\n")[0].partition(": ")
        return reason or kind if kind == "SyntaxError" else ""
    except (_quickjs.StackOverflow, ValueError):
        return None
    return ""

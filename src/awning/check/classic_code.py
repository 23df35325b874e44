"""Whether JavaScript's engine (QuickJS) reads a code as a classic script: sloppy code, as pages have it.

esbuild reads each file as a module that may be none. So it refuses names such as `await`, which classic scripts may
have. There is no QuickJS for macOS on Intel and for Windows on Arm.
"""

import json

STACK = 512 * 1024
MEMORY = 256 * 1024 * 1024


def is_classic_script(code: str) -> bool | None:
    """Return whether the code has no early error as a classic script; None without an engine, or at a limit of it.

    None of the code runs. It is read twice: after a `throw`, which stands before its directives, and as the body of a
    function, where they count but a `return` does, too.
    """
    try:
        import _quickjs  # type: ignore[import-not-found]  # noqa: PLC0415 - most files have no classic script
    except ImportError:
        return None
    body = f"new Function({json.dumps(code)}); throw 0"
    for program in (f"throw 0;{code}", body):
        context = _quickjs.Context()
        context.set_max_stack_size(STACK)
        context.set_memory_limit(MEMORY)
        try:
            context.eval(program)
        except _quickjs.JSException as error:
            if "stack overflow" in str(error) or "out of memory" in str(error):
                return None
            if str(error).startswith("SyntaxError"):
                return False
        except (_quickjs.StackOverflow, ValueError):
            return None
    return True

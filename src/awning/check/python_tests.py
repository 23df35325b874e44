"""Reports Python tests with a syntax error: pytest would run none of the tests in the file."""

import warnings

from awning.bundle.esbuild_messages import MOST_EXCERPT
from awning.diagnostics import Diagnostic, Place


def python_test_findings(path: str, content: bytes) -> list[Diagnostic]:
    """Return a diagnostic for the first syntax error of a Python file; an empty list if there is none.

    The file is compiled by the Python that would run it, but nothing of it runs.
    """
    place, excerpt = Place(path=path, line=1, column=1), None
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(content, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        message = error.msg
        if error.lineno:
            place = Place(path=path, line=error.lineno, column=max(error.offset or 0, 1))
            lines = content.decode("utf-8-sig", "replace").splitlines()
            line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
            excerpt = line if len(line) <= MOST_EXCERPT else None
    except (RecursionError, MemoryError):
        message = "nested too deeply"
    except ValueError as error:  # a NUL byte, in some versions of Python
        message = str(error)
    else:
        return []
    return [
        Diagnostic(
            rule="test-syntax",
            message=f"not valid Python: {message}",
            place=place,
            hint="the mistake is here or just before; until it is mended, pytest runs no test of this file",
            excerpt=excerpt,
        )
    ]

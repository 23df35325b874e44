"""`chosen_cases(request, "name")` returns the cases of a test file that are in this run.

A fixture that runs pytest over a workspace once, for all cases of a table, can then leave out the other cases. A
newcomer's run has only some cases of a long table (`long_tables`), and `-k` selects some.
"""

import pytest


def chosen_cases(request: pytest.FixtureRequest, parameter: str, *, test: str | None = None) -> set[str]:
    """Return the values of the parameter in the selected tests of the file, or in those of its test function `test`."""
    tests = [
        item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")
    ]
    return {
        item.callspec.params[parameter]
        for item in tests
        if parameter in item.callspec.params and test in {None, item.originalname}
    }

"""chosen_cases(request, "name"): the cases of a file that this run has, for a fixture that they share.

A fixture that runs pytest over a workspace, once for all cases of a table, need not do what no test asks about: a
newcomer's run has few cases of a table whose cases take long (`long_tables`), and `-k` chooses some.
"""

import pytest


def chosen_cases(request: pytest.FixtureRequest, parameter: str, *, test: str | None = None) -> set[str]:
    """Return the values of the parameter among the tests of the file; of one test function if `test` names it."""
    tests = [
        item for item in request.session.items if item.path == request.path and hasattr(item, "callspec")
    ]
    return {
        item.callspec.params[parameter]
        for item in tests
        if parameter in item.callspec.params and test in {None, item.originalname}
    }

"""The options of the pytest runs that tests start: the value of the variable PYTEST_ADDOPTS.

These runs load no plugin for property tests. The workspaces have no property tests, and loading takes longer than many
of these runs. An author's environment does not have schemathesis either.
"""

FEWER_PLUGINS = "-p no:schemathesis -p no:hypothesispytest"


def with_options(options: str) -> dict[str, str]:
    """Return the environment variable for a nested run with more options, such as `-k shows`."""
    return {"PYTEST_ADDOPTS": f"{FEWER_PLUGINS} {options}"}

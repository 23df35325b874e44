"""What a run of pytest gets that a test starts: the variable PYTEST_ADDOPTS.

The workspaces of tests have no property tests, and their plugins take longer to load than many of these runs take.
schemathesis is not in an author's environment either.
"""

FEWER_PLUGINS = "-p no:schemathesis -p no:hypothesispytest"


def with_options(options: str) -> dict[str, str]:
    """Return the environment variable for a nested run with more options, such as `-k shows`."""
    return {"PYTEST_ADDOPTS": f"{FEWER_PLUGINS} {options}"}

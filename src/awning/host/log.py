"""The server's logger. It never logs query strings, cookies, forms or authCodes.

Query strings hold authCodes. uvicorn's access log has query strings, so a filter removes them from it.
"""

import logging

from awning.errors import AwningError

LOG = logging.getLogger("awning.host")
ACCESS_LOG = "uvicorn.access"
_ADDRESS = 2
"""The index of the address in the arguments of uvicorn's access log: client, method, address, HTTP version, status."""


class WithoutQuery(logging.Filter):
    """Removes the query string from a line of the access log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple) and len(record.args) > _ADDRESS:
            parts = list(record.args)
            parts[_ADDRESS] = str(parts[_ADDRESS]).partition("?")[0]
            record.args = tuple(parts)
        return True


def with_hint(error: AwningError) -> str:
    """Return the message of an error, followed by its hint."""
    return f"{error.message}; {error.hint}" if error.hint else error.message


def hide_queries() -> None:
    """Add the filter to uvicorn's access log, unless it is there already."""
    logger = logging.getLogger(ACCESS_LOG)
    if not any(isinstance(known, WithoutQuery) for known in logger.filters):
        logger.addFilter(WithoutQuery())

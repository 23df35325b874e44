"""The server's logger. What goes to it never holds a query string, a cookie, a form or a code.

uvicorn's own access log holds query strings, and those hold authCodes: they are taken out of it wherever it is on.
"""

import logging

LOG = logging.getLogger("awning.host")
ACCESS_LOG = "uvicorn.access"
_ADDRESS = 2
"""Where uvicorn's access lines have path and query: client, method, address, HTTP version, status."""


class WithoutQuery(logging.Filter):
    """Cuts the query string out of an access line."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple) and len(record.args) > _ADDRESS:
            parts = list(record.args)
            parts[_ADDRESS] = str(parts[_ADDRESS]).partition("?")[0]
            record.args = tuple(parts)
        return True


def hide_queries() -> None:
    """Put the filter on uvicorn's access log, once."""
    logger = logging.getLogger(ACCESS_LOG)
    if not any(isinstance(one, WithoutQuery) for one in logger.filters):
        logger.addFilter(WithoutQuery())

"""The server's logger. Query strings, cookies, forms and authCodes are never logged.

uvicorn's access log has query strings, which hold authCodes, so a filter removes the query strings.
"""

import logging

LOG = logging.getLogger("awning.host")
ACCESS_LOG = "uvicorn.access"
_ADDRESS = 2
"""The index of path and query in uvicorn's access lines: client, method, address, HTTP version, status."""


class WithoutQuery(logging.Filter):
    """Removes the query string from an access line."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple) and len(record.args) > _ADDRESS:
            parts = list(record.args)
            parts[_ADDRESS] = str(parts[_ADDRESS]).partition("?")[0]
            record.args = tuple(parts)
        return True


def hide_queries() -> None:
    """Put the filter on uvicorn's access log, once."""
    logger = logging.getLogger(ACCESS_LOG)
    if not any(isinstance(known, WithoutQuery) for known in logger.filters):
        logger.addFilter(WithoutQuery())

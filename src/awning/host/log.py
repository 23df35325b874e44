"""The server's logger. What goes to it never holds a query string, a cookie, a form or a code."""

import logging

LOG = logging.getLogger("awning.host")

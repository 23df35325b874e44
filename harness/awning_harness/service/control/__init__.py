"""The control of the simulated service: what tests and scripts do to it from outside.

JSON in and out, in the API's envelope. A web page cannot use it: it answers loopback hosts only, sends no CORS
header, takes writes only as `application/json` (which a page cannot send elsewhere without asking first), and
refuses what comes from another origin.
"""

from awning_harness.service.control.api import ControlApi

__all__ = ["ControlApi"]

"""The control API of the simulated service, for tests and scripts.

Requests and responses are JSON in the API's envelope. A web page cannot use it: it accepts loopback hosts only, sends
no CORS header, accepts writes only as `application/json` (a page cannot send that to another origin without a
preflight), and refuses requests from other origins.
"""

from awning_harness.service.control.api import ControlApi

__all__ = ["ControlApi"]

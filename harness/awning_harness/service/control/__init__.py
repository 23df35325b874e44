"""The control API of the simulated service, for tests and other programs.

Requests and responses are JSON in the envelope of the Apps API. A web page cannot use the control API. It accepts only
loopback names and allowed host names, sends no CORS header, accepts writes only as `application/json` (which a page
cannot send to another origin without a preflight), and refuses writes from other origins.
"""

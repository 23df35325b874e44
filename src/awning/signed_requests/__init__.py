"""Verifies that a request comes from the service (Apps Integration API, Verifying request authenticity).

signature        checks the hash of a query string
query            parses a query string and writes its canonical form
middleware       ASGI middleware that refuses requests that are not authentic
conformance      tests a running server with authentic and forged requests
trial_requests   the requests of that test
page_likeness    compares the responses of that test
"""

from awning.signed_requests.signature import Verdict, verify_request

__all__ = ["Verdict", "verify_request"]

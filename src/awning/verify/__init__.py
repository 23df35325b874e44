"""Verifies that a request comes from the service (Apps Integration API, Verifying request authenticity).

signature     checks the hash of a query string
query         a query string in its canonical form
middleware    ASGI middleware that refuses requests that are not authentic
conformance   tries any running server with authentic and forged requests
"""

from awning.verify.signature import Verdict, verify_request

__all__ = ["Verdict", "verify_request"]

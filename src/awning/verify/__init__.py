"""Whether a request comes from the service (Apps Integration API, Verifying request authenticity).

signature     the hash of one query string, checked
query         a query string in its canonical form
middleware    ASGI middleware that refuses what is not authentic
conformance   tries any running server with authentic and forged requests
"""

from awning.verify.signature import Verdict, verify_request

__all__ = ["Verdict", "verify_request"]

"""awning's own server passes `awning conformance`, although each settings request gets an address of its own."""

import pytest

from awning.client import Response, Secret
from awning.signed_requests.conformance import accepted_forms, try_server
from awning.signed_requests.trial_requests import SampleValues, trial_requests


@pytest.mark.parametrize("path", ["/install", "/settings"])
def test_own_server_passes_every_request_of_conformance(world, ask, path):
    browser, code = world.browser(), world.new_code()
    browser.get(ask("/install", code))

    def send(operation):
        seen = browser.get(path + operation.path)
        return Response(status=seen.status, location=seen.location or None, body=seen.text.encode())

    sample = SampleValues(
        secret=world.settings().app_secret, auth_code=Secret(code) if path == "/settings" else None
    )
    results = try_server(trial_requests(sample), send)
    assert [(result.request.name, result.why) for result in results if not result.passed] == []
    assert accepted_forms(results) == {"raw": True, "canonical": True}

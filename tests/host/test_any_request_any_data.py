"""Any request and stored data: status below 500. An unsigned request gets the security headers and changes nothing."""

import json
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.host.guard import HEADERS

PATHS = [
    "/install",
    "/settings",
    "/settings/x/",
    "/settings/x/uninstall",
    "/healthz",
    "/health/report",
    "/style.css",
    "/",
    "/%00",
]
NAMES = ["authCode", "hash", "callback", "language", "appId", "a[b]", "", "hash[]"]
BYTES = st.binary(max_size=12).map(quote_from_bytes)
QUERIES = st.lists(st.tuples(st.sampled_from(NAMES), BYTES | st.text("&=%+;\x00a1", max_size=8)), max_size=6)
ONE_WORLD = [HealthCheck.function_scoped_fixture]


@settings(max_examples=volume("host-any-request"), suppress_health_check=ONE_WORLD)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "HEAD", "OPTIONS", "X"]),
    path=st.sampled_from(PATHS) | st.text(max_size=10).map(lambda t: f"/{t}"),
    query=QUERIES,
    body=st.binary(max_size=200),
    origin=st.sampled_from(["", "null", "https://app.example"]),
)
def test_any_unsigned_request_is_answered_and_changes_nothing(world, method, path, query, body, origin):
    browser = getattr(world, "fuzzed", None) or world.browser()
    world.fuzzed = browser
    text = "&".join(f"{name}={value}" for name, value in query)
    url = path.replace("?", "").replace("#", "")
    seen = browser.send(
        method,
        f"{url}?{text}",
        body,
        {"origin": origin, "content_type": "application/x-www-form-urlencoded", "cookie": "awning-session=x"},
    )
    assert seen.status < 500
    assert browser.errors == []
    assert {name.decode() for name in HEADERS} <= {name for name, _ in seen.headers}
    assert seen.location == ""
    assert world.calls == []


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["\ud800", 10**400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abx"), inner, max_size=3),
    max_leaves=6,
)
DATA = st.one_of(
    st.dictionaries(
        st.sampled_from(["bar", "other"]),
        JSON | st.dictionaries(st.sampled_from(["enabled", "threshold", "more"]), JSON, max_size=3),
        max_size=2,
    ).map(json.dumps),
    st.text(max_size=20),
    JSON.map(json.dumps),
    st.just("[" * 5000),
)


@settings(max_examples=volume("host-any-data"), suppress_health_check=ONE_WORLD)
@given(stored=DATA)
def test_any_app_data_is_shown_and_can_be_replaced(world, opened, fields, stored):
    browser, url, code = world.__dict__.get("page") or opened()
    world.page = browser, url, code
    try:
        stored.encode()
    except UnicodeEncodeError:
        return
    world.service.set_data(code, stored)
    seen = browser.get(url)
    assert seen.status == 200
    answer = browser.post(url, {**fields(seen), "/bar/threshold": "5"})
    assert answer.status in {303, 502}, "stored, or said not to be"
    if answer.status == 303:
        assert world.data(code)["bar"]["threshold"] == 5
    assert browser.errors == []


@pytest.mark.parametrize(
    "stored", ['{"bar":{"threshold":1e999}}', '{"bar":{"more":"\\ud800"}}', '{"\\ud800":1}']
)
def test_app_data_that_cannot_be_encoded_is_shown(world, opened, fields, stored):
    browser, url, code = opened()
    world.service.set_data(code, stored)
    seen = browser.get(url)
    answer = browser.post(url, {**fields(seen), "/bar/threshold": "5"})
    assert (seen.status, answer.status in {303, 502}) == (200, True)

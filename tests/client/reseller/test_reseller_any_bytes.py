"""Any request gets a response in the envelope of this API: no crash, and a script only for a valid callback."""

import json

import pytest
from asgi_calls import ask
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.contract.reseller_calls import RESELLER_CALLS
from awning_harness.service import Service
from awning_harness.service.reseller import accounts
from awning_harness.service.reseller.api import ResellerApi

PARTS = ["1", "2", "999999", "premium", "gold", "domain", "٣", "-1", "9" * 30, "%00", "ä", "..", "a.b"]
NAMES = [
    "credits",
    "domain",
    "email",
    "password",
    "callback",
    "website",
    "subscription",
    "_",
    "aiDefaultLimit",
    "tlds",
]
VALUES = [
    "5",
    "0",
    "-1",
    "1.5",
    "1000001",
    "abc",
    "",
    "shop.example",
    "www.a.b",
    "xn--",
    "ü.example",
    "f",
    "a(b",
    "\0",
]
MEMBERS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.lists(st.integers(), max_size=2))
PATHS = [call.path.replace("<", "{").replace(">", "}") for call in RESELLER_CALLS]


@st.composite
def requests(draw, token):
    path = draw(st.sampled_from(PATHS))
    filled = path.format(
        website=draw(st.sampled_from(PARTS)),
        subscription=draw(st.sampled_from(PARTS)),
        domain=draw(st.sampled_from(PARTS)),
    )
    form = st.dictionaries(st.sampled_from(NAMES), st.one_of(st.sampled_from(VALUES), st.text(max_size=9)))
    pairs = draw(form) | ({"apiToken": token} if draw(st.integers(0, 3)) else {})
    text = "&".join(f"{name}={value}" for name, value in pairs.items())
    kind = draw(
        st.sampled_from(
            [
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=b",
                "application/json",
                "text/x",
                "",
            ]
        )
    )
    in_query = draw(st.booleans())
    object_ = json.dumps(pairs | draw(st.dictionaries(st.sampled_from(NAMES), MEMBERS))).encode()
    body = draw(
        st.one_of(st.sampled_from([text.encode("utf-8", "replace"), object_]), st.binary(max_size=40))
    )
    return {
        "method": draw(st.sampled_from(["GET", "POST", "PUT", "HEAD"])),
        "path": draw(
            st.one_of(st.just(filled), st.just(filled.rstrip("/")), st.text(max_size=12).map("/api/".__add__))
        ),
        "query": text.encode("utf-8", "replace").decode("latin-1") if in_query else "",
        "headers": ((b"content-type", kind.encode()),),
        "body": b"" if in_query else body,
    }


@pytest.fixture(scope="module")
def world():
    service = Service()
    service.assumptions.set("token-lifetime", "0")
    number = service.resellers.create(email="r@example.com", password="p", websites=2, ai_pricing="priced")
    yield service, number
    service.close()


@settings(max_examples=volume("reseller-any-bytes"), deadline=None)
@given(data=st.data())
def test_every_request_is_answered_in_the_envelope(world, data):
    service, number = world
    with service.database.writing() as db:
        token = accounts.add_token(db, number, service.clock.now())
    request = data.draw(requests(token))
    answer = ask(ResellerApi(service), **request)
    assert answer.status == 200
    if answer.content_type == b"application/json":
        fields = json.loads(answer.body)
    else:
        assert answer.content_type.startswith(b"application/javascript")
        fields = json.loads(answer.body[answer.body.index(b"(") + 1 : -2])
    assert isinstance(fields["error"], bool)
    if fields["error"]:
        assert isinstance(fields["errorCode"], int)
        assert isinstance(fields["errorMsg"], str)
    assert b"Traceback" not in answer.body

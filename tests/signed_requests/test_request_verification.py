"""The request hash: vectors for each step of the canonical form, and a Verdict for any input."""

import hashlib
import hmac
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.client import Secret
from awning.signed_requests import verify_request
from awning.signed_requests.query import read_query, write_query

KEY = b"s3cret"
SECRET = Secret(KEY.decode())


def sign(text, key=KEY):
    text = text.encode() if isinstance(text, str) else text
    return hmac.new(key, text, hashlib.sha256).hexdigest()


CANONICAL = {
    "order is kept": ("b=1&a=2", "b=1&a=2"),
    "empty pairs go": ("&a=1&&b=2&", "a=1&b=2"),
    "no sign means empty": ("a&b=", "a=&b="),
    "the last value in the first place": ("a=1&b=2&a=3", "a=3&b=2"),
    "plus and %20 are spaces": ("a=x+y%20z", "a=x+y+z"),
    "tilde and star are written": ("a=~*", "a=%7E%2A"),
    "hex is upper-case": ("a=%c4%81ā", "a=%C4%81%C4%81"),
    "the four that stay": ("a=-_.Z", "a=-_.Z"),
    "spaces and dots in names": ("a.b+c=1", "a_b_c=1"),
    "leading spaces of names": ("++a=1", "a=1"),
    "lists are numbered": ("a[]=x&a[]=y", "a%5B0%5D=x&a%5B1%5D=y"),
    "lists go on after a number": ("a[7]=x&a[]=y", "a%5B7%5D=x&a%5B8%5D=y"),
    "maps nest": ("a[k][]=1&a[k][l]=2", "a%5Bk%5D%5B0%5D=1&a%5Bk%5D%5Bl%5D=2"),
    "a value gives way to a list": ("a=1&b=2&a[]=3", "a%5B0%5D=3&b=2"),
    "a bracket that does not close": ("a[b=1", "a_b=1"),
    "what follows a bracket is dropped": ("a[b]c=1", "a%5Bb%5D=1"),
    "no name, no parameter": ("=1&a=2&[b]=3", "a=2"),
    "a broken escape is text": ("a=%4", "a=%254"),
    "not UTF-8 goes through": ("a=%ff", "a=%FF"),
    "an equals sign in a value": ("a=b=c", "a=b%3Dc"),
}


@pytest.mark.parametrize("case", CANONICAL)
def test_query_is_written_in_canonical_form(case):
    raw, canonical = CANONICAL[case]
    assert write_query(read_query(raw.encode())).decode() == canonical
    assert verify_request(f"{raw}&hash={sign(canonical)}", SECRET).authentic


@pytest.mark.parametrize(
    "place", ["hash={h}&a=1&b=%20", "a=1&hash={h}&b=%20", "a=1&b=%20&hash={h}", "?a=1&b=%20&hash={h}"]
)
def test_hash_of_the_raw_query_is_accepted(place):
    verdict = verify_request(place.format(h=sign("a=1&b=%20")), SECRET)
    assert verdict.authentic
    assert verdict.reason == "signed as received"


RIGHT = sign("a=1")
REFUSED = {
    "no hash": ("a=1", "no hash"),
    "an empty hash": ("a=1&hash=", "empty"),
    "a hash alone, though right": (f"hash={sign('')}", "the hash is the only parameter"),
    "empty pairs alone, though right": (f"&&hash={sign('&')}", "the hash is the only parameter"),
    "two hashes": (f"a=1&hash={RIGHT}&hash={RIGHT}", "hash is given 2 times"),
    "two hashes, one disguised": (f"a=1&%68ash={RIGHT}&hash={RIGHT}", "hash is given 2 times"),
    "a hash and a list of them": (f"a=1&hash[]=x&hash={RIGHT}", "hash is given 2 times"),
    "two codes": (f"authCode=1&authCode=2&hash={sign('authCode=1&authCode=2')}", "authCode is given 2 times"),
    "two codes, one in lower case": (f"authCode=1&authcode=2&hash={RIGHT}", "authCode is given 2 times"),
    "two callbacks": (f"callback=1&callback=2&hash={sign('callback=2')}", "callback is given 2 times"),
    "another case of hash": (f"a=1&Hash={RIGHT}", "no hash"),
    "upper-case digits": (f"a=1&hash={RIGHT.upper()}", "upper-case"),
    "another secret": (f"a=1&hash={sign('a=1', b'other')}", "neither"),
    "hash signed too": (
        f"a=1&hash={RIGHT}"[:-1] + "0" * (RIGHT[-1] != "0") + "1" * (RIGHT[-1] == "0"),
        "neither",
    ),
    "sorted": (f"b=1&a=2&hash={sign('a=2&b=1')}", "sorted"),
    "Python's urlencode": (f"a=%7E*&hash={sign(urlencode({'a': '~*'}))}", "urlencode"),
    "JavaScript's URLSearchParams": (f"a=%7E%2a&hash={sign('a=%7E*')}", "URLSearchParams"),
    "spaces as %20": (f"a=x+y&hash={sign('a=x%20y')}", "%20"),
    "signed decoded": (f"a=x%2Fy&hash={sign('a=x/y')}", "decoded"),
    "empty values left out": (f"a=1&b=&hash={sign('a=1')}", "empty values"),
    "a secret with a line end": (f"a=1&hash={sign('a=1', KEY + b'x')}", "neither"),
    "a line end after the query": (f"a=1&hash={RIGHT}\n", "no white space around it"),
    "a line end after the last value": (f"hash={RIGHT}&a=1\n", "no white space around it"),
    "&amp; for &": (f"a=1&amp;b=2&amp;hash={RIGHT}", "no hash parameter: & is written &amp;"),
    "&amp; for & after the hash": (f"hash={sign('a=1&b=2')}&amp;a=1&amp;b=2", "&amp;, as in HTML source"),
    "too long": ("a=" + "x" * 70_000 + f"&hash={RIGHT}", "longer"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusal_names_the_step_that_differs(case):
    query, words = REFUSED[case]
    verdict = verify_request(query, SECRET)
    assert not verdict
    assert words in verdict.reason


def test_white_space_around_the_secret_is_suggested_as_the_cause():
    verdict = verify_request(f"a=1&hash={sign('a=1')}", Secret("s3cret\n"))
    assert verdict.reason == "the hash would match if the secret had no white space around it"


def test_empty_secret_accepts_nothing():
    assert not verify_request(f"a=1&hash={sign('a=1', b'')}", Secret(""))


PAIRS = st.lists(st.tuples(st.text("abc[].~ ā&=", max_size=5), st.text("x~* ā%&=+", max_size=5)), max_size=4)


@settings(max_examples=volume("request-verification"))
@given(PAIRS)
def test_canonical_form_is_idempotent(parameters):
    raw = "&".join(f"{quote(name)}={quote(value)}" for name, value in parameters).encode()
    canonical = write_query(read_query(raw))
    assert write_query(read_query(canonical)) == canonical


@settings(max_examples=volume("request-verification"))
@given(st.one_of(st.text(), st.binary(), st.text("a[]=&%hash0\0").map(lambda t: t + "&hash=1")))
def test_random_query_is_refused_without_an_exception(query):
    assert verify_request(query, SECRET).authentic is False


@settings(max_examples=volume("request-verification"))
@given(st.text("ab=&%[]+~h", min_size=1, max_size=30), st.integers(0, 500), st.characters())
def test_changed_request_is_refused(raw, place, character):
    good = f"x=1&{raw}"
    signed = f"{good}&hash={sign(good)}"
    at = place % len(signed)
    changed = signed[:at] + character + signed[at + 1 :]
    if read_query(changed.encode("utf-8", "surrogatepass")) != read_query(signed.encode()):
        assert not verify_request(changed, SECRET)

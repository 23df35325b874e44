"""The canonical form of signed requests, by vectors that were computed elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.client import Secret
from awning.signed_requests import verify_request
from awning.signed_requests.query import read_query, write_query
from awning_harness.service.signing import canonical, signature, signed_url

PIECES = [
    "a",
    "[",
    "]",
    "[]",
    "[0]",
    "[7]",
    "[-1]",
    "[ ]",
    "[00]",
    ".",
    "+",
    "=",
    "&",
    "%5B",
    "%00",
    "%FF",
    "~",
    "é",
    ";",
]


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ([("a", "b c")], "a=b+c"),
        ([("a", "~*")], "a=%7E%2A"),
        ([("a", "-_.")], "a=-_."),
        ([("a", "ā/?&=#%+")], "a=%C4%81%2F%3F%26%3D%23%25%2B"),
        ([("b", ""), ("a", "1")], "b=&a=1"),
        ([("a[0]", "x")], "a%5B0%5D=x"),
        ([], ""),
    ],
)
def test_canonical_form_is_that_of_the_vectors(parameters, text):
    assert canonical(parameters) == text


def test_the_signature_is_hmac_sha_256_in_lower_case_hex():
    # RFC 4231, test case 2
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert signature("what do ya want for nothing?", "Jefe") == expected


@pytest.mark.parametrize(
    ("query", "parsed_and_encoded_by_php"),
    [
        ("a[]=1&a[]=2", "a%5B0%5D=1&a%5B1%5D=2"),
        ("my.id=1&b c=2", "my_id=1&b_c=2"),
        ("x=1&y=2&x=3", "x=3&y=2"),
        ("a[k][]=1&b=2&a[k][]=3", "a%5Bk%5D%5B0%5D=1&a%5Bk%5D%5B1%5D=3&b=2"),
        ("a[7]=1&a[]=2", "a%5B7%5D=1&a%5B8%5D=2"),
        ("a=1&a[]=2", "a%5B0%5D=2"),
        ("a[b=1&%20c=2&d[ ]=3", "a_b=1&c=2&d%5B0%5D=3"),
        ("&&=x&e", "e="),
        ("a%00b=1&%00=2", "a=1"),
        (f"a{'[k]' * 64}=1", f"a{'%5Bk%5D' * 64}=1"),
        (f"a{'[k]' * 65}=1&b=2", "b=2"),
        (f"a{'[k]' * 5000}=1&b=2", "b=2"),
    ],
)
def test_parameters_of_an_address_are_encoded_as_by_php(query, parsed_and_encoded_by_php):
    signed = signed_url(f"https://a.example/?{query}", [("x_", "1")], "s").partition("?")[2]
    assert signed.startswith(parsed_and_encoded_by_php + "&x_=1&hash=")


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_raw_and_canonical_verifiers_accept_any_parameters(query):
    signed = signed_url(f"https://a.example/?{query}", [("x_", "1")], "s").partition("?")[2]
    assert verify_request(signed.encode(), Secret("s"))
    sent = signed.rpartition("&hash=")[0].encode()
    assert write_query(read_query(sent)) == sent


@pytest.mark.parametrize(
    ("url", "begin"),
    [
        ("https://a.example", "https://a.example?x=1+2&hash="),
        ("https://a.example/p?k=~&e=", "https://a.example/p?k=%7E&e=&x=1+2&hash="),
        ("https://a.example/p#frag", "https://a.example/p?x=1+2&hash="),
    ],
)
def test_the_hash_is_the_last_parameter(url, begin):
    signed = signed_url(url, [("x", "1 2")], "s")
    assert signed.startswith(begin)
    query = signed.partition("?")[2]
    assert query.endswith(signature(query.rpartition("&hash=")[0], "s"))

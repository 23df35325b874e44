"""esbuild's packets: encoding and decoding are inverse, and no other bytes are accepted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.bundle.protocol import UINT, Garbled, answer_value, request_packet

values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2**32 - 1) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def answer(packet: bytes) -> bytes:
    """The body of a request as the body of its answer."""
    (id_,) = UINT.unpack_from(packet, 4)
    return UINT.pack(id_ | 1) + packet[8:]


@settings(max_examples=volume("bundle-protocol"))
@given(st.integers(0, 2**31 - 1), values)
def test_packet_survives_encoding_and_decoding(number, value):
    packet = request_packet(number, value)
    assert UINT.unpack_from(packet)[0] == len(packet) - 4
    assert answer_value(answer(packet)) == (number, value)


@settings(max_examples=volume("bundle-protocol"))
@given(values, st.data())
def test_truncated_packet_is_garbled(value, data):
    body = answer(request_packet(1, value))
    cut = data.draw(st.integers(0, len(body) - 1))
    with pytest.raises(Garbled):
        answer_value(body[:cut])


@settings(max_examples=volume("bundle-protocol"))
@given(st.binary(max_size=64))
def test_any_bytes_are_a_packet_or_garbled(body):
    try:
        number, _ = answer_value(body)
    except Garbled:
        return
    assert body[0] & 1
    assert number == UINT.unpack_from(body)[0] >> 1


def test_request_packet_is_refused_as_an_answer():
    with pytest.raises(Garbled, match="not an answer"):
        answer_value(request_packet(1, None)[4:])

"""esbuild's packets: encoding and decoding are inverse, and no other bytes are accepted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.bundle.protocol import UINT, Garbled, Packet, answer_packet, packet_of, request_packet

values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2**32 - 1) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(max_examples=volume("bundle-protocol"))
@given(st.integers(0, 2**31 - 1), values, st.booleans())
def test_packet_survives_encoding_and_decoding(number, value, is_answer):
    packet = answer_packet(number, value) if is_answer else request_packet(number, value)
    assert UINT.unpack_from(packet)[0] == len(packet) - 4
    assert packet_of(packet[4:]) == Packet(number, is_answer, value)


@settings(max_examples=volume("bundle-protocol"))
@given(values, st.data())
def test_truncated_packet_is_garbled(value, data):
    body = answer_packet(1, value)[4:]
    cut = data.draw(st.integers(0, len(body) - 1))
    with pytest.raises(Garbled):
        packet_of(body[:cut])


@settings(max_examples=volume("bundle-protocol"))
@given(st.binary(max_size=64))
def test_any_bytes_are_a_packet_or_garbled(body):
    try:
        packet = packet_of(body)
    except Garbled:
        return
    assert packet.is_answer == bool(body[0] & 1)
    assert packet.number == UINT.unpack_from(body)[0] >> 1

"""What is said about data from outside that do not have their form."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec
import pytest

from awning.typed_values import Mismatch, convert, decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    a: int
    names: tuple[str, ...] = ()
    sizes: dict[str, int] = field(default_factory=dict)


class Outer(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    count: Annotated[int, msgspec.Meta(ge=0, le=5)]
    inner: Inner | None = None
    kind: Literal["x", "y"] = "x"
    pair: tuple[int, str] = (1, "")
    seed: int | str | None = None
    name: str = ""


MISMATCHES = [
    ('{"count":9}', "count must be a whole number of at most 5"),
    ('{"count":-1}', "count must be a whole number of at least 0"),
    ('{"count":"x"}', "count must be a whole number, not a string"),
    ('{"count":true}', "count must be a whole number, not true or false"),
    ('{"count":1.5}', "count must be a whole number, not a decimal number"),
    ('{"count":null}', "count must be a whole number, not null"),
    ("{}", "count is required"),
    ('{"count":1,"coutn":2}', 'the file has an unknown field "coutn": did you mean "count"?'),
    ('{"count":1,"zzzz":2}', 'the file has an unknown field "zzzz": there are count, inner, kind'),
    ('{"count":1,"inner":{}}', "inner.a is required"),
    ('{"count":1,"inner":{"a":1,"names":["x",2]}}', "inner.names[1] must be a string, not a whole number"),
    (
        '{"count":1,"inner":{"a":1,"sizes":{"x":"y"}}}',
        "inner.sizes[...] must be a whole number, not a string",
    ),
    ('{"count":1,"kind":"z"}', "kind has the unknown value 'z'"),
    ('{"count":1,"pair":[1]}', "pair must be a list of length 2"),
    ('{"count":1,"seed":[1]}', "seed must be a whole number or a string or null, not a list"),
    ("[]", "the file must be an object, not a list"),
]


@pytest.mark.parametrize(("text", "message"), MISMATCHES)
def test_value_of_another_form_is_reported_with_its_place(text, message):
    for mismatched in (lambda: decode(text, Outer), lambda: convert(msgspec.json.decode(text), Outer)):
        with pytest.raises(Mismatch) as caught:
            mismatched()
        assert caught.value.of("the file").startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"count":\n 1,}', "the file is not JSON: trailing comma in object (line 2, column 4)"),
        ('{"name":"ā","seed":@}', "the file is not JSON: invalid character (line 1, column 20)"),
        ('{"count":1', "the file is not JSON: it ends too early"),
        ("", "the file is not JSON: it ends too early"),
        (b'{"name":"\xff"}', "the file is not JSON: it is not UTF-8"),
        (b"\xff", "the file is not JSON: invalid character (line 1, column 1)"),
    ],
    ids=repr,
)
def test_text_that_is_not_json_is_reported_with_line_and_column(text, message):
    with pytest.raises(Mismatch) as caught:
        decode(text, Outer)
    assert caught.value.of("the file") == message


def test_deep_nesting_is_reported():
    with pytest.raises(Mismatch, match="nested too deeply"):
        decode("[" * 100_000, list[Any])


def test_value_of_the_right_form_is_converted():
    outer = decode(b'{"count":3,"inner":{"a":1,"names":["x"]},"seed":"s"}', Outer)
    assert outer == Outer(count=3, inner=Inner(a=1, names=("x",)), seed="s")

"""Texts that the check `raw-values` takes for the code of a function, and texts that it leaves alone."""

import pytest

from awning_harness.checks.families.payloads import RAW


@pytest.mark.parametrize(
    "text",
    [
        "()=>'text'",
        "x=>`<p>`",
        "x=>!0",
        "e=>t.x",
        "({t})=>w(t)",
        "({item:e})=>`${e}`",
        "(...e)=>t(...e)",
        "e=>(t(e),1)",
        "()=>{}",
        "r=>{let o=e(r);return o}",
        "e=>{e.preventDefault()}",
        "(item) => {\n  return view({ t });\n}",
        "function (a) { return 1 }",
        "async function load(){return 1}",
    ],
)
def test_code_of_a_function_is_a_raw_value(text: str) -> None:
    assert RAW.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "New (2026) => 20% off",
        "Preis (alt) => (neu)",
        "A=>B",
        "Small=>(large)",
        "Size S => M",
        "5 => 6",
        "a function of (x) time",
        "Save {amount} => today",
        "Menu => Settings.",
        "Zurück => 'Shop'",
        'A=>"B"',
    ],
)
def test_text_with_an_arrow_or_the_word_function_is_none(text: str) -> None:
    assert not RAW.search(text)

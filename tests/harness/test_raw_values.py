"""What the check `raw-values` takes for a raw value, in a text and in attributes, and what it leaves alone."""

import pytest

from awning_harness.checks.families.payloads import RAW, raw_values


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


LONG = "0.30000000000000004"
BLOCKS = {
    f"<p>{LONG} left</p>": [("the block shows", LONG)],
    f'<progress value="{LONG}" max="1"></progress>': [],
    f'<i style="width: {LONG}%" data-share="{LONG}"></i>': [],
    f'<input value="{LONG}">': [("the attribute value of <input> has", LONG)],
    f'<b aria-label="{LONG} left"><i title="{LONG}"></i></b>': [
        ("the attribute aria-label of <b> has", LONG),
        ("the attribute title of <i> has", LONG),
    ],
    f'<input type="range" value="{LONG}"><input type="hidden" value="{LONG}">': [],
    f'<i style="width: {LONG}%; height: NaN"></i>': [("the attribute style of <i> has", "NaN")],
    '<p>say a="undefined" b</p>': [("the block shows", "undefined")],
    '<progress value="NaN"></progress>': [("the attribute value of <progress> has", "NaN")],
    '<a class="undefined" href="/x?a=undefined">a</a>': [
        ("the attribute class of <a> has", "undefined"),
        ("the attribute href of <a> has", "undefined"),
    ],
}


@pytest.mark.parametrize("html", BLOCKS)
def test_raw_value_is_found_where_a_shopper_meets_it(html):
    text = html.partition(">")[2].partition("<")[0]
    found = raw_values(text, html)
    assert [(what, match[0]) for what, match in found] == BLOCKS[html]

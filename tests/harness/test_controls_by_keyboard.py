"""What the check `keyboard` says of a block's controls, when Tab is pressed from before the block to behind it."""

from types import SimpleNamespace

import pytest

from awning_harness.checks.families.keyboard import PREPARE, fault_of_controls

BOX = "<style>.box { position: absolute; opacity: 0 }</style>"
CHECKBOX = '<input class="box" type="checkbox" id="gift"><label for="gift">As a gift</label>'
FOR_READERS = "position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden"
LINK = '<a href="#x">more</a>'
BUTTON = '<button type="button">more</button>'

FAULTS = {
    f"{BOX}{CHECKBOX}": "input.box does not show that it has the focus",
    f"<style>.box {{ {FOR_READERS} }}</style>{CHECKBOX}": "input.box does not show that it has the focus",
    f"<style>button {{ outline: none }}</style>{BUTTON}": 'button ("more") does not show that it has the focus',
    f"<style>button {{ outline: 2px solid transparent }}</style>{BUTTON}": "does not show that it has the focus",
    f"<style>button {{ outline-style: none }}</style>{BUTTON}": "does not show that it has the focus",
    f"<style>p:focus-within {{ background: red }} a {{ outline: none }}</style><p>{BUTTON}<b>{LINK}</b></p>": (
        'a ("more") does not show that it has the focus'
    ),
    '<button type="button" onkeydown="event.preventDefault()">more</button>': (
        'Tab does not leave the block: the focus stays at button ("more")'
    ),
    f'{BUTTON}<button type="button" onfocus="document.querySelector(`#behind`).focus()">less</button>': (
        'Tab does not reach button ("less")'
    ),
    '<p onclick="">more</p>': 'p ("more") reacts to the mouse, and a keyboard cannot reach it',
}

SOUND = {
    "a disabled group": f"<fieldset disabled><legend>Later</legend>{BUTTON}</fieldset>{BUTTON}",
    "an inert part": f'<div inert>{BUTTON}<p onclick="">more</p></div>{BUTTON}',
    "an inert part of a shadow root": f'<div inert><template shadowrootmode="open">{BUTTON}</template></div>{BUTTON}',
    "a box that scrolls between buttons": (
        f'{BUTTON}<div style="block-size: 2em; overflow: auto">{"<p>terms</p>" * 9}</div>{BUTTON}'
    ),
    "a link that its card shows by a decoration": (
        "<style>a:focus-visible { outline: none } a::after { content: ''; position: absolute; inset: 0 }"
        "a:focus-visible::after { outline: 3px solid }</style>"
        '<div style="position: relative"><a href="#x">All</a> teas</div>'
    ),
    "a transparent checkbox with a mark in its label": (
        f"{BOX}<style>.box:focus-visible + label::before {{ content: ''; outline: 3px solid }}</style>{CHECKBOX}"
    ),
    "a transparent checkbox with a mark behind its label": (
        f"{BOX}<style>.box:focus-visible ~ i {{ outline: 3px solid }}</style>{CHECKBOX} <i>*</i>"
    ),
    "a transparent checkbox in a row that shows the focus": (
        f"{BOX}<style>p:focus-within {{ background: yellow }}</style><p><b>{CHECKBOX}</b></p><p>{BUTTON}</p>"
    ),
    "a link that is only seen when it has the focus": (
        f"<style>a:not(:focus) {{ {FOR_READERS} }} a {{ outline: none }}</style>{LINK}"
    ),
    "a focus that fades in": (
        "<style>button { outline: none; transition: box-shadow 1s } button:focus { box-shadow: 0 0 9px }</style>"
        f"{BUTTON}"
    ),
    "buttons in a shadow root": f'<div><template shadowrootmode="open">{BUTTON}{BUTTON}</template></div>{BUTTON}',
    "a group of radio buttons": '<input type="radio" name="a"><input type="radio" name="a">',
    "an open dialog": f"<dialog>{BUTTON}{BUTTON}</dialog>{BUTTON}",
    "nothing to press": "<p>text</p>",
}


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


def fault_on(page, html):
    page.set_content("<body>")
    block = f'<a href="#x">before</a><div id="block">{html}</div><a id="behind" href="#x">behind</a>'
    page.evaluate("(html) => document.body.setHTMLUnsafe(html)", block)
    page.evaluate("document.querySelector('dialog')?.showModal()")
    return fault_of_controls(
        SimpleNamespace(page=page, evaluate=page.evaluate), page.evaluate(PREPARE, "#block")
    )


@pytest.mark.parametrize(("html", "fault"), FAULTS.items())
def test_fault_of_a_control_is_found(page, html, fault):
    assert fault in (fault_on(page, html) or "")


@pytest.mark.parametrize("html", SOUND.values(), ids=SOUND)
def test_sound_controls_have_no_fault(page, html):
    assert fault_on(page, html) is None

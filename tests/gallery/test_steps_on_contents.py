"""What a page shows after a step of a shopper, for pages that are not loaded."""

import pytest

from awning.states.cart import read_cart
from awning.states.payloads import Contents
from awning.states.state_events import contents_after
from awning.workspace.steps import Step
from awning.workspace.store.store_files import shipped_store

STORE = shipped_store()


@pytest.fixture
def contents() -> Contents:
    return Contents(cart=read_cart("C1", STORE))


@pytest.mark.parametrize(
    "words", [("discount", "NO-SUCH-CODE"), ("shipping", "no-such-way"), ("select", "L/Blue")]
)
def test_step_that_the_store_does_not_know_changes_nothing(
    contents: Contents, words: tuple[str, str]
) -> None:
    verb, argument = words
    assert contents_after(Step(verb=verb, arguments=(argument,)), contents, STORE) is contents


def test_step_that_the_store_knows_changes_the_cart(contents: Contents) -> None:
    code = next(iter(STORE.codes))
    after = contents_after(Step(verb="discount", arguments=(code,)), contents, STORE)
    assert after.cart is not None
    assert after.cart.code == code

"""Names of events that the storefront does not fire, and the suggestions for them."""

import pytest

from awning.check.files import check_text
from awning.contract import Dialect, event_names

CASES = {
    "misspelt": ("'svc-content-after-price-update'", 'did you mean "svc-content-after-price-updated"?'),
    "another case": ("'svc-content-after-Cart'", 'did you mean "svc-content-after-cart"?'),
    "a slot without updates": ("'svc-content-after-cart-updated'", "svc-content-after-cart has no updates"),
    "put together": ("'svc-' + ['content', 'after', 'chekout'].join('-')", '"svc-content-after-checkout"?'),
    "nothing like it": ("'orders'", "there are svc-content-after-price, "),
}


def findings_of(name):
    code = f"svcPlugins.subscribeEvent({name}, (event, init) => {{ console.log(event); }});"
    return check_text("x.js", code, Dialect()).diagnostics


@pytest.mark.parametrize(("name", "message"), CASES.values(), ids=CASES)
def test_an_unknown_event_is_reported(name, message):
    [diagnostic] = findings_of(name)
    assert (diagnostic.rule, str(diagnostic.severity)) == ("unknown-event", "warning")
    assert message in diagnostic.message


@pytest.mark.parametrize("name", event_names(Dialect()))
def test_the_five_events_are_known(name):
    assert findings_of(repr(name)) == ()


def test_event_name_that_is_a_variable_is_not_reported():
    assert findings_of("window.slot") == ()

"""Event names and subscriptions as jQuery has them, which the service hands them to."""

import pytest

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

TWICE = "const twice = (event, init) => { init(); init(); };\n"
PRICE = "svc-content-after-price"
CASES = {
    f'$(document).on("{PRICE}", twice);': {"init-once"},
    f'$(document).on("{PRICE}.app", twice);': {"init-once"},
    f'$(document).on("{PRICE}", twice).off("{PRICE}", twice);': set(),
    f'$(document).on("{PRICE}", twice).off("{PRICE}");': set(),
    f'svcPlugins.subscribeEvent("  {PRICE}\\n", twice);': {"init-once"},
    f'svcPlugins.subscribeEvent("svc-content-after-cart {PRICE}.a.b", twice);': {"init-once"},
    'svcPlugins.subscribeEvent("toString", twice);': set(),
    "svcPlugins.subscribeEvent(5, twice);": set(),
}


@pytest.mark.parametrize("code", CASES)
def test_a_subscription_is_made_as_jquery_makes_it(code):
    found = check_text("x.js", TWICE + code, Dialect()).diagnostics
    assert {one.rule for one in found if one.severity is Severity.ERROR} == CASES[code]


def test_an_unknown_name_of_several_is_reported():
    code = f'svcPlugins.subscribeEvent("{PRICE}.app svc-nothing", () => {{}});'
    (found,) = check_text("x.js", code, Dialect()).diagnostics
    assert (found.rule, '"svc-nothing"' in found.message) == ("unknown-event", True)


def test_updates_come_before_the_timers_of_an_app():
    code = f"""let updates = 0;
svcPlugins.subscribeEvent("{PRICE}-updated", () => {{ updates++; }});
svcPlugins.subscribeEvent("{PRICE}", (event, init) => {{
  init();
  setTimeout(() => {{ if (updates !== 2) init(); }});
}});"""
    assert check_text("x.js", code, Dialect()).diagnostics == ()

"""Names, subscriptions and triggers follow jQuery, which the service uses. Updates and promises come before timers."""

import pytest

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

TWICE = "const twice = (event, init) => { init(); init(); };\n"
PRICE = "svc-content-after-price"
CASES = {
    f'$(document).on("{PRICE}", twice);': set(),
    f'$(document).on("{PRICE}", twice).off("{PRICE}", twice);': set(),
    f'$(document).on("{PRICE}", twice).off("{PRICE}");': set(),
    f'svcPlugins.subscribeEvent("  {PRICE}\\n", twice);': {"init-once"},
    f'svcPlugins.subscribeEvent("svc-content-after-cart {PRICE}.a.b", twice);': {"init-once"},
    'svcPlugins.subscribeEvent("toString", twice);': set(),
    "svcPlugins.subscribeEvent(5, twice);": set(),
}


@pytest.mark.parametrize("code", CASES)
def test_subscriptions_are_parsed_like_those_of_jquery(code):
    diagnostics = check_text("x.js", TWICE + code, Dialect()).diagnostics
    assert {diagnostic.rule for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR} == CASES[
        code
    ]


def test_an_unknown_name_of_several_is_reported():
    code = f'svcPlugins.subscribeEvent("{PRICE}.app svc-nothing", () => {{}});'
    (diagnostics,) = check_text("x.js", code, Dialect()).diagnostics
    assert (diagnostics.rule, '"svc-nothing"' in diagnostics.message) == ("unknown-event", True)


def test_updates_come_before_the_timers_of_an_app():
    code = f"""let updates = 0;
svcPlugins.subscribeEvent("{PRICE}-updated", () => {{ updates++; }});
svcPlugins.subscribeEvent("{PRICE}", (event, init) => {{
  init();
  setTimeout(() => {{ if (updates !== 2) init(); }});
}});"""
    assert check_text("x.js", code, Dialect()).diagnostics == ()


ORDERS = {
    "an update comes before the promises of the base event": (
        "Promise.resolve().then(() => { if (updates !== 1) init(); });"
    ),
    "promises come before the repeated update": "queueMicrotask(() => { if (updates !== 1) init(); });",
    "an async callback goes on before the repeated update": (
        "(async () => { await null; if (updates !== 1) init(); })();"
    ),
    "a promise comes before a timer": """let timers = 0;
  setTimeout(() => { timers++; });
  setTimeout(() => { Promise.resolve().then(() => { if (timers !== 1) init(); }); setTimeout(() => timers++); });""",
}


@pytest.mark.parametrize("code", ORDERS.values(), ids=ORDERS)
def test_promises_come_before_timers(code):
    code = f"""let updates = 0;
svcPlugins.subscribeEvent("{PRICE}-updated", () => {{ updates++; }});
svcPlugins.subscribeEvent("{PRICE}", (event, init) => {{
  init();
  {code}
}});"""
    assert check_text("x.js", code, Dialect()).diagnostics == ()


TRIGGERED = {
    f'svcPlugins.subscribeEvent("{PRICE}", (event, init) => {{ init();'
    f' $(document).trigger("{PRICE}-updated", [init]); }});'
    f'svcPlugins.subscribeEvent("{PRICE}-updated", (event, init, params) => {{ if (!params) init(); }});': {
        "init-once"
    },
    f'svcPlugins.subscribeEvent("{PRICE}", (event, init) => {{ $(document).trigger("{PRICE}-updated", [init]); }});'
    f'svcPlugins.subscribeEvent("{PRICE}-updated", (event, init, params) => {{ if (!params) init(); }});': set(),
    f'let began = false; svcPlugins.subscribeEvent("{PRICE}", (event, init) => {{ if (!init) began = true; }});'
    f'$(document).trigger("{PRICE}");'
    f'if (began) svcPlugins.subscribeEvent("{PRICE}", (event, init) => {{ init(); init(); }});': {
        "init-once"
    },
}


@pytest.mark.parametrize("code", TRIGGERED)
def test_a_script_can_trigger_an_event_of_the_service(code):
    diagnostics = check_text("x.js", code, Dialect()).diagnostics
    assert {
        diagnostic.rule for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR
    } == TRIGGERED[code]

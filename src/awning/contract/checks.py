"""The checks that every widget gets: the defect that each finds, and how an author mends the widget.

A `widget.toml` may switch off a check. The code of the checks is in the harness, and a test compares its names with
these. The service has no such names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetCheck:
    """The defect that a check reports, and how the author mends the widget, in Markdown without links.

    `is_variation` is for a check whose pages have another payload, other data, answers or shops than a state.
    """

    defect: str
    hint: str
    is_variation: bool = False


COMPARISON = "looks-as-before"
"""The check that compares with a stored snapshot."""

CHECKS: Mapping[str, WidgetCheck] = MappingProxyType(
    {
        "shows-its-state": WidgetCheck(
            defect=(
                "The block of a state is missing, there twice, lacks a text of `shows`, breaks a rule "
                "or makes an error"
            ),
            hint=(
                "compare the line of `states.toml` that the failure shows with what the block shows; if the "
                "block shows what was right before a step, keep no value between two calls"
            ),
        ),
        "keeps-to-its-place": WidgetCheck(
            defect="The widget leaves globals on the page",
            hint="`const` inside the module instead of `window.x`, or `[globals]` in `widget.toml`",
        ),
        "is-as-wide-as-its-place-on-a-phone": WidgetCheck(
            defect="In some language, the block is wider than a phone's place for it",
            hint=(
                "`max-width: 100%`, `flex-wrap: wrap`, `overflow-wrap: anywhere`, no `white-space: nowrap`, no "
                "wide `min-width`"
            ),
        ),
        "has-room-for-longer-texts": WidgetCheck(
            defect="Longer texts are cut off (`--pseudo`)",
            hint=(
                "no fixed heights and widths; an ellipsis, or `aria-expanded` on the button that opens what is cut "
                "off"
            ),
        ),
        "keeps-its-declarations": WidgetCheck(
            defect="The script passes values of other types than a template declares",
            hint="the type in `{#def #}`, or the script",
        ),
        "survives-app-data-that-is-not-its-own": WidgetCheck(
            is_variation=True,
            defect="App data of another app breaks the widget or runs",
            hint="read the data through `data`",
        ),
        COMPARISON: WidgetCheck(
            defect="The state no longer looks as in its snapshot",
            hint=(
                "compare the pictures in the report; where the change is meant, `awning test "
                "--update-snapshots`"
            ),
        ),
        "is-accessible": WidgetCheck(
            defect="Somebody cannot read or use the widget: a rule of axe-core, or contrast in a theme",
            hint=(
                "change the element as the failure says; `color-mix` with `currentColor` suits light "
                "and dark shops"
            ),
        ),
        "update-order": WidgetCheck(
            defect="After some order of updates the block is not that of a fresh page with the last selection",
            hint="compute everything from the arguments; keep nothing between two calls",
        ),
        "updates-shown": WidgetCheck(
            defect="The block ignores updates, although it shows what they change",
            hint=(
                "compute everything in each call of the render function; keep no value between two calls; "
                "read `item` and `cart`, which have the selection"
            ),
        ),
        "repeated-events": WidgetCheck(
            defect="An update that arrives three times changes the block each time",
            hint="compute everything from the arguments; keep nothing between two calls",
        ),
        "late-events": WidgetCheck(
            defect="When the event or the snippet comes late, the block is missing",
            hint="subscribe at once, not in `DOMContentLoaded` or a timer",
        ),
        "restored-page": WidgetCheck(
            defect=(
                "When a shopper returns to the page, and the browser has kept it (back-forward cache), the "
                "block differs, is there twice or is gone"
            ),
            hint=(
                "in `pagehide` and `pageshow`, stop and start what runs; leave the block, which the browser keeps"
            ),
        ),
        "early-updates": WidgetCheck(
            defect="An update before its base event breaks the widget",
            hint=(
                "compute everything in each call of the render function; keep no value between two calls; "
                "in a script that calls `svcPlugins`, keep the update until the base event, or ignore it"
            ),
        ),
        "missing-events": WidgetCheck(
            defect="Without an event something is inserted; without an update nothing is shown",
            hint="show what the base event tells",
        ),
        "answer-order": WidgetCheck(
            defect="A late answer to an old request replaces a newer one",
            hint=(
                "an async render function: the latest call wins; in a handler, show an answer only if no "
                "other one was asked for since"
            ),
        ),
        "failing-hosts": WidgetCheck(
            is_variation=True,
            defect=(
                "A host that fails or answers something else breaks the page, also after a step such "
                "as a click that sends a form"
            ),
            hint="`catch` with a content for it, and look at the answer before using it",
        ),
        "hostile-answers": WidgetCheck(
            is_variation=True,
            defect="A text that another host answers runs, or becomes an element or attribute",
            hint="templates escape; no `safe` for what a host sends",
        ),
        "other-apps": WidgetCheck(
            defect="Among other apps the block is another, or theirs are changed",
            hint="look for elements inside your own block only",
        ),
        "page-intact": WidgetCheck(
            defect="Styles, attributes or title outside of the block change",
            hint="`style.css`, not `<style>` in the HTML; a handler changes its own block",
        ),
        "cart-replaced": WidgetCheck(
            defect=(
                "After the shop has replaced the cart in place, the block is gone, there twice, another, or "
                "the widget makes errors"
            ),
            hint=(
                "a render function; in a script that calls `svcPlugins`, call `initContentHandler` in each "
                "base event, and keep no element of the page"
            ),
        ),
        "two-carts": WidgetCheck(
            defect=(
                "In a shop with a cart and a side cart, one of them has no block, the block in the last one "
                "is another, or the widget makes errors"
            ),
            hint="look for elements inside your own block only, not by `id` in the page",
        ),
        "hostile-texts": WidgetCheck(
            is_variation=True,
            defect=(
                "A text of the payload, or one that a shopper types, runs or becomes an element or "
                "attribute, also after an update; or a long text breaks the layout"
            ),
            hint=(
                "templates escape; `textContent` instead of `innerHTML` for what a shopper types; "
                "`overflow-wrap: anywhere`, no `white-space: nowrap`"
            ),
        ),
        "odd-payloads": WidgetCheck(
            is_variation=True,
            defect="Errors or raw values for nulls, known fields only, huge numbers, zero, empty names",
            hint="test for null before use; `money` and `number` format",
        ),
        "raw-values": WidgetCheck(
            defect="`undefined`, `NaN`, `[object Object]`, a function, an unformatted number, a message's key",
            hint="test for null before printing; `money`, `number` and `date` format; add the missing message",
        ),
        "currency": WidgetCheck(
            defect="Amounts in another currency than the shop's, or yen with decimals",
            hint="`money` with the payload's currency",
        ),
        "language": WidgetCheck(
            defect="A text, month or day of another language",
            hint="`t`, and the page's `language` for dates",
        ),
        "hostile-app-data": WidgetCheck(
            is_variation=True,
            defect="A text of the app data runs, or missing data makes errors",
            hint="defaults in `data.schema.json`; `{{ }}` in templates escapes: no `|safe` and no raw HTML",
        ),
        "blocked-storage": WidgetCheck(
            is_variation=True,
            defect="Where the browser refuses storage, the widget makes errors, also at the steps",
            hint="`try` around `localStorage`",
        ),
        "every-shop": WidgetCheck(
            is_variation=True,
            defect=(
                "In some theme, policy or assumption set the block is missing, does not fit, is cut "
                "off or makes errors, or it moves although a shopper prefers reduced motion"
            ),
            hint=(
                "no fixed widths and heights (`awning explain has-room-for-longer-texts`), colours from "
                "`currentColor`, motion in `@media (prefers-reduced-motion: no-preference)`; the failure names "
                "theme, policy, assumption set and preference"
            ),
        ),
        "keyboard": WidgetCheck(
            defect="A control is not reached by Tab, shows no focus, ignores Enter or keeps the focus",
            hint="`button`, `a href`, and no `outline: none`",
        ),
        "focus": WidgetCheck(
            defect="An update takes the focus, or what was typed, chosen or opened",
            hint=(
                "a render function instead of `setContent`; `key` on lists; render the element for every "
                "selection, hidden or disabled where it is of no use"
            ),
        ),
        "layout-shift": WidgetCheck(
            defect="What is below jumps by more than 100 px after the page was shown",
            hint="reserve the height of what comes late, with `min-height`",
        ),
        "long-tasks": WidgetCheck(
            defect="One event keeps the page busy for more than 50 ms",
            hint="do less for each event, or do it later",
        ),
        "weight": WidgetCheck(
            defect="The snippet is heavier than its `budget`, or than 16 kB gzip without one",
            hint="smaller texts and pictures",
        ),
        "growth": WidgetCheck(
            defect="Updates, new carts or clicks leave listeners, intervals or elements",
            hint=(
                "begin a timer, an observer or a listener once, outside of the render function, or end the "
                "former one first; attach the handlers of the block with `live`"
            ),
        ),
    }
)
"""The checks by name, in the order of the table at the end of a test run."""

WIDGET_CHECKS = tuple(CHECKS)
"""The names of the checks."""


def simplicity(name: str | None) -> tuple[bool, int]:
    """Return a sort key of a failure by its check: what fails on the simplest page comes first.

    A test of an author has no check. It comes after the checks of ordinary pages, and before the variations.
    """
    if name is None or name not in CHECKS:
        return False, len(WIDGET_CHECKS)
    return CHECKS[name].is_variation, WIDGET_CHECKS.index(name)


def check_page(name: str) -> str | None:
    """Return a page about a check as Markdown; None when there is no such check."""
    check = CHECKS.get(name)
    if check is None:
        return None
    return f"""# {name}

{check.defect}.

To mend it: {check.hint}.

`awning test` runs this check for every widget. Where the widget means it, `widget.toml` switches the check off, with
the reason:

```toml
[checks]
{name} = "why this widget needs it"
```

`awning explain` lists all checks.
"""

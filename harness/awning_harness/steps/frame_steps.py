"""The steps of a shopper in a frame. Each step is JavaScript with the same effect as a click or as typing a code.

Such a step does not notice when something covers an element. `page_steps.py` has the steps with real clicks.
"""

from typing import Any

from awning.workspace.steps import WAIT, Step
from awning.workspace.store import Store
from awning.workspace.store.records import ProductRecord
from awning_harness.pages.store_names import require_shipping, require_variant
from awning_harness.steps.failures import StepFailed
from awning_harness.steps.page_steps import MOVE_CLOCK, ONLY_CHECKOUT, waiting

STEPS = f"""
const select = (page, {{ options, variant, again }}) => {{
  let changed = false;
  for (const [dimension, option] of options.entries()) {{
    const choice = page.document.querySelector(`form[data-buy] select[data-option="${{dimension}}"]`);
    if (!choice?.options[option]) throw `this page has no option of ${{variant}}`;
    if (choice.selectedIndex !== option) {{
      choice.selectedIndex = option;
      for (const name of ["input", "change"]) choice.dispatchEvent(new page.Event(name, {{ bubbles: true }}));
      changed = true;
    }}
  }}
  if (!changed && !again) throw `${{variant}} is already selected`;
}};
const discount = (page, {{ code }}) => {{
  const form = page.document.querySelector("form[data-code][data-quote]");
  if (!form) throw "this page accepts no discount code: {ONLY_CHECKOUT}";
  const applied = page.document.querySelector("dl[data-totals]").dataset.codeValue ?? "";
  if (code === null && !applied) throw "there is no discount code to remove";
  if (code !== null && applied === code) throw `the discount code ${{applied}} is already applied`;
  if (code === null) page.document.querySelector("button[data-remove-code]").click();
  else {{
    form.querySelector("input[name=code]").value = code;
    form.querySelector("button[type=submit]").click();
  }}
}};
const shipping = (page, {{ way }}) => {{
  const radio = page.document.querySelector(`input[name=shipping][data-shipping][value="${{way}}"]`);
  if (!radio) throw "this page has no choice of delivery: {ONLY_CHECKOUT}";
  if (radio.checked) throw `${{way}} is chosen already`;
  radio.click();
}};
const wait = async (page, step) => {{
  const reason = await ({MOVE_CLOCK})(page, step);
  if (reason) throw reason;
}};
const update = (page, {{ event, updated }}) => page.awningEmulator.fire(event, updated);
const quoted = async (page, within) => {{
  const end = performance.now() + within;
  while (page.document.querySelector("dl[data-totals][aria-busy]")) {{
    if (performance.now() > end) throw `the page does not show the new total within ${{within / 1000}} s`;
    await new Promise((done) => setTimeout(done, 1));
  }}
}};
"""
"""The functions of the steps, in JavaScript. `quoted` waits until the page shows the new total.

A step that is not possible, or that would change nothing, throws the reason, a string.
"""


def page_step(store: Store, product: ProductRecord | None, step: Step) -> dict[str, Any]:
    """Return a state's step outside of the block as an argument for the functions in STEPS.

    Raises NotInTheStore for an unknown variant or way of shipping, and StepFailed for an empty discount code.
    """
    argument = step.arguments[0] if step.arguments else None
    if step.verb == "discount":
        return discounting(argument)
    if step.verb == "shipping":
        return {"verb": step.verb, "way": require_shipping(store, argument or "")}
    if step.verb == WAIT:
        return waiting(step)
    return selection(product, argument or "")


def selection(product: ProductRecord | None, variant: str, *, again: bool = False) -> dict[str, Any]:
    """Return the step that selects a variant. With `again`, the variant may be selected already.

    Raises NotInTheStore when the product has no such variant, or when the page has no product.
    """
    record = require_variant(product, variant)
    return {"verb": "select", "options": list(record.options), "variant": variant, "again": again}


def discounting(code: str | None) -> dict[str, Any]:
    """Return the step that applies a discount code, or removes it. Raises StepFailed for an empty code."""
    if code is not None and not code.strip():
        raise StepFailed("an empty discount code is never sent; to remove a code, use None")
    return {"verb": "discount", "code": code.strip() if code else None}

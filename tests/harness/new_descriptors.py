"""A slot and two steps that a copy of the repository gets: the files of a real change, as texts to insert."""

from pathlib import Path

ROW_OF_THE_SLOT = """\
        Slot(
            name="after-order",
            page=SlotPage(name="order", topic=CART_TOPIC),
            payload=ORDER,
            updates=False,
            about="Define a widget below the summary of a finished order.",
            absent="an empty cart has no order; its address redirects to the cart",
            silent="An empty cart has no order",
            first="order-note",
        ),
"""
RECORD = """\
    PayloadRecord(
        name="Order",
        about="A finished order.",
        fields=(
            _assumed("number", "string", "The number of the order, as a text of digits."),
            _assumed("total", "number", "The sum that was paid."),
            _assumed("items", "array", "The lines of the order.", record="CartLine"),
        ),
    ),
"""
PARAMETER = """\
            _documented("order", "object", "The finished order.", record="Order"),
"""
PAYLOAD = """\
ORDER = Payload(
    name="Order",
    params=("order", "currency", "page"),
    where="on the page of a finished order",
    arguments=(
        Argument(field=_field("order", "object", "The order that was just finished.", record="Order")),
        _CURRENCY,
    ),
)

"""
VALUE = """\
        "order": lambda visit, contents: _order(visit, contents.cart) if contents.cart else {},
"""
VALUE_FUNCTION = """\
def _order(visit: PageVisit, cart: Cart) -> dict[str, Any]:
    whole = cart_data(cart, *visit.languages)
    return {"number": "100017", "total": whole["total"], "items": whole["items"]}


"""
PLACE = """\
  <div class="placeholder-after-order">
  </div>
  {{ slot.host("after-order") }}
"""
ROWS_OF_THE_STEPS = """\
            PageStep(verb="clear-cart", example="clear-cart", pages=("cart",), option="cart", value="empty"),
"""
ROW_OF_THE_BLOCK_STEP = """\
            BlockStep(verb="submit", example='submit "form"'),
"""
PAGE_STEP = """\
function* clearCart(page: Document): Actions {
  const line = (): Element | null => page.querySelector("[data-cart] .line-remove");
  if (!line()) throw "the cart is empty already";
  for (let link = line(); link; link = line()) yield press(link, "the link that removes a line");
}

"""
BLOCK_STEP = """\
function* submit(element: Element): Actions {
  const button = element.querySelector("button");
  if (!button) throw "the form has no button";
  yield press(button, WHAT);
}

"""

INSERTED = {
    "src/awning/contract/slots.py": [
        (ROW_OF_THE_SLOT, "    )\n}\n\nFIRST_SLOT"),
        ("ORDER, ", "PRICE, Payload\n"),
    ],
    "src/awning/contract/payloads.py": [
        (RECORD, ")\n\nRECORDS: Mapping"),
        (PARAMETER, '        )\n    }\n)\n"""The fields of the event parameters.'),
        (PAYLOAD, "PAGE_ARGUMENT = "),
    ],
    "harness/awning_harness/storefront/payloads.py": [
        (VALUE, '    }\n)\n"""The other fields.'),
        (VALUE_FUNCTION, "_OF_THE_PAGE: Mapping"),
        ("cart_data, ", "currency\nfrom awning_harness.storefront.page_visit"),
    ],
    "harness/awning_harness/storefront/templates/order.html.j2": [
        (PLACE, '  <a class="button" href='),
        ('{% import "slot.html.j2" as slot with context %}\n', "{% block title %}"),
    ],
    "src/awning/workspace/steps.py": [
        (ROWS_OF_THE_STEPS, "        )\n    }\n)\n\nBLOCK_STEPS"),
        (ROW_OF_THE_BLOCK_STEP, "        )\n    }\n)\n\nWAIT = "),
    ],
    "jsrc/visit/page_steps.ts": [
        (PAGE_STEP, "function one("),
        ('  "clear-cart": clearCart,\n', "};\n"),
    ],
    "jsrc/visit/block_steps.ts": [
        (BLOCK_STEP, "function misplaced("),
        ("  submit,\n", "};\n"),
    ],
}
"""The texts to insert into each file, each before a text that is there once."""


def add_descriptors(root: Path) -> None:
    """Add the slot and the steps to a copy of the repository. The files that are written from tables are left."""
    for path, insertions in INSERTED.items():
        file = root / path
        text = file.read_text(encoding="utf-8")
        for inserted, before in insertions:
            assert text.count(before) == 1, f"{path} has {before!r} {text.count(before)} times"
            text = text.replace(before, inserted + before)
        file.write_text(text, encoding="utf-8", newline="\n")

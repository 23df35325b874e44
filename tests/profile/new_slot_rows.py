"""A slot, an event and two steps of a shopper, as real patches for `new_rows.py`."""

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
        "order": lambda page, contents: _order(page, contents.cart) if contents.cart else {},
"""
VALUE_FUNCTION = """\
def _order(page: ShopPage, cart: Cart) -> dict[str, Any]:
    whole = cart_data(cart, *page.languages)
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
            BlockStep(verb="clear", example='clear "#note"', method="clear"),
"""
ROW_OF_THE_ACTION = """\
            BlockStep(verb="double-click", example='double-click "#size"', method="dblclick"),
"""
FUNCTION_OF_THE_PAGE_STEP = """\
function* clearCart(page: Document): Actions {
  const line = (): Element | null => page.querySelector("[data-cart] .line-remove");
  if (!line()) throw "the cart is empty already";
  for (let link = line(); link; link = line()) yield press(link, "the link that removes a line");
}

"""
FUNCTION_OF_THE_BLOCK_STEP = """\
function* clear(element: Element): Actions {
  yield fill(element, "", WHAT);
}

"""
FUNCTION_OF_THE_ACTION = """\
function* doubleClick(element: Element): Actions {
  const perform = (pointer: Pointer): void => {
    pointer.press();
    pointer.press(2);
    pointer.fire("dblclick", 2);
  };
  yield { element, what: WHAT, method: "dblclick", perform };
}

"""


def insertion(path, text, *, before):
    return path, before, text + before


SLOT_PATCHES = {
    "slot": [
        insertion("src/awning/contract/slots.py", ROW_OF_THE_SLOT, before="    )\n}\n\nFIRST_SLOT"),
        insertion("src/awning/contract/slots.py", "ORDER, ", before="PRICE, Payload, PayloadField\n"),
        insertion("src/awning/contract/payloads.py", RECORD, before=")\n\nRECORDS: Mapping"),
        insertion(
            "src/awning/contract/payloads.py",
            PARAMETER,
            before='        )\n    }\n)\n"""The fields of the event parameters.',
        ),
        insertion("src/awning/contract/payloads.py", PAYLOAD, before="PAGE_ARGUMENT = "),
        insertion("src/awning/states/payloads.py", VALUE, before='    }\n)\n"""The other fields.'),
        insertion("src/awning/states/payloads.py", VALUE_FUNCTION, before="_OF_THE_PAGE: Mapping"),
        insertion(
            "src/awning/states/payloads.py",
            "cart_data, ",
            before="currency\nfrom awning.states.shop_page",
        ),
        insertion(
            "harness/awning_harness/storefront/templates/order.html.j2",
            PLACE,
            before='  <a class="button" href=',
        ),
        insertion(
            "harness/awning_harness/storefront/templates/order.html.j2",
            '{% import "slot.html.j2" as slot with context %}\n',
            before="{% block title %}",
        ),
    ],
    "event": [
        (
            "src/awning/contract/slots.py",
            "            payload=CART,\n            updates=False,\n",
            "            payload=CART,\n            updates=True,\n",
        ),
    ],
    "page step": [
        insertion(
            "src/awning/workspace/steps.py", ROWS_OF_THE_STEPS, before="        )\n    }\n)\n\nBLOCK_STEPS"
        ),
        insertion("jsrc/visit/page_steps.ts", FUNCTION_OF_THE_PAGE_STEP, before="function one("),
        insertion("jsrc/visit/page_steps.ts", '  "clear-cart": clearCart,\n', before="};\n"),
    ],
    "block step": [
        insertion(
            "src/awning/workspace/steps.py", ROW_OF_THE_BLOCK_STEP, before="        )\n    }\n)\n\nWAIT = "
        ),
        insertion("jsrc/visit/block_steps.ts", FUNCTION_OF_THE_BLOCK_STEP, before="function misplaced("),
        insertion("jsrc/visit/block_steps.ts", "  clear,\n", before="  check: ("),
    ],
    "action": [
        insertion(
            "src/awning/workspace/steps.py", ROW_OF_THE_ACTION, before='            BlockStep(verb="open"'
        ),
        insertion("jsrc/visit/block_steps.ts", FUNCTION_OF_THE_ACTION, before="function* setOpen("),
        insertion("jsrc/visit/block_steps.ts", '  "double-click": doubleClick,\n', before="  open: ("),
        (
            "jsrc/visit/block_steps.ts",
            'type Action, type Actions } from "./actions.ts"',
            'type Action, type Actions, type Pointer } from "./actions.ts"',
        ),
    ],
}

"""The promises of awning's runtime for an app of three widgets. They are checked for our snippet and for a script by
hand.

The scenes use the functions of `promises.js`. Their time is ten o'clock in Riga on Wednesday, 4 March 2026.
"""

import html
import json
from collections.abc import Mapping
from types import MappingProxyType

from benchmarks.size.promises import HOSTILE, TRUSTED, Promise

SAVED = "Ietaupiet €20.00 €100.00"
ARRIVES = "Piegāde {} \N{EN DASH} {} Pasūti 5 stundu laikā, lai saņemtu šajā datumā."
USUAL = ARRIVES.format("ceturtd., 5. marts", "pirmd., 9. marts")
MISSING = "Pievieno preces vēl par {}, un piegāde būs bez maksas."

DATA = json.dumps({"free-shipping-bar": {"threshold": 100}, "delivery-estimate": {"cutoff_hour": 9}})
FORMS = {
    "as JSON": DATA,
    "as JSON with escaped quotes": html.escape(DATA),
    "as a string that holds JSON": json.dumps(DATA),
    "as a string with escaped quotes": html.escape(json.dumps(DATA)),
}
HOSTILE_CURRENCY = json.dumps({"code": "EUR", "symbol": HOSTILE})
BOTH = "[text(box), text(basket)]"

APP_PROMISES: Mapping[str, Promise] = MappingProxyType(
    {
        "each widget shows what it knows in its slot": Promise(
            act=f"fire(), cart(30), [text(box).includes({json.dumps(SAVED)}), text(box).includes({json.dumps(USUAL)}), "
            "text(basket), full(), logged.length]",
            expected=[True, True, MISSING.format("€45.00"), "40%", 0],
        ),
        **{
            f"settings of the shop {form}": Promise(
                act="fire(), cart(30), [text(box).includes('Pasūti'), text(basket), full()]",
                expected=[False, MISSING.format("€70.00"), "30%"],
                data=data,
            )
            for form, data in FORMS.items()
        },
        "settings that are not set leave the defaults": Promise(
            act="cart(75), [text(basket), full()]",
            expected=["Šim pasūtījumam piegāde ir bez maksas.", "100%"],
            data="{{svc_app_data}}",
        ),
        "a widget that is turned off shows nothing, the others do": Promise(
            act=f"fire(), cart(30), {BOTH}",
            expected=[SAVED, MISSING.format("€45.00")],
            data='{"delivery-estimate": {"enabled": false}}',
        ),
        "a plural of one and of more": Promise(
            act="fire(box, { ...PARAMS, item: { ...PARAMS.item, stock: 1 } }), "
            "fire(second, { ...PARAMS, item: { ...PARAMS.item, stock: 2 } }), "
            "[text(box).includes('Palicis tikai 1.'), text(second).includes('Palikuši tikai 2.')]",
            expected=[True, True],
        ),
        "sold out, and no dates": Promise(
            act="fire(box, { ...PARAMS, item: { ...PARAMS.item, stock: 0 } }), "
            "[text(box).includes('Izpārdots'), text(box).includes('marts')]",
            expected=[True, False],
        ),
        "a variant without a weight has the product's": Promise(
            act="PARAMS.item.weight = 20000, fire(), update(variant(70)), "
            "/Piegāde [^ ]+ 11. marts/.test(text(box))",
            expected=True,
        ),
        "an update before its event counts for each": Promise(
            act="update({ ...variant(70), stock: 0 }), fire(), "
            "[text(box).includes('€30.00'), text(box).includes('Izpārdots')]",
            expected=[True, True],
        ),
        "amounts as the cart displays them": Promise(
            act="cart(1000, { code: 'SEK', symbol: 'kr', decimals: 1, decimal_separator: ',', "
            "thousands_separator: ' ', position: 'after' }), text(basket)",
            expected=MISSING.format("11 345,5 kr"),
            data='{"free-shipping-bar": {"threshold": 12345.45}}',
        ),
        "amounts of a currency of which only the code is known": Promise(
            act="cart(30, { code: 'USD' }), text(basket)", expected=MISSING.format("$45.00")
        ),
        "amounts of a currency that nobody knows": Promise(
            act="cart(30, { code: '?' }), text(basket)", expected=MISSING.format("?45.00")
        ),
        "a page that names no language": Promise(
            act="fire(box, { item: PARAMS.item }), [text(box).includes('5. marts'), logged.length]",
            expected=[True, 0],
        ),
        "a widget that fails leaves the others, keeps its content and says its name once": Promise(
            act="fire(), update(BROKEN), update(BROKEN), "
            "[text(box).includes('€20.00'), text(box).includes('marts'), logged.length, logged[0][0], thrown]",
            expected=[True, True, 1, "saving", 0],
        ),
        "the same HTML is not written again": Promise(
            act="fire(), cart(30), update(null), update(null), writes", expected=3
        ),
        "a cart that comes again has its own content": Promise(
            act="cart(30), cart(60), basket.children.length", expected=2
        ),
        "text is text": Promise(
            act=f"cart(30, {HOSTILE_CURRENCY}), "
            "[text(basket), basket.querySelectorAll('img').length, basket.querySelectorAll('[aria-label]').length]",
            expected=[MISSING.format(" ".join(f"{HOSTILE}45.00".split())), 0, 1],
        ),
        "text never spells a placeholder in HTML": Promise(
            act=f"cart(30, {HOSTILE_CURRENCY}), written.includes('{{{{' + 'svc_')", expected=False
        ),
        "a page that requires trusted types": Promise(
            act="fire(), cart(30), update(variant(70)), [text(box).includes('€30.00'), full(), logged.length]",
            expected=[True, "40%", 0],
            policy=TRUSTED,
        ),
        "a page without the service": Promise(before="delete self.svcPlugins", act="logged", expected=[]),
        "no name is left on the window": Promise(act="fire(), cart(30), named()", expected=[]),
    }
)

LANGUAGES: Mapping[str, Promise] = MappingProxyType(
    {
        "texts, plurals and dates in the page's language": Promise(
            act="fire(box, { ...PARAMS, page: { language: 'de' } }), cart(30, EURO, { language: 'en' }), "
            "[text(box).includes('Sie sparen €20.00'), text(box).includes('Do., 5. März'), text(basket)]",
            expected=[True, True, "Add €45.00 more and shipping is free."],
        ),
        "the placeholder's language where the page names none": Promise(
            act="fire(box, { item: PARAMS.item }), text(box).includes('Lieferung Do., 5. März')",
            expected=True,
            language="de",
        ),
        "the app's first language where neither is one of its own": Promise(
            act="cart(30, EURO, { language: 'fr' }), text(basket)", expected=MISSING.format("€45.00")
        ),
    }
)
"""The promises that only a snippet for all languages keeps."""

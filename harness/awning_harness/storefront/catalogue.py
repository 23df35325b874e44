"""The eight products of the simulated store. Each represents a special case.

The ids of variants begin with the product's number: product 1 has the variants 101 to 106. Prices are in euro cents and
include VAT.
"""

from dataclasses import replace

from awning_harness.storefront.records import Dimension, OptionRecord, ProductRecord, VariantRecord

_BRAND = "Rīgas Lins"

_CLOTHING = {"lv": "Apģērbs", "en": "Clothing", "de": "Kleidung"}
_TOPS = {"lv": "T-krekli", "en": "T-shirts", "de": "T-Shirts"}
_HOME = {"lv": "Mājai", "en": "Home", "de": "Wohnen"}
_KITCHEN = {"lv": "Virtuve", "en": "Kitchen", "de": "Küche"}
_FURNITURE = {"lv": "Mēbeles", "en": "Furniture", "de": "Möbel"}
_GIFTS = {"lv": "Dāvanas", "en": "Gifts", "de": "Geschenke"}
_PANTRY = {"lv": "Pieliekamais", "en": "Pantry", "de": "Vorrat"}

_SIZE = Dimension(
    title={"lv": "Izmērs", "en": "Size", "de": "Größe"},
    options=tuple(OptionRecord(title={"en": size}) for size in ("S", "M", "L")),
)
_COLOUR = Dimension(
    title={"lv": "Krāsa", "en": "Colour", "de": "Farbe"},
    options=(
        OptionRecord(title={"lv": "Sarkana", "en": "Red", "de": "Rot"}, swatch="#a8443a"),
        OptionRecord(title={"lv": "Zila", "en": "Blue", "de": "Blau"}, swatch="#3f5f7f"),
    ),
)
_PACK = Dimension(
    title={"lv": "Iepakojums", "en": "Pack", "de": "Packung"},
    options=tuple(OptionRecord(title={"en": pack}) for pack in ("100 g", "1 kg", "5 kg")),
)
_COFFEE_POOL = 12

SHIRT = ProductRecord(
    key="P1",
    id="1",
    title={"lv": "Lina T-krekls", "en": "Linen T-shirt", "de": "Leinen-T-Shirt"},
    blurb={
        "lv": "Mīksts, mazgāts lins, austs un šūts Rīgā. Ar katru mazgāšanu kļūst tikai labāks.",
        "en": "Soft washed linen, woven and sewn in Riga. It only gets better with every wash.",
        "de": "Weiches, gewaschenes Leinen, in Riga gewebt und genäht. Mit jeder Wäsche wird es schöner.",
    },
    category=(_CLOTHING, _TOPS),
    drawing="shirt",
    sku="LT-100",
    brand=_BRAND,
    price=2100,
    weight=180,
    dimensions=(_SIZE, _COLOUR),
    variants=(
        VariantRecord(id="101", options=(0, 0), price=1990, stock=4, sku="LT-100-S-R"),
        VariantRecord(id="102", options=(0, 1), price=1990, stock=0, sku="LT-100-S-B"),
        VariantRecord(id="103", options=(1, 0), price=1990, stock=7, sku="LT-100-M-R"),
        VariantRecord(id="104", options=(1, 1), price=1890, before=2290, stock=2, sku="LT-100-M-B"),
        VariantRecord(id="105", options=(2, 0), price=2290, stock=None, weight=210, sku="LT-100-L-R"),
        VariantRecord(id="106", options=(2, 1), price=2290, stock=1, sku="LT-100-L-B"),
    ),
)

MUG = ProductRecord(
    key="P2",
    id="2",
    title={"lv": 'Keramikas krūze "Rīga"', "en": 'Ceramic Mug "Rīga"', "de": 'Keramiktasse "Rīga"'},
    blurb={
        "lv": "Ar rokām virpota, glazēta klusā jūras zilumā. Ietilpst tieši tik, cik vajag no rīta.",
        "en": "Thrown by hand and glazed in a quiet sea blue. Holds exactly as much as a morning needs.",
        "de": "Von Hand gedreht, in stillem Meerblau glasiert. Fasst genau so viel, wie ein Morgen braucht.",
    },
    category=(_HOME, _KITCHEN),
    drawing="mug",
    sku="MUG-RIX",
    brand="Māls & Uguns",
    price=2400,
    before=3200,
    weight=350,
    stock=3,
)

GIFT_CARD = ProductRecord(
    key="P3",
    id="3",
    title={"lv": "Dāvanu karte", "en": "Gift card", "de": "Geschenkkarte"},
    blurb={
        "lv": "Kad nezināt izmēru. Nosūtām e-pastā, derīga gadu.",
        "en": "For when you do not know the size. Sent by e-mail, valid for a year.",
        "de": "Wenn Sie die Größe nicht kennen. Kommt per E-Mail und gilt ein Jahr.",
    },
    category=(_GIFTS,),
    drawing="card",
    price=5000,
)

TABLE = ProductRecord(
    key="P4",
    id="4",
    title={"lv": "Ozolkoka galds", "en": "Oak table", "de": "Eichentisch"},
    blurb={
        "lv": "Masīvs Kurzemes ozols, eļļots. Katru galdu galdnieks būvē divas nedēļas.",
        "en": "Solid oak from Courland, oiled. The joiner builds each table for two weeks.",
        "de": "Massive Eiche aus Kurland, geölt. An jedem Tisch baut der Tischler zwei Wochen.",
    },
    category=(_HOME, _FURNITURE),
    drawing="table",
    sku="OAK-220",
    brand="Galdnieks Ozols",
    price=423565,
    weight=28500,
    stock=0,
)

COFFEE = ProductRecord(
    key="P5",
    id="5",
    title={"lv": "Kafijas pupiņas", "en": "Coffee beans", "de": "Kaffeebohnen"},
    blurb={
        "lv": "Lēni grauzdētas Andrejsalā: rieksti, tumšā šokolāde, mazliet jāņogu.",
        "en": "Slowly roasted in Andrejsala: nuts, dark chocolate, a little redcurrant.",
        "de": "Langsam geröstet in Andrejsala: Nüsse, dunkle Schokolade, etwas Johannisbeere.",
    },
    category=(_PANTRY,),
    drawing="coffee",
    sku="CF-ANDR",
    brand="Andrejsala",
    price=846,
    weight=100,
    stock=_COFFEE_POOL,
    dimensions=(_PACK,),
    variants=(
        VariantRecord(id="501", options=(0,), price=940, stock=_COFFEE_POOL, weight=100, sku="CF-ANDR-100"),
        VariantRecord(id="502", options=(1,), price=2990, stock=_COFFEE_POOL, weight=1000, sku="CF-ANDR-1K"),
        VariantRecord(id="503", options=(2,), price=11900, stock=_COFFEE_POOL, weight=5000, sku="CF-ANDR-5K"),
    ),
)

_HOSTILE = '</script><b>"O\'Hara" & Söhne'

HOSTILE = ProductRecord(
    key="P6",
    id="6",
    title={"lv": _HOSTILE, "en": _HOSTILE},
    blurb={
        "lv": "Dvielis ar neparastu vārdu. Pārbauda, vai viss tiek droši izvadīts.",
        "en": "A tea towel with an unusual name. It shows whether everything is escaped.",
        "de": "Ein Geschirrtuch mit ungewöhnlichem Namen. Es zeigt, ob alles maskiert wird.",
    },
    category=(_HOME, _KITCHEN),
    drawing="towel",
    sku="ESC-<6>",
    brand="O'Hara & Söhne",
    price=1250,
    weight=90,
    stock=25,
)

ON_REQUEST = ProductRecord(
    key="P7",
    id="7",
    title={"lv": "Aizkari pēc mēra", "en": "Made-to-measure curtains", "de": "Vorhänge nach Maß"},
    blurb={
        "lv": "Atbrauksim, izmērīsim un uzšūsim. Cena atkarīga no jūsu logiem.",
        "en": "We come, measure and sew. The price depends on your windows.",
        "de": "Wir kommen, messen und nähen. Der Preis hängt von Ihren Fenstern ab.",
    },
    category=(_HOME,),
    drawing="curtains",
    sku="CUR-M",
    brand=_BRAND,
    price=0,
    priced=False,
)

SOLD_OUT_SHIRT = replace(
    SHIRT,
    key="P8",
    id="8",
    title={
        "lv": "Lina T-krekls, vasaras sērija",
        "en": "Linen T-shirt, summer run",
        "de": "Leinen-T-Shirt, Sommerserie",
    },
    sku="LT-800",
    stock=0,
    variants=tuple(
        replace(v, id=v.id.replace("10", "80", 1), stock=0, sku=v.sku.replace("LT-100", "LT-800"))
        for v in SHIRT.variants
    ),
)

PRODUCTS = (SHIRT, MUG, GIFT_CARD, TABLE, COFFEE, HOSTILE, ON_REQUEST, SOLD_OUT_SHIRT)


def find_product(name: str) -> ProductRecord | None:
    """Return the product with this id (`1`) or key (`P1`); None when there is none."""
    return next((p for p in PRODUCTS if name in (p.id, p.key)), None)

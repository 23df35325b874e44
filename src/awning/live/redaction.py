"""The rules of redaction: what may remain of an event that is captured. Everything else is removed.

It is a list of what is allowed, not of what is forbidden. The row of a field in `awning.contract.payloads` names a kind
(`PayloadField.keeps`), and KINDS says what may remain of its value: a text of a list, a number within limits, a number
in the place of an id. The name of a field remains if it is made of a program's words. `jsrc/recorder/redaction.ts`
applies the rules, in the page itself: in the console line, in a recording, in its second pass.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from awning.contract import Dialect
from awning.contract.payloads import PARAMETERS, RECORDS, UPDATES, PayloadField
from awning.contract.slots import SLOTS, event_names
from awning.live.captures import UPDATED_ITEM


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """A text of the list remains."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number from `-most` to `most` remains, rounded to one of `parts` parts of 1."""

    most: int
    parts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """An id becomes a number from `first`: the same id always the same number, and different ids different ones."""

    first: int


Kind = Texts | Number | Identity

_CURRENCIES = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF "
    "CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG "
    "HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA "
    "MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD "
    "RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD "
    "UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG"
)
"""ISO 4217."""
_SYMBOLS = (
    "$ £ ¥ ฿ ₡ ₦ ₩ ₪ ₫ € ₭ ₮ ₱ ₲ ₴ ₸ ₹ ₺ ₼ ₽ ₾ kr kr. zł Kč Ft lei лв лв. ден. дин. Fr. R$ A$ C$ S$ NT$ S/"
)
_LANGUAGES = (
    "aa ab af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo "
    "es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka "
    "kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng "
    "nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su "
    "sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
    "de-AT de-CH de-DE en-AU en-CA en-GB en-IE en-US es-AR es-ES es-MX fr-BE fr-CA fr-CH fr-FR it-CH nl-BE nl-NL "
    "pt-BR pt-PT sr-Cyrl sr-Latn zh-CN zh-HK zh-Hans zh-Hant zh-TW"
)
"""ISO 639-1, and usual regions and scripts. The service may also join them by `_`."""
_PAGES = "account article blog cart catalog category checkout contact gallery home news order page product search shop"
_MOST_AMOUNT = 999_999

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "product": Identity(first=9001),
        "variant": Identity(first=900001),
        "amount": Number(most=_MOST_AMOUNT, parts=100),
        "weight": Number(most=_MOST_AMOUNT),
        "count": Number(most=9999),
        "decimals": Number(most=4),
        "currency": Texts(values=tuple(_CURRENCIES.split())),
        "symbol": Texts(values=(*_SYMBOLS.split(), *_CURRENCIES.split())),
        "position": Texts(values=("before", "after")),
        "separator": Texts(values=(".", ",", " ", "'", "\u2019", "\u00a0", "\u202f")),
        "language": Texts(values=(*_LANGUAGES.split(), *_LANGUAGES.replace("-", "_").split()[-27:])),
        "page": Texts(values=tuple(_PAGES.split())),
    }
)
"""What may remain of a field, by `PayloadField.keeps`. The ids are above those of the simulated shop."""

_MORE_WORDS = (
    "account add address ajax amount api attribute availability available barcode base billing bonus brutto bundle "
    "button buyer catalog checkout city class client color colour comment company contact container content cost "
    "count country coupon created customer data date days default delivery deposit description detail details "
    "digital discounted discounts district email ean end fax fee field file first flag footer format free full gift "
    "gross group gtin guest has header height hidden image images in incl include is key kind label last length "
    "level line link list loyalty manufacturer max maximum message method min minimum mobile model module mpn net "
    "netto no note notes number of old on order parent payment person phone photo pickup placeholder points postal "
    "postcode preorder priced product products promo promotion properties property qty rate rating recalculate "
    "reduced reference refresh region remove regular row sale section seo session short side size slot slug special "
    "start state status street subtotal sum summary surname tag tags tax text thumbnail time token tokens top type "
    "undiscounted unit units update updated url user value vat vendor version volume warehouse widget width wrap "
    "wrapper year zip event"
)
"""Words of a program's names, beyond those in the names of the fields that are known."""


def _words() -> tuple[str, ...]:
    groups = (PARAMETERS.values(), *RECORDS.values(), *UPDATES.values())
    fields = [field for group in groups for field in group]
    parts = (part.lower() for field in fields for part in re.findall(r"[A-Z]?[a-z]+", field.name))
    once = {*parts, *_MORE_WORDS.split(), "name", *(value for f in fields for value in f.one_of)}
    return tuple(sorted(once, key=lambda word: (-len(word), word)))


WORDS = rf"^(?:[_-]?(?:{'|'.join(_words())}))+\d?$"
"""Matches a name that a program gave a field or a class. Another name may be a person's, an address or a token."""


def redaction_rules(dialect: Dialect) -> str:
    """Return the rules as `jsrc/recorder/redaction.ts` takes them, in JSON."""
    updates = [slot.payload.update_fields for slot in SLOTS.values() if slot.updates]
    fields: dict[str, Any] = {"event": "event"} | _rules_of(PARAMETERS.values())
    fields[UPDATED_ITEM] = {name: rule for each in updates for name, rule in _rules_of(each).items()}
    kinds = {"event": Texts(values=tuple(event_names(dialect))), **KINDS}
    rules = {
        "kinds": {
            name: {"values": "|".join(kind.values)} if isinstance(kind, Texts) else asdict(kind)
            for name, kind in kinds.items()
        },
        "words": WORDS,
        "fields": fields,
    }
    return json.dumps(rules, separators=(",", ":"), ensure_ascii=False)


def _rules_of(fields: Iterable[PayloadField]) -> dict[str, Any]:
    """Return the rule of each field of which something may remain: a kind, or the rules of its record's fields."""
    return {
        field.name: _rules_of(UPDATES.get(field.record) or RECORDS[field.record])
        if field.record
        else field.keeps
        for field in fields
        if field.record or field.keeps
    }

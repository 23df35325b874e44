"""Texts with a special meaning in HTML, URLs, styles, scripts, templates or the service.

The tests of the escapers use the same texts.
"""

import json
from functools import cache
from itertools import product
from pathlib import Path

PLANTING = [
    '"><x-planted planted onclick=pwn()>x</x-planted>',
    "'><x-planted planted>x</x-planted>",
    "</style></script></title></textarea><x-planted>x</x-planted>",
    '" planted="1" onmouseover="pwn()',
    "' planted='1' onfocus='pwn()' autofocus='",
    "x planted=1 onload=pwn()",
    "javascript:pwn()//",
    "<img src=x onerror=pwn()><svg onload=pwn()>",
    "<script>pwn()</script><x-planted>",
    "&lt;x-planted planted&gt;",
]
"""Texts that add an element `x-planted` or an attribute `planted`, or call `pwn`, where they are inserted unprotected.

The last one does so only if it is decoded and parsed again.
"""

LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunternehmen"[:60]
SHARE = 24
"""About how many texts a run without `--matrix full` tries in addition to PLANTING."""


@cache
def all_hostile_texts() -> tuple[str, ...]:
    """Return more than 500 hostile texts, each once."""
    table = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    texts = list(table["singly"])
    texts += [tag.replace("{run}", run) for run, tag in product(table["script"], table["runs the script"])]
    texts += [end + rest for end, rest in product(table["end"], table["after an end"])]
    texts += [f"{scheme}{colon}pwn()" for scheme, colon in product(table["scheme"], table["colon"])]
    texts += [
        text.replace("{fetch}", fetch) for fetch, text in product(table["fetch"], table["around a fetch"])
    ]
    texts += [text * times for text, times in table["repeated"]]
    texts += [chr(code) for code in range(0x80)]
    return tuple(dict.fromkeys(texts))


def hostile_texts(*, is_thorough: bool) -> list[str]:
    """Return PLANTING and the other hostile texts. Unless `is_thorough`, only every nth of the others is returned."""
    others = all_hostile_texts()
    step = 1 if is_thorough else max(1, len(others) // SHARE)
    return [*PLANTING, *others[::step]]

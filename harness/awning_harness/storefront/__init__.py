"""The simulated storefront: a small shop whose pages contain an app's snippets and fire the events.

cart.py     money.py                             carts and prices of the store (awning.workspace.store)
product_payload.py  payloads.py                  payloads, derived from the store in a page's language
options.py  assumptions.py  scenarios.py         the options in a page's address
page.py     views.py  app.py                     the pages, over HTTP
assets.py   scripts.py                           style sheets; JavaScript (`jsrc/storefront`, `jsrc/emulator`)
snippet_source.py                                the interface to the simulated service; snippets of another dialect
themes.py   origins.py                           looks of the shop; a separate origin for each test
json_values.py                                   JSON inside a `<script>`
"""

from awning_harness.storefront.app import storefront_app
from awning_harness.storefront.snippet_source import (
    FixedSnippets,
    FixedSource,
    FixedWebsite,
    PageSnippets,
    SnippetSource,
    Website,
)

__all__ = [
    "FixedSnippets",
    "FixedSource",
    "FixedWebsite",
    "PageSnippets",
    "SnippetSource",
    "Website",
    "storefront_app",
]

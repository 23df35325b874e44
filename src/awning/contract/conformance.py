"""The names of the checks that every widget gets, which `[checks]` of a `widget.toml` may switch off.

The checks themselves are in the harness, and a test compares the two. The names belong to the simulation, not to the
service.
"""

WIDGET_CHECKS = (
    "shows-its-state",
    "keeps-to-its-place",
    "is-as-wide-as-its-place-on-a-phone",
    "has-room-for-longer-texts",
    "keeps-its-declarations",
    "survives-app-data-that-is-not-its-own",
    "looks-as-before",
    "is-accessible",
    "update-order",
    "updates-shown",
    "repeated-events",
    "late-events",
    "early-updates",
    "missing-events",
    "answer-order",
    "failing-hosts",
    "hostile-answers",
    "other-apps",
    "page-intact",
    "hostile-texts",
    "odd-payloads",
    "raw-values",
    "currency",
    "language",
    "hostile-app-data",
    "blocked-storage",
    "every-shop",
    "keyboard",
    "focus",
    "layout-shift",
    "long-tasks",
    "weight",
    "growth",
)
"""The names of the checks, in the order of the table that ends a test run."""

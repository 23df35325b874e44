"""The names of the simulated shop's themes and policies, which the states of a widget may use.

The shop itself is in the harness, and a test compares its themes with these. The service has no such names.
"""

SHOP_THEMES = ("plain", "reset", "tiny", "rtl", "dark", "narrow", "crowded")
"""The looks of the simulated shop."""

SHOP_POLICIES = ("nonce", "trusted-types")
"""The Content Security Policies that a page of the simulated shop can have."""

"""awning builds, simulates, tests and publishes storefront widgets.

The rooms and the arrows between them are drawn in docs/architecture.md.
"""

__version__ = "0.1.0"

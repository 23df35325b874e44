"""awning builds, simulates, tests and publishes storefront widgets.

docs/architecture.md describes the packages, and which package may import which.
"""

__version__ = "0.1.0"

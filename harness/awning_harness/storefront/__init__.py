"""The simulated storefront: a small shop whose pages carry an app's snippets and fire the five events."""

"""The simulated world a widget is tried in: service, storefront, dev server, browser tests."""

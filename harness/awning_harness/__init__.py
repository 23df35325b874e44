"""The simulated environment for trying and testing widgets: service, storefront, dev server, browser tests."""

"""The simulated world in which widgets are tried: service, storefront, dev server, browser tests."""

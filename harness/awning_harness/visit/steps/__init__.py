"""The steps of a shopper, as states.toml and tests name them."""

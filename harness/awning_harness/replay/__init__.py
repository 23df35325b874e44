"""The visit of a failed test, played once more on a fresh page and recorded after each step."""

"""Whether a widget can be used by everybody: axe-core's rules on each state, and contrast in each theme."""

"""Tests the accessibility of widgets: axe-core's rules on each state, and the contrast in each theme but `crowded`."""

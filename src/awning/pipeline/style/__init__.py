"""A widget's style, restricted to the widget.

css         a text as parts and rules
scope       the same rules inside `.aw-1a2b3c { ... }`
keyframes   the names of key frames, and where they are used
outside_uses  the same names in templates and scripts
order       declarations after nested rules
shadow      the rules for a shadow root, and the rules that must be outside of it
properties  names of properties that no browser knows
selectors   selectors that name an element outside of the widget
sheet_findings  what is not closed, and style sheets of other hosts, in styles and templates
"""

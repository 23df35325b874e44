"""Brings in a snippet that was written by hand: its scripts, styles and markup become the files of a raw widget.

page      an HTML file -> its parts, in order
script    one script as the file of a widget: placeholders, names that other scripts use, `this`
widget    the parts -> files, and what the author should know
"""

from awning.handwritten.widget import Brought, bring_in

__all__ = ["Brought", "bring_in"]

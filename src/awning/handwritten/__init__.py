"""Converts a snippet that was written by hand to the files of a raw widget.

page      splits the HTML file into parts, in order
script    converts one script to a module: placeholders, names that other scripts use, `this`
widget    puts the parts into files, and collects remarks for the author
"""

from awning.handwritten.widget import ConvertedWidget, bring_in

__all__ = ["ConvertedWidget", "bring_in"]

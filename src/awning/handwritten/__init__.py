"""Converts a snippet that was written by hand to the files of a raw widget.

page      splits the HTML file into parts, in order
script    converts one script to a module (placeholders, names that other scripts use, `this`)
widget    puts the parts into files, and collects remarks for the author
"""

from awning.handwritten.page import read_snippet
from awning.handwritten.widget import ConvertedWidget, convert_snippet

__all__ = ["ConvertedWidget", "convert_snippet", "read_snippet"]

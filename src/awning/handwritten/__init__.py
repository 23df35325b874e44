"""Converts a hand-written snippet to a widget that, like the snippet, subscribes to the service's events itself.

page        splits the HTML file into parts
script      converts one script to a module (placeholders, names that other scripts use, `this`)
addresses   the addresses that a browser requests for markup and styles
conversion  the state of one conversion: parts, files, remarks
toml_files  writes widget.toml and states.toml
widget      puts the other parts into files, and collects remarks for the author
"""

from awning.handwritten.page import read_snippet
from awning.handwritten.widget import ConvertedWidget, convert_snippet

__all__ = ["ConvertedWidget", "convert_snippet", "read_snippet"]

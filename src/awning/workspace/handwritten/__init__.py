"""Brings a hand-written snippet into a workspace as a verbatim widget: snippets hold its HTML as it is.

snippet     reads the file
widget      the files of the widget, and remarks for the author
split       parts of the HTML in files of their own
"""

from awning.workspace.handwritten.snippet import HandwrittenSnippet, read_snippet
from awning.workspace.handwritten.split import split
from awning.workspace.handwritten.widget import BroughtWidget, bring_in

__all__ = ["BroughtWidget", "HandwrittenSnippet", "bring_in", "read_snippet", "split"]

"""Brings a hand-written snippet into a workspace as a verbatim widget: snippets hold its HTML as it is.

snippet     reads the file
widget      the files of the widget, and remarks for the author
split       parts of the HTML in files of their own
"""

"""Brings a hand-written snippet into a workspace as a verbatim widget: snippets hold its HTML as it is.

widget      reads the file, and makes the files of the widget, with remarks for the author
split       parts of the HTML in files of their own
"""

"""Composes head and body HTML from bundled style and script, and measures its size.

compose        the HTML, with the service's placeholders; code in it cannot close its own <script> or <style>
placeholders   finds placeholders that must not be in a snippet
inline         the hashes of inline scripts and styles for a Content Security Policy
weigh          bytes, raw and gzip, compared with the budget
"""

"""Compares what two versions of a snippet do on the pages of the simulated shop.

recording    opens a page in Chromium, and records what a visitor and a script can notice
differences  the values that differ between two recordings, and the first of them in words
comparer     serves both versions, for `awning add widget --split`
"""

"""Compares what two versions of a snippet do on the pages of the simulated shop.

recording    opens a page in Chromium, and records what a visitor and a script can notice
comparer     serves both versions and says what differs first, for `awning add widget --split`
"""

"""The gallery of the states of widgets, on the dev server and as files.

index.py             the page with all states, and what of them it shows
state_page.py        the page of one state
writing.py  command.py           `awning gallery`: the files
"""

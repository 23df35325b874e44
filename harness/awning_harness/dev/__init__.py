"""The dev server: the simulated service and storefront in one process, with the workspace's app installed.

command.py   server.py          `awning dev`: options, sockets, signals, the watching thread
session.py   source.py          the app on its website, what the last build did, who is told
stream.py    messages.py        what open pages are told, over server-sent events
app.py       overview.py        routes; the index page
gallery.py   stage.py           every state of every widget, in every language
fields.py                       the app data's fields, for the inspector's form
"""

"""The dev server: the simulated service and storefront in one process, with the workspace's app installed.

command.py  server.py      `awning dev`: options, listener, signals, the watching thread
dev_session.py             the app on its website, the last good build, the current problems
stream.py  messages.py     the messages to open pages, over server-sent events
app.py  overview.py        routes; the index page
gallery.py                 every state of every widget, in every language
fields.py                  the app data's fields, for the inspector's form
page_errors.py             errors of widgets that pages report
"""

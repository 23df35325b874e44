"""The dev server: the simulated service and storefront in one process, with the workspace's app installed.

command.py                 `awning dev`: options, signals, the watching thread
address.py                 the address and the port; the host names
dev_session.py             the app on its website, the last good build, the current problems
stream.py  page_messages.py the messages to open pages, over server-sent events
turn_report.py             what the terminal shows after each build
app.py  overview.py        routes; the index page
gallery.py                 the gallery's addresses, and the header of a state's page
fields.py                  the app data's fields, for the inspector's form
inspector_calls.py         what the inspector asks
page_errors.py             errors of widgets that pages report
"""

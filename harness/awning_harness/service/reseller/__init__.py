"""The simulated Reseller API: an interface of its own, with other credentials and real money behind it.

    api         ASGI: finds the call, authenticates, answers in this API's envelope (or JSONP), logs
    routes      paths to operations; parameters: query and form bodies
    operations  the calls, one file per family
    credits     AI credit rules 1 to 6, as functions of plain values
    changes     plans and states of websites, with what follows
    billing     months, costs, the balance
    accounts, sites, domains, tables   what is remembered
    resellers   what control calls, the portal and tests do

Nothing of the client that it answers is imported.
"""

"""The simulated Reseller API: a separate API, with its own credentials and real money behind it.

    api         ASGI: finds the operation, authenticates, responds in this API's envelope (or JSONP), logs
    requests    from a path to a call, from query and body to parameters
    operations  the calls, a function each
    credits     AI credit rules 1 to 6, as functions of plain values
    changes     plans and states of websites, with the consequences of a change
    billing     months, costs, the balance
    accounts, sites, domains   queries of the tables in `store/schema.py`
    resellers   what control calls, the portal and tests change

It imports nothing of the client.
"""

"""The simulated Reseller API, a separate API with its own credentials. On the real service, its calls spend money.

    api         the ASGI application: finds the call by its path, reads its parameters, authenticates, runs the
                operation, responds in this API's envelope (or JSONP)
    envelope    the bodies of the responses; dates and amounts as the API writes them
    operations  a function for each call
    transaction the database, the time and the assumptions of a call
    credits     the AI credit rules 1 to 6, as functions of plain values
    changes     plans and states of websites, with the consequences of a change
    billing     months, costs, the balance
    accounts, sites, domains   queries of the tables in `store/database.py`
    resellers   creates and changes resellers, for control calls, the portal and tests

The package imports nothing of `awning.client`.
"""

"""The Reseller API. Its base URL and authentication differ from the Apps API's, and its calls can cost money.

    actions                all actions of a reseller; an effect is read back when its result is unclear
    operations             each call described once, as a value
    resources              websites, domains, settings and balance as typed values
    authorization          the token: obtained, renewed, never shown
    client, async_client   run actions
    selection              the websites that meet a condition, sorted
    usage                  the AI usage of websites, limits that websites reach soon, and credits that expire soon

    with reseller_client("https://reseller.example", "me@example.com", password) as client:
        for website in client.run(actions.websites()):
            ...
        client.run(actions.add_credits(12, 500))

The asynchronous client is not imported here, because aiohttp takes a fifth of a second to import.
"""

from awning.client.reseller import actions
from awning.client.reseller.actions import Action
from awning.client.reseller.authorization import ResellerSession
from awning.client.reseller.client import ResellerClient, reseller_access, reseller_client
from awning.client.reseller.resources import Balance, Domain, Money, Settings, Website

__all__ = [
    "Action",
    "Balance",
    "Domain",
    "Money",
    "ResellerClient",
    "ResellerSession",
    "Settings",
    "Website",
    "actions",
    "reseller_access",
    "reseller_client",
]

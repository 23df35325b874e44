"""The Reseller API as its client sees it: another base address, another authentication, real money.

money       an amount in a currency
records     websites, domains, settings, balance as typed values
operations  each call described once, as a value
act         one call: sent once, read back after an unclear result
acts        the calls for users, validated before they are sent
session     the token: obtained, renewed, never shown
client      both drivers

with reseller_client("https://reseller.example", "me@example.com", password) as client:
for website in client.run(acts.websites()):
...
client.run(acts.add_credits(12, 500))
"""

from awning.client.reseller import acts
from awning.client.reseller.act import Act
from awning.client.reseller.client import ResellerClient, reseller_access, reseller_client
from awning.client.reseller.money import Money
from awning.client.reseller.records import Balance, Domain, Settings, Website
from awning.client.reseller.session import Session

__all__ = [
    "Act",
    "Balance",
    "Domain",
    "Money",
    "ResellerClient",
    "Session",
    "Settings",
    "Website",
    "acts",
    "reseller_access",
    "reseller_client",
]

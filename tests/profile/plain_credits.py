"""A second, plain implementation of the AI credit rules, with which the simulator is compared.

It follows only the specification's six rules, and uses no class, function or constant of the simulator. Times are in
UTC; a month is (year, month) in a time zone `hours_east` of UTC. A price is in hundredths of a cent per credit. A
month's cost is in whole cents, with half a cent rounded up.
"""

from datetime import datetime, timedelta

CREDITS_OF = {"free": 100, "premium": 1000, "premiumplus": 2500, "premiumpro": 5000}


class PlainSite:
    def __init__(self, limit):
        self.plan = "free"
        self.limit = limit
        self.extra = 0
        self.valid_until = None
        self.used = {}  # month -> [used monthly credits, used extra credits]

    def extra_left(self, now):
        if self.valid_until is None or now >= self.valid_until:
            return 0
        return self.extra


class PlainReseller:
    def __init__(self, now: datetime, *, sites, free_of_charge, fee_paid, price=100, hours_east=0):
        self.now = now
        self.price = price
        self.hours_east = hours_east
        self.free_of_charge = free_of_charge
        self.fee_paid = fee_paid
        self.default_limit = CREDITS_OF["free"]
        self.to_pay = {}  # month -> hundredths of a cent
        self.sites = []
        for _ in range(sites):
            self.new_site()

    def month(self):
        there = self.there(self.now)
        return (there.year, there.month)

    def there(self, instant: datetime):
        return instant + timedelta(hours=self.hours_east)

    def cents(self, hundredths):
        return (hundredths + 50) // 100

    def new_site(self):
        limit = self.default_limit
        if self.free_of_charge and limit > CREDITS_OF["free"]:
            limit = CREDITS_OF["free"]
        if not self.fee_paid:
            limit = CREDITS_OF["free"]
        self.sites.append(PlainSite(limit))

    def set_limit(self, number, amount):
        if not self.fee_paid:
            return 601, None
        if not 0 <= amount <= 1000000:
            return 507, None
        site = self.sites[number]
        if self.free_of_charge and amount > CREDITS_OF[site.plan]:
            return 509, CREDITS_OF[site.plan]
        site.limit = amount
        return None, None

    def add(self, number, amount):
        if not self.fee_paid:
            return 601, None
        if not 1 <= amount <= 1000000:
            return 507, None
        if self.free_of_charge:
            return 508, None
        site = self.sites[number]
        if site.extra_left(self.now) == 0:
            site.extra = 0
        site.extra += amount
        site.valid_until = self.now + timedelta(days=300)
        return None, None

    def subscribe(self, number, plan):
        site = self.sites[number]
        site.plan = plan
        if not self.free_of_charge or site.limit == 0:
            return
        if plan == "free":
            site.limit = min(site.limit, CREDITS_OF["free"])
        else:
            site.limit = CREDITS_OF[plan]

    def spend(self, number, amount):
        site = self.sites[number]
        month = site.used.setdefault(self.month(), [0, 0])
        for _ in range(amount):
            if month[0] < site.limit:
                month[0] += 1
            elif site.plan != "free" and site.extra_left(self.now) > 0:
                month[1] += 1
                site.extra -= 1
            else:
                break
            if not self.free_of_charge:
                self.to_pay[self.month()] = self.to_pay.get(self.month(), 0) + self.price

    def balance_cents(self):
        return sum(self.cents(cost) for month, cost in self.to_pay.items() if month < self.month())

    def cost_this_month_cents(self):
        return self.cents(self.to_pay.get(self.month(), 0))

    def used_this_month(self, site):
        return sum(site.used.get(self.month(), [0, 0]))

"""The pages of the portal that show and change resellers."""

from urllib.parse import urlencode

import pytest
from asgi_calls import ask
from bs4 import BeautifulSoup

from awning_harness.service.portal.portal import portal_application


class Answered:
    def __init__(self, answer):
        self.status = answer.status
        self.location = dict(answer.headers).get(b"location", b"").decode()
        self.page = BeautifulSoup(answer.body, "html.parser")
        self.text = self.page.get_text(" ", strip=True)


@pytest.fixture
def open_page(caller):
    def to(path, form=None, **headers):
        path, _, query = path.partition("?")
        sent = {"host": "127.0.0.1:1", **headers}
        answer = ask(
            portal_application(caller.service),
            "GET" if form is None else "POST",
            path,
            query=query,
            headers=tuple((name.encode(), value.encode()) for name, value in sent.items()),
            body=urlencode(form or {}).encode(),
        )
        return Answered(answer)

    return to


def test_resellers_are_listed_and_created(open_page, caller):
    assert "reseller@example.com" in open_page("/resellers/").text
    form = {"email": "<b>@x.example", "password": "pw", "websites": "2", "ai_pricing": "priced"}
    created = open_page("/resellers/", form)
    assert (created.status, created.location) == (303, "/resellers/2/")
    assert "<b>@x.example" in open_page(created.location).text
    assert len(caller.service.resellers.sites(2)) == 2


def test_website_changed_in_the_portal_is_changed_in_the_api(open_page, caller):
    address = f"/resellers/1/websites/{caller.sites[0]}/"
    for form in ({"plan": "premiumplus"}, {"state": "suspended"}, {"spend": "30"}):
        assert open_page(address, form).status == 303
    website = caller.website()
    assert (website["websiteIsPremiumPlus"], website["websiteStatus"], website["aiSpentThisMonth"]) == (
        True,
        4,
        30,
    )
    page = open_page("/resellers/1/")
    assert "30 of 100" in page.text
    assert "EUR 0.30 for AI so far this month" in page.text
    assert "3 websites, 1 on a paid plan" in page.text
    assert page.page.find("svg")["aria-label"]
    caller.at("2026-04-01T00:00:00")
    assert "Balance EUR 0.30" in open_page("/resellers/1/").text


def test_changes_in_the_portal_follow_the_rules_of_the_api(open_page, caller):
    """A plan is billed once. Disabling a website affects its subscription as the assumption says."""
    caller.assume("premium-price", "10.00")
    caller.assume("disabled-subscription", "stopped")
    address = f"/resellers/1/websites/{caller.sites[0]}/"
    open_page(address, {"plan": "premium"})
    open_page(address, {"plan": "premium"})
    assert "Balance EUR 10.00" in open_page("/resellers/1/").text
    open_page(address, {"state": "disabled"})
    assert (caller.website()["websiteStatus"], caller.website()["websiteIsPremium"]) == (0, False)


def test_portal_changes_terms_and_adds_websites(open_page, caller):
    form = {"approved": "on", "ai_pricing": "priced", "ai_default_limit": "7"}
    assert open_page("/resellers/1/", form).status == 303
    assert not caller.service.resellers.find(1).terms.fee_paid
    open_page("/resellers/1/", {**form, "fee_paid": "on"})
    assert open_page("/resellers/1/websites/", {"more": "60"}).location == "/resellers/1/?page=2"
    page = open_page("/resellers/1/?page=2")
    assert "Page 2 of 2" in page.text
    assert "0 of 7" in page.text


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("/resellers/9/", None, 404),
        ("/resellers/9/", {"ai_pricing": "free", "ai_default_limit": "1"}, 404),
        ("/resellers/1/", {"ai_pricing": "cheap", "ai_default_limit": "1"}, 400),
        ("/resellers/1/", {"ai_pricing": "free", "ai_default_limit": "x"}, 400),
        ("/resellers/", {"email": "", "password": ""}, 400),
        ("/resellers/1/websites/1/", {"plan": "gold"}, 400),
        ("/resellers/1/websites/1/", {"state": "gone"}, 400),
        ("/resellers/1/websites/1/", {"spend": "-1"}, 400),
        ("/resellers/1/websites/999/", {"plan": "free"}, 404),
        ("/resellers/1/websites/", {"more": "many"}, 400),
    ],
)
def test_invalid_form_gets_an_error_page(open_page, path, form, status):
    answer = open_page(path, form)
    assert (answer.status, answer.page.find(class_="bad") is not None) == (status, True)


def test_form_of_another_site_is_refused(open_page, caller):
    answer = open_page("/resellers/1/websites/1/", {"plan": "premium"}, origin="https://evil.example")
    assert answer.status == 403
    assert not caller.website()["websiteIsPremium"]

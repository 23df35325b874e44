"""What the simulator assumes, what it was asked, what its APIs look like; and the style of these pages."""

from importlib.resources import files

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.asyncapi import asyncapi
from awning.contract.openapi_apps import apps_openapi
from awning.contract.openapi_reseller import reseller_openapi
from awning_harness.service.envelope import Answer, write_json
from awning_harness.service.portal.pages import Visit, page, redirect


def style(_visit: Visit) -> Answer:
    text = (files("awning_harness.service.portal") / "style.css").read_bytes()
    return Answer(body=text, content_type=b"text/css; charset=utf-8")


def show_assumptions(visit: Visit) -> Answer:
    return page(
        visit,
        "assumptions.html",
        assumptions=visit.service.assumptions.listing(),
        sets=ASSUMPTION_SETS,
        taken=visit.service.assumptions.assumption_set,
    )


def set_assumptions(visit: Visit) -> Answer:
    """One assumption (`id`, `value`) or all of them (`assumption_set`)."""
    form = visit.form()
    if "assumption_set" in form:
        visit.service.assumptions.take_set(form["assumption_set"])
        return redirect("/assumptions/")
    visit.service.assumptions.set(form.get("id", ""), form.get("value", ""))
    return redirect(f"/assumptions/#{form['id']}")


def show_requests(visit: Visit) -> Answer:
    return page(visit, "requests.html", requests=visit.service.requests()[:-201:-1])


def show_description(visit: Visit, name: str) -> Answer:
    """The Apps or the Reseller API as OpenAPI, with the address it has here."""
    addresses = visit.service.addresses
    described = (
        apps_openapi(addresses.apps_url) if name == "apps" else reseller_openapi(addresses.reseller_url)
    )
    return Answer(body=write_json(described).encode())


def show_events(_visit: Visit) -> Answer:
    """The storefront's events as AsyncAPI."""
    return Answer(body=write_json(asyncapi()).encode())

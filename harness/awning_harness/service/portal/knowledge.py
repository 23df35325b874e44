"""What the simulator assumes, and what it was asked; and the style of these pages."""

from importlib.resources import files

from awning.contract.service_assumptions import PROFILES
from awning_harness.service.envelope import Answer
from awning_harness.service.portal.pages import Visit, page, redirect


def style(_visit: Visit) -> Answer:
    text = (files("awning_harness.service.portal") / "style.css").read_bytes()
    return Answer(body=text, content_type=b"text/css; charset=utf-8")


def show_assumptions(visit: Visit) -> Answer:
    return page(
        visit,
        "assumptions.html",
        assumptions=visit.service.assumptions.listing(),
        profiles=PROFILES,
        profile=visit.service.assumptions.profile,
    )


def set_assumptions(visit: Visit) -> Answer:
    """One assumption (`id`, `value`) or all of them (`profile`)."""
    form = visit.form()
    if "profile" in form:
        visit.service.assumptions.take_profile(form["profile"])
        return redirect("/assumptions/")
    visit.service.assumptions.set(form.get("id", ""), form.get("value", ""))
    return redirect(f"/assumptions/#{form['id']}")


def show_requests(visit: Visit) -> Answer:
    return page(visit, "requests.html", requests=visit.service.requests()[:-201:-1])

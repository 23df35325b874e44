"""Websites and their catalogue of apps: install, open settings, uninstall, as a person does it."""

from dataclasses import dataclass

from awning_harness.service.envelope import Answer, Failure
from awning_harness.service.installation import Installation
from awning_harness.service.portal.pages import Visit, page, redirect
from awning_harness.service.service import DEFAULT_LANGUAGES
from awning_harness.service.store import instances
from awning_harness.service.store.apps import App
from awning_harness.service.store.instances import Instance, State
from awning_harness.service.store.websites import Website


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One app in a website's catalogue, with its instances there."""

    app: App
    instances: tuple[Instance, ...]

    @property
    def title(self) -> str:
        return self.app.title

    @property
    def target(self) -> str:
        """Where the app opens: a new tab for `blank` (Apps Integration API, app_tab_mode)."""
        return "_blank" if self.app.manifest.get("app_tab_mode") == "blank" else "_self"

    @property
    def finished(self) -> bool:
        return any(instance.state is State.INSTALLED for instance in self.instances)


def home(visit: Visit) -> Answer:
    return page(visit, "home.html")


def add_website(visit: Visit) -> Answer:
    form = visit.form()
    languages = form.get("languages", "").replace(",", " ").split()
    website = visit.service.create_website(
        languages=languages or DEFAULT_LANGUAGES, brandname=form.get("brandname", "").strip() or None
    )
    return redirect(f"/websites/{website.id}/")


def show_website(visit: Visit, website_id: int) -> Answer:
    website = _website(visit, website_id)
    with visit.service.database.reading() as db:
        installed = instances.on_website(db, website_id)
    offers = [
        Offer(app=app, instances=tuple(i for i in installed if i.app_id == app.id))
        for app in visit.service.apps()
    ]
    return page(visit, "website.html", website=website, offers=offers)


def install(visit: Visit, website_id: int, app_id: int) -> Answer:
    """Install was clicked: on to the app."""
    website = _website(visit, website_id)
    return redirect(Installation(visit.service).begin(app_id, website_id, _language(visit, website)))


def show_permissions(visit: Visit, token: str) -> Answer:
    """The app sent the browser back: the permission screen."""
    request = Installation(visit.service).requested(token)
    app = visit.service.app(request.app_id)
    told = dict(visit.request.parameters())
    complaints = _complaints(told, {"appId": str(app.id), "language": request.language}, {"hash", "callback"})
    website = _website(visit, request.website_id)
    return page(visit, "accept.html", app=app, website=website, token=token, complaints=complaints)


def decide(visit: Visit, token: str) -> Answer:
    """The user accepted, and goes on to the app with an authCode, or declined."""
    installation = Installation(visit.service)
    if "accept" in visit.form():
        return redirect(installation.accept(token))
    return redirect(f"/websites/{installation.decline(token).website_id}/")


def returned(visit: Visit, instance_id: int) -> Answer:
    """The app sent the browser back after the installation."""
    instance = _instance(visit, instance_id)
    told = dict(visit.request.parameters())
    complaints = _complaints(told, {"appId": str(instance.app_id)}, {"hash", "callback"})
    app = visit.service.app(instance.app_id)
    finished = instance.state is State.INSTALLED
    return page(visit, "returned.html", app=app, instance=instance, finished=finished, complaints=complaints)


def saved(visit: Visit, instance_id: int) -> Answer:
    """The app sent the browser back from its settings: only an installation's return link carries parameters."""
    instance = _instance(visit, instance_id)
    return page(visit, "saved.html", app=visit.service.app(instance.app_id), instance=instance)


def settings(visit: Visit, instance_id: int) -> Answer:
    instance = _instance(visit, instance_id)
    website = _website(visit, instance.website_id)
    return redirect(Installation(visit.service).settings(instance, _language(visit, website)))


def uninstall(visit: Visit, instance_id: int) -> Answer:
    instance = _instance(visit, instance_id)
    Installation(visit.service).uninstall(instance)
    return redirect(f"/websites/{instance.website_id}/")


def _complaints(told: dict[str, str], wanted: dict[str, str], unwanted: set[str]) -> list[str]:
    """What is wrong with a return link: callback plus all parameters of the request except callback and hash."""
    missing = [f"the parameter {name} is missing" for name in wanted if name not in told]
    changed = [
        f"the parameter {name} was changed" for name in wanted if told.get(name, wanted[name]) != wanted[name]
    ]
    return (
        missing
        + changed
        + [f"the parameter {name} must not come back" for name in sorted(unwanted & set(told))]
    )


def _website(visit: Visit, website_id: int) -> Website:
    website = visit.service.website(website_id)
    if website is None:
        raise Failure(404, f"there is no website {website_id}")
    return website


def _instance(visit: Visit, instance_id: int) -> Instance:
    with visit.service.database.reading() as db:
        instance = instances.find(db, instance_id)
    if instance is None or instance.state is State.UNINSTALLED:
        raise Failure(404, "the app is not installed here any more")
    return instance


def _language(visit: Visit, website: Website) -> str:
    """The user's language: one of the form, else the website's first one."""
    language = visit.form().get("language", "")
    return language if language in website.languages else website.languages[0]

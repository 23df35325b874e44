"""Websites and their catalogue of apps: pages to install an app, open its settings and uninstall it."""

from dataclasses import dataclass

from starlette.responses import Response

from awning_harness.service.envelope import Failure
from awning_harness.service.installation import Installation
from awning_harness.service.portal.pages import PortalCall, page, redirect
from awning_harness.service.service import DEFAULT_LANGUAGES
from awning_harness.service.store import instances
from awning_harness.service.store.apps import App
from awning_harness.service.store.instances import Instance, InstanceState
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
        """The link target of the app: a new tab for `blank` (Apps Integration API, app_tab_mode)."""
        return "_blank" if self.app.manifest.get("app_tab_mode") == "blank" else "_self"

    @property
    def finished(self) -> bool:
        return any(instance.state is InstanceState.INSTALLED for instance in self.instances)


def home(call: PortalCall) -> Response:
    return page(call, "home.html")


def add_website(call: PortalCall) -> Response:
    form = call.form()
    languages = form.get("languages", "").replace(",", " ").split()
    website = call.service.create_website(
        languages=languages or DEFAULT_LANGUAGES, brandname=form.get("brandname", "").strip() or None
    )
    return redirect(f"/websites/{website.id}/")


def show_website(call: PortalCall, website_id: int) -> Response:
    website = _website(call, website_id)
    with call.service.database.reading() as db:
        installed = instances.on_website(db, website_id)
    offers = [
        Offer(app=app, instances=tuple(i for i in installed if i.app_id == app.id))
        for app in call.service.apps()
    ]
    return page(call, "website.html", website=website, offers=offers)


def install(call: PortalCall, website_id: int, app_id: int) -> Response:
    """Handle a click on Install: redirect to the app."""
    website = _website(call, website_id)
    return redirect(Installation(call.service).begin(app_id, website_id, _language(call, website)))


def show_permissions(call: PortalCall, token: str) -> Response:
    """Return the permission screen, to which the app sent the browser back."""
    request = Installation(call.service).requested(token)
    app = call.service.app(request.app_id)
    complaints = _return_link_problems(call, appId=str(app.id), language=request.language)
    website = _website(call, request.website_id)
    return page(call, "accept.html", app=app, website=website, token=token, complaints=complaints)


def decide(call: PortalCall, token: str) -> Response:
    """Handle the user's decision. An accepted installation continues in the app, with an authCode."""
    installation = Installation(call.service)
    if "accept" in call.form():
        return redirect(installation.accept(token))
    return redirect(f"/websites/{installation.decline(token).website_id}/")


def returned(call: PortalCall, instance_id: int) -> Response:
    """Return the page after an installation, to which the app sent the browser back."""
    instance = _instance(call, instance_id)
    complaints = _return_link_problems(call, appId=str(instance.app_id))
    app = call.service.app(instance.app_id)
    finished = instance.state is InstanceState.INSTALLED
    return page(call, "returned.html", app=app, instance=instance, finished=finished, complaints=complaints)


def saved(call: PortalCall, instance_id: int) -> Response:
    """Return the page after the app's settings. Unlike after an installation, the return link needs no parameters."""
    instance = _instance(call, instance_id)
    return page(call, "saved.html", app=call.service.app(instance.app_id), instance=instance)


def settings(call: PortalCall, instance_id: int) -> Response:
    instance = _instance(call, instance_id)
    website = _website(call, instance.website_id)
    return redirect(Installation(call.service).settings(instance, _language(call, website)))


def uninstall(call: PortalCall, instance_id: int) -> Response:
    instance = _instance(call, instance_id)
    Installation(call.service).uninstall(instance)
    return redirect(f"/websites/{instance.website_id}/")


def _return_link_problems(call: PortalCall, **wanted: str) -> list[str]:
    """Return the problems of a return link.

    The app got all its parameters from the portal. It must return those in `wanted` with the same values, and must
    leave out `hash` and `callback`.
    """
    parameters = call.request.query_params
    return [
        *(f"the parameter {name} is missing" for name in wanted if name not in parameters),
        *(
            f"the parameter {name} was changed"
            for name, value in wanted.items()
            if parameters.get(name, value) != value
        ),
        *(
            f"the parameter {name} must not be returned"
            for name in ("callback", "hash")
            if name in parameters
        ),
    ]


def _website(call: PortalCall, website_id: int) -> Website:
    website = call.service.website(website_id)
    if website is None:
        raise Failure(404, f"there is no website {website_id}")
    return website


def _instance(call: PortalCall, instance_id: int) -> Instance:
    with call.service.database.reading() as db:
        instance = instances.find(db, instance_id)
    if instance is None or instance.state is InstanceState.UNINSTALLED:
        raise Failure(404, "the app is no longer installed here")
    return instance


def _language(call: PortalCall, website: Website) -> str:
    """Return the language in the form if the website has it, else the website's first language."""
    language = call.form().get("language", "")
    return language if language in website.languages else website.languages[0]

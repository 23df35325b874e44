"""What an app may know of the website and its owner, and (an observed extension) of itself."""

from typing import Any

from awning_harness.service.envelope import Failure
from awning_harness.service.operations.call import Call
from awning_harness.service.store import apps


def user(call: Call) -> dict[str, Any]:
    website_ = call.website()
    return {"user": {"email": website_.owner_email, "email_confirmed": website_.owner_email_confirmed}}


def website(call: Call) -> dict[str, Any]:
    website_ = call.website()
    return {"website": {"url": call.website_url(website_.id), "brandname": website_.brandname}}


def languages(call: Call) -> dict[str, Any]:
    return {"languages": list(call.website().languages)}


def app_info(call: Call) -> dict[str, Any]:
    """The manifest, without its secret; app_display_title always as a languages object (observed)."""
    app = apps.find(call.db, call.instance.app_id)
    if app is None:
        raise Failure(404, "The app does not exist")
    title = app.manifest.get("app_display_title") or app.title
    if isinstance(title, str):
        title = dict.fromkeys(call.website().languages, title)
    return {"info": {**app.manifest, "app_display_title": title}}

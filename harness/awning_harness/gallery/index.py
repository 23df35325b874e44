"""The values of the gallery's page: its choices and widgets, and the site that it belongs to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader

from awning.workspace.model import Widget
from awning_harness.gallery.view import view_choices
from awning_harness.storefront.page import template_environment

ASSETS = {"own_page.css": "awning_harness.gallery"}
"""The files of these pages besides the scripts, by name, with the package whose `assets/` have them."""

SCRIPTS = {
    "gallery": "inspector/gallery.ts",
    "state": "inspector/state.ts",
    "steps": "visit/gallery.ts",
}
"""The entry points of their scripts, below `jsrc`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What awning's own pages belong to: the dev server, or a written gallery. Addresses are as a page needs them."""

    name: str
    home: str
    nav: tuple[tuple[str, str], ...] = ()
    """The links at the top of each page, as text and address."""
    is_served: bool = False
    """Whether the dev server answers the requests of the pages, and tells them about builds."""


def gallery_environment(*packages: str) -> Environment:
    """Return the Jinja2 environment with the templates of `packages`, then of the gallery and of the shop."""
    environment = template_environment()
    loaders = (*packages, "awning_harness.gallery", "awning_harness.storefront")
    environment.loader = ChoiceLoader([PackageLoader(package) for package in loaders])
    return environment


def index_values(
    widgets: Sequence[Widget],
    languages: Sequence[str],
    *,
    page: Callable[[str, str, str], str],
    gzip: Callable[[str], int | None],
) -> dict[str, Any]:
    """Return the values of the template `gallery.html.j2`.

    `page` returns the address of the page of a widget's state in a language, and `gzip` the size of a widget.
    """
    return {
        "title": "Gallery",
        "choices": view_choices(languages),
        "languages": languages,
        "widgets": [(widget, gzip(widget.name)) for widget in widgets],
        "state_count": sum(len(widget.states) for widget in widgets),
        "holes": [widget.name for widget in widgets if not widget.states],
        "page": page,
    }

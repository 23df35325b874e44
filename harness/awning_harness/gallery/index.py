"""The values of the gallery's page: its choices and widgets, and the site that it belongs to.

What the gallery shows (the width of the pages, the theme, the language) is in the address. The page itself reads its
address (`jsrc/inspector/gallery_view.ts`), because a written gallery has no server.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader

from awning.contract.shop import THEMES
from awning.workspace.model import Widget
from awning_harness.storefront.options import BadOption, read_theme
from awning_harness.storefront.page import template_environment

WIDTHS = (390, 768, 1280)
"""The widths of the pages around the widgets, in CSS pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One choice of the gallery: its name in the address, its title, and its options as text and value.

    The first option is the default, which is not in the address.
    """

    name: str
    title: str
    options: tuple[tuple[str, str], ...]


def view_choices(languages: Sequence[str]) -> tuple[Choice, ...]:
    """Return the choices of a gallery in these languages.

    Without a theme, each state has its own; without a language, all are shown.
    """
    widths = tuple((str(width), str(width)) for width in WIDTHS)
    themes = tuple((theme.title, name) for name, theme in THEMES.items())
    return (
        Choice(name="width", title="Width", options=widths),
        Choice(name="theme", title="Theme", options=(("As stated", ""), *themes)),
        Choice(
            name="language", title="Language", options=(("All", ""), *((code, code) for code in languages))
        ),
    )


def check_view(query: Mapping[str, str], languages: Sequence[str]) -> None:
    """Raise BadOption for a value in a query that does not exist."""
    width, theme, language = (query.get(name) for name in ("width", "theme", "language"))
    if width is not None and width not in map(str, WIDTHS):
        raise BadOption(f"there is no width {width!r}; there are {', '.join(map(str, WIDTHS))}")
    if language is not None and language not in languages:
        raise BadOption(f"there is no language {language!r}; there are {', '.join(languages)}")
    if theme is not None:
        read_theme(theme)


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

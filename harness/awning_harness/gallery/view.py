"""What the gallery shows: the width of the pages, the theme, the language. All of it is in the address.

The page itself reads its address (`jsrc/inspector/gallery_view.ts`), because a written gallery has no server.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from awning.contract.shop import THEMES
from awning_harness.storefront.options import BadOption, read_theme

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

"""What the gallery shows: the width of the pages, the theme, the language. All of it is in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from awning_harness.storefront.options import BadOption, read_theme

WIDTHS = (390, 768, 1280)
"""The widths of the pages around the widgets, in CSS pixels."""

GALLERY = "/_awning/gallery"


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryView:
    """The choices of one address. Without `theme`, each state has its own theme; without `language`, all are shown."""

    width: int = WIDTHS[0]
    theme: str | None = None
    language: str | None = None

    def address(self, **changes: str | int | None) -> str:
        """Return the address of the gallery with other choices; None removes a choice."""
        chosen = {"width": self.width, "theme": self.theme, "language": self.language, **changes}
        pairs = {name: value for name, value in chosen.items() if value not in (None, WIDTHS[0])}
        return GALLERY + (f"?{urlencode(pairs)}" if pairs else "")

    def page(self, widget: str, state: str, language: str) -> str:
        """Return the address of the page of a state in the chosen theme."""
        query = f"?theme={self.theme}" if self.theme else ""
        return f"/_awning/state/{widget}/{state}/{language}{query}"


def read_gallery_view(query: Mapping[str, str], languages: Sequence[str]) -> GalleryView:
    """Return the choices in a query. Raises BadOption for a value that does not exist."""
    width, theme, language = (query.get(name) for name in ("width", "theme", "language"))
    if width is not None and width not in map(str, WIDTHS):
        raise BadOption(f"there is no width {width!r}; there are {', '.join(map(str, WIDTHS))}")
    if language is not None and language not in languages:
        raise BadOption(f"there is no language {language!r}; there are {', '.join(languages)}")
    if theme is not None:
        read_theme(theme)
    return GalleryView(width=int(width or WIDTHS[0]), theme=theme, language=language)

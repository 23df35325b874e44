"""What an attribute's value is, and what a reader of such values can do.

A value's language (URL, srcset, CSS) is read by a frozen value of its own, fed with decoded text: `javascript&colon;`
is judged as the browser sees it. Readers know nothing of tags and quotes.
"""

from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from awning.template.html.hole import Hole


class Use(Enum):
    """What a browser does with an attribute."""

    PLAIN = "plain"
    URL = "url"
    """Followed when the visitor acts, or loaded as something inert: good schemes only."""
    IMAGE = "image"
    """Loaded as a picture: also inline raster images."""
    FRAME = "frame"
    """Loaded as a document: values only after a fixed https host or on the page's own host."""
    FRAGMENT = "fragment"
    """Refers into a document whose address the author fixed: values only after "#"."""
    SRCSET = "srcset"
    STYLE = "style"
    PAINT = "paint"
    """One CSS value, as in fill and stroke."""
    ANIMATED = "animated"
    """Names the attribute that an SVG animation changes."""
    REFUSED = "refused"
    """No values; the author's own text only."""


class Value(Protocol):
    """A reader: every method returns a new one."""

    def feed(self, text: str) -> "Value":
        """Read the author's text (decoded). Raises HtmlFault where the text itself is refused."""

    def hole(self) -> "tuple[Hole, Value]":
        """A printed value stands here. Raises HtmlFault where none may."""

    def join(self, other: "Value") -> "Value | None":
        """What is known after either; None where that is too little to go on."""

    def close(self) -> None:
        """The value ends. Raises HtmlFault where it must not end here."""

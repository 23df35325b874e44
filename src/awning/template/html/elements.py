"""Names of elements that change how text is read (WHATWG HTML, 13.2.5 and 13.2.6), and names that are refused.

In names of tags and attributes, browsers ignore the case of A to Z, but not of other letters.
"""

from string import ascii_lowercase, ascii_uppercase

_FOLDED = str.maketrans(ascii_uppercase, ascii_lowercase)


def words(text: str) -> frozenset[str]:
    """Split a text at white space."""
    return frozenset(text.split())


def fold(name: str) -> str:
    return name.translate(_FOLDED)


RCDATA_ELEMENTS = frozenset({"title", "textarea"})
RAWTEXT_ELEMENTS = frozenset({"xmp", "iframe", "noembed", "noframes", "noscript"})
"""Elements whose content is raw text. noscript is one of them, because snippets only run when scripts are enabled."""

WITHOUT_FIRST_NEWLINE = frozenset({"textarea", "pre", "listing"})
"""Elements at whose beginning browsers drop a newline, also one that a value has (WHATWG HTML, 13.2.6.4.7)."""

REFUSED_ELEMENTS = {
    "plaintext": "it turns the rest of the page into text",
    "base": "it redirects every relative address of the host page",
    "frameset": "it replaces the page",
    "frame": "it belongs to a frameset",
    "applet": "no browser runs it",
}

NOT_IN_SELECT = (
    RCDATA_ELEMENTS
    | RAWTEXT_ELEMENTS
    | {"style", "script", "template", "svg", "math", "select", "input", "keygen", "table"}
)
"""Tags that are refused inside a select. Some browsers drop most of these tags there, and others do not.

So browsers differ in how they read the text after such a tag.
"""

FOREIGN_ROOTS = frozenset({"svg", "math"})

SVG_TEXT_ONLY = frozenset({"title", "desc"})
MATH_TEXT_ONLY = frozenset({"mi", "mo", "mn", "ms", "mtext", "annotation"})
TEXT_ONLY = SVG_TEXT_ONLY | MATH_TEXT_ONLY
"""Elements of svg and math that may hold only text. Most are integration points: a start tag there is HTML again."""

SVG_ELEMENTS = words(
    """
    svg a animate animatemotion animatetransform circle clippath defs desc ellipse feblend fecolormatrix
    fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow
    feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset
    fepointlight fespecularlighting fespotlight fetile feturbulence filter g image line lineargradient marker mask
    mpath path pattern polygon polyline radialgradient rect set stop switch symbol text textpath title tspan use view
    """
)
MATH_ELEMENTS = words(
    """
    math annotation maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts
    mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
    """
)
ANIMATIONS = frozenset({"animate", "animatemotion", "animatetransform", "set"})

FOREIGN_ELEMENTS = {"svg": SVG_ELEMENTS, "math": MATH_ELEMENTS}
"""The tags that are allowed inside each root. Any other tag would leave the root, or has a tokenization of its own."""

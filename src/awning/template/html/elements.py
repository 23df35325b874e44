"""The elements that change how text is read (WHATWG HTML, 13.2.5 and 13.2.6), and the attributes that take values.

In names of tags and attributes, browsers ignore the case of A to Z, but not of other letters.

The tables of attributes say how browsers use a printed value (WHATWG HTML; WAI-ARIA; SVG 2). All but `REFUSED_ALWAYS`
list what is allowed. An attribute that is in no table takes no values, so new attributes of future browsers are safe.
`data-*` and `aria-*` are always plain.
"""

from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase

from awning.template.html.html_context import AttributeUse

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


PLAIN = words(
    """
    abbr accept accept-charset accesskey align alt autocapitalize autocomplete autocorrect autofocus autoplay axis
    bgcolor border capture cellpadding cellspacing char charoff checked class clear closedby color cols colspan
    command commandfor compact content contenteditable controls controlslist coords datetime decoding default dir
    dirname disabled disablepictureinpicture disableremoteplayback download draggable elementtiming enctype
    enterkeyhint exportparts face fetchpriority for form formenctype formmethod formnovalidate formtarget frame
    headers height hidden high hreflang hspace id inert inputmode interestfor ismap itemprop itemref itemscope
    itemtype kind label lang list loading loop low max maxlength media method min minlength multiple muted name nohref
    noshade novalidate nowrap open optimum part pattern placeholder playsinline popover popovertarget
    popovertargetaction
    preload property readonly rel required rev reversed role rows rowspan rules scope selected shape size sizes slot
    span spellcheck srclang start step summary tabindex target title translate type typeof usemap valign value
    vspace webkitdirectory width wrap writingsuggestions xml:lang xml:space
    """
)
SVG_PLAIN = words(
    """
    alignment-baseline amplitude azimuth basefrequency baseline-shift bias clip-rule clippathunits
    color-interpolation color-interpolation-filters cx cy d diffuseconstant direction display divisor
    dominant-baseline dx dy edgemode elevation exponent fill-opacity fill-rule filterunits flood-opacity font-family
    font-size font-size-adjust font-stretch font-style font-variant font-weight fr fx fy gradienttransform
    gradientunits image-rendering in in2 intercept k1 k2 k3 k4 kernelmatrix lengthadjust letter-spacing
    limitingconeangle markerheight markerunits markerwidth maskcontentunits maskunits mode numoctaves offset opacity
    operator order orient overflow paint-order pathlength patterncontentunits patterntransform patternunits
    pointer-events points pointsatx pointsaty pointsatz preserveaspectratio primitiveunits r radius refx refy result
    rotate rx ry scale seed shape-rendering side slope spacing specularconstant specularexponent startoffset
    stddeviation stitchtiles stop-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
    stroke-miterlimit stroke-opacity stroke-width surfacescale tablevalues targetx targety text-anchor
    text-decoration text-rendering textlength transform transform-origin unicode-bidi vector-effect version viewbox
    visibility word-spacing writing-mode x x1 x2 xchannelselector y y1 y2 ychannelselector z
    """
)
MATH_PLAIN = words(
    """
    accent accentunder columnalign columnlines columnspacing columnspan depth displaystyle fence linethickness
    lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines
    rowspacing rspace scriptlevel separator separators stretchy symmetric voffset
    """
)
PAINT = words(
    """
    clip-path cursor fill filter flood-color lighting-color marker marker-end marker-mid marker-start mask stop-color
    stroke
    """
)
"""SVG attributes that are read as CSS, because most of them may load something: `mask="url(//host/x.svg#m)"`."""

_PLAIN = PLAIN | SVG_PLAIN | MATH_PLAIN
OWN_LANGUAGE = {"style": AttributeUse.STYLE, "srcset": AttributeUse.SRCSET} | dict.fromkeys(
    PAINT, AttributeUse.PAINT
)

URL = words("action cite formaction href icon itemid longdesc manifest ping profile src xlink:href")
IMAGE = frozenset({("img", "src"), ("input", "src"), ("image", "href"), ("image", "xlink:href")})
IMAGE_ANYWHERE = frozenset({"poster", "background"})
ADDRESSES = URL | IMAGE_ANYWHERE
FRAGMENT_ONLY = (
    words("feimage filter lineargradient mpath pattern radialgradient set textpath use") | ANIMATIONS
)
"""SVG elements whose href names an element that the browser draws, uses or animates. A click does not follow it."""

SPARING = {
    "script": "",
    "style": "",
    "link": "",
    "meta": "",
    "meta itemprop": "content",
    "object": "width height",
    "embed": "width height",
    "param": "",
    "iframe": "width height src loading style",
    "portal": "",
    "fencedframe": "",
}
"""Elements that load or run something, each with the attributes into which a template may print a value.

A template may also print into `ALWAYS_SPARED`, `data-*` and `aria-*` of such an element. A <meta> of microdata
("meta itemprop") only describes its item.
"""
ALWAYS_SPARED = frozenset({"id", "class", "title", "role", "lang", "dir", "hidden"})

REFUSED_ALWAYS = {
    "srcdoc": "it is a whole document inside an attribute",
    "is": "it decides which code runs for the element",
    "nonce": "it decides which scripts may run",
    "integrity": "it decides which scripts may run",
    "sandbox": "it decides what a frame may do",
    "allow": "it decides what a frame may do",
    "csp": "it decides what a frame may do",
    "credentialless": "it decides what a frame may do",
    "http-equiv": "it can redirect the page",
    "xmlns": "it decides how the element is parsed",
    "xml:base": "it redirects relative addresses",
    "shadowrootmode": "it decides how the element is parsed",
    "attributionsrc": "it makes the browser send requests",
    "referrerpolicy": "it decides what other sites learn",
    "crossorigin": "it decides what other sites learn",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How an attribute is used and, if it takes no values, why not."""

    use: AttributeUse
    rule: str = ""
    message: str = ""
    hint: str = ""


@lru_cache(maxsize=1024)
def classify(element: str, attribute: str, *, foreign: bool) -> Verdict:
    """Return how an attribute is used. `element` and `attribute` are in lower case.

    The first check that applies decides.
    """
    if attribute.startswith("on"):
        return Verdict(
            use=AttributeUse.REFUSED,
            rule="template-event-handler",
            message=f"a value cannot be printed into {attribute}: the browser would run it as script",
            hint='put it into data-value="{{ ... }}", and handle the event in the script: '
            f'live(render, {{ on: {{ "{attribute[2:]} .name": (event, found) => ...found.dataset.value }} }})',
        )
    if attribute in REFUSED_ALWAYS:
        return _refused(element, attribute, REFUSED_ALWAYS[attribute])
    if attribute.startswith(("data-", "aria-")):
        return Verdict(use=AttributeUse.PLAIN)
    if element in SPARING and not (attribute in ALWAYS_SPARED or attribute in SPARING[element].split()):
        if element == "meta":
            return _refused(
                element,
                attribute,
                "by its name, a <meta> decides how the page is shown and what other sites learn",
                "write itemprop before content, if the value describes an item",
            )
        return _refused(element, attribute, f"<{element}> loads or runs what this attribute names")
    return _known(element, attribute, foreign=foreign) or Verdict(
        use=AttributeUse.REFUSED,
        rule="template-unknown-attribute",
        message=f"{attribute} is not an attribute that is known to be safe for values",
        hint=f"name it data-{attribute.strip(':@') or 'value'}, or choose between fixed texts with {{% if %}}",
    )


def _known(element: str, attribute: str, *, foreign: bool) -> Verdict | None:
    if attribute in OWN_LANGUAGE:
        return Verdict(use=OWN_LANGUAGE[attribute])
    if attribute in ADDRESSES:
        return Verdict(use=_url_use(element, attribute, foreign=foreign))
    if element in ANIMATIONS and attribute == "attributename":
        return Verdict(use=AttributeUse.ANIMATED)
    if attribute in _PLAIN:
        return Verdict(use=AttributeUse.PLAIN)
    return None


def _url_use(element: str, attribute: str, *, foreign: bool) -> AttributeUse:
    if element == "iframe":
        return AttributeUse.FRAME
    if foreign and element in FRAGMENT_ONLY:
        return AttributeUse.FRAGMENT
    if attribute in IMAGE_ANYWHERE or (element, attribute) in IMAGE:
        return AttributeUse.IMAGE
    return AttributeUse.URL


def _refused(
    element: str,
    attribute: str,
    why: str,
    hint: str = "write the attribute's text yourself, or choose between fixed texts with {% if %}",
) -> Verdict:
    return Verdict(
        use=AttributeUse.REFUSED,
        rule="template-refused-attribute",
        message=f"a value cannot be printed into {attribute} of <{element}>: {why}",
        hint=hint,
    )

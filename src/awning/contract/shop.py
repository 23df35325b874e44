"""The themes and the Content Security Policies of the simulated shop, which the states of a widget may use.

The service has neither. A theme is one row: states, the pages of the shop, the gallery, the inspector, the checks and
docs/reference/service.md read it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

ROOT_PX = 16
"""The font size of the root element in browsers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One look of the shop. `shows` describes what is unusual about it.

    `style` is a style sheet after the shop's own. With another `root_px`, the root element has another font size, and
    the shop's own sheet looks as always. In a `crowded` shop, other apps are around the app under test.
    """

    name: str
    title: str
    shows: str
    style: str = ""
    root_px: int = ROOT_PX
    direction: Literal["ltr", "rtl"] = "ltr"
    crowded: bool = False


THEMES: Mapping[str, Theme] = MappingProxyType(
    {
        theme.name: theme
        for theme in (
            Theme(name="plain", title="Plain", shows="Nothing: the shop's own look."),
            Theme(
                name="reset",
                title="Reset",
                shows=(
                    "Margins, borders, list marks and bold text are removed; images are as wide as their place; "
                    "`!important` sets the font, colour and margins of paragraphs, lists, headings, links, buttons "
                    "and fields."
                ),
                style="""\
/* What real themes do to every element of a page, with and without !important. */
*,::before,::after{
  margin:0; padding:0; border:0; font:inherit; color:inherit; background:none; list-style:none;
  text-decoration:none; vertical-align:baseline;
}
body{line-height:1.9;letter-spacing:.02em;font-size:17px}
p{
  margin:0 0 18px!important; padding:0!important; border:0!important; font-size:17px!important;
  line-height:1.9!important; color:#3d3d3d!important;
}
ul,ol,li,dl,dd{margin:0!important;padding:0!important;list-style:none!important}
h1,h2,h3,h4{
  margin:0!important; font-weight:400!important; text-transform:uppercase!important;
  letter-spacing:.08em!important;
}
b,strong,em,i{font-weight:inherit;font-style:normal}
a{color:inherit!important;text-decoration:none!important}
button,input,select,textarea{
  -webkit-appearance:none!important; appearance:none!important; border-radius:0!important;
  font-family:inherit!important;
}
img,svg,video,iframe{display:block;width:100%;height:auto;max-width:100%}
table{width:100%!important;border-collapse:collapse!important}
label,legend{text-transform:uppercase;font-size:13px}
::placeholder{color:#767676!important}
/* Such a theme mends its own pages. */
.brand img{width:34px}
.line-remove svg,.basket svg{width:20px}
.line{padding:.9rem 0!important}
.sums h2,.steps h2,.ways legend,.hero h1{margin-bottom:.9rem!important}
.way{text-transform:none;font-size:15px}
.way input{appearance:auto!important;-webkit-appearance:auto!important}
.skip{color:#fff!important}
.button:not(.button-quiet){color:#fff!important}
.button:disabled{color:var(--soft)!important}
.shop-problem{margin:0!important;padding:.8rem 1.25rem!important;color:#fff!important}
s{text-decoration:line-through}
""",
            ),
            Theme(
                name="tiny",
                title="Tiny",
                shows="The root font size is 10 px, so `1rem` is 10 px. The shop looks as always.",
                root_px=10,
            ),
            Theme(name="rtl", title="Right to left", shows='The page has `dir="rtl"`.', direction="rtl"),
            Theme(
                name="dark",
                title="Dark",
                shows="Light text on a dark page.",
                style="""\
:root{
  color-scheme:dark; --paper:#161412; --card:#211e1b; --ink:#f1ece3; --soft:#b8ae9f; --line:#3b352e;
  --leaf:#9ad1b4; --leaf-dark:#bce3cd; --clay:#f2a092; --sand:#2d2924;
}
.button,.skip,.basket-count{background:var(--leaf);color:#10231a}
.button-quiet{background:none;color:var(--leaf)}
.button:disabled{color:var(--soft);background:var(--sand)}
.button-quiet:hover{background:var(--sand)}
.tag-sale,.shop-problem{background:var(--clay);color:#2c0f0a}
.bottom{background:#1c2a23}
.tile-wide{background:#4a4338}
.tile-clay{background:#57423a}
.tile-leaf{background:#3c473f}
.card a:hover .card-picture{background:#38332c}
.code-applied{background:#22332a}
.way:has(:checked){background:#22332a}
""",
            ),
            Theme(
                name="narrow",
                title="Narrow",
                shows="The page is a column of 300 px, however wide the window is.",
                style="""\
/* What is side by side in the shop is stacked. */
main.frame{width:300px}
.hero,.product,.split,.split-checkout,.fields{grid-template-columns:minmax(0,1fr)}
.hero h1{font-size:2.2rem}
.hero-picture{grid-template-rows:repeat(2,7rem)}
.cards{grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1.5rem .9rem}
.product{gap:1.5rem}
.product-picture{position:static;aspect-ratio:5/4;padding:0}
.product-picture svg{height:100%;width:100%}
.facts div{grid-template-columns:6rem minmax(0,1fr)}
.line{grid-template-columns:3.6rem minmax(0,1fr) auto;gap:.5rem .9rem}
.line .thumb{grid-row:span 2}
.line-name{grid-column:2}
.line-remove{grid-column:3;grid-row:1;justify-self:end}
.line-quantity{grid-column:2;grid-row:2}
.line-sum{grid-column:3;grid-row:2}
.lines-small .line .thumb,.lines-small .line-sum{grid-row:1}
.sums{padding:1.1rem}
.code{grid-template-columns:minmax(0,1fr)}
.way{padding:.9rem}
""",
            ),
            Theme(
                name="crowded",
                title="Crowded",
                shows=(
                    "Other apps are in the slot: one sets its content 300 ms late, one has the class names of your "
                    "`style.css` and gives them a style of its own, one throws after you."
                ),
                crowded=True,
            ),
        )
    }
)
"""The looks of the simulated shop, by name. The first is the default."""

SHOP_POLICIES = ("nonce", "trusted-types")
"""The Content Security Policies that a page of the simulated shop can have."""

"""Makes the same page with the same widgets for `awning dev` and for Vite, and functions that edit one widget."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen

SIZE = Path(__file__).parent.parent / "size"
EDITED = "saving"
"""The name of the widget that is edited. It shows the element `.mark`; the other widgets show the same without it."""

_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)
_SHEET = re.compile(r'<link\b[^>]*rel="stylesheet"[^>]*href="([^"]+)"[^>]*>')

_SLOT = """
const place = document.querySelector(".placeholder-after-price");
export const show = (name, render) => {
  let host = place.querySelector(`[data-name="${name}"]`);
  if (!host) {
    host = document.createElement("div");
    host.dataset.name = name;
    place.append(host);
  }
  host.innerHTML = `<div class="${name}">${render()}</div>`;
};
"""

_WIDGET = """
import "./style.css";
import { show } from "../../slot.js";
const t = (text, values) => text.replace(/{(\\w+)}/g, (_, key) => values[key]);
const product = { price: 24, price_undiscounted: 30, stock: 3 };
show("NAME", () => {
  const saved = product.price_undiscounted - product.price;
  return `MARK<b>${t("You save €{amount}", { amount: saved.toFixed(2) })}</b> <s>€30.00</s>`;
});
if (import.meta.hot) import.meta.hot.accept();
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """Functions that save a change of the edited widget: of its text, of its colour, or of the script in the head."""

    text: Callable[[str], None]
    colour: Callable[[str], None]
    head: Callable[[str], None]


def names(widgets: int) -> list[str]:
    return [EDITED, *(f"{EDITED}-{number:04}" for number in range(1, widgets))]


def awning_workspace(root: Path, widgets: int) -> Edits:
    """Make a workspace with the widget `saving` of benchmarks/size and copies of it."""
    ignored = shutil.ignore_patterns(".awning", "dist", "peers", "widgets", "*.py")
    shutil.copytree(SIZE, root, ignore=ignored)
    for name in names(widgets):
        shutil.copytree(SIZE / "widgets" / EDITED, root / "widgets" / name)
    own = root / "widgets" / EDITED
    view, style = (own / name for name in ("view.html.j2", "style.css"))
    template, rules = view.read_text(encoding="utf-8"), style.read_text(encoding="utf-8")
    declared, end, markup = template.partition("-#}\n")

    def text(value: str) -> None:
        view.write_text(f'{declared}{end}<b class="mark">{value}</b>{markup}', encoding="utf-8")

    def colour(value: str) -> None:
        style.write_text(f"{rules}.mark {{ color: {value} }}\n", encoding="utf-8")

    def head(value: str) -> None:
        code = f'document.documentElement.dataset.mark = "{value}";\n'
        (own / "head.ts").write_text(code, encoding="utf-8")

    edits = Edits(text=text, colour=colour, head=head)
    _begin(edits)
    return edits


def vite_workspace(root: Path, widgets: int, page: str) -> Edits:
    """Make a page for Vite, a copy of the one at the address `page` without its scripts, and a module for each widget.

    Each module accepts its own change.
    """
    with urlopen(page) as answer:
        html = _SCRIPT.sub("", answer.read().decode())
    for sheet in _SHEET.finditer(html):
        with urlopen(urljoin(page, sheet[1])) as answer:
            html = html.replace(sheet[0], f"<style>{answer.read().decode()}</style>")
    before, _, after = html.partition("</head>")
    root.mkdir()
    (root / "slot.js").write_text(_SLOT, encoding="utf-8")
    rules = (SIZE / "widgets" / EDITED / "style.css").read_text(encoding="utf-8")
    for name in names(widgets):
        folder = root / "widgets" / name
        folder.mkdir(parents=True)
        code = _WIDGET.replace("NAME", name).replace("MARK", "")
        (folder / "widget.js").write_text(code, encoding="utf-8")
        (folder / "style.css").write_text(f".{name} {{{rules}}}\n", encoding="utf-8")
    imports = "".join(f'import "./widgets/{name}/widget.js";\n' for name in names(widgets))
    (root / "main.js").write_text(imports, encoding="utf-8")
    own = root / "widgets" / EDITED

    def text(value: str) -> None:
        code = _WIDGET.replace("NAME", EDITED).replace("MARK", f'<b class="mark">{value}</b>')
        (own / "widget.js").write_text(code, encoding="utf-8")

    def colour(value: str) -> None:
        content = f".{EDITED} {{{rules}}}\n.mark {{ color: {value} }}\n"
        (own / "style.css").write_text(content, encoding="utf-8")

    def head(value: str) -> None:
        script = f'<script>document.documentElement.dataset.mark = "{value}"</script>'
        module = '<script type="module" src="/main.js"></script>'
        (root / "index.html").write_text(f"{before}{script}{module}</head>{after}", encoding="utf-8")

    edits = Edits(text=text, colour=colour, head=head)
    _begin(edits)
    return edits


def _begin(edits: Edits) -> None:
    edits.text("begin")
    edits.colour("rgb(1, 1, 1)")
    edits.head("begin")

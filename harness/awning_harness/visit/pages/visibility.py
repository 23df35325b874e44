"""Scripts that find the visible texts and boxes of an element. They look into open shadow roots, as locators do.

The DOM's `innerText` and `querySelectorAll` do not look into shadow roots.
"""

from collections.abc import Sequence

OWN_BLOCKS = "[data-order]:not(:has(> [data-foreign]))"
"""The selector of the app's blocks. Content of the other apps in the theme `crowded` is marked."""

ROOTS = """
const rendered = (element) => getComputedStyle(element).display == "contents"
  ? rendered(element.parentElement ?? element.getRootNode().host)
  : element.checkVisibility();
const within = (root) => [...root.querySelectorAll("*")].flatMap((element) =>
  element.shadowRoot ? [element, ...within(element.shadowRoot)] : [element]);
const hosts = (element) => [element, ...element.querySelectorAll("*")]
  .filter((inner) => inner.shadowRoot && rendered(inner));
const inside = (node) => node.nodeType == Node.TEXT_NODE ? [node.data.trim()]
  : node.nodeType == Node.ELEMENT_NODE && rendered(node) ? [text(node)] : [];
const shaded = (host) => [...host.shadowRoot.childNodes].flatMap(inside);
const text = (element) => [element.innerText ?? "", ...hosts(element).flatMap(shaded)]
  .filter((part) => part.trim()).join("\\n");
"""

TEXTS = f"(blocks) => {{ {ROOTS} return blocks.map(text); }}"
"""JavaScript that returns the visible text of each element."""

SHOWS = f"""([selector, shown, hidden]) => {{ {ROOTS}
  const plain = (words) => words.replace(/\\s+/g, " ");
  const all = plain([...document.querySelectorAll(selector)].map(text).join("\\n"));
  return shown.every((words) => all.includes(plain(words))) && !hidden.some((words) => all.includes(plain(words)));
}}"""
"""JavaScript that tells whether the elements show all texts of one list and none of another.

White space counts as one space.
"""

EMPTY = f"""(selector) => {{ {ROOTS}
  const box = (element) => element.getBoundingClientRect();
  return [...document.querySelectorAll(selector)].flatMap((block) => [block, ...within(block)])
    .every((element) => !rendered(element) || !(box(element).width && box(element).height)); }}"""
"""JavaScript that tells whether the elements, and those inside them, are not rendered or have no area."""

STILL = "*,*::before,*::after{animation:none!important;transition:none!important}"
"""The style that the laboratory gives most pages (`jsrc/laboratory/frame.ts`). It hides what is animated."""

CLIPPED = f"""(place) => {{ {ROOTS}
  const inner = new Set(within(place));
  const parent = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host;
  const kept = (find, found = new Map()) => (element) =>
    found.get(element) ?? found.set(element, find(element)).get(element);
  const styleOf = kept((element) => getComputedStyle(element));
  const isInline = (element) => /^(inline|contents)$/.test(styleOf(element).display);
  const ownerOf = (element) => inner.has(element) && isInline(element) ? ownerOf(parent(element)) : element;
  const edges = (element, clipsX, clipsY) => {{
    const {{ left, top, right, bottom }} = element.getBoundingClientRect();
    const {{ clientLeft, clientTop, clientWidth, clientHeight, offsetWidth, offsetHeight }} = element;
    return {{
      left: clipsX ? left + clientLeft - 1 : -Infinity,
      top: clipsY ? top + clientTop - 1 : -Infinity,
      right: clipsX ? right + clientLeft + clientWidth - offsetWidth + 1 : Infinity,
      bottom: clipsY ? bottom + clientTop + clientHeight - offsetHeight + 1 : Infinity,
    }};
  }};
  const folded = "[aria-expanded=false]";
  const isFolded = (element) => element.id &&
    element.getRootNode().querySelector(`${{folded}}[aria-controls~="${{CSS.escape(element.id)}}"]`) ||
    [element.previousElementSibling, element.nextElementSibling].some((other) =>
      other?.matches(`${{folded}}, :has(> ${{folded}}:only-child)`));
  const endless = new Set();
  const findBoxes = (element) => {{
    if (!inner.has(element)) return [];
    const style = styleOf(element);
    const {{ position, overflowX, overflowY, transform, translate }} = style;
    const has = (overflow, kinds) => !isInline(element) && kinds.test(overflow);
    const clipsX = has(overflowX, /hidden|clip/) && element.scrollWidth > element.clientWidth + 1;
    const clipsY = has(overflowY, /hidden|clip/) && element.scrollHeight > element.clientHeight + 1;
    const clips = clipsX || clipsY;
    const isClosed = clips && (element.clientWidth <= 1 || element.clientHeight <= 1 || isFolded(element));
    const isShaped = style.clipPath != "none" || style.clip != "auto" || style.webkitMaskImage != "none";
    if (isClosed || isShaped || style.webkitLineClamp != "none") return [];
    const isMoved = position == "fixed" || transform != "none" || translate != "none" || endless.has(element);
    const outer = isMoved ? [] : boxesOf(position == "absolute" ? element.offsetParent : parent(element));
    const reachedX = has(overflowX, /auto|scroll/) ? {{ left: -Infinity, right: Infinity }} : {{}};
    const reachedY = has(overflowY, /auto|scroll/) ? {{ top: -Infinity, bottom: Infinity }} : {{}};
    const around = outer.map((box) => ({{ ...box, ...reachedX, ...reachedY }}));
    return clips ? [edges(element, clipsX, clipsY), ...around] : around;
  }};
  let boxesOf = kept(findBoxes);
  const linesOf = (node) => {{
    const range = document.createRange();
    range.selectNodeContents(node);
    const height = parseFloat(styleOf(parent(node)).lineHeight);
    return [...range.getClientRects()].filter((line) => line.width && line.height).map((line) => {{
      const trim = Math.max(0, line.height - height) / 2 || 0;
      return {{ left: line.left, top: line.top + trim, right: line.right, bottom: line.bottom - trim }};
    }});
  }};
  const isWhole = (line, box) =>
    line.left >= box.left && line.top >= box.top && line.right <= box.right && line.bottom <= box.bottom;
  const isSeen = (line, box) => line.right > box.left + 2 && line.left < box.right - 2 &&
    line.bottom > box.top + 2 && line.top < box.bottom - 2;
  const shows = (element) => styleOf(element).display == "contents" ? shows(parent(element))
    : element.checkVisibility({{ opacityProperty: true, visibilityProperty: true }});
  const isCut = (owner, nodes) => {{
    const {{ textOverflow, overflowX }} = styleOf(owner);
    const boxes = textOverflow == "ellipsis" && overflowX != "visible" ? [] : boxesOf(owner);
    const lines = boxes.length ? nodes.filter((node) => shows(parent(node))).flatMap(linesOf) : [];
    return boxes.some((box) =>
      lines.some((line) => isSeen(line, box)) && !lines.every((line) => isWhole(line, box)));
  }};
  const owners = Map.groupBy([place, ...inner].flatMap((element) =>
    [...element.childNodes, ...element.shadowRoot?.childNodes ?? []]).filter((node) =>
    node.nodeType == Node.TEXT_NODE && node.data.trim() && parent(node) && !("ownerSVGElement" in parent(node))),
    (node) => ownerOf(parent(node)));
  let cut = [...owners].filter((each) => isCut(...each));
  const stills = [...document.styleSheets].filter(({{ ownerNode }}) => ownerNode?.textContent == "{STILL}");
  if (cut.length && stills.length) {{
    for (const sheet of stills) sheet.disabled = true;
    for (const element of inner)
      if (/infinite/.test(styleOf(element).animationIterationCount)) endless.add(element);
    for (const sheet of stills) sheet.disabled = false;
    boxesOf = kept(findBoxes);
    cut = cut.filter((each) => isCut(...each));
  }}
  return cut.map(([owner]) => text(owner)); }}"""
"""JavaScript that returns the texts that are cut off: a part is seen, a part is outside of a box that does not scroll.

The texts of a paragraph are one text. Not among them are those that are shortened or hidden on purpose: with an
ellipsis, a mask or a clamp of lines, only for screen readers, in a part that is closed or that `aria-expanded` says can
be unfolded, moved by a transform or an endless animation, or wholly outside of the box. A line may be as much higher
than its `line-height` as its font is.
"""

TOO_WIDE = f"""(selector) => {{ {ROOTS}
  const place = document.querySelector(selector);
  const page = document.documentElement;
  const by = Math.max(place ? place.scrollWidth - place.clientWidth : 0, page.scrollWidth - innerWidth);
  const scope = place ?? document.body;
  const beyond = (element) => {{
    const box = element.getBoundingClientRect();
    const isSeen = box.width > 0 && box.right > 0 && box.left < innerWidth;
    return isSeen ? Math.round(Math.max(box.right - innerWidth, -box.left)) : 0;
  }};
  const floating = within(scope).find((element) =>
    rendered(element) && getComputedStyle(element).position == "fixed" && beyond(element) > 0);
  if (by <= 0 && !floating) return null;
  const {{ left, right }} = scope.getBoundingClientRect();
  const parent = (element) => element.parentElement ?? element.getRootNode().host;
  const cut = (element) => element != scope && element &&
    (getComputedStyle(element).overflowX != "visible" || cut(parent(element)));
  const out = (element) => {{
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.right > right + 0.5 || box.left < left - 0.5);
  }};
  const inner = (element) =>
    element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display != "inline";
  const free = within(scope).filter((element) => rendered(element) && !cut(parent(element)));
  const culprit = floating ?? free.find(out) ?? free.filter((element) => !cut(element) && inner(element)).pop();
  const step = (element) => element.localName + (element.id ? "#" + CSS.escape(element.id) : "") +
    [...element.classList].filter((name) => !/^aw-/.test(name)).map((name) => "." + CSS.escape(name)).join("");
  const generated = (element) =>
    element.hasAttribute("data-order") || element.shadowRoot || /(^| )aw-/.test(element.className);
  const own = (element) => element && element != scope && !generated(element);
  const path = (element) => own(parent(element)) ? [...path(parent(element)), step(element)] : [step(element)];
  return {{
    by: floating ? beyond(floating) : by,
    place: floating ? innerWidth : Math.round(right - left),
    selector: culprit ? path(culprit).slice(-3).join(" > ") : null,
    text: culprit ? text(culprit).replace(/\\s+/g, " ").trim().slice(0, 40) : "",
    start: culprit ? Math.round(culprit.getBoundingClientRect().left - (floating ? 0 : left)) : null,
    width: culprit ? Math.round(Math.max(culprit.getBoundingClientRect().width, culprit.scrollWidth)) : null,
  }}; }}"""
"""JavaScript that returns by how much the content of a slot or the page is too wide; null if it is not.

The result has, in CSS pixels, `by` (the excess), `place` (the width of the place), `width` (that of the element that
sticks out) and `start` (where in its place it begins), and the `selector` and the `text` of this element. It is the
outermost element that leaves the slot, or the innermost element whose text overflows. Elements inside an element that
scrolls or clips do not count. The place of a fixed element, such as a modal dialog, is the window. A fixed element that
is wholly outside of the window does not count, because it may wait there to slide in. `selector` has up to three steps,
without classes that the build adds; it is null if no element sticks out.
"""


def wrong_texts(visible: str, present: Sequence[str], absent: Sequence[str]) -> list[str]:
    """Return the problems of a block's text: it lacks a text of `present`, or has a text of `absent`."""
    words = one_line(visible)
    missing = [f"does not show {quoted(text)}" for text in present if one_line(text) not in words]
    return missing + [f"shows {quoted(text)}" for text in absent if one_line(text) in words]


def one_line(text: str) -> str:
    """Return a visible text on one line: all white space counts as one space."""
    return " ".join(text.split())


def quoted(text: str) -> str:
    """Return a visible text on one line, in quotes, for a message."""
    return repr(one_line(text))

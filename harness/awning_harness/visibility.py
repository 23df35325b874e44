"""Scripts that tell what a shopper sees of an element. They look into open shadow roots, as locators do.

`innerText` and `querySelectorAll` stop at a shadow root.
"""

_ROOTS = """
const rendered = (one) => getComputedStyle(one).display == "contents"
  ? rendered(one.parentElement ?? one.getRootNode().host)
  : one.checkVisibility();
const within = (root) => [...root.querySelectorAll("*")].flatMap((one) =>
  one.shadowRoot ? [one, ...within(one.shadowRoot)] : [one]);
const hosts = (one) => [one, ...one.querySelectorAll("*")].filter((each) => each.shadowRoot && rendered(each));
const inside = (node) => node.nodeType == Node.TEXT_NODE ? [node.data.trim()]
  : node.nodeType == Node.ELEMENT_NODE && rendered(node) ? [text(node)] : [];
const shaded = (host) => [...host.shadowRoot.childNodes].flatMap(inside);
const text = (one) => [one.innerText ?? "", ...hosts(one).flatMap(shaded)]
  .filter((part) => part.trim()).join("\\n");
"""

TEXTS = f"(blocks) => {{ {_ROOTS} return blocks.map(text); }}"
"""The visible text of each element."""

SHOWS = f"""([selector, shown, hidden]) => {{ {_ROOTS}
  const plain = (words) => words.replace(/\\s+/g, " ");
  const all = plain([...document.querySelectorAll(selector)].map(text).join("\\n"));
  return shown.every((words) => all.includes(plain(words))) && !hidden.some((words) => all.includes(plain(words)));
}}"""
"""Whether the elements show all texts of one list and none of another. White space counts as one space."""

EMPTY = f"""(selector) => {{ {_ROOTS}
  const box = (one) => one.getBoundingClientRect();
  return [...document.querySelectorAll(selector)].flatMap((block) => [block, ...within(block)])
    .every((one) => !rendered(one) || !(box(one).width && box(one).height)); }}"""
"""Whether the elements show nothing and take no space."""

CLIPPED = f"""(place) => {{ {_ROOTS} return within(place)
  .filter((one) => [...one.childNodes].some((node) => node.nodeType == Node.TEXT_NODE && node.data.trim()))
  .filter((one) => {{
    const {{ overflowX, overflowY, textOverflow, clipPath }} = getComputedStyle(one);
    const hides = (overflow, inner, outer) => /hidden|clip/.test(overflow) && inner > outer + 1;
    return textOverflow != "ellipsis" && clipPath == "none" && one.clientWidth > 1 &&
      (hides(overflowX, one.scrollWidth, one.clientWidth) || hides(overflowY, one.scrollHeight, one.clientHeight));
  }})
  .map((one) => one.innerText); }}"""
"""Texts that are cut off, except texts with an ellipsis and texts for screen readers alone."""

TOO_WIDE = f"""(selector) => {{ {_ROOTS}
  const place = document.querySelector(selector);
  const page = document.documentElement;
  const by = Math.max(place ? place.scrollWidth - place.clientWidth : 0, page.scrollWidth - innerWidth);
  if (by <= 0) return null;
  const scope = place ?? document.body;
  const {{ left, right }} = scope.getBoundingClientRect();
  const parent = (one) => one.parentElement ?? one.getRootNode().host;
  const cut = (one) => one != scope && one && (getComputedStyle(one).overflowX != "visible" || cut(parent(one)));
  const out = (one) => {{
    const box = one.getBoundingClientRect();
    return box.width > 0 && (box.right > right + 0.5 || box.left < left - 0.5);
  }};
  const inner = (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display != "inline";
  const free = within(scope).filter((one) => rendered(one) && !cut(parent(one)));
  const culprit = free.find(out) ?? free.filter((one) => !cut(one) && inner(one)).pop();
  const step = (one) => one.localName + (one.id ? "#" + CSS.escape(one.id) : "") +
    [...one.classList].filter((name) => !/^aw-/.test(name)).map((name) => "." + CSS.escape(name)).join("");
  const made = (one) => one.hasAttribute("data-order") || one.shadowRoot || /(^| )aw-/.test(one.className);
  const own = (one) => one && one != scope && !made(one);
  const path = (one) => own(parent(one)) ? [...path(parent(one)), step(one)] : [step(one)];
  return {{
    by,
    place: Math.round(right - left),
    selector: culprit ? path(culprit).slice(-3).join(" > ") : null,
    text: culprit ? text(culprit).replace(/\\s+/g, " ").trim().slice(0, 40) : "",
    width: culprit ? Math.round(Math.max(culprit.getBoundingClientRect().width, culprit.scrollWidth)) : null,
  }}; }}"""
"""The element that sticks out of a slot or makes the page scroll sideways, and by how many CSS pixels; else null.

It is the outermost element that leaves the slot, or the innermost element that its text overflows. Elements inside
one that scrolls or clips do not count. `selector` has up to three steps, without classes that the build adds.
"""

"""What a shopper sees of an element, as scripts for the page. Open shadow roots are looked into, as locators do.

`innerText` alone stops at a shadow root, and an element inside one is not found by `querySelectorAll`.
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
"""Whether the elements show all of some texts and none of others; any white space is one space."""

CLIPPED = f"""(place) => {{ {_ROOTS} return within(place)
  .filter((one) => [...one.childNodes].some((node) => node.nodeType == Node.TEXT_NODE && node.data.trim()))
  .filter((one) => {{
    const {{ overflowX, overflowY, textOverflow, clipPath }} = getComputedStyle(one);
    const hides = (overflow, inner, outer) => /hidden|clip/.test(overflow) && inner > outer + 1;
    return textOverflow != "ellipsis" && clipPath == "none" && one.clientWidth > 1 &&
      (hides(overflowX, one.scrollWidth, one.clientWidth) || hides(overflowY, one.scrollHeight, one.clientHeight));
  }})
  .map((one) => one.innerText); }}"""
"""Texts that are cut off. Not those that say so with an ellipsis, or are hidden for readers of screens alone."""

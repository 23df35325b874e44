/**
 * Changes the children of one element to those of another with few changes, so that a shopper's input survives: focus,
 * caret, typed values, scrolling, open details.
 *
 * Children are matched in order by kind and key (`id`, `data-key`, `name`). A typed value, a ticked box and a chosen
 * option survive, because only attributes change. After a shopper has used a field, its attributes are only defaults.
 * `open` changes only when the template renders another value than before.
 */

const keyOf = (node: Node): string | null | undefined =>
  node instanceof Element ? node.id || node.getAttribute("data-key") || node.getAttribute("name") : null;

const alike = (a: Node, b: Node): boolean => a.nodeName == b.nodeName && keyOf(a) == keyOf(b);

/** Elements that the template last rendered with `open`. */
const renderedOpen = new WeakSet<Element>();

/** Record the elements with `open` in `node`, which the template has just rendered. */
export const rememberOpen = (node: Node): void => {
  if (node instanceof Element) {
    for (const element of [node, ...node.querySelectorAll("[open]")]) {
      if (element.hasAttribute("open")) {
        renderedOpen.add(element);
      }
    }
  }
};

const morphOpen = (from: Element, to: Element): void => {
  const open = to.hasAttribute("open");
  if (open != renderedOpen.has(from)) {
    from.toggleAttribute("open", open);
    renderedOpen[open ? "add" : "delete"](from);
  }
};

const morphAttributes = (from: Element, to: Element): void => {
  for (const { name } of [...from.attributes]) {
    if (name != "open" && !to.hasAttribute(name)) {
      from.removeAttribute(name);
    }
  }
  for (const attribute of to.attributes) {
    if (attribute.name != "open" && from.getAttribute(attribute.name) != attribute.value) {
      from.setAttributeNode(attribute.cloneNode() as Attr);
    }
  }
  morphOpen(from, to);
};

const morphNode = (from: Node, to: Node): void => {
  if (from instanceof Element) {
    morphAttributes(from, to as Element);
    morphChildren(from, to);
  } else if (from.nodeValue != to.nodeValue) {
    from.nodeValue = to.nodeValue;
  }
};

/** Remove the nodes from `at` up to `end`. */
const removeUntil = (at: Node | null, end: Node | null): void => {
  while (at && at != end) {
    const next = at.nextSibling;
    (at as ChildNode).remove();
    at = next;
  }
};

/** Move `match` to `at`. Moving a node would take the focus from it, so the nodes before a focused one are removed. */
const advance = (parent: Node, at: Node | null, match: Node): Node | null => {
  if (match.contains((parent.getRootNode() as Document).activeElement)) {
    removeUntil(at, match);
    at = match;
  }
  if (match == at) {
    return at.nextSibling;
  }
  parent.insertBefore(match, at);
  return at;
};

export const morphChildren = (from: Node, to: Node): void => {
  let at: Node | null = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    let match = at;
    while (match && !alike(match, wanted)) {
      match = match.nextSibling;
    }
    if (match) {
      at = advance(from, at, match);
      morphNode(match, wanted);
    } else {
      rememberOpen(wanted);
      from.insertBefore(wanted, at);
    }
  }
  removeUntil(at, null);
};

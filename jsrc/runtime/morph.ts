/**
 * Changes the children of one element to a new rendering with few changes. So a shopper's input survives (focus, caret,
 * typed values, scrolling, open details), and changes that event handlers have made survive, too.
 *
 * The last rendering and the new one are compared, and only their differences are applied. So an attribute or a text
 * that a handler has set stays until the template renders another value there. Where a handler has added or removed
 * nodes of an element, the new rendering replaces them as soon as it differs there.
 *
 * Children are matched in order by kind and key (`id`, `data-key`, `name`). A typed value, a ticked box and a chosen
 * option survive, because only attributes change. After a shopper has used a field, its attributes are only defaults.
 */

const keyOf = (node: Node): string | null | undefined =>
  node instanceof Element ? node.id || node.getAttribute("data-key") || node.getAttribute("name") : null;

const alike = (a: Node, b: Node | undefined): boolean => a.nodeName == b?.nodeName && keyOf(a) == keyOf(b);

const morphAttributes = (from: Element, to: Element, before: Element): void => {
  for (const { name } of [...before.attributes]) {
    if (!to.hasAttribute(name)) {
      from.removeAttribute(name);
    }
  }
  for (const attribute of to.attributes) {
    if (before.getAttribute(attribute.name) != attribute.value) {
      from.setAttributeNode(attribute.cloneNode() as Attr);
    }
  }
};

const morphNode = (from: Node, to: Node, before: Node): void => {
  if (before.isEqualNode(to)) {
    return;
  }
  if (from instanceof Element) {
    morphAttributes(from, to as Element, before as Element);
    morphChildren(from, to as Element, before as Element);
  } else {
    from.nodeValue = to.nodeValue;
  }
};

/** Remove the nodes from `at` up to `end`, which stays. If `end` is null, remove all following siblings, too. */
const removeUntil = (at: Node | null, end: Node | null): void => {
  while (at && at != end) {
    const next = at.nextSibling;
    (at as ChildNode).remove();
    at = next;
  }
};

/**
 * Move `match` to `at`, and return the node after it. A node that is moved loses the focus. So if `match` has it, the
 * nodes between `at` and `match` are removed instead.
 */
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

/**
 * Change the children of `from` to those of `to`. `before` has the children of the last rendering. Where they equal
 * those of `to`, changes by handlers stay. If `before` is `from` itself, no such change stays.
 */
export const morphChildren = (from: Element, to: Element, before: Element): void => {
  const present = [...from.childNodes];
  const rendered = [...before.childNodes];
  const known = present.length == rendered.length && present.every((node, at) => alike(node, rendered[at]));
  if (!known && before.innerHTML == to.innerHTML) {
    return;
  }
  let at: Node | null = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    let match = at;
    while (match && !alike(match, wanted)) {
      match = match.nextSibling;
    }
    if (match) {
      at = advance(from, at, match);
      morphNode(match, wanted, (known && rendered[present.indexOf(match as ChildNode)]) || match);
    } else {
      from.insertBefore(wanted, at);
    }
  }
  removeUntil(at, null);
};

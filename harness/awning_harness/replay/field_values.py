"""The values of the fields of a block, which neither its text nor its HTML has: what is typed, checked, chosen."""

VALUES = """
const UNSEEN = "input:is([type=hidden], [type=password], [type=file], [type=submit], [type=button], [type=reset])";
const isBox = (field) => field.matches("input:is([type=checkbox], [type=radio])");
const nameOf = (field) => field.labels?.[0]?.textContent.trim().replace(/\\s+/g, " ")
  || field.getAttribute("aria-label") || field.name || field.id || field.localName;
const shown = (field) => {
  if (isBox(field)) return field.checked ? "checked" : "not checked";
  return field.localName === "select" ? [...field.selectedOptions].map(({ label }) => label).join(", ") : field.value;
};
const valuesIn = (block) => within(block)
  .filter((field) => field.matches("input, textarea, select") && !field.matches(UNSEEN) && rendered(field))
  .map((field) => `[${nameOf(field)}: ${shown(field)}]`);

const withValue = (copy, field) => {
  if (field.matches("option")) copy.toggleAttribute("selected", field.selected);
  else if (field.matches("textarea")) copy.textContent = field.value;
  else if (!field.matches("input") || field.matches(UNSEEN)) return;
  else if (isBox(field)) copy.toggleAttribute("checked", field.checked);
  else if (field.value || field.hasAttribute("value")) copy.setAttribute("value", field.value);
};
const htmlWithValues = (block) => {
  const inert = document.implementation.createHTMLDocument("");
  const shadowRoots = [];
  const fill = (copy, original) => {
    const copies = [...copy.querySelectorAll("*")];
    [...original.querySelectorAll("*")].forEach((element, at) => {
      const own = copies[at];
      withValue(own, element);
      if (!element.shadowRoot) return;
      const root = own.shadowRoot ?? own.attachShadow({ mode: "open" });
      root.replaceChildren(...[...element.shadowRoot.childNodes].map((node) => inert.importNode(node, true)));
      shadowRoots.push(root);
      fill(root, element.shadowRoot);
    });
  };
  const copy = inert.importNode(block, true);
  fill(copy, block);
  return copy.getHTML({ shadowRoots });
};
"""
"""JavaScript that defines `valuesIn`, a line for each field of a block, and `htmlWithValues`, the block's HTML.

The HTML is that of a copy in a document without scripts, so that the page and its custom elements do not notice.
"""

/** Makes elements in one expression. Strings become text; nothing is parsed as HTML. */

type Child = Node | string | null | false;
type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

/** Make an element: `h("p", { class: "x", onclick: f }, "text", child)`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return element;
}

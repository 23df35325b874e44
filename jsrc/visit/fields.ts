/** What a shopper can write into a field, and which option of a list has a name. */

/** The types of fields into which a text is written letter by letter. */
const WRITTEN = new Set(["email", "number", "password", "search", "tel", "text", "url"]);

/** A text that a field takes, by type. Of a range, that depends on its limits. */
const EXAMPLES: Readonly<Record<string, string>> = {
  color: "#ff8800",
  date: "2026-12-24",
  "datetime-local": "2026-12-24T18:30",
  month: "2026-12",
  number: "2",
  range: "",
  time: "18:30",
  week: "2026-W52",
};

export function isFieldForText(element: Element): boolean {
  if (element.localName === "input") return WRITTEN.has(typeOf(element)) || isChosen(element);
  return element.localName === "textarea" || (element as HTMLElement).isContentEditable;
}

/** Whether the browser makes the value of choices, as of a date. It then fires `change` with each `input`. */
export function isChosen(element: Element): boolean {
  return typeOf(element) in EXAMPLES && !WRITTEN.has(typeOf(element));
}

/** Return the text as the field has it afterwards. Throws the reason when its type does not take the text. */
export function valueFor(element: Element, text: string): string {
  const type = typeOf(element);
  if (!(type in EXAMPLES)) return text;
  const copy = element.cloneNode(false) as HTMLInputElement;
  const written = text.trim();
  copy.value = written;
  if (isTaken(type, written, copy.value)) return copy.value;
  const example = EXAMPLES[type] || (element as HTMLInputElement).value;
  throw `a field of type ${type} takes no "${text}", but for example "${example}"`;
}

/** Whether a browser has taken a text as it is. It empties most fields otherwise, and shortens a time with 0 seconds. */
function isTaken(type: string, written: string, value: string): boolean {
  if (type === "color") return value === written.toLowerCase();
  if (type === "range") return written !== "" && Number(value) === Number(written);
  return value !== "" || written === "";
}

function typeOf(element: Element): string {
  return element.localName === "input" ? (element as HTMLInputElement).type : "";
}

/** Return the option with this label, else that with this value. */
export function optionOf(list: HTMLSelectElement, name: string): HTMLOptionElement | undefined {
  const options = [...list.options];
  return options.find(({ label }) => label === name) ?? options.find(({ value }) => value === name);
}

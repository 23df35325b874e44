/**
 * The control of a text with a format: an input of HTML's type for it. A text that the input cannot show, such as a colour
 * by name, is shown in a plain field. The server checks what is entered, as it checks the settings form.
 */
import { entry, type Change } from "./controls.ts";
import { h } from "./element.ts";
import type { Field } from "./server.ts";

const SEVERAL_LINES = "multiline";
const PLAIN = new Set(["password", SEVERAL_LINES]);

export function formatted(field: Field, value: unknown, change: Change): HTMLElement {
  if (field.control === "datetime-local") return moment(field, value, change);
  if (field.control === SEVERAL_LINES) return area(field, value, change);
  const input = entry(field, value, change);
  if (field.control === "picture") return withPicture(input);
  if (!PLAIN.has(field.control)) show(input, field.control);
  return input;
}

/** Give an input another type, if it then still shows its text. A colour input cannot be empty. */
function show(input: HTMLInputElement, type: string): boolean {
  const text = input.value;
  input.type = type;
  if (input.value !== text) {
    input.type = "text";
    input.value = text;
  }
  return input.type === type;
}

function area(field: Field, value: unknown, change: Change): HTMLElement {
  const element = h("textarea", { rows: "3", placeholder: String(field.default ?? "") });
  element.value = typeof value === "string" ? value : "";
  element.addEventListener("change", () => change(element.value || (field.required && field.default === undefined ? "" : undefined)));
  return element;
}

/** A date and time in the browser's time zone. What is entered gets the offset that this zone has on that day. */
function moment(field: Field, value: unknown, change: Change): HTMLElement {
  const stored = typeof value === "string" ? value : "";
  const input = entry(field, stored || undefined, (entered) => {
    change(typeof entered === "string" && input.type === "datetime-local" && entered ? withOffset(entered) : entered);
  });
  const time = Date.parse(stored);
  if (stored && Number.isNaN(time)) return input;
  input.type = "datetime-local";
  input.value = stored ? localText(new Date(time)) : "";
  return input;
}

const two = (number: number): string => String(number).padStart(2, "0");

function localText(time: Date): string {
  const day = `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const seconds = time.getSeconds() ? `:${two(time.getSeconds())}` : "";
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}${seconds}`;
}

function withOffset(local: string): string {
  const ahead = -new Date(local).getTimezoneOffset();
  const size = Math.abs(ahead);
  const offset = `${ahead < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${/T\d\d:\d\d$/.test(local) ? `${local}:00` : local}${offset}`;
}

/** Show the picture below its address. Only https, and the picture's server is not told which page shows it. */
function withPicture(input: HTMLInputElement): HTMLElement {
  const picture = h("img", { class: "picture", alt: "", referrerpolicy: "no-referrer" });
  const draw = (): void => {
    const address = input.value || input.placeholder;
    picture.hidden = !address.startsWith("https://");
    if (picture.hidden) picture.removeAttribute("src");
    else picture.src = address;
  };
  input.type = "url";
  input.addEventListener("change", draw);
  draw();
  return h("span", { class: "with-picture" }, input, picture);
}

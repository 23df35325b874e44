import { escapeText } from "../escape/index";
import { repr, str } from "./text";
import { Thing } from "./thing";

/** HTML that is not escaped again: `|safe`, block sets, macros. */
export class Markup extends Thing {
  $: string;
  constructor(html: string) {
    super();
    this.$ = html;
  }
  $repr(): string {
    return `Markup(${repr(this.$)})`;
  }
  override $str(): string {
    return this.$;
  }
  override $truth(): boolean {
    return this.$ !== "";
  }
  override $length(): number {
    return Array.from(this.$).length;
  }
  override $items(): unknown[] {
    return Array.from(this.$);
  }
}

export const markup = (html: string): Markup => new Markup(html);

export const isText = (value: unknown): value is string | Markup =>
  typeof value === "string" || value instanceof Markup;

/** The characters of a string or of Markup. */
export const chars = (value: string | Markup): string => (typeof value === "string" ? value : value.$);

/** As markupsafe's `escape`: HTML of any value. */
export const html = (value: unknown): string => (value instanceof Markup ? value.$ : escapeText(str(value)));

/** A string result of the same kind as `like`: Markup stays Markup. */
export const like = (like: unknown, text: string): string | Markup => (like instanceof Markup ? new Markup(text) : text);

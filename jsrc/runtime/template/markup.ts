import { decode } from "../escape/markup";
import { escapeText } from "../escape/text";
import { str } from "./text";
import { Thing } from "./thing";

/** HTML that is not escaped again: `|safe`, block sets, macros. */
export class Markup extends Thing {
  declare $: string;
  constructor(html: string) {
    super();
    this.$ = html;
  }
  $text(): string {
    return decode(this.$);
  }
  $truth(): boolean {
    return this.$ !== "";
  }
  $length(): number {
    return this.$items().length;
  }
  $items(): unknown[] {
    return Array.from(this.$);
  }
}

export const markup = (html: string): Markup => new Markup(html);

export const isText = (value: unknown): value is string | Markup =>
  typeof value === "string" || value instanceof Markup;

/** Return the characters of a string or of Markup. */
export const chars = (value: string | Markup): string => (typeof value === "string" ? value : value.$);

/** Return the HTML of any value, like markupsafe's `escape`. */
export const html = (value: unknown): string => (value instanceof Markup ? value.$ : escapeText(str(value)));

/** Return `text`, as Markup if `like` is Markup. */
export const like = (like: unknown, text: string): string | Markup => (like instanceof Markup ? new Markup(text) : text);

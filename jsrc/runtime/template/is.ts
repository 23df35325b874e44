/** Tests such as `x is odd`. Each returns a boolean. */

import { contains } from "./compare";
import { modulo } from "./arithmetic";
import { Dict } from "./mapping";
import { Markup, chars, isText } from "./markup";
import { str } from "./text";
import { Thing, isInteger, isPlain } from "./thing";
import { method_islower, method_isupper } from "./methods/case";

function number(value: unknown): number {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  throw new TypeError("a number is needed");
}

export const is_defined = (value: unknown): boolean => value !== undefined;
export const is_undefined = (value: unknown): boolean => value === undefined;
export const is_none = (value: unknown): boolean => value === null;
export const is_true = (value: unknown): boolean => value === true;
export const is_false = (value: unknown): boolean => value === false;
export const is_boolean = (value: unknown): boolean => typeof value === "boolean";
export const is_number = (value: unknown): boolean => typeof value === "number" || typeof value === "boolean";
export const is_integer = (value: unknown): boolean => isInteger(value);
export const is_float = (value: unknown): boolean => typeof value === "number" && !is_integer(value);
export const is_string = isText;
export const is_mapping = (value: unknown): boolean => isPlain(value) || value instanceof Dict;
export const is_iterable = (value: unknown): boolean =>
  value === undefined ||
  isText(value) ||
  Array.isArray(value) ||
  isPlain(value) ||
  (value instanceof Thing && !!value.$items);
/** Whether a value has a length and subscripts. In Jinja2, undefined values have both. */
export const is_sequence = (value: unknown): boolean =>
  value === undefined ||
  isText(value) ||
  Array.isArray(value) ||
  isPlain(value) ||
  (value instanceof Thing && !!value.$item);
/** Whether a value is callable. Undefined values are callable in Jinja2, but the call fails. */
export const is_callable = (value: unknown): boolean =>
  value === undefined || typeof value === "function" || (value instanceof Thing && !!value.$call);
/** Whether a value has `__html__`. Markup and undefined values have it. */
export const is_escaped = (value: unknown): boolean => value instanceof Markup || value === undefined;
export const is_odd = (value: unknown): boolean => modulo(number(value), 2) === 1;
export const is_even = (value: unknown): boolean => modulo(number(value), 2) === 0;
export const is_divisibleby = (value: unknown, by: unknown): boolean => modulo(number(value), number(by)) === 0;
export const is_in = contains;
export const is_lower = (value: unknown): boolean => method_islower(isText(value) ? chars(value) : str(value));
export const is_upper = (value: unknown): boolean => method_isupper(isText(value) ? chars(value) : str(value));

export function is_sameas(value: unknown, other: unknown): boolean {
  const both = [value, other];
  if (both.every((side) => side === null || typeof side === "boolean")) return value === other;
  if (value === undefined && other === undefined) throw new TypeError("sameas compares identity: undefined has none");
  if (both.some((side) => typeof side === "object" && side)) return value === other;
  if (typeof value !== typeof other) return false;
  throw new TypeError("sameas compares identity: that of numbers and texts is not defined");
}

import { Thing } from "./thing";

/** Return whether a value is true in Python. Empty strings, lists and mappings, zero, None and undefined are false. */
export function truth(value: unknown): boolean {
  if (typeof value !== "object" || !value) return !!value || value !== value;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Thing) return value.$truth ? value.$truth() : value.$ !== "";
  for (const key in value) if (Object.prototype.hasOwnProperty.call(value, key)) return true;
  return false;
}

import { Thing } from "./thing";

/** Return a value that is true in JavaScript if and only if `value` is true in Python. */
export const truth = (value: unknown): unknown =>
  typeof value === "object" && value
    ? value instanceof Thing
      ? !value.$truth || value.$truth()
      : Object.keys(value).length
    : value || value !== value;

import { fail } from "./thing";
import { truth } from "./truth";

/**
 * The name and type of a declared variable. If the variable is read only while another variable is true (or false),
 * `guard` is the name of the other variable, and `when` is true (or false).
 */
export type Promised = readonly [name: string, type: string, guard?: string, when?: boolean];

/**
 * Check, in dev builds, that the script passes the declared types. Throws TypeError if not. A variable that would not
 * be read may be missing.
 */
export function keeps_promises(context: Record<string, unknown> | undefined, variables: readonly Promised[], template: string): void {
  for (const [name, type, guard, when] of variables) {
    const value = context?.[name];
    const unread = value === undefined && guard !== undefined && !truth(context?.[guard]) === when;
    const actual = kind(value);
    if (actual !== type && !unread) fail(`${template} declares "${name}" as ${type}, and the script gives ${actual}`);
  }
}

function kind(value: unknown): string {
  if (value === null || (typeof value == "number" && !Number.isFinite(value))) return `${value}`;
  return Array.isArray(value) ? "a list" : typeof value;
}

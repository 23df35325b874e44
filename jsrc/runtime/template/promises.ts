import { fail } from "./thing";
import { truth } from "./truth";

/** A variable, its type, and, where it is read only if another one is true (or not), that one and which. */
export type Promised = readonly [name: string, type: string, guard?: string, when?: boolean];

/** In dev builds: whether a script gives what the template declares. What is not read in this call may be left out. */
export function keeps_promises(context: Record<string, unknown> | undefined, variables: readonly Promised[], template: string): void {
  for (const [name, type, guard, when] of variables) {
    const value = context?.[name];
    const unread = value === undefined && guard !== undefined && truth(context?.[guard]) !== when;
    const found = kind(value);
    if (found !== type && !unread) fail(`${template} declares "${name}" as ${type}, and the script gives ${found}`);
  }
}

function kind(value: unknown): string {
  if (value === null || (typeof value == "number" && !Number.isFinite(value))) return `${value}`;
  return Array.isArray(value) ? "a list" : typeof value;
}

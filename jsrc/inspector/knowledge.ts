/** How each field of a payload is known: documented, observed or assumed. The fields come from the contract's tables. */
import type { PayloadField, PayloadFields } from "./server.ts";

/** The fields that a value may have; null where none are known. */
export type Known = readonly PayloadField[] | null;

export interface Knowledge {
  /** Return the fields of an event's payload: of its updatedItem, if it has one, else of its parameter. */
  payload(event: string): Known;
  param(event: string): Known;
  /** Return the fields of a field's value, or of the entries of its list. */
  inside(field: PayloadField | undefined): Known;
}

export function makeKnowledge({ records, events }: PayloadFields): Knowledge {
  return {
    payload: (event) => events[event]?.update ?? events[event]?.param ?? null,
    param: (event) => events[event]?.param ?? null,
    inside: (field) => (field?.record ? (records[field.record] ?? null) : null),
  };
}

/** A value that the service does not send. */
export interface PayloadMisfit {
  path: ReadonlyArray<string | number>;
  message: string;
}

/** Return where a payload differs from what is known. A missing assumed field is no misfit. */
export function payloadMisfits(
  value: unknown,
  known: Known,
  knowledge: Knowledge,
  path: ReadonlyArray<string | number> = [],
): PayloadMisfit[] {
  if (!known) return [];
  if (typeOf(value) !== "object") return [{ path, message: `${nameOf(path)} is ${typeOf(value)}, and the service sends an object` }];
  const members = value as Record<string, unknown>;
  const missing = known
    .filter(({ name, source }) => source !== "assumed" && !Object.hasOwn(members, name))
    .map(({ name, source }) => ({ path, message: `${nameOf([...path, name])} is missing (${source})` }));
  const wrong = Object.entries(members).flatMap(([name, member]) => {
    const here = [...path, name];
    const field = known.find((candidate) => candidate.name === name);
    if (!field) return [{ path: here, message: `${nameOf(here)} is no known field` }];
    if (!field.types.includes(typeOf(member))) {
      const message = `${nameOf(here)} is ${typeOf(member)}, and the service sends ${field.types.join(" or ")} (${field.source})`;
      return [{ path: here, message }];
    }
    const inside = knowledge.inside(field);
    if (Array.isArray(member)) return member.flatMap((entry, index) => payloadMisfits(entry, inside, knowledge, [...here, index]));
    return member === null ? [] : payloadMisfits(member, inside, knowledge, here);
  });
  return [...missing, ...wrong];
}

/**
 * Return the misfits. Of misfits that are equal in several entries of a list, only the first is returned, with the
 * number of the others.
 */
export function oncePerList(misfits: PayloadMisfit[]): Array<PayloadMisfit & { others: number }> {
  const firsts = new Map<string, PayloadMisfit & { others: number }>();
  for (const misfit of misfits) {
    const inAnyEntry = misfit.message.replaceAll(/\[\d+\]/g, "[]");
    const first = firsts.get(inAnyEntry);
    if (first) first.others++;
    else firsts.set(inAnyEntry, { ...misfit, others: 0 });
  }
  return [...firsts.values()];
}

/** Return the type of a JSON value, as JSON Schema names it. */
export function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function nameOf(path: ReadonlyArray<string | number>): string {
  if (!path.length) return "the payload";
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : `${index ? "." : ""}${part}`)).join("");
}

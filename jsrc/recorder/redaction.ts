/**
 * Removes from an event what is not known to be safe. A value remains only where the rules say so: a text of a list, a
 * number within limits, a number in the place of an id. All other texts become `***`, numbers 0, and flags false.
 *
 * The rules are rows of `awning.live.redaction`. The console line, the recorder and its second pass all use this.
 */

/** What may remain: a text of a list, which `|` separates; a number up to `most`, rounded to parts of one; a number in place of an id. */
type Kind =
  | { readonly values: string }
  | { readonly most: number; readonly parts: number }
  | { readonly first: number };

/** The name of a kind, or the rules of an object's fields. A list has the rule of its elements. */
type Rule = string | { readonly [field: string]: Rule } | undefined;

declare const AWNING_REDACTION: {
  readonly kinds: { readonly [name: string]: Kind };
  /** A regular expression: names that a program gave. */
  readonly words: string;
  readonly fields: Rule;
};

const LONGEST_NAME = 30;
const REMOVED = "***";
const { kinds, words, fields } = AWNING_REDACTION;
const word = new RegExp(words, "i");
const owns = Object.prototype.hasOwnProperty;

/** Returns the number that stands for an id: the same one for the same id of a kind. */
export type Identify = (kind: string, id: string) => number;

/** Numbers ids from 0, in their order. */
export function inOrder(): Identify {
  const seen = new Map<string, Map<string, number>>();
  return (kind, id) => {
    const known = seen.get(kind) ?? new Map<string, number>();
    seen.set(kind, known);
    if (!known.has(id)) known.set(id, known.size);
    return known.get(id) ?? 0;
  };
}

/** Gives each id a number of up to 52 bits, by a hash (cyrb53) with a salt: pages of one visit have the same numbers. */
export function bySalt(salt: string): Identify {
  return (kind, id) => {
    const text = `${salt}:${kind}:${id}:${salt}`;
    let high = 0xdeadbeef;
    let low = 0x41c6ce57;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      high = Math.imul(high ^ unit, 2654435761);
      low = Math.imul(low ^ unit, 1597334677);
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return 4294967296 * (1048575 & low) + (high >>> 0);
  };
}

/** Returns a name that a program gave, or else one that tells its place alone. */
export function cleanName(name: string, place: string): string {
  return name.length <= LONGEST_NAME && word.test(name) ? name : place;
}

/** Returns a function that returns a copy of a value of JSON without what the rules do not name. */
export function redaction(identify: Identify): (value: unknown) => unknown {
  const number = (value: number, kind: Kind | undefined) => {
    if (!kind || !("most" in kind) || !(Math.abs(value) <= kind.most)) return 0;
    return Math.round(value * kind.parts) / kind.parts;
  };
  const clean = (value: unknown, rule: Rule): unknown => {
    if (value === null || value === "") return value;
    if (Array.isArray(value)) return value.map((each) => clean(each, rule));
    if (typeof value == "object") {
      const inner = (name: string) => (typeof rule == "object" && owns.call(rule, name) ? rule[name] : undefined);
      return Object.fromEntries(
        Object.entries(value).map(([name, each], at) => [cleanName(name, `key${at}`), clean(each, inner(name))]),
      );
    }
    const name = typeof rule == "string" ? rule : "";
    const kind = kinds[name];
    const isText = typeof value == "string";
    if (kind && "first" in kind && (isText || typeof value == "number")) {
      const id = kind.first + identify(name, String(value));
      return isText ? String(id) : id;
    }
    if (isText) return kind && "values" in kind && kind.values.split("|").includes(value) ? value : REMOVED;
    return typeof value == "number" ? number(value, kind) : false;
  };
  return (value) => clean(value, fields);
}

/** Reads JSON and records the offset of each value, so that a syntax error or a misfit can be shown at its place. */

export interface JsonFault {
  message: string;
  /** The offset in the text, from 0. */
  at: number;
}

export type ReadJson =
  | { fault: JsonFault }
  | {
      fault?: never;
      value: unknown;
      /** The offset of each value, by its path as JSON: `["item","price"]`. */
      places: ReadonlyMap<string, number>;
    };

type Path = ReadonlyArray<string | number>;

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /[-+.\w]+/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([["true", true], ["false", false], ["null", null]]);
const DEEPEST = 500;

class Fault extends Error {
  constructor(message: string, readonly at: number) {
    super(message);
  }
}

/** Read JSON text. A repeated key counts as a syntax error, too. */
export function readJson(text: string): ReadJson {
  const places = new Map<string, number>();
  let at = 0;

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const matched = pattern.exec(text)?.[0];
    if (matched !== undefined) at += matched.length;
    return matched;
  };
  const peek = (): string => {
    match(SPACE);
    return text[at] ?? "";
  };
  const need = (what: string): never => {
    throw new Fault(at < text.length ? `${what} is needed here` : `the text ends, but ${what} is needed`, at);
  };
  const string = (what: string): string => {
    if (text[at] !== '"') return text[at] === "'" ? need(`${what} in double quotes`) : need(what);
    const start = at;
    const matched = match(STRING);
    if (matched === undefined) throw new Fault("this string has no end on its line, or a wrong escape", start);
    return JSON.parse(matched) as string;
  };
  const object = (path: Path): Record<string, unknown> => {
    const members: Record<string, unknown> = {};
    at++;
    if (peek() === "}") return at++, members;
    for (;;) {
      peek();
      const start = at;
      const key = string("a key");
      if (Object.hasOwn(members, key)) throw new Fault(`the key "${key}" is repeated`, start);
      if (peek() !== ":") need("a colon");
      at++;
      const member = value([...path, key]);
      Object.defineProperty(members, key, { value: member, enumerable: true, writable: true, configurable: true });
      const next = peek();
      if (next !== "," && next !== "}") need("a comma or a closing brace");
      at++;
      if (next === "}") return members;
    }
  };
  const array = (path: Path): unknown[] => {
    const entries: unknown[] = [];
    at++;
    if (peek() === "]") return at++, entries;
    for (;;) {
      entries.push(value([...path, entries.length]));
      const next = peek();
      if (next !== "," && next !== "]") need("a comma or a closing bracket");
      at++;
      if (next === "]") return entries;
    }
  };
  const value = (path: Path): unknown => {
    const first = peek();
    if (path.length > DEEPEST) throw new Fault("this is nested too deep", at);
    places.set(JSON.stringify(path), at);
    if (first === "{") return object(path);
    if (first === "[") return array(path);
    if (first === '"' || first === "'") return string("a string");
    const number = match(NUMBER);
    if (number !== undefined) return Number(number);
    const start = at;
    const word = match(WORD);
    if (word !== undefined && WORDS.has(word)) return WORDS.get(word);
    if (word !== undefined) {
      throw new Fault(`"${word}" is no JSON ${/^[-+.\d]/.test(word) ? "number" : "value: a text needs double quotes"}`, start);
    }
    return need("a value");
  };

  try {
    const whole = value([]);
    if (peek()) throw new Fault("the text must end here", at);
    return { value: whole, places };
  } catch (error) {
    if (error instanceof Fault) return { fault: { message: error.message, at: error.at } };
    throw error;
  }
}

/** Return the line and the column of an offset, from 1. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/**
 * Shorter helpers for templates that meet nothing but JSON and print it only into a page (src/awning/template/plain.py).
 *
 * They lean on the engine for what is an error: a list has no `search`, a number no iterator.
 */

/**
 * As `escapeText`, with other references for the same characters. Without a match or a callback it stays ahead of a
 * replace (benchmarks/render), which json_once.ts is; a regular expression that remembers nothing leaves nothing behind.
 * Every brace counts: which of them begin a placeholder of the service is not worth the bytes.
 */
export const json_escape = (text: string): string => {
  let out = "";
  for (let at; (at = text.search(/["&'<>{]/)) >= 0; text = text.slice(at + 1)) {
    out += text.slice(0, at) + `&#${text.charCodeAt(at)};`;
  }
  return out + text;
};

/** Print a value: nothing of null, `True` of true. Lists, mappings, and numbers that Python writes otherwise, are errors. */
export const json_put = (value: unknown, escape = json_escape): string =>
  value == null
    ? ""
    : escape(
        (value === !!value
          ? value
            ? "True"
            : "False"
          : typeof value == "number" && (value === 0 || (Math.abs(value) < 1e16 && Math.abs(value) >= 1e-4))
            ? `${value}`
            : value) as string,
      );

/** Print a declared number: as `json_put`, and an error for what is no number. */
export const json_number = (value: number): string => {
  if (value !== +value || (value && !(Math.abs(value) < 1e16 && Math.abs(value) >= 1e-4))) throw TypeError();
  return `${value}`;
};

/** Something true where Python finds a value true. */
export const json_truth = (value: unknown): unknown =>
  typeof value == "object" && value ? Object.keys(value).length : value;

/** The items of a value, as Python iterates it. */
export const json_iterate = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value == "object" ? Object.keys(value as object) : [...((value ?? []) as string)];

/**
 * Escapers for values in styles: a property's value, or the inside of a string.
 *
 * A value passes if it can load nothing and stays in its declaration. A style names an address only in `url(...)` or in
 * a string that a function such as `image-set` takes. So a value may have any function but those, and strings only where
 * no function of the author's and no custom property can take them for an address (`escapeCssArgument` has none).
 */

/** Matches numbers, names, colours, marks, brackets, white space, and operators that begin no comment. */
const PLAIN = /^(?:[-+.,:;#%!\w \t\n\r\f()[\]\u00a1-\ud7ff]|[\w%)\] \t\n\r\f][*/](?=[-+.\w([ \t\n\r\f]))*$/;
/** Also matches a string without its end, because to look for its end from each of its quotes would take very long. */
const STRING = /"(?:[^"\\\n\r\f]|\\[^\n\r\f])*("?)|'(?:[^'\\\n\r\f]|\\[^\n\r\f])*('?)/g;

/** The functions that can load something, and old Internet Explorer's script. */
const LOADING = "src( url( url-prefix( image( -webkit-image-set( expression( ";
const NAME_OF_LOADING = /^--|src|url|image|expression/i;
const MOST_LEVELS = 50;

/** An identifier that no property accepts, so browsers drop the declaration. */
const REFUSED = "awning-refused";

/** Return whether a value without its strings is safe. A value may continue a name: `ur` of the author, then `l(x)`. */
const isSafe = (text: string): boolean => {
  const names = text.match(PLAIN) && isBalanced(text) && (text.match(/[-\w\u00a1-\ud7ff]+\(?|^/g) as string[]);
  const first = /^[-\w]+\(/.exec(text)?.[0].toLowerCase();
  return !!names && !names.some((name) => name.endsWith("(") && NAME_OF_LOADING.test(name)) && !(first && LOADING.includes(`${first} `));
};

const isBalanced = (text: string): boolean => {
  let open = "";
  for (const character of text) {
    const closing = ")]"["([".indexOf(character)];
    if (closing) open += closing;
    else if (!open && (character === ":" || character === ";")) return false;
    else if (character === ")" || character === "]") {
      if (!open.endsWith(character)) return false;
      open = open.slice(0, -1);
    }
    if (open.length > MOST_LEVELS) return false;
  }
  return !open;
};

/** Return the value with its strings in this quote. A group at the start is no function of the name before it. */
const escaped = (text: string, quote: string): string =>
  isSafe(text.replace(STRING, (string, double: string, single: string) => (double || single ? " " : string)))
    ? text.replace(STRING, (string) => quote + requoted(string.slice(1, -1)) + quote).replace(/^\(/, " (")
    : REFUSED;

/** Return the inside of a string for any quote: `\"` becomes `\22 `. Escapes that are hexadecimal stay. */
const requoted = (text: string): string =>
  hexed(text.replace(/\\([^\da-f])/gi, (_, character: string) => hexed(character, /[\\ ]/)), /[^\w \-.,\\\u00a1-\uffff]/g);

/** Escape a property's value in an attribute. Its strings have quotes that end no attribute. */
export const escapeCssValue = (text: string): string => escaped(text, "&#34;");

/** Escape a property's value in a style element. */
export const escapeCssValueInElement = (text: string): string => escaped(text, '"');

/**
 * Escape a part of a value: in a function, or in a custom property. Throws TypeError for a list, whose items would be
 * taken for characters by `isBalanced`.
 */
export const escapeCssArgument = (text: string): string => (isSafe(text) ? text.replace(/^\(/, " (") : REFUSED);

const hexed = (text: string, unsafe: RegExp): string =>
  text.replace(unsafe, (character) => "\\" + (character.charCodeAt(0) || 0xfffd).toString(16) + " ");

/** Write everything but letters, digits and a few marks as `\hex `, so that no quote, line end or `</style` remains. */
export const escapeCssString = (text: string): string => hexed(text, /[^\w \-.,\u00a1-\uffff]/g);

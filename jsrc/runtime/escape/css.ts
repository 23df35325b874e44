/**
 * Escapers for values in styles: a property's value, or the inside of a string. The results are safe in attributes and
 * in style elements.
 */

const FUNCTION =
  "(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|calc|min|max|clamp|var|env|translate(?:3d|[xyz])?|scale(?:3d|[xyz])?|" +
  "rotate(?:3d|[xyz])?|skew[xy]?|matrix(?:3d)?|perspective|cubic-bezier|steps|blur|brightness|contrast|grayscale|" +
  "hue-rotate|invert|opacity|saturate|sepia|minmax|repeat|fit-content)";

/** Matches values of numbers, names, colours, commas, operators between spaces, and functions that load nothing. */
const VALUE = new RegExp("^(?:[-+.,#%!\\w \\u00a1-\\ud7ff]| [*/] |" + FUNCTION + "\\(|\\))*$", "i");

/** An identifier that no property accepts, so browsers drop the declaration. */
const REFUSED = "awning-refused";

/** Escape a property's value. Throws TypeError for a list, whose items would be taken for characters by `isBalanced`. */
export const escapeCssValue = (text: string): string =>
  text.match(VALUE) && isBalanced(text) ? text : REFUSED;

const isBalanced = (text: string): boolean => {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) return false;
  }
  return depth === 0;
};

/** Write everything but letters, digits and a few marks as `\hex `, so that no quote, line end or `</style` remains. */
export const escapeCssString = (text: string): string =>
  text.replace(/[^\w \-.,\u00a1-\uffff]/g, (character) => "\\" + (character.charCodeAt(0) || 0xfffd).toString(16) + " ");

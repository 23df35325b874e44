/** Shows a source line with its column marked. A caret below the line would be wrong where the line wraps. */
import { h } from "./element.ts";

const CARET = /\n([ \t]*)\^$/;

/** Return the nodes of an excerpt: a source line and, where its column is known, a caret on a line below. */
export function excerptNodes(excerpt: string): (Node | string)[] {
  const caret = CARET.exec(excerpt);
  if (!caret) return [excerpt];
  // The lead has a character for each code point before the column.
  const line = [...excerpt.slice(0, caret.index)];
  const column = caret[1]!.length;
  return [
    line.slice(0, column).join(""),
    h("mark", {}, line[column] ?? " "),
    line.slice(column + 1).join(""),
  ];
}

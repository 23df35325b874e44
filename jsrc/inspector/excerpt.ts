/** Shows a source line with its column marked. A caret below the line would be wrong where the line wraps. */
import { h } from "./element.ts";

/** Return the nodes of a source line. The character at the column is marked; a column of 0 is unknown. */
export function excerptNodes(line: string, column: number): (Node | string)[] {
  if (!column) return [line];
  const characters = [...line]; // a column counts code points
  const before = characters.slice(0, column - 1).join("");
  return [before, h("mark", {}, characters[column - 1] ?? " "), characters.slice(column).join("")];
}

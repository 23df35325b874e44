/**
 * Measures how many bytes of the snippet on this page belong to each widget. The parts of the widgets are found by
 * comments: in a dev build, the code of each source file begins with a comment that has the path of this file.
 */

/** The bytes of one widget's part. */
export interface SnippetSize {
  script: number;
  style: number;
}

const SCRIPT_PART = /^[ \t]*\/\/ (\S+)$/gm;
// The style sheets of widgets follow each other without a line break, so the comment need not begin a line.
const STYLE_PART = /\/\* (widgets\/\S+) \*\//g;
const WIDGET = /^widgets\/([^_/][^/]*)\//;

/** Return the sizes by widget. If a patch has a script, it counts instead of the widget's part of the app's script. */
export function snippetSizes(): ReadonlyMap<string, SnippetSize> {
  const scripts = new Map([...document.scripts].filter((script) => !script.src).flatMap(({ text }) => bytes(text, SCRIPT_PART)));
  const styles = new Map([...document.querySelectorAll("style")].flatMap(({ textContent }) => bytes(textContent ?? "", STYLE_PART)));
  const names = new Set([...scripts.keys(), ...styles.keys()]);
  return new Map([...names].map((name) => [name, { script: scripts.get(name) ?? 0, style: styles.get(name) ?? 0 }]));
}

/** Return the number of bytes of each widget's parts in one script or style sheet. `mark` matches the comments. */
function bytes(text: string, mark: RegExp): Array<[string, number]> {
  const sizes = new Map<string, number>();
  const marks = [...text.matchAll(mark)];
  marks.forEach((part, at) => {
    const name = WIDGET.exec(part[1] ?? "")?.[1];
    const own = text.slice(part.index, marks[at + 1]?.index);
    if (name !== undefined) sizes.set(name, (sizes.get(name) ?? 0) + new TextEncoder().encode(own).length);
  });
  return [...sizes];
}

/**
 * Measures a widget's part of the snippet on this page. A dev build has a comment with the file name above each part of
 * the script and of the style sheet.
 */

export interface SnippetSize {
  script: number;
  style: number;
}

const SCRIPT_PART = /^[ \t]*\/\/ (\S+)$/gm;
const STYLE_PART = /^\/\* (\S+) \*\/$/gm;

/** Return the bytes of a widget's part. The script of a patch replaces the widget's part of the app's script. */
export function snippetSize(widget: string): SnippetSize {
  const scripts = [...document.scripts].filter((script) => !script.src).map((script) => bytesOf(script.text, SCRIPT_PART, widget));
  const styles = [...document.querySelectorAll("style")].map(({ textContent }) => bytesOf(textContent ?? "", STYLE_PART, widget));
  return { script: last(scripts), style: last(styles) };
}

function bytesOf(text: string, mark: RegExp, widget: string): number {
  const marks = [...text.matchAll(mark)];
  const parts = marks.filter(([, path]) => path?.startsWith(`widgets/${widget}/`)).map((part) => {
    const next = marks[marks.indexOf(part) + 1];
    return text.slice(part.index, next?.index);
  });
  return new TextEncoder().encode(parts.join("")).length;
}

const last = (sizes: number[]): number => sizes.filter(Boolean).at(-1) ?? 0;

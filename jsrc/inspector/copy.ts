/** Writes rows of the timeline as text and as JSON, and copies text to the clipboard. */
import { OUTCOMES, type Row } from "./timeline.ts";

/** Return the event's name as the inspector shows it: without the prefix that all events of the service have. */
export const shortEvent = (event: string | null): string => (event ?? "").replace(`${AWNING_EVENT_PREFIX}content-`, "");

/** Return the rows as a table of aligned columns, with problems below their rows. */
export function asText(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    `${row.t.toFixed(1)} ms`, shortEvent(row.event), row.from.name, OUTCOMES[row.outcome], row.took === null ? "" : `${row.took.toFixed(1)} ms`,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...lines.map((line) => line[column]?.length ?? 0)));
  return rows
    .flatMap((row, at) => [
      (lines[at] ?? []).map((cell, column) => (column ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[0] ?? 0))).join("  ").trimEnd(),
      ...row.problems.map(({ text, place }) => `    ${text}${place ? ` (${place})` : ""}`),
    ])
    .join("\n");
}

/** Return the rows as JSON text, with their payloads. */
export function asJson(rows: readonly Row[]): string {
  const written = rows.map(({ t, kind, event, from, outcome, how, took, values, contents, problems }) => ({
    t, kind, event, from: from.name, own: from.isOwn, outcome, how, took,
    param: plain(values[0]), updatedItem: plain(values[1]), contents, problems,
  }));
  return JSON.stringify(written, null, 2);
}

/** Return a value as JSON can hold it, else as a string. An app may trigger an event with any value. */
function plain(value: unknown): unknown {
  try {
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value) ?? "null") as unknown);
  } catch {
    return String(value);
  }
}

/** Whether `JSON.stringify` accepts a value. It throws, for example, for an object that contains itself. */
export function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/** Put a text on the clipboard. Returns whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

/** Copy without the clipboard API, which a page without https does not have. */
function copySelection(text: string): boolean {
  const focused = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}

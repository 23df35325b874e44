/** The record of a visit in the tab's session storage. It holds redacted events, and hashes of ids. */

export interface Delivery {
  /** How often the tab had loaded a page. */
  load: number;
  /** How long after the beginning of the record it came first. */
  ms: number;
  /** How often it came with the same arguments. */
  times: number;
  values: unknown;
}

export interface Recorded {
  began: number;
  salt: string;
  ids: { [kind: string]: number[] };
  loads: number;
  deliveries: Delivery[];
  /** How many deliveries there was no room for. */
  lost: number;
}

const KEY = "awning-record";
const MOST_DELIVERIES = 500;
const MOST_TEXT = 1_000_000;

/** Returns the record of this tab, or a new one if it `begins`; null when nothing is to be recorded. */
export function readRecord(begins: boolean, isInTime: boolean): Recorded | null {
  if (!isInTime) {
    sessionStorage.removeItem(KEY);
    return null;
  }
  const kept = sessionStorage.getItem(KEY);
  if (kept) return JSON.parse(kept) as Recorded;
  if (!begins) return null;
  const salt = [...crypto.getRandomValues(new Uint32Array(4))].join("-");
  return { began: Date.now(), salt, ids: {}, loads: 0, deliveries: [], lost: 0 };
}

/** Keeps the record, or removes it. Returns whether there was room for it. */
export function writeRecord(record: Recorded | null): boolean {
  if (!record) sessionStorage.removeItem(KEY);
  const text = JSON.stringify(record);
  if (!record || text.length > MOST_TEXT || record.deliveries.length > MOST_DELIVERIES) return !record;
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    return false; // the shop's own code has filled the storage
  }
  return true;
}

/**
 * The recorder as a snippet: keeps what the events of a visit bring, redacted, in the tab's session storage, and offers
 * it as a download that `awning payload check` reads.
 *
 * It begins where the address has `awning-record=` with the token of the command, and goes on in this tab until its
 * button ends it. Otherwise, and after its last day, it does nothing. It subscribes to events, and changes nothing else of the page.
 */
import { downloadOf, makeControl } from "./control.ts";
import { subscribe } from "./listening.ts";
import { bySalt, type Identify, redaction } from "./redaction.ts";
import { type Recorded, readRecord, writeRecord } from "./session.ts";

/** The time at which the snippet ends, in milliseconds since 1970. */
declare const AWNING_UNTIL: number;
/** The SHA-256 of the token, in hexadecimal digits: everybody can read the snippet. */
declare const AWNING_TOKEN_HASH: string;

const MARK = "awning-record";

/** Numbers ids in their order over all pages of the visit, without keeping them. */
function identifyIn(record: Recorded): Identify {
  const hash = bySalt(record.salt);
  return (kind, id) => {
    const seen = (record.ids[kind] ??= []);
    const at = seen.indexOf(hash(kind, id));
    return at < 0 ? seen.push(hash(kind, id)) - 1 : at;
  };
}

function isInTime(): boolean {
  return Date.now() < AWNING_UNTIL;
}

/** Returns whether a word is the token. A page without HTTPS has no hashes, so the recorder does not begin there. */
async function isToken(word: string): Promise<boolean> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(word));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("") === AWNING_TOKEN_HASH;
}

function run(): void {
  if (window !== window.top) return;
  const record = readRecord(false, isInTime());
  const word = new URLSearchParams(location.search).get(MARK);
  if (!record && (!word || !isInTime())) return;
  const recorder = record
    ? Promise.resolve(begin(record))
    : isToken(word ?? "").then((isAsked) => (isAsked ? begin(readRecord(true, isInTime())) : null));
  // At once: a service may give a late subscriber nothing of what it has delivered.
  subscribe(AWNING_GLOBAL, (event) => {
    // Arguments that are nested too deeply cannot be redacted; a page without HTTPS has no hashes.
    recorder.then((keep) => event && keep?.(event)).catch(() => {});
  });
}

/** Shows the control, and returns what keeps a delivery in the record. */
function begin(started: Recorded | null): ((event: object) => void) | null {
  let record = started;
  if (!record) return null;
  record.loads++;
  writeRecord(record);
  const end = () => {
    record = writeRecord(null) ? null : record;
    control.remove();
  };
  const control = makeControl(() => (record ? downloadOf(record) : ""), end);
  control.show(record);
  // A page that the browser has kept has an old record: other pages of the tab have recorded since, or have ended it.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || !record) return;
    record = readRecord(false, isInTime());
    if (record) control.show(record);
    else control.remove();
  });
  return (event) => {
    if (!record) return;
    if (!isInTime()) return end();
    learn(record, event);
    control.show(record);
  };
}

/** Adds a delivery to the record, and keeps the record. */
function learn(record: Recorded, event: object): void {
  const values = redaction(identifyIn(record))(event);
  const text = JSON.stringify(values);
  const ms = Date.now() - record.began;
  const known = record.deliveries.find((each) => JSON.stringify(each.values) == text);
  if (known) known.times++;
  else record.deliveries.push({ load: record.loads, ms, times: 1, values });
  if (writeRecord(record)) return;
  if (!known) record.deliveries.pop();
  record.lost++;
}

try {
  run();
} catch {
  // A page without session storage, or without the service's global: nothing is recorded.
}

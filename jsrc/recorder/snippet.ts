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

/** Returns whether the address has the token. A page without HTTPS has no hashes, so the recorder does not begin there. */
async function isAsked(): Promise<boolean> {
  const token = new URLSearchParams(location.search).get(MARK);
  if (!token) return false;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("") === AWNING_TOKEN_HASH;
}

async function run(): Promise<void> {
  if (window !== window.top) return;
  let record = readRecord(false, isInTime()) ?? ((await isAsked()) ? readRecord(true, isInTime()) : null);
  if (!record) return;
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
  subscribe(AWNING_GLOBAL, (event) => {
    if (!event || !record) return;
    if (!isInTime()) return end();
    learn(record, event);
    control.show(record);
  });
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

// A page without session storage, or without the service's global: nothing is recorded.
run().catch(() => {});

/** The messages of the dev server, and the requests to it. Each page gets messages over one event stream. */

import type { Thrown } from "./failures.ts";

/** A diagnostic as `awning build --json` writes it, with the source line as `excerpt`. */
export interface Finding {
  rule: string;
  severity: string;
  message: string;
  hint: string | null;
  path: string | null;
  line: number;
  column: number;
  excerpt: string | null;
}

export interface Failure {
  message: string;
  findings: Finding[];
  /** Whether open pages show a build of the files as they are now. If false, they show the last build that worked. */
  isBuilt: boolean;
}

/** A change of one widget: its style sheet as text, its script as HTML, or both. */
export interface Patch {
  widget: string;
  style: { before: string; after: string } | null;
  body: string | null;
  /** Whether the page keeps changes that event handlers of the widget made. It does if no script has changed. */
  keepsChanges: boolean;
}

export type Message =
  | { kind: "hello"; revision: number; failure: Failure | null }
  | { kind: "redraw"; revision: number; body: string; keepsChanges: boolean; failure?: Failure }
  | ({ kind: "patch"; revision: number; failure?: Failure } & Patch)
  | { kind: "reload"; revision: number; why: string }
  | { kind: "failed"; failure: Failure }
  | { kind: "fixed"; revision: number };

/** One value of the app data, as its schema describes it. */
export interface Field {
  name: string;
  /** A kind of field of the settings form (`src/awning/data_schema/fields.py`), a group, rows, or JSON. */
  type: "flag" | "whole" | "number" | "text" | "choice" | "choices" | "lines" | "group" | "rows" | "json";
  /** The control of a text (`src/awning/data_schema/value_formats.py`). */
  control: string;
  title: string;
  description: string;
  required: boolean;
  default?: unknown;
  choices: ReadonlyArray<{ value: unknown; title: string }>;
  /** The fields of a group, or of each row. */
  fields: Field[];
  /** The field that describes one of several lines. */
  item?: Field;
  /** Of rows: the value of a new row, and how many there may be. */
  blank?: Record<string, unknown>;
  least?: number;
  most?: number | null;
}

/** A misfit of the app data: its path, which begins with the widget's name, and a message. */
export interface Problem {
  path: Array<string | number>;
  message: string;
}

export interface Choice {
  value: string;
  title: string;
}

export interface Info {
  app: string;
  data: Record<string, Record<string, unknown>>;
  problems: Problem[];
  /** `gzip` is the size of the widget's own default body snippet in the last `awning build`; null if it has none. */
  widgets: Array<{ name: string; title: string; slots: string[]; gzip: number | null; fields: Field[] }>;
  languages: string[];
  /** The currency of a page whose address names no currency. */
  currency: string;
  currencies: Choice[];
  carts: Choice[];
  assumptionSets: Choice[];
  scenarios: Choice[];
  themes: Choice[];
  policies: Choice[];
}

/** A field of a payload. `record` names the record type of its value or list entries; null if these are no records. */
export interface PayloadField {
  name: string;
  types: string[];
  source: "documented" | "observed" | "assumed";
  about: string;
  seen: string;
  record: string | null;
}

export interface PayloadFields {
  records: Record<string, PayloadField[]>;
  events: Record<string, { param: PayloadField[]; update: PayloadField[] | null }>;
}

/** This page. `revision` is the revision of its snippet; null if the page has no snippet. */
export interface Here {
  revision: number | null;
  language: string;
}

/** What the inspector asks of the process that builds: over HTTP in `awning dev`, over a binding in `awning preview`. */
export interface Server {
  /** Calls `onMessage` with each message; the first has the current revision. */
  listen(here: Here, onMessage: (message: Message) => void): void;
  readInfo(here: Here): Promise<Info>;
  readPayloadFields(): Promise<PayloadFields>;
  tellThrown(here: Here, thrown: Thrown): Promise<AuthorPlace | null>;
  writeData(data: Info["data"]): Promise<Stored>;
  /** Whether the page has other app data than the messages. */
  hasOtherData(): boolean;
  /** Load the page again. `why` is a reason that the author should know; else "". */
  reload(why: string): void;
}

const ROOT = "/_awning";
const JSON_HEADERS = { "content-type": "application/json" };
const LONGEST_TOLD = 2000;

/**
 * Listens while the page is visible. A browser opens few connections to one server, and hidden tabs would use them up.
 * The server's first message has the current revision, so no change is missed.
 */
export function listen({ language }: Here, onMessage: (message: Message) => void): void {
  let stream: EventSource | null = null;
  const follow = (): void => {
    if (document.visibilityState === "hidden") {
      stream?.close();
      stream = null;
    } else if (!stream) {
      stream = new EventSource(`${ROOT}/stream?language=${encodeURIComponent(language)}`);
      stream.addEventListener("message", (event) => onMessage(JSON.parse(event.data as string) as Message));
    }
  };
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => stream?.close());
  follow();
}

/** The option of this page's address with app data of its own; empty if the page has the stored data. */
function ownData(): { data?: string } {
  const data = new URL(location.href).searchParams.get("data");
  return data === null ? {} : { data };
}

async function readInfo({ language }: Here): Promise<Info> {
  const currency = new URL(location.href).searchParams.get("currency") ?? "";
  return (await fetch(`${ROOT}/info?${new URLSearchParams({ language, currency, ...ownData() })}`)).json() as Promise<Info>;
}

async function readPayloadFields(): Promise<PayloadFields> {
  return (await fetch(`${ROOT}/payloads`)).json() as Promise<PayloadFields>;
}

/** A place in the author's files, and its source line; null if the line is not known. Line and column are 0 if unknown. */
export interface AuthorPlace {
  path: string;
  line: number;
  column: number;
  excerpt: string | null;
}

/** Return a place as `path:line:column`, without the parts that are unknown. */
export function placeText({ path, line, column }: Pick<Finding, "path" | "line" | "column">): string {
  return [path, ...(line ? [line, column] : [])].filter(Boolean).join(":");
}

/** The report of a widget's error. `state` is the name of the state that the page shows, if it shows one. */
export function report({ revision, language }: Here, { widget, message, origin }: Thrown, state = ""): object {
  const place = origin && { line: origin.line, column: origin.column, unit: origin.unit ?? "" };
  return { revision, language, widget, state, message: message.slice(0, LONGEST_TOLD), ...place };
}

/**
 * Report an error of a widget to the dev server, which prints it. Returns the error's place; null if it is unknown, or
 * if the server does not accept the report or cannot be reached.
 */
export async function tellThrown(here: Here, thrown: Thrown, state = ""): Promise<AuthorPlace | null> {
  const body = JSON.stringify(report(here, thrown, state));
  try {
    const answer = await fetch(`${ROOT}/thrown`, { method: "POST", headers: JSON_HEADERS, body, keepalive: true });
    return answer.ok ? ((await answer.json()) as AuthorPlace | null) : null;
  } catch {
    return null;
  }
}

/** The result of storing app data: whether any field was stored, whether every field was, and the misfits. */
export interface Stored {
  stored: boolean;
  whole: boolean;
  problems: Problem[];
  /** For a page with app data of its own, in place of storing: the new option of its address. */
  option?: string;
}

/**
 * Store the app data, without the fields that have a new misfit. After storing, the pages get a message. Throws if the
 * server cannot be reached or refuses the data for another reason; the error then has the server's text.
 */
async function writeData(data: Info["data"]): Promise<Stored> {
  const query = new URLSearchParams(ownData()).toString();
  const answer = await fetch(`${ROOT}/data${query && `?${query}`}`, { method: "PUT", headers: JSON_HEADERS, body: JSON.stringify(data) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Stored;
}

/** The dev server, which has the page's own origin. */
export const DEV_SERVER: Server = {
  listen,
  readInfo,
  readPayloadFields,
  tellThrown,
  writeData,
  hasOtherData: () => ownData().data !== undefined,
  reload: () => location.reload(),
};

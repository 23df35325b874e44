/**
 * Plays the responses of other hosts that a state names, from the page itself: no request leaves the page. It covers
 * fetch, XMLHttpRequest, beacons, pictures, and scripts and style sheets that a script inserts. Files that the snippet's
 * own HTML names have their responses in the HTML.
 */
import { playElements, playPictures } from "./answers.ts";

/** A response; `body` is in Base64. With status 0, the connection fails. */
interface Reply {
  status: number;
  type: string;
  body: string;
}

/** What a request gets as its own properties when it is answered. A request that is opened again loses them. */
const ANSWERED = [
  "send",
  "abort",
  "readyState",
  "status",
  "statusText",
  "responseURL",
  "response",
  "responseText",
  "getResponseHeader",
  "getAllResponseHeaders",
] as const;

const OK = 200;
const WITHOUT_BODY = [204, 205, 304];
/** An address whose content cannot be decoded, so that loading it fails. */
const FAILED = "data:;base64,!";

export function playReplies(text: string): void {
  const replies = new Map(Object.entries(JSON.parse(text || "{}") as Record<string, Reply>));
  const find = (address: string): Reply | undefined => {
    if (!URL.canParse(address, document.baseURI)) return undefined;
    const url = new URL(address, document.baseURI).href.replace(/#.*$/, "");
    return replies.get(url) ?? replies.get(url.replace(/\?.*$/, ""));
  };
  playFetch(find);
  playRequests(find);
  playBeacons(find);
  const file = (address: string): string | null => {
    const reply = find(address);
    if (!reply) return null;
    return reply.status === OK ? `data:${reply.type};base64,${reply.body}` : FAILED;
  };
  playPictures(file);
  playElements(HTMLScriptElement, "src", file);
  playElements(HTMLLinkElement, "href", file);
}

type Find = (address: string) => Reply | undefined;

const bytesOf = ({ body }: Reply): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
const textOf = (reply: Reply): string => new TextDecoder().decode(bytesOf(reply));

function playFetch(find: Find): void {
  const ask = window.fetch;
  window.fetch = function (input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const address = input instanceof Request ? input.url : String(input);
    const reply = find(address);
    if (!reply) return ask.call(window, input, init);
    if (!reply.status) return Promise.reject(new TypeError("Failed to fetch"));
    const { status, type } = reply;
    const response = new Response(WITHOUT_BODY.includes(status) ? null : bytesOf(reply), { status, headers: { "content-type": type } });
    Object.defineProperty(response, "url", { value: new URL(address, document.baseURI).href });
    return Promise.resolve(response);
  };
}

function playRequests(find: Find): void {
  const open = XMLHttpRequest.prototype.open as (...values: unknown[]) => void;
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, address: string | URL, ...rest: unknown[]): void {
    for (const name of ANSWERED) Reflect.deleteProperty(this, name);
    open.call(this, method, address, ...rest);
    const reply = find(String(address));
    if (!reply) return;
    const [isAsynchronous = true] = rest;
    this.send = () => {
      if (!isAsynchronous) return answer(this, reply);
      const timer = setTimeout(() => answer(this, reply));
      this.abort = () => clearTimeout(timer);
    };
  } as typeof XMLHttpRequest.prototype.open;
}

/** End a request that was opened and never sent, as if the response had come. */
function answer(request: XMLHttpRequest, reply: Reply): void {
  const { status, type } = reply;
  const hasText = status > 0 && ["", "text"].includes(request.responseType);
  const values = {
    readyState: request.DONE,
    status,
    statusText: "",
    responseURL: "",
    response: status ? bodyFor(request.responseType, reply) : null,
    ...(hasText && { responseText: textOf(reply) }),
    getResponseHeader: (name: string) => (status && name.toLowerCase() === "content-type" ? type : null),
    getAllResponseHeaders: () => (status ? `content-type: ${type}\r\n` : ""),
  } satisfies Partial<Record<(typeof ANSWERED)[number], unknown>>;
  for (const [name, value] of Object.entries(values)) Object.defineProperty(request, name, { value, configurable: true });
  for (const name of ["readystatechange", status ? "load" : "error", "loadend"]) request.dispatchEvent(new ProgressEvent(name));
}

function bodyFor(kind: XMLHttpRequestResponseType, reply: Reply): unknown {
  switch (kind) {
    case "json":
      return jsonOf(textOf(reply));
    case "arraybuffer":
      return bytesOf(reply).buffer;
    case "blob":
      return new Blob([bytesOf(reply)], { type: reply.type });
    case "document":
      return null;
    default:
      return textOf(reply);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function playBeacons(find: Find): void {
  const beacon = navigator.sendBeacon;
  navigator.sendBeacon = (address, data) => find(String(address)) !== undefined || beacon.call(navigator, address, data);
}

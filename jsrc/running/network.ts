/** Requests and messages. Hosts answer later, or fail, as the life says. */
import { later } from "./clock.ts";
import { define, window } from "./dom.ts";
import { methods } from "./events.ts";
import { input, report } from "./reports.ts";
import { unknown } from "./unknown.ts";
import { location } from "./url.ts";

/** The time of an answer, in milliseconds. */
const ANSWER = 5;

const answer = (): object => ({
  ok: true,
  status: 200,
  headers: new Map(),
  url: location.href,
  json: () => Promise.resolve(unknown("answer") as unknown),
  text: () => Promise.resolve(""),
  blob: () => Promise.resolve({}),
  clone: answer,
});

const fetch = (): Promise<object> =>
  new Promise((fulfil, reject) => {
    later(() => (input.answers ? fulfil(answer()) : reject(new TypeError("Failed to fetch"))), ANSWER);
  });

export function reportSynchronous(): void {
  report("sync-xhr", "a synchronous request stops the whole page until it is answered");
}

class XMLHttpRequest {
  private isAsync = true;
  readyState = 0;

  open(_verb: unknown, _address: unknown, isAsync: unknown = true): void {
    if (!isAsync) {
      reportSynchronous();
    }
    this.isAsync = !!isAsync;
    this.readyState = 1;
  }
  setRequestHeader(): void {}
  abort(): void {}
  overrideMimeType(): void {}
  getResponseHeader(): null {
    return null;
  }
  getAllResponseHeaders(): string {
    return "";
  }
  send(): void {
    const answered = (): void => {
      const status = input.answers ? 200 : 500;
      Object.assign(this, { readyState: 4, status, statusText: "", responseText: "{}", response: "{}" });
      for (const type of ["readystatechange", input.answers ? "load" : "error", "loadend"]) {
        methods.dispatchEvent.call(this, new Event(type));
      }
    };
    if (this.isAsync) {
      later(answered, ANSWER);
    } else {
      answered();
    }
  }
}
Object.assign(XMLHttpRequest.prototype, methods);

class MessagePort {
  other: MessagePort | undefined;

  postMessage(data: unknown): void {
    const { other } = this;
    if (other) {
      later(() => methods.dispatchEvent.call(other, Object.assign(new Event("message"), { data })));
    }
  }
  start(): void {}
  close(): void {}
}
Object.assign(MessagePort.prototype, methods);

class MessageChannel {
  readonly port1 = new MessagePort();
  readonly port2 = new MessagePort();

  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }
}

class AbortSignal {
  aborted = false;
  reason: unknown = undefined;

  throwIfAborted(): void {
    if (this.aborted) {
      throw this.reason;
    }
  }
  static timeout(): AbortSignal {
    return new AbortSignal();
  }
  static any(): AbortSignal {
    return new AbortSignal();
  }
  static abort(): AbortSignal {
    return Object.assign(new AbortSignal(), { aborted: true });
  }
}
Object.assign(AbortSignal.prototype, methods);

class AbortController {
  readonly signal = new AbortSignal();

  abort(reason: unknown): void {
    Object.assign(this.signal, { aborted: true, reason });
    methods.dispatchEvent.call(this.signal, new Event("abort"));
  }
}

for (const [name, value] of Object.entries({ fetch, XMLHttpRequest, MessageChannel, AbortController, AbortSignal })) {
  define(window, name, value);
}

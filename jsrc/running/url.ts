/** Addresses, which QuickJS lacks. */
import { define, window } from "./dom.ts";
import { input } from "./reports.ts";

type Pair = [name: string, value: string];

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replace(/\+/g, " "));
  } catch {
    return part;
  }
}

function pairsOf(init: unknown): Pair[] {
  if (typeof init === "string") {
    const parts = init.replace(/^\?/, "").split("&").filter(Boolean);
    return parts.map((part) => {
      const [name = "", ...value] = part.split("=");
      return [decoded(name), decoded(value.join("="))];
    });
  }
  const entries = Symbol.iterator in Object(init) ? [...(init as Iterable<Pair>)] : Object.entries(init ?? {});
  return entries.map(([name, value]) => [String(name), String(value)]);
}

class SearchParams {
  private pairs: Pair[];
  /** Whether it is the query of the page, whose parameters have the value that the life gives. */
  private readonly isOfPage: boolean;

  constructor(init: unknown = "") {
    this.pairs = pairsOf(init);
    this.isOfPage = typeof init === "string" && /aw\d/.test(init);
  }
  get(name: unknown): string | null {
    const pair = this.pairs.find((one) => one[0] === String(name));
    return pair ? pair[1] : this.isOfPage && input.query ? input.query : null;
  }
  getAll(name: unknown): string[] {
    return this.pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
  }
  has(name: unknown): boolean {
    return this.get(name) !== null;
  }
  set(name: unknown, value: unknown): void {
    this.delete(name);
    this.append(name, value);
  }
  append(name: unknown, value: unknown): void {
    this.pairs.push([String(name), String(value)]);
  }
  delete(name: unknown): void {
    this.pairs = this.pairs.filter((pair) => pair[0] !== String(name));
  }
  forEach(work: (value: string, name: string, all: this) => void): void {
    for (const [name, value] of this.pairs) {
      work(value, name, this);
    }
  }
  keys(): Iterator<string> {
    return this.pairs.map((pair) => pair[0])[Symbol.iterator]();
  }
  values(): Iterator<string> {
    return this.pairs.map((pair) => pair[1])[Symbol.iterator]();
  }
  entries(): Iterator<Pair> {
    return this.pairs[Symbol.iterator]();
  }
  [Symbol.iterator](): Iterator<Pair> {
    return this.entries();
  }
  sort(): void {
    this.pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  }
  toString(): string {
    return this.pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  }
}

const ABSOLUTE = /^[a-z][a-z\d+.-]*:/i;
const PARTS = /^([a-z][a-z\d+.-]*:)(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i;

class Address {
  protocol: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  username = "";
  password = "";
  readonly searchParams: SearchParams;

  constructor(text: unknown, base?: unknown) {
    const given = String(text);
    const whole = ABSOLUTE.test(given) || base === undefined ? given : new Address(base).resolved(given);
    const [, protocol, host = "", path = "", search = "", hash = ""] = PARTS.exec(whole) ?? [];
    if (!protocol || (/^https?:/i.test(whole) && !host)) {
      throw new TypeError("Invalid URL");
    }
    const [hostname = "", port = ""] = host.split(":");
    this.protocol = protocol;
    this.host = host;
    this.hostname = hostname;
    this.port = port;
    this.pathname = path || (host ? "/" : "");
    this.search = search;
    this.hash = hash;
    this.searchParams = new SearchParams(search);
  }
  private resolved(path: string): string {
    if (path.startsWith("//")) {
      return this.protocol + path;
    }
    return path.startsWith("/") ? this.origin + path : this.origin + this.pathname.replace(/[^/]*$/, "") + path;
  }
  get origin(): string {
    return `${this.protocol}//${this.host}`;
  }
  get href(): string {
    const query = String(this.searchParams);
    return `${this.origin}${this.pathname}${query ? `?${query}` : ""}${this.hash}`;
  }
  toString(): string {
    return this.href;
  }
  toJSON(): string {
    return this.href;
  }
  static createObjectURL(): string {
    return "blob:x";
  }
  static revokeObjectURL(): void {}
  static canParse(text: unknown, base?: unknown): boolean {
    try {
      return !!new Address(text, base);
    } catch {
      return false;
    }
  }
}

/** The address of the page. */
export const location = {
  href: "https://shop.example/",
  search: "",
  hash: "",
  host: "shop.example",
  hostname: "shop.example",
  pathname: "/",
  protocol: "https:",
  port: "",
  origin: "https://shop.example",
  assign(): void {},
  replace(): void {},
  reload(): void {},
  toString(): string {
    return this.href;
  },
};

Object.defineProperty(SearchParams, "name", { value: "URLSearchParams" });
Object.defineProperty(Address, "name", { value: "URL" });
define(window, "URLSearchParams", SearchParams);
define(window, "URL", Address);
define(window, "location", location);

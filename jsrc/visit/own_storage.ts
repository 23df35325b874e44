/**
 * Storage and cookies of a page's own, in memory: no other frame sees them, and they are empty when the page is loaded. So
 * a state shows what its title says, whatever another state has stored. A page in a sandbox may not use the browser's.
 * There is no quota, and no `cookieStore`.
 */
const values = new WeakMap<object, Map<string, string>>();

/** The values of a storage, for a method that is called on it. */
function valuesOf(storage: object): Map<string, string> {
  const own = values.get(storage);
  if (!own) throw new TypeError("Illegal invocation");
  return own;
}

/** Require as many arguments as the browser does, and return them as texts. */
function texts(name: string, count: number, given: unknown[]): string[] {
  if (given.length < count) throw new TypeError(`Failed to execute '${name}' on 'Storage': ${count} argument${count > 1 ? "s" : ""} required, but only ${given.length} present.`);
  return given.slice(0, count).map(String);
}

const METHODS: Record<string, (own: Map<string, string>, given: unknown[]) => unknown> = {
  key: (own, given) => [...own.keys()][Number(texts("key", 1, given)[0]) >>> 0] ?? null,
  getItem: (own, given) => own.get(texts("getItem", 1, given)[0] as string) ?? null,
  setItem: (own, given) => void own.set(...(texts("setItem", 2, given) as [string, string])),
  removeItem: (own, given) => void own.delete(texts("removeItem", 1, given)[0] as string),
  clear: (own) => own.clear(),
};
for (const [name, method] of Object.entries(METHODS)) {
  const value = { [name](this: object, ...given: unknown[]): unknown { return method(valuesOf(this), given); } }[name];
  Object.defineProperty(Storage.prototype, name, { value, writable: true, enumerable: true, configurable: true });
}
Object.defineProperty(Storage.prototype, "length", {
  get(this: object) {
    return valuesOf(this).size;
  },
  enumerable: true,
  configurable: true,
});

function makeStorage(): object {
  const own = new Map<string, string>();
  const behind = Object.create(Storage.prototype) as object;
  const isMember = (name: string | symbol): name is symbol => typeof name === "symbol" || name in behind;
  const storage = new Proxy(behind, {
    get: (target, name, receiver) => (isMember(name) ? (Reflect.get(target, name, receiver) as unknown) : own.get(name)),
    has: (_target, name) => isMember(name) || own.has(name),
    set: (target, name, value) => (typeof name === "symbol" ? Reflect.set(target, name, value) : !!own.set(name, String(value))),
    defineProperty: (target, name, property) =>
      typeof name === "symbol" ? Reflect.defineProperty(target, name, property) : !!own.set(name, String(property.value)),
    deleteProperty: (target, name) => (typeof name === "symbol" ? Reflect.deleteProperty(target, name) : own.delete(name) || true),
    ownKeys: (target) => [...own.keys(), ...Reflect.ownKeys(target)],
    getOwnPropertyDescriptor: (target, name) =>
      typeof name === "symbol" || !own.has(name)
        ? Reflect.getOwnPropertyDescriptor(target, name)
        : { value: own.get(name), writable: true, enumerable: true, configurable: true },
  });
  values.set(storage, own);
  return storage;
}

for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(globalThis, name, { value: makeStorage(), configurable: true });
}

/** The browser takes no other object for a storage, so an event gets it afterwards. */
globalThis.StorageEvent = new Proxy(StorageEvent, {
  construct(target, [type, { storageArea = null, ...rest } = {}]: [string, StorageEventInit?], made) {
    const event = Reflect.construct(target, [type, rest], made) as StorageEvent;
    return Object.defineProperty(event, "storageArea", { value: storageArea });
  },
});

/** The text of each cookie by its name, and when it expires (`Date.now()`). */
const cookies = new Map<string, { text: string; ends: number }>();

/** Return what is before the first "=", and what is after it; null without one. */
function divided(part: string): [string, string | null] {
  const at = part.indexOf("=");
  return at < 0 ? [part.trim(), null] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
}

/** Keep a cookie as the browser does, on every path: the page's address is another one than in the shop. */
function setCookie(given: string): void {
  const [[before, after] = ["", null], ...attributes] = given.split(";").map(divided);
  const [name, text] = after === null ? ["", before] : [before, after];
  const rules = new Map(attributes.map(([rule, value]) => [rule.toLowerCase(), value ?? ""]));
  if ((!name && !text) || rules.has("httponly")) return;
  const age = rules.get("max-age") ?? "";
  const until = rules.get("expires") ?? "";
  const date = /[a-z]{3}/i.test(until) ? Date.parse(until) : NaN; // a mere number is no date here
  const ends = /^-?\d+$/.test(age) ? Date.now() + 1000 * Number(age) : Number.isNaN(date) ? Infinity : date;
  if (ends <= Date.now()) cookies.delete(name);
  else cookies.set(name, { text, ends });
}

function cookieText(): string {
  const kept = [...cookies].filter(([, { ends }]) => ends > Date.now());
  return kept.map(([name, { text }]) => (name ? `${name}=${text}` : text)).join("; ");
}

Object.defineProperty(document, "cookie", { get: cookieText, set: (text: unknown) => setCookie(String(text)), configurable: true });

/**
 * Storage and cookies of a page's own, in memory: no other frame sees them, and they are empty when the page is loaded. So
 * a state shows what its title says, whatever another state has stored. A page in a sandbox may not use the browser's.
 */
function makeStorage(): Storage {
  const values = new Map<string, string>();
  const members = {
    get length() {
      return values.size;
    },
    key: (place: number) => [...values.keys()][place] ?? null,
    getItem: (name: string) => values.get(String(name)) ?? null,
    setItem: (name: string, value: string) => void values.set(String(name), String(value)),
    removeItem: (name: string) => void values.delete(String(name)),
    clear: () => values.clear(),
  };
  const storage = Object.create(Storage.prototype, Object.getOwnPropertyDescriptors(members)) as Storage;
  return new Proxy(storage, {
    get: (_target, name) => (name in storage ? (Reflect.get(storage, name) as unknown) : values.get(String(name))),
    has: (_target, name) => name in storage || values.has(String(name)),
    set: (_target, name, value) => {
      values.set(String(name), String(value));
      return true;
    },
    deleteProperty: (_target, name) => {
      values.delete(String(name));
      return true;
    },
    ownKeys: () => [...values.keys()],
    getOwnPropertyDescriptor: (_target, name) =>
      values.has(String(name)) ? { value: values.get(String(name)), writable: true, enumerable: true, configurable: true } : undefined,
  });
}

for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(globalThis, name, { value: makeStorage(), configurable: true });
}

const cookies = new Map<string, string>();

function setCookie(text: string): void {
  const [pair = "", ...attributes] = text.split(";").map((part) => part.trim());
  const [name, ...rest] = pair.split("=");
  const values = new Map(attributes.map((part) => [part.split("=")[0]?.toLowerCase(), part.slice(part.indexOf("=") + 1)]));
  const age = values.get("max-age");
  const isOver = age === undefined ? Date.parse(values.get("expires") ?? "") <= Date.now() : Number(age) <= 0;
  if (isOver) cookies.delete(name ?? "");
  else cookies.set(name ?? "", rest.join("="));
}

Object.defineProperty(document, "cookie", {
  get: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  set: (text: unknown) => setCookie(String(text)),
  configurable: true,
});

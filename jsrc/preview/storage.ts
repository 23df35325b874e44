/**
 * What a page in a sandbox may not use, replaced so that a widget works as on a page of the shop: storage, in memory, and
 * cookies, which stay empty. Imported before everything else.
 */
function makeStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (place) => [...values.keys()][place] ?? null,
    getItem: (key) => values.get(String(key)) ?? null,
    setItem: (key, value) => void values.set(String(key), String(value)),
    removeItem: (key) => void values.delete(String(key)),
    clear: () => values.clear(),
  };
}

for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(globalThis, name, { value: makeStorage(), configurable: true });
}
Object.defineProperty(document, "cookie", { get: () => "", set: () => undefined, configurable: true });

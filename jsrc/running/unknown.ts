/** Return a value of which nothing is known: the export of another file, the answer of a host. */
export function unknown(name: string): any {
  const handler: ProxyHandler<() => void> = {
    get(_target, key) {
      if (key === Symbol.toPrimitive) {
        return (hint: string) => (hint === "number" ? 1 : "");
      }
      if (key === Symbol.iterator) {
        return () => [][Symbol.iterator]();
      }
      if (key === "then" || key === "toJSON" || typeof key === "symbol") {
        return undefined;
      }
      if (key === "toString" || key === "valueOf") {
        return () => "";
      }
      if (key === "length") {
        return 0;
      }
      return unknown(key === "default" ? name : `${name}.${key}`);
    },
    set: () => true,
    has: () => true,
    apply: () => unknown(name) as unknown,
    construct: () => unknown(name) as object,
  };
  return new Proxy(function () {}, handler);
}

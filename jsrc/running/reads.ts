/** Notes which fields of the payload a script reads, and which it reads in vain. Only those are varied. */

/** The path of each record and list of the payload, such as `item.variants.0`; "" for what has several of them. */
const paths = new WeakMap<object, string>();
const watchers = new WeakMap<object, object>();
/** The names of the values in event parameters. */
const roots = new Set<string>();
const read = new Set<string>();
const absent = new Map<string, readonly [record: string, name: string]>();
/** The last field that was read and has no value, with its path. */
let nothing = "";
/** Names that JavaScript itself reads. */
const ASKED = new Set(["then", "toJSON", "constructor"]);

/** Give a value of the payload, and all values in it, their paths. */
export function locate(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) {
    return;
  }
  paths.set(value, path);
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const name = isList ? "0" : key;
    if (!path) {
      roots.add(name);
    }
    locate(inner, path ? `${path}.${name}` : name);
  }
}

/** Return a value that behaves like the given one and notes what is read of it. */
export function watched(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const path = paths.get(value);
  if (path === undefined) {
    return value;
  }
  const watcher = watchers.get(value) ?? new Proxy(value, handlerOf(path));
  watchers.set(value, watcher);
  return watcher;
}

/** Return an argument of a subscriber, watched if it has values of the payload. */
export function watchedArgument(value: unknown): unknown {
  if (typeof value === "object" && value !== null && !paths.has(value) && hasPayload(value)) {
    paths.set(value, "");
  }
  return watched(value);
}

/** Return the arguments of a render function, watched. The runtime makes some of them of several records. */
export function watchedArguments(given: object): object {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "object" && value !== null && !paths.has(value) && roots.has(name)) {
      paths.set(value, name);
    }
  }
  return watchedArgument(given) as object;
}

const hasPayload = (value: object): boolean =>
  Object.values(value).some((inner) => typeof inner === "object" && inner !== null && paths.has(inner));

function handlerOf(path: string): ProxyHandler<object> {
  const note = (target: object, key: PropertyKey): void => {
    if (typeof key !== "string" || Array.isArray(target)) {
      return;
    }
    const field = path ? `${path}.${key}` : key;
    if (Object.hasOwn(target, key)) {
      read.add(field);
    } else if (path && !(key in target) && !ASKED.has(key)) {
      absent.set(field, [path, key]);
    }
  };
  return {
    get(target, key) {
      note(target, key);
      const value: unknown = Reflect.get(target, key);
      if (typeof key === "string" && (value === undefined || value === null)) {
        nothing = path ? `${path}.${key}` : key;
      }
      const own = Reflect.getOwnPropertyDescriptor(target, key);
      return own && !own.configurable && !own.writable ? value : watched(value);
    },
    has(target, key) {
      note(target, key);
      return Reflect.has(target, key);
    },
  };
}

/** The path of the field that was read last and has no value. */
export const lastNothing = (): string => nothing;

/** The paths of the fields that were read, and the records and names of those that were not there. */
export const reads = (): { read: string[]; absent: Array<readonly [string, string]> } => ({
  read: [...read],
  absent: [...absent.values()],
});

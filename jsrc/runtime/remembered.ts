/**
 * Keeps the values of a widget's named fields in the tab's session storage, so that they survive a reload, a visit to
 * another page, and a theme that inserts the block anew.
 *
 * The storage is shared with the shop, with all other apps and, on some hosts, with other websites. So its key has the
 * website's path and the widget's class, which is unique for app and widget, and its value may be anything. Where the
 * browser refuses storage, nothing is kept, and the fields work as usual.
 */
import type { Behaviour } from "./live.ts";
import type { ArgsOfASlot } from "./slots.ts";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Matches the fields to remember: all that have a name, except passwords, card data, files, hidden fields, lists with
 * several choices, and fields with `autocomplete="off"`.
 */
const FIELDS =
  ":is(input,select,textarea)[name]:not([type=password],[type=file],[type=hidden],[autocomplete=off],[autocomplete^=cc-],[multiple])";

const fieldsOf = (root: ParentNode): Field[] => [...root.querySelectorAll<Field>(FIELDS)];

/** The path of the website, which is before the language: `/1` in `/1/lv/cart`, nothing in `/lv/cart`. */
const websitePath = (): string => /^(.*?)\/[a-z]{2}(?:-\w+)?(?:\/|$)/i.exec(location.pathname)?.[1] ?? "";

const load = (key: string): Record<string, unknown> => {
  try {
    return { ...(JSON.parse(sessionStorage.getItem(key) as string) as object) };
  } catch {
    return {};
  }
};

const store = (key: string, values: Record<string, unknown>): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(values));
  } catch {
    // The browser refuses storage, or it is full.
  }
};

/** Return the key of a field's stored value. Each checkbox has its own key; the radio buttons of a group share one. */
const nameOf = ({ type, name, value }: Field): string => (type == "checkbox" ? `${name}=${value}` : name);

/** Return the value of a field to store; undefined for a radio button that is not chosen. */
const valueOf = (field: Field): string | boolean | undefined =>
  field.type == "checkbox"
    ? (field as HTMLInputElement).checked
    : field.type == "radio" && !(field as HTMLInputElement).checked
      ? undefined
      : field.value;

/** Give a field its stored value. Return whether that changes it. A value that the field cannot have is ignored. */
const fill = (field: Field, value: unknown): boolean => {
  const before = valueOf(field);
  const box = field as HTMLInputElement;
  if (field.type == "checkbox") {
    box.checked = typeof value == "boolean" ? value : box.checked;
  } else if (field.type == "radio") {
    box.checked ||= field.value === value;
  } else if (typeof value == "string") {
    const old = field.value;
    field.value = value;
    if (field.value != value) {
      field.value = old;
    }
  }
  return valueOf(field) !== before;
};

/**
 * Return a behaviour for `live` that remembers the widget's named fields while the tab is open:
 * `live(render, remembered({ mounted, on }))`. Not remembered: passwords, card data, files, hidden fields,
 * lists with several choices, and fields with `autocomplete="off"`. A reset of the form deletes its values.
 */
export const remembered = <Args = ArgsOfASlot>(behaviour: Behaviour<Args> = {}): Behaviour<Args> => ({
  ...behaviour,
  mounted: (root, args) => {
    const key = `awning:${websitePath()}:${root.classList[0] ?? ""}`;
    const filled = new WeakSet<Field>();
    behaviour.mounted?.(root, args);

    /** Fill all new fields, and then fire their events, because `save` and handlers read the other fields, too. */
    const restore = (): void => {
      const values = load(key);
      const changed = fieldsOf(root).filter((field) => {
        const isNew = !filled.has(field);
        filled.add(field);
        return isNew && fill(field, values[nameOf(field)]);
      });
      for (const field of changed) {
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
      }
    };

    /** Store the values of all fields. Stored values of fields that are not in the widget at present stay. */
    const save = (): void => {
      const values = load(key);
      for (const field of fieldsOf(root)) {
        const value = valueOf(field);
        if (filled.has(field) && value !== undefined) {
          values[nameOf(field)] = value;
        }
      }
      store(key, values);
    };

    const forget = (event: Event): void => {
      const values = load(key);
      for (const field of fieldsOf(event.target as HTMLFormElement)) {
        delete values[nameOf(field)];
      }
      store(key, values);
    };

    root.addEventListener("input", save);
    root.addEventListener("change", save);
    root.addEventListener("reset", forget);
    new MutationObserver(restore).observe(root, { childList: true, subtree: true });
    restore();
  },
});

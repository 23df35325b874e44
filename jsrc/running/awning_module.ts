/** The module "awning" that scripts import: the real runtime, with what it is given and what it returns judged. */
import * as runtime from "../runtime/index.ts";
import * as slots from "../runtime/slots.ts";
import { state } from "./clock.ts";
import { isMethod, type Members, type Method } from "./dom.ts";
import { actions } from "./events.ts";
import { judged, sink } from "./markup.ts";
import { watchedArguments } from "./reads.ts";
import { report } from "./reports.ts";

const members = runtime as unknown as Record<string, Method>;

/** Judge the HTML that a render function has returned, at the place where the slot was made. */
function judge(html: unknown, at: number): unknown {
  const before = state.at;
  state.at = at;
  if (html || html === 0) {
    sink(html, "render");
    judged.add(String(html));
  }
  state.at = before;
  return html;
}

function slot(make: Method): Method {
  return (render: unknown) => {
    const { at } = state;
    if (!isMethod(render)) {
      return make(render);
    }
    return make((values: object) => {
      const html = render(watchedArguments(values));
      const { then } = Object(html) as { then?: unknown };
      if (typeof html === "object" && isMethod(then)) {
        const later = then.call(html, (rendered: unknown) => judge(rendered, at));
        return Object.assign(later as object, html);
      }
      return judge(html, at);
    });
  };
}

interface Behaviour {
  on?: Record<string, (event: Event, element: Element) => unknown>;
  mounted?: (root: Element) => unknown;
}

function live(render: unknown, behaviour?: Behaviour): unknown {
  const handlers = Object.entries(behaviour?.on ?? {});
  for (const [key] of handlers) {
    report("dead-handler", key);
  }
  const mounted = (root: Element): void => {
    behaviour?.mounted?.(root);
    for (const [key, handle] of handlers) {
      actions.push(() => act(root, key, handle));
    }
  };
  return members.live?.(render, { ...behaviour, mounted });
}

function act(root: Element, key: string, handle: (event: Event, element: Element) => unknown): void {
  const [type = "", ...selector] = key.split(" ");
  const event = new Event(type, { bubbles: true, cancelable: true });
  let element = root;
  try {
    element = root.querySelector(selector.join(" ")) ?? root;
  } catch {
    // The selector cannot be read. The handler is called for the root.
  }
  Object.defineProperty(event, "target", { value: element, configurable: true });
  handle(event, element);
}

export const awning: Members = {
  ...members,
  ...Object.fromEntries(Object.entries(slots).map(([name, make]) => [name, slot(make)])),
  live,
};

import { mount } from "./rooted.ts";
import type { LaterResult, Render, Rendered, Show } from "./slot.ts";
import type { ArgsOfASlot } from "./slots.ts";

/** The behaviour of a widget, in addition to its HTML. */
export interface Behaviour<Args = ArgsOfASlot> {
  /**
   * Called for each place of the widget, with the element around its content. Later renderings keep this element. If
   * the page has removed it, the next rendering makes a new one and calls `mounted` again.
   * `args` are the arguments of the render function, such as `data` and `t`. They have the values of the newest event.
   */
  mounted?: (root: Element, args: Args) => void;
  /**
   * Handlers by event and selector: `{ "click .more": (event, element) => ... }`. They are attached to the root once, so
   * that they also work for new content.
   */
  on?: Readonly<Record<string, (event: Event, element: Element) => void>>;
}

/**
 * Return a render function with behaviour: `afterPrice(live(render, { mounted, on }))`. Each new rendering is patched into
 * the page, so that handlers, focus, caret, typed values and open details survive. The result is
 * async if that of `render` is.
 */
export const live = <Args = ArgsOfASlot, Result extends ReturnType<Render<Args>> = ReturnType<Render<Args>>>(
  render: (args: Args) => Result,
  behaviour: Behaviour<Args>,
): ((args: Args) => Result) => {
  return (args) => {
    const enliven = (html: Rendered | undefined): Rendered =>
      Object.assign(new String(html || ""), {
        mounted: (root: Element, show: Show) => {
          mount(html, root, show);
          mounted(root, behaviour, args);
        },
      });
    const rendered = render(args) as ReturnType<Render<Args>>;
    return (
      rendered && typeof rendered == "object" && "then" in rendered
        ? Object.assign(
            rendered.then(enliven),
            "meanwhile" in rendered && { meanwhile: enliven((rendered as LaterResult).meanwhile) },
          )
        : enliven(rendered)
    ) as Result;
  };
};

const mounted = <Args>(root: Element, { mounted: author, on = {} }: Behaviour<Args>, args: Args): void => {
  for (const [what, handle] of Object.entries(on)) {
    const space = what.indexOf(" ");
    listen(root, what.slice(0, space), what.slice(space + 1), handle);
  }
  author?.(root, args);
};

const listen = (root: Element, type: string, selector: string, handle: (event: Event, element: Element) => void): void =>
  root.addEventListener(type, (event) => {
    const element = (event.target as Element).closest(selector);
    if (element && root.contains(element)) {
      try {
        handle(event, element);
      } catch (error) {
        console.error(error);
      }
    }
  });

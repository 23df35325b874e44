import type { Rendered } from "./slot.ts";

/**
 * Return a result that arrives later, with content for the time until then: `meanwhile(view({ loading: true }), answer)`.
 * The content is shown while the widget has shown no result yet. If the promise is rejected, the content is removed.
 */
export const meanwhile = (content: Rendered, result: PromiseLike<Rendered>): PromiseLike<Rendered> =>
  // `then` makes a new promise for the property `meanwhile`, because the author may use `result` for other calls, too.
  Object.assign(result.then((rendered) => rendered), { meanwhile: content });

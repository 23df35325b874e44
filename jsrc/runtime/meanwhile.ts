import type { Rendered } from "./slot.ts";

/**
 * Return a result that arrives later, with content for the time until then: `meanwhile(view({ loading: true }), answer)`.
 * The content is shown while the widget has shown no result yet. If the promise is rejected, the content is removed.
 */
export const meanwhile = (content: Rendered, result: PromiseLike<Rendered>): PromiseLike<Rendered> =>
  // `then` makes a new promise to assign to, because the author may use `result` again for other calls.
  Object.assign(result.then((rendered) => rendered), { meanwhile: content });

import type { Insert, LaterResult, Rendered } from "./slot.ts";
import { type Delivered, delivery, tell } from "./beacon.ts";

/**
 * Wraps `insert` for a render function that may be async. The result of a promise is dropped if the function was called
 * again before it arrived. Before the first result, the content of `meanwhile` is shown. After a rejected promise this
 * content is removed, but an earlier result stays. The console shows the first error. `name` is the widget's name.
 */
export const later =
  (name: string, insert: Insert): Insert =>
  (content, className) => {
    const show = insert(content, className);
    let calls = 0;
    let failed = 0;
    let hasResult = 0;
    return (rendered: Rendered | LaterResult | undefined) => {
      const call = ++calls;
      if (rendered && typeof rendered == "object" && "then" in rendered) {
        if (AWNING_BEACON) {
          (rendered as Delivered).event = delivery.event;
        }
        if (AWNING_DEV) {
          content.awning?.awaits();
        }
        const replaceable = (): boolean => "meanwhile" in rendered && !hasResult && call == calls;
        // On a page of the dev server, content of the widget's previous code may stay until the first result.
        if (replaceable() && !(AWNING_DEV && content.awning?.last)) {
          show(rendered.meanwhile);
        }
        rendered
          .then((html) => {
            if (call == calls) {
              hasResult = 1;
              show(html);
              if (AWNING_DEV) {
                content.awning?.settled();
              }
            }
          })
          .then(null, (error: unknown) => {
            if (replaceable()) {
              show("");
            }
            if (!failed++) {
              console.error(name, error);
              if (AWNING_BEACON) {
                tell(name, error, (rendered as Delivered).event);
              }
            }
          });
      } else {
        hasResult = 1;
        show(rendered);
      }
    };
  };

import type { Insert, Rendered } from "./slot.ts";
import { type Delivered, delivery, tell } from "./beacon.ts";

/**
 * Wraps `insert` for a render function that may be async. The result of the latest call is shown, even if an earlier
 * one arrives after it. After a rejected promise the content stays, and the console shows the first error. `name` is
 * the widget's name.
 */
export const later =
  (name: string, insert: Insert): Insert =>
  (content, className) => {
    const show = insert(content, className);
    let calls = 0;
    let failed = 0;
    return (rendered: Rendered | PromiseLike<Rendered>) => {
      const call = ++calls;
      if (rendered && typeof rendered == "object" && "then" in rendered) {
        if (AWNING_BEACON) {
          (rendered as Delivered).event = delivery.event;
        }
        if (AWNING_DEV) {
          content.awning?.awaits();
        }
        rendered
          .then((html) => {
            if (call == calls) {
              show(html);
              if (AWNING_DEV) {
                content.awning?.settled();
              }
            }
          })
          .then(null, (error: unknown) => {
            if (!failed++) {
              console.error(name, error);
              if (AWNING_BEACON) {
                tell(name, error, (rendered as Delivered).event);
              }
            }
          });
      } else {
        show(rendered);
      }
    };
  };

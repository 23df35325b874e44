/**
 * The entry of a snippet with one widget in one slot, written out: what `run` does, for it alone, with everything known
 * in its place. A function for any number of widgets and slots costs such a snippet a fifth of its script.
 *
 * This is no module to import. The build (src/awning/pipeline/flat.py) takes what is below the line, puts what it knows
 * of the widget where the names in capitals are, and declares `render` and what else these speak of above it; the
 * bundler then drops the ways not taken. Variables are used again, because each new one is shipped: in the end `update`
 * is the selected variant, `init` what was rendered, `param` the HTML that is set.
 */
import type { Common, Insert, Render } from "./slot.ts";
import type { tell as Tell } from "./tell.ts";
import type { Policy } from "./trusted.ts";

declare const WIDGET_NAME: string;
/** The class of the element around its content. */
declare const WIDGET_ROOT: string;
declare const WIDGET_SLOT: "afterPrice" | "afterCart" | "afterCheckout";
/** What puts its content into the page; null for plain replacement. */
declare const WIDGET_INSERT: Insert | null;
/** False where the app data turn the widget off. */
declare const WIDGET_ON: boolean;
/** What is to be done for a new host, before anything is rendered: it may read `param.page`. */
declare const WIDGET_BEGIN: unknown;
/** What the render function gets beside what the slot gives it. */
declare const WIDGET_GIVEN: Common;
declare const render: Render<never>;
declare const tell: typeof Tell;
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy };

// ------------------------------------------------------------------------------------------------------------------

let content: any;
let shown: any;
let early: any;
let policy: any;
let failed = 0;

WIDGET_ON &&
  (WIDGET_SLOT == "afterCart" ? [""] : ["", "-updated"]).map(
    (suffix, updated) =>
      // Nothing promises that the service's global is there, or that it is a property of the window.
      typeof AWNING_GLOBAL != "undefined" &&
      AWNING_GLOBAL.subscribeEvent(
        AWNING_EVENT_PREFIX +
          (WIDGET_SLOT == "afterPrice"
            ? "content-after-price"
            : WIDGET_SLOT == "afterCart"
              ? "content-after-cart"
              : "content-after-checkout") +
          suffix,
        (_event, init: any, param: any, update: any) => {
          try {
            if (WIDGET_SLOT != "afterCart" && updated) {
              // Before its base event an update can only be remembered.
              early = update;
            } else {
              update = WIDGET_SLOT != "afterCart" && !content && early;
              WIDGET_BEGIN;
              content = WIDGET_INSERT ? WIDGET_INSERT(init(), WIDGET_ROOT) : init();
              shown = "";
            }
            if (content) {
              if (WIDGET_SLOT == "afterPrice") {
                update = update?.selectedVariant || null;
              }
              init =
                render(
                  (WIDGET_SLOT == "afterPrice"
                    ? {
                        ...WIDGET_GIVEN,
                        item: {
                          ...param.item,
                          ...update,
                          weight: update?.weight ?? param.item.weight,
                          id: param.item.id,
                        },
                        variant: update,
                      }
                    : { ...WIDGET_GIVEN, cart: update || param.cartData, currency: param.currency }) as never,
                ) || "";
              if (WIDGET_INSERT) {
                content(init);
              } else if (init != shown) {
                param = `<div class="${WIDGET_ROOT}">${init}</div>`;
                // As `put` (trusted.ts).
                try {
                  content.setContent(param);
                } catch (error) {
                  try {
                    policy = policy || trustedTypes.createPolicy("awning", { createHTML: String });
                    content.setContent(new Range().createContextualFragment(policy.createHTML(param)).firstChild);
                  } catch {
                    throw error;
                  }
                }
                shown = init;
              }
            }
          } catch (error) {
            if (!failed++) {
              console.error(WIDGET_NAME, error);
              if (AWNING_BEACON) {
                tell(WIDGET_NAME, error);
              }
            }
          }
        },
      ),
  );

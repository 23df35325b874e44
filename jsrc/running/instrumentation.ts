/** What rewritten scripts call (`src/awning/check/running/rewriting.py`): places, counters, imports and exports. */
import { awning } from "./awning_module.ts";
import { state } from "./clock.ts";
import { window } from "./dom.ts";
import { failed, input } from "./reports.ts";
import { unknown } from "./unknown.ts";

const MODULES: Record<string, unknown> = { awning };
const NONE = Object.freeze([]);

export const exported: Record<string, unknown> = {};
/** The places that were reached, and for conditions those that were false, as negative numbers. */
export const counters = new Set<number>();

const imported = (name: string): unknown => MODULES[name] ?? unknown(name);

const members: Record<string, unknown> = {
  __import: imported,
  __load: (name: unknown) => Promise.resolve(imported(String(name))),
  __exports: exported,
  __q(at: number, value: unknown) {
    state.at = at;
    return value;
  },
  __e(at: number) {
    state.at = at;
    return NONE;
  },
  __c(number: number, at: number) {
    counters.add(number);
    state.at = at;
  },
  __b(number: number, at: number, value: unknown) {
    counters.add(value ? number : -number);
    state.at = at;
    return value;
  },
  __early(error: unknown) {
    if (input.early) {
      failed(error);
    }
  },
};
for (const [name, value] of Object.entries(members)) {
  Object.defineProperty(window, name, { value });
}

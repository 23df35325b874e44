/**
 * Holds the events of a page of the shop that loads, so that a check decides when they come. It runs before the page's
 * own scripts. Where the page creates its host, the moves `early` are made instead, which the caller sets; `make` makes
 * those after the page is loaded.
 */
import { created, makePageMove, updatedItem, type Created, type PageMove, type ShopPage, type Update } from "./page_moves.ts";

type Emulator = ShopPage["awningEmulator"];

const page = window as unknown as ShopPage;
let host: Created | undefined;
/** Whether the move `page` was made: the shop then fires its own events, too. */
let isShops = false;
let isMaking = false;

const held = {
  early: [] as PageMove[],
  make(move: PageMove): void {
    if (!host) return;
    isShops ||= move === "page" || move === "replaced";
    isMaking = true;
    try {
      makePageMove(page, host, move);
    } finally {
      isMaking = false;
    }
  },
  updatedItem: (update: Update): unknown => host && updatedItem(page, host.params, update),
};

function hold(emulator: Emulator): void {
  const { host: createHost, fire } = emulator;
  emulator.host = (container, event, params) => {
    if (isShops || isMaking) return createHost(container, event, params);
    host = created(page, container, event, params as Created["params"]);
    for (const move of held.early) {
      isShops ||= move === "page";
      held.make(move === "page" ? "base" : move); // the shop, which calls this, does the rest
    }
  };
  emulator.fire = (event, updated) => {
    if (isShops || isMaking) fire(event, updated);
  };
}

const earlier = Object.getOwnPropertyDescriptor(page, "awningEmulator")?.set;
Object.defineProperty(page, "awningEmulator", {
  set(emulator: Emulator) {
    hold(emulator);
    Object.defineProperty(page, "awningEmulator", { value: emulator, configurable: true, enumerable: true, writable: true });
    earlier?.call(page, emulator);
  },
  configurable: true,
  enumerable: true,
});
// A symbol, because a name would be a global that only pages of tests have.
Object.defineProperty(page, Symbol.for("awning.held"), { value: held });

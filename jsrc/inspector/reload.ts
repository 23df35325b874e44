/**
 * Reloads the page, and restores what the shopper did on it. A reload waits for a pause in typing, because keys that are
 * pressed while the browser loads a page are lost.
 */
import { captureState, describeLost, restoreState, type Rest, type ShopperState } from "./shopper_state.ts";

const STORAGE_KEY = "awning-shopper";
const TYPING_PAUSE_MS = 300;
/** How many milliseconds after a reload widgets that render late still get their state back. */
const LATEST_MS = 3000;

let lastKey = -Infinity;
let isComposing = false;
addEventListener("beforeinput", (event) => {
  lastKey = performance.now();
  isComposing = event instanceof InputEvent && event.isComposing;
}, true);
addEventListener("compositionend", () => (isComposing = false), true);

let isReloading = false;
let lost: ShopperState = [];

/** Reload the page as soon as nobody types, by `load`. `more` is state that this page has already lost; it is restored, too. */
export function reload(load: () => void, more: ShopperState = []): void {
  lost = [...lost, ...more];
  if (isReloading) return;
  isReloading = true;
  whenNobodyTypes(() => {
    store({ address: location.href, state: [...lost, ...captureState()] });
    load();
  });
}

function whenNobodyTypes(act: () => void): void {
  const wait = TYPING_PAUSE_MS - (performance.now() - lastKey);
  if (isComposing || wait > 0) setTimeout(() => whenNobodyTypes(act), Math.max(wait, TYPING_PAUSE_MS / 4));
  else act();
}

/**
 * Restore what the shopper did before the reload. Widgets may render late, so it tries again until everything is
 * restored, the shopper does something new, or LATEST_MS have passed.
 *
 * If the first attempt does not restore everything, `say` is called once, when the shopper does something new or the
 * time is over. It gets the parts that were not restored, in words; "" if later attempts restored them all.
 */
export function restoreAfterReload(say: (lost: string) => void): void {
  const stored = takeStored();
  if (!stored || stored.address !== location.href) return;
  let { awaited, refused }: Rest = { awaited: stored.state, refused: [] };
  let isDue = false;
  let isOver = false;
  const proceed = (): void => {
    isDue = false;
    if (isOver) return;
    const rest = restoreState(awaited, () => true);
    awaited = rest.awaited;
    refused = [...refused, ...rest.refused];
    if (!awaited.length) observer.disconnect();
  };
  // Each attempt is a task. As microtasks, attempts would block the page if handlers changed it on each attempt.
  const observer = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    setTimeout(proceed);
  });
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    observer.disconnect();
    say(describeLost([...awaited, ...refused]));
  };
  observer.observe(document, { childList: true, subtree: true });
  proceed();
  if (!awaited.length && !refused.length) return;
  setTimeout(end, LATEST_MS);
  for (const type of ["keydown", "pointerdown"]) addEventListener(type, (event) => event.isTrusted && end(), true);
}

interface Stored {
  address: string;
  state: ShopperState;
}

function store(stored: Stored): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
  } catch {
    // The browser may refuse storage. Then the state is lost.
  }
}

function takeStored(): Stored | null {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return text === null ? null : (JSON.parse(text) as Stored);
  } catch {
    return null;
  }
}

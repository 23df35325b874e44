/**
 * `awning`: the module that authors of widgets import. Each export ships only if it is used.
 */
export { date, datetime, time, type Style } from "./intl/dates.ts";
export * from "./intl/numbers.ts";
export { relative } from "./intl/relative.ts";
export { live, type Behaviour } from "./live.ts";
export { meanwhile } from "./meanwhile.ts";
export { money } from "./money.ts";
export { redrawn } from "./redrawn.ts";
export { remembered } from "./remembered.ts";
export * from "./slots.ts";
export type { Common, DataOfNoType, Render, Rendered, Slot } from "./slot.ts";
export type { TextArguments, Translate } from "./messages.ts";
export type * from "../types/index.ts";
export type { Amount, Display, Moment } from "../types/view.ts";

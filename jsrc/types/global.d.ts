/**
 * The service's global for scripts that call it themselves, with the specification's names. Where a service is called
 * otherwise, declare its own: `declare const shopPlugins: import("awning/types").TypedGlobal<"shop-">;`
 */
import type { TypedGlobal } from "./subscribing.ts";

declare global {
  const svcPlugins: TypedGlobal<"svc-">;
}

/**
 * The service's global, with the specification's names, for scripts that call it themselves. For a service with other
 * names, declare: `declare const shopPlugins: import("awning/types").TypedGlobal<"shop-">;`
 */
import type { TypedGlobal } from "./subscribing.ts";

declare global {
  const svcPlugins: TypedGlobal<"svc-">;
}

/**
 * What `awning record` runs in each page, before the page's own JavaScript: it sends each redacted event, and each change
 * of a slot's place, to the recorder, through a function that is taken from the page at once.
 */
import type { ServiceGlobal } from "../types/service.ts";
import { subscribe } from "./listening.ts";
import { watchPlaces } from "./places.ts";
import { bySalt, redaction } from "./redaction.ts";

/** The name of the function that the recorder puts into the page. */
declare const AWNING_BINDING: string;
declare const AWNING_SALT: string;

type Send = (text: string) => void;

function listen(send: Send): void {
  const { stringify } = JSON;
  const clean = redaction(bySalt(AWNING_SALT));
  let service: ServiceGlobal | undefined;
  let listens = false;
  const begin = () => {
    if (listens || typeof service?.subscribeEvent != "function") return;
    listens = true;
    subscribe(service, (event) => {
      try {
        send(event ? stringify(clean(event)) : "");
      } catch {
        send("");
      }
    });
  };
  Object.defineProperty(window, AWNING_GLOBAL_NAME, {
    configurable: true,
    enumerable: true,
    get: () => service,
    set: (value: ServiceGlobal) => {
      service = value;
      begin();
    },
  });
  addEventListener("DOMContentLoaded", begin);
  addEventListener("load", () => watchPlaces((change) => send(stringify(change))));
}

const owner = window as unknown as Record<string, Send | undefined>;
const send = owner[AWNING_BINDING];
delete owner[AWNING_BINDING];
if (window === window.top && send) listen(send);

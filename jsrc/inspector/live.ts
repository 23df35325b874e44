/**
 * The inspector on a live page, for `awning preview --headed`. The browser runs it before the page's own JavaScript. It
 * asks the process that builds over a binding of the browser, since the page may refuse requests.
 */
import { startInspector } from "./inspector.ts";
import { makeNames } from "./names.ts";
import { observeService } from "./observed_service.ts";
import { makeRedraw, type Redraw } from "./redraw.ts";
import {
  report, type AuthorPlace, type Here, type Info, type Message, type PayloadFields, type Server, type Stored,
} from "./server.ts";
import { makeTimeline } from "./timeline.ts";

/** The fields of payloads, and the name of the binding, which the preview puts before this script. */
declare const AWNING_FIELDS: PayloadFields;
declare const AWNING_BINDING: string;

type Ask = (what: string, content: unknown) => Promise<unknown>;

/** Take the binding from the page, so that its own scripts do not find it. */
function takeBinding(): Ask {
  const own = window as unknown as Record<string, Ask>;
  const ask = own[AWNING_BINDING];
  delete own[AWNING_BINDING];
  return (what, content) => (ask ? ask(what, content) : Promise.resolve(null));
}

function serverOver(ask: Ask): Server {
  return {
    listen({ revision }, onMessage) {
      Object.defineProperty(window, Symbol.for("awning.receive"), { value: onMessage });
      void ask("hello", { revision }).then((hello) => hello && onMessage(hello as Message));
    },
    readInfo: () => ask("info", {}) as Promise<Info>,
    readPayloadFields: () => Promise.resolve(AWNING_FIELDS),
    tellThrown: (here, thrown) => ask("thrown", report(here, thrown)) as Promise<AuthorPlace | null>,
    async writeData(data) {
      const stored = await ask("data", data);
      if (!stored) throw new Error("the preview does not take these app data");
      return stored as Stored;
    },
    hasOtherData: () => false,
    reload: (why) => void ask("reload", { why }),
  };
}

function inspect(ask: Ask): void {
  const here: Here = { revision: null, language: "" };
  const names = makeNames();
  let redraw: Redraw | null = null;
  const service = observeService(AWNING_GLOBAL_NAME, Object.keys(AWNING_FIELDS.events), (global) => {
    redraw = makeRedraw(global, names);
  });
  service.watch(names.learn);
  const timeline = makeTimeline(service, names);
  service.watch(timeline.learn);
  const replay = { isPossible: (_: string | null): _ is string => false, fire: () => {} };
  startInspector({ here, server: serverOver(ask), timeline, redraw: () => redraw, replay, tabs: {} });
}

const ask = takeBinding();
if (window === window.top) inspect(ask);

/**
 * Plays the responses of other hosts that widgets name in widget.toml: a request to such an address goes to the dev
 * server, which gives the response. So a widget with a server of its own works in the shop without that server. It covers
 * fetch, XMLHttpRequest, beacons and pictures, also in shadow roots. It is loaded before any snippet.
 */
export type Mode = "played" | "late" | "failing" | "none";

/** A request to another host, as the inspector shows it. `widget` names the response; null if no widget does. */
export interface Asked {
  url: string;
  widget: string | null;
  times: number;
}

export interface Answers {
  mode: Mode;
  /** All addresses with a response, and all others that were asked. */
  asked(): Asked[];
}

interface Named {
  url: string;
  widget: string;
}

const NOWHERE = "https://answer.invalid/";

export function playAnswers(text: string | undefined): Answers {
  const { mode, named } = JSON.parse(text ?? '{"mode":"none","named":[]}') as { mode: Mode; named: Named[] };
  const owners = new Map(named.map(({ url, widget }) => [url, widget]));
  const asked = new Map<string, Asked>(named.map(({ url, widget }) => [url, { url, widget, times: 0 }]));

  /** Count a request to another host. Returns the address to ask instead; null to leave the request as it is. */
  const replaced = (address: string, failed = NOWHERE): string | null => {
    let url: URL;
    try {
      url = new URL(address, document.baseURI);
    } catch {
      return null;
    }
    if (url.origin === location.origin || !url.protocol.startsWith("http")) return null;
    const bare = url.origin + url.pathname;
    const whole = bare + url.search;
    const known = owners.has(whole) ? whole : bare;
    const entry = asked.get(known) ?? { url: bare, widget: null, times: 0 };
    entry.times += 1;
    asked.set(known, entry);
    if (mode === "none" || entry.widget === null) return null;
    if (mode === "failing") return failed;
    return `/_awning/answer?url=${encodeURIComponent(known)}${mode === "late" ? "&mode=late" : ""}`;
  };

  const ask = window.fetch;
  window.fetch = async function (input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const address = input instanceof Request ? input.url : String(input);
    const instead = replaced(address);
    if (instead === null) return ask.call(window, input, init);
    if (instead === NOWHERE) throw new TypeError("Failed to fetch");
    const { method, signal } = new Request(input instanceof Request ? input : address, init);
    const response = await ask.call(window, instead, { method, signal });
    if (response.headers.has("awning-no-response")) throw new TypeError("Failed to fetch");
    Object.defineProperty(response, "url", { value: new URL(address, document.baseURI).href });
    return response;
  };

  const open = XMLHttpRequest.prototype.open as (...values: unknown[]) => void;
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, address: string | URL, ...rest: unknown[]): void {
    open.call(this, method, replaced(String(address)) ?? address, ...rest);
  } as typeof XMLHttpRequest.prototype.open;

  const beacon = navigator.sendBeacon;
  navigator.sendBeacon = (address, data) => {
    const instead = replaced(String(address));
    return instead === NOWHERE || beacon.call(navigator, instead ?? address, instead === null ? data : undefined);
  };

  playPictures((address) => replaced(address, "/_awning/answer"));
  return { mode, asked: () => [...asked.values()] };
}

type Replaced = (address: string) => string | null;

/** Replace the addresses of pictures: when a script sets them, and when markup with them is inserted. */
export function playPictures(replaced: Replaced): void {
  const setAttribute = Element.prototype.setAttribute;
  playElements(HTMLImageElement, "src", replaced);
  const mend = (picture: Element): void => {
    const instead = replaced(picture.getAttribute("src") ?? "");
    if (instead !== null) setAttribute.call(picture, "src", instead);
  };
  const observer = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      if (node.matches("img[src]")) mend(node);
      node.querySelectorAll("img[src]").forEach(mend);
    }
  });
  const follow = (root: Node): void => observer.observe(root, { childList: true, subtree: true });
  follow(document);
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init: ShadowRootInit): ShadowRoot {
    const root = attachShadow.call(this, init);
    follow(root);
    return root;
  };
}

/** Replace the addresses that a script gives to elements of one kind. */
export function playElements(kind: new () => Element, attribute: "src" | "href", replaced: Replaced): void {
  const described = Object.getOwnPropertyDescriptor(kind.prototype, attribute);
  const setAttribute = Element.prototype.setAttribute;
  const instead = (address: unknown): unknown => replaced(String(address)) ?? address;
  if (!described?.set) return;
  Object.defineProperty(kind.prototype, attribute, {
    ...described,
    set(this: Element, address: unknown) {
      described.set?.call(this, instead(address));
    },
  });
  Element.prototype.setAttribute = function (name: string, value: string): void {
    const isAddress = this instanceof kind && name.toLowerCase() === attribute;
    setAttribute.call(this, name, isAddress ? (instead(value) as string) : value);
  };
}

/**
 * The checkout page. A discount code and a way of shipping change the totals, which the server computes. The page shows
 * them, and fires `-updated` with the new cart when the total has changed (Apps Integration API, Event kinds).
 */
import type { CartTotals } from "../types/observed.ts";

interface Quote {
  known: boolean;
  cartData: CartTotals;
  texts: Record<"applied" | "announced" | "discount" | "shipping" | "total" | "taxes", string> & { code: string | null };
}

export function watchCheckout(event: string, cartData: CartTotals): void {
  const form = document.querySelector<HTMLFormElement>("[data-code]");
  if (!form) return;
  const page = checkoutPage(form);
  let total = cartData.total;
  let latest = 0;

  let wanted = page.applied();

  /** Load the totals for the chosen code and shipping. Only the response to the latest request counts. */
  const update = async (): Promise<void> => {
    const request = ++latest;
    page.wait(true);
    const quote = await fetchQuote(form, wanted, page.shipping());
    if (request !== latest) return;
    try {
      if (quote) apply(quote);
    } finally {
      page.wait(false);
    }
  };

  const apply = (quote: Quote): void => {
    page.refuse(!quote.known);
    if (!quote.known) {
      wanted = page.applied();
      return;
    }
    page.show(quote);
    keepInAddress("code", quote.texts.code ?? "");
    if (quote.cartData.total === total) return;
    total = quote.cartData.total;
    awningEmulator.fire(`${event}-updated`, quote.cartData);
  };

  form.addEventListener("submit", (submit) => {
    submit.preventDefault();
    const typed = page.typed();
    if (typed) want(typed);
  });
  const want = (code: string): void => {
    wanted = code;
    void update();
  };
  document.querySelector("[data-remove-code]")?.addEventListener("click", () => want(""));
  for (const radio of document.querySelectorAll("[data-shipping]")) {
    radio.addEventListener("change", () => void update());
  }
}

/** Put an option into the page's address, so that the page has it after a reload. */
function keepInAddress(name: string, value: string): void {
  const url = new URL(location.href);
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

/**
 * Return the shop's response; undefined when the shop cannot be reached or sends no JSON. The page then stays
 * unchanged.
 */
async function fetchQuote(form: HTMLFormElement, code: string, shipping: string): Promise<Quote | undefined> {
  const url = new URL(form.dataset.quote ?? "", location.href);
  url.searchParams.set("code", code);
  url.searchParams.set("shipping", shipping);
  try {
    return (await (await fetch(url)).json()) as Quote;
  } catch {
    return undefined;
  }
}

/** Return functions that read and write the elements of the page. */
function checkoutPage(form: HTMLFormElement) {
  const field = form.querySelector<HTMLInputElement>("[name=code]");
  const error = form.querySelector("#code-error");
  const totals = document.querySelector<HTMLElement>("[data-totals]");
  return {
    typed: () => field?.value.trim() ?? "",
    applied: () => totals?.dataset.codeValue ?? "",
    /** Mark the totals while new ones are on their way: for screen readers and for tests. */
    wait(busy: boolean): void {
      if (busy) totals?.setAttribute("aria-busy", "true");
      else totals?.removeAttribute("aria-busy");
    },
    shipping: () => document.querySelector<HTMLInputElement>("[data-shipping]:checked")?.value ?? "",
    refuse(wrong: boolean): void {
      if (error) error.textContent = wrong ? (field?.dataset.wrong ?? "") : "";
      field?.toggleAttribute("aria-invalid", wrong);
      if (wrong) field?.setAttribute("aria-invalid", "true");
    },
    show({ texts }: Quote): void {
      if (totals) totals.dataset.codeValue = texts.code ?? "";
      const ordered = document.querySelector<HTMLInputElement>("[data-order-code]");
      if (ordered) ordered.value = texts.code ?? "";
      if (field && texts.code) field.value = "";
      for (const cell of document.querySelectorAll<HTMLElement>("[data-shown]")) {
        cell.textContent = texts[cell.dataset.shown as "total"];
      }
      reveal("[data-discount-row]", texts.code !== null);
      reveal("[data-applied-row]", texts.code !== null);
      write("[data-applied]", texts.applied);
      write("[data-announce]", texts.announced);
    },
  };
}

function reveal(selector: string, visible: boolean): void {
  const element = document.querySelector<HTMLElement>(selector);
  if (element) element.hidden = !visible;
}

function write(selector: string, text: string): void {
  const element = document.querySelector(selector);
  if (element) element.textContent = text;
}

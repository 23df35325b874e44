/**
 * The options of this page: language, currency, cart, clock, assumptions, scenario, theme, policy. Choosing one loads
 * this page again with the new value.
 */
import { h } from "./element.ts";
import type { Choice, Info } from "./server.ts";

export function pageForm(info: Info, language: string): HTMLElement {
  const query = new URL(location.href).searchParams;
  return h(
    "div",
    { class: "page" },
    chooser("Language", info.languages.map((code) => ({ value: code, title: code })), language, toLanguage),
    chooser("Currency", info.currencies, query.get("currency") ?? info.currency, (value) => toQuery("currency", value)),
    chooser("Cart", info.carts, query.get("cart") ?? "C1", (value) => toQuery("cart", value)),
    chooser("Assumptions", info.assumptionSets, query.get("assumptions") ?? "observed", (value) => toQuery("assumptions", value)),
    chooser("Scenario", [{ value: "", title: "None" }, ...info.scenarios], query.get("scenario") ?? "", (value) =>
      toQuery("scenario", value),
    ),
    chooser("Theme", info.themes, query.get("theme") ?? "plain", (value) => toQuery("theme", value)),
    chooser("Content Security Policy", [{ value: "", title: "None" }, ...info.policies], query.get("csp") ?? "", (value) =>
      toQuery("csp", value),
    ),
    clock(query.get("now") ?? ""),
    h("p", { class: "page-links" }, h("a", { href: "/" }, "All pages"), h("a", { href: "/_awning/gallery" }, "Widget gallery")),
  );
}

function chooser(title: string, choices: Choice[], chosen: string, go: (value: string) => void): HTMLElement {
  const options = choices.map(({ value, title: text }) => h("option", { value, selected: value === chosen }, text));
  const select = h("select", {}, ...options);
  select.addEventListener("change", () => go(select.value));
  return h("label", { class: "field" }, h("span", { class: "field-title" }, title), select);
}

function clock(now: string): HTMLElement {
  const input = h("input", { type: "datetime-local", value: now.slice(0, 16) });
  input.addEventListener("change", () => toQuery("now", input.value));
  return h("label", { class: "field" }, h("span", { class: "field-title" }, "Clock"), input);
}

/** Go to this page in another language. The language is the second part of `/1/lv/product/2`. */
function toLanguage(language: string): void {
  const url = new URL(location.href);
  const parts = url.pathname.split("/");
  parts[2] = language;
  url.pathname = parts.join("/");
  location.assign(url);
}

function toQuery(name: string, value: string): void {
  const url = new URL(location.href);
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  location.assign(url);
}

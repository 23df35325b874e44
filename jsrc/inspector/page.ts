/**
 * The options of this page: language, currency, cart, clock, assumptions, scenario, theme, policy. Choosing one loads
 * this page again with the new value.
 */
import type { Answers } from "./answers.ts";
import { h } from "./element.ts";
import type { Choice, Info } from "./server.ts";

const MODES: Choice[] = [
  { value: "", title: "As widget.toml says" },
  { value: "late", title: "Late, after 3 seconds" },
  { value: "failing", title: "Failing" },
  { value: "none", title: "None: the hosts are asked" },
];

export function pageForm(info: Info, language: string, answers: Answers): HTMLElement {
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
    chooser("Answers of other hosts", MODES, query.get("answers") ?? "", (value) => toQuery("answers", value)),
    hosts(answers),
    h("p", { class: "page-links" }, h("a", { href: "/" }, "All pages"), h("a", { href: "/_awning/gallery" }, "Widget gallery")),
  );
}

function chooser(title: string, choices: Choice[], chosen: string, go: (value: string) => void): HTMLElement {
  const options = choices.map(({ value, title: text }) => h("option", { value, selected: value === chosen }, text));
  const select = h("select", {}, ...options);
  select.addEventListener("change", () => go(select.value));
  return h("label", { class: "field" }, h("span", { class: "field-title" }, title), select);
}

/** Say which addresses of other hosts have an answer, and which were asked and have none. */
function hosts(answers: Answers): HTMLElement {
  const asked = answers.asked().sort((first, second) => Number(second.times > 0) - Number(first.times > 0));
  if (!asked.length) return h("p", { class: "dim hosts" }, "No widget asks another host on this page.");
  const outcome = { played: "answered", late: "answered late", failing: "failed", none: "really asked" }[answers.mode];
  const rows = asked.map(({ url, widget, times }) => {
    const count = times > 1 ? `, ${times} times` : "";
    const known = times ? `${outcome}${count}, as ${widget} names it` : `not asked on this page; ${widget} names an answer`;
    return h(
      "li",
      {},
      h("code", {}, url),
      h("span", { class: "dim" }, widget === null ? `really asked${count}: no [fetch] in a widget.toml names an answer` : known),
    );
  });
  return h("ul", { class: "hosts", "aria-label": "Answers of other hosts" }, ...rows);
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

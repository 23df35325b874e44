/**
 * The product page: the preselected variant, and the shopper's choices.
 */
import { money } from "../runtime/money.ts";
import type { Currency } from "../types/index.ts";
import type { Item, Page, Variant } from "../types/observed.ts";

/** The payload of a test may have no variants. */
type ShownItem = Omit<Item, "variants"> & { variants?: Variant[] };

export interface ProductParams {
  item: ShownItem;
  page: Page;
}

/** Fire an update. `item` is the same object as in the event parameter, not merged with the variant (observed). */
function fire(event: string, item: ShownItem, selectedVariant: Variant): void {
  awningEmulator.fire(`${event}-updated`, { item, selectedVariantId: selectedVariant.id, selectedVariant });
}

export function watchProduct(event: string, { item }: ProductParams): void {
  const form = document.querySelector<HTMLFormElement>("[data-buy]");
  const choices = [...document.querySelectorAll<HTMLSelectElement>("select[data-option]")];
  const variants = item.variants ?? [];
  // The update of the first variant with stock, else of the first one, follows the base event (observed).
  const first = variants.find((variant) => variant.stock !== 0) ?? variants[0];
  if (first) fire(event, item, first);
  if (!form || !choices.length) return;
  const choose = (selected: Variant | null): void => {
    show(form, item, selected);
    markSoldOut(choices, item);
  };
  form.addEventListener("change", (change) => {
    if (!choices.includes(change.target as HTMLSelectElement)) return;
    const selected = variantWith(item, chosenTitles(choices));
    choose(selected);
    // A choice that no variant matches fires nothing (observed).
    if (selected) fire(event, item, selected);
  });
  choose(variantWith(item, chosenTitles(choices)));
}

/** Return the titles of the chosen options, in the order of the dimensions. */
function chosenTitles(choices: HTMLSelectElement[]): string[] {
  return choices.map((choice) => choice.value);
}

function variantWith(item: ShownItem, titles: string[]): Variant | null {
  return item.variants?.find((variant) => variant.options.every((option, i) => option.title === titles[i])) ?? null;
}

/** Mark an option as sold out if the variant with this option and the other chosen options has no stock. */
function markSoldOut(choices: HTMLSelectElement[], item: ShownItem): void {
  for (const [dimension, choice] of choices.entries()) {
    for (const option of choice.options) {
      const titles = chosenTitles(choices);
      titles[dimension] = option.value;
      const isSoldOut = variantWith(item, titles)?.stock === 0;
      option.text = isSoldOut ? `${option.value} (${choice.dataset.soldOut})` : option.value;
    }
  }
}

/** Show a selection: price, stock, item number, weight, picture, button. Without a variant the product is sold out. */
function show(form: HTMLFormElement, item: ShownItem, selected: Variant | null): void {
  const { price, price_undiscounted: before, sku } = selected ?? item;
  const stock = selected ? selected.stock : 0;
  const weight = selected?.weight ?? item.weight;
  const format = JSON.parse(form.dataset.money ?? "{}") as MoneyFormat;
  // By class in the whole page, so also in the slot (observed).
  showMoney(".product-price", price, format);
  showMoney(".product-price-undiscounted", before, format);
  toggle(".product-price-before", before > price);
  toggle("[data-sale]", before > price);
  setText("[data-sku]", sku || item.sku);
  setText("[data-weight]", weightText(weight));
  showStock(stock, form.querySelector<HTMLButtonElement>("[data-add]"));
  const hidden = form.querySelector<HTMLInputElement>("[data-variant]");
  if (hidden && selected) hidden.value = selected.id;
  const swatch = document.querySelector<HTMLOptionElement>("[data-option] [data-swatch]:checked")?.dataset.swatch;
  if (swatch) document.querySelector<HTMLElement>("[data-picture]")?.style.setProperty("--dye", swatch);
}

function showStock(stock: number | null, button: HTMLButtonElement | null): void {
  const line = document.querySelector<HTMLElement>("[data-stock]");
  const { soldOut = "", left = "", available = "" } = line?.dataset ?? {};
  if (line) line.textContent = stock === 0 ? soldOut : stock === null ? available : left.replace("{n}", String(stock));
  if (!button) return;
  button.disabled = stock === 0;
  button.textContent = (stock === 0 ? button.dataset.soldOutText : button.dataset.addText) ?? "";
}

function weightText(grams: number): string {
  const { dir, lang } = document.documentElement;
  const text = grams < 1000 ? `${grams} g` : `${(grams / 1000).toLocaleString(lang, { numberingSystem: "latn" })} kg`;
  return dir == "rtl" ? `\u2066${text}\u2069` : text;
}

/** The display format of a page, with the characters that isolate an amount from the text around it. */
type MoneyFormat = Required<Currency> & { start: string; end: string };

/** Show an amount as the page shows prices. A test's payload may have no amount. */
function showMoney(selector: string, amount: number | undefined, format: MoneyFormat): void {
  if (typeof amount === "number") setText(selector, `${format.start}${money(amount, format)}${format.end}`);
}

function setText(selector: string, text: string): void {
  for (const element of document.querySelectorAll(selector)) element.textContent = text;
}

function toggle(selector: string, visible: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) element.hidden = !visible;
}

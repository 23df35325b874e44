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

/**
 * Fire the update of the preselected variant: the first one with stock, else the first one. It follows the base event
 * (observed).
 */
export function hostProduct(event: string, { item }: ProductParams): void {
  const variants = item.variants ?? [];
  const first = variants.find((variant) => variant.stock !== 0) ?? variants[0];
  if (first) fire(event, item, first);
}

/** Fire an update. `item` is the same object as in the event parameter, not merged with the variant (observed). */
function fire(event: string, item: ShownItem, selectedVariant: Variant): void {
  awningEmulator.fire(`${event}-updated`, { item, selectedVariantId: selectedVariant.id, selectedVariant });
}

export function watchProduct(event: string, { item }: ProductParams): void {
  const form = document.querySelector<HTMLFormElement>("[data-buy]");
  const radios = [...document.querySelectorAll<HTMLInputElement>("[data-option]")];
  if (!form || !radios.length) return;
  const choose = (selected: Variant | null): void => {
    show(form, item, selected);
    markSoldOut(radios, item);
  };
  form.addEventListener("change", (change) => {
    if (!radios.includes(change.target as HTMLInputElement)) return;
    const selected = selectedVariant(radios, item);
    choose(selected);
    // A choice that no variant matches fires nothing (observed).
    if (selected) fire(event, item, selected);
  });
  choose(selectedVariant(radios, item));
}

/** Return the titles of the chosen options, in the order of the dimensions. */
function chosenTitles(radios: HTMLInputElement[]): string[] {
  return radios.filter((radio) => radio.checked).map((radio) => radio.value);
}

function selectedVariant(radios: HTMLInputElement[], item: ShownItem): Variant | null {
  return variantWith(item, chosenTitles(radios));
}

function variantWith(item: ShownItem, titles: string[]): Variant | null {
  return item.variants?.find((variant) => variant.options.every((option, i) => option.title === titles[i])) ?? null;
}

/** Mark an option as sold out if the variant with this option and the other chosen options has no stock. */
function markSoldOut(radios: HTMLInputElement[], item: ShownItem): void {
  for (const radio of radios) {
    const titles = chosenTitles(radios);
    titles[Number(radio.dataset.option)] = radio.value;
    radio.closest(".chip")?.classList.toggle("sold-out", variantWith(item, titles)?.stock === 0);
  }
}

/** Show a selection: price, stock, item number, weight, picture, button. Without a variant the product is sold out. */
function show(form: HTMLFormElement, item: ShownItem, selected: Variant | null): void {
  const { price, price_undiscounted: before, sku } = selected ?? item;
  const stock = selected ? selected.stock : 0;
  const weight = selected?.weight ?? item.weight;
  const format = JSON.parse(form.dataset.money ?? "{}") as MoneyFormat;
  showMoney("[data-price]", price, format);
  showMoney("[data-before-price]", before, format);
  toggle("[data-before]", before > price);
  toggle("[data-sale]", before > price);
  setText("[data-sku]", sku || item.sku);
  setText("[data-weight]", weightText(weight));
  showStock(stock, form.querySelector<HTMLButtonElement>("[data-add]"));
  const hidden = form.querySelector<HTMLInputElement>("[data-variant]");
  if (hidden && selected) hidden.value = selected.id;
  const swatch = form.querySelector<HTMLInputElement>("[data-swatch]:checked")?.dataset.swatch;
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

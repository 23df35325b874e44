// Which size fits? A button opens the table in a dialog. Only products with one of its sizes get it.
import { afterPrice, live, number, type PriceArgs } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

const render = ({ item, variant, data, language, t }: PriceArgs<Data>) => {
  const has = (options: { title: string }[], size: string) => options.some(({ title }) => title === size);
  const { sizes, advice } = data;
  const columns = (["chest", "waist", "length"] as const).filter((column) => sizes.some((row) => row[column]));
  return sizes.some(({ size }) => item.variants.some(({ options }) => has(options, size)))
    ? view({
        t,
        advice,
        titles: columns.map((column) => t(column)),
        rows: sizes.map((row) => ({
          size: row.size,
          chosen: !!variant && has(variant.options, row.size),
          cells: columns.map((column) => number(row[column], language)),
        })),
      })
    : "";
};

/** Return whether a click is on the backdrop. On the dialog's own padding, the target is the dialog, too. */
const isBeside = ({ target, clientX, clientY }: MouseEvent, dialog: Element): boolean => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
};

export default afterPrice<Data>(
  live(render, {
    on: {
      // The browser keeps the focus in a modal dialog, closes it on Escape, and gives the focus back.
      "click .open": (_event, button) => (button.nextElementSibling as HTMLDialogElement).showModal(),
      "click dialog": (event, dialog) => isBeside(event as MouseEvent, dialog) && (dialog as HTMLDialogElement).close(),
    },
  }),
);

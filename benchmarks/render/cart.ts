/** Carts of 20 lines: clean, mixed (the texts of one line in five need escaping), dirty (those of all lines do). */

export interface Cart {
  lines: readonly { sku: string; title: string; options: string; quantity: number; price: string; total: string }[];
  count: number;
  total: string;
}

type Words = Readonly<Record<"sku" | "title" | "options", readonly string[]>>;

const CLEAN: Words = {
  sku: ["LIN-0017", "OAK-2290", "MUG-0001-W", "WOOL-77"],
  title: ["Linen T-shirt", "Oak table 120 cm", "Krūze Rīga", "Wool blanket, large", "Ceramic mug"],
  options: ["M / Red", "", "Natural oiled", "140 x 200 cm"],
};
const DIRTY: Words = {
  sku: ["LIN&0017", "OAK<2290>", "MUG'0001", '"WOOL"-77'],
  title: ["O'Hara & Söhne T-shirt", 'Table 47" x 30"', "<b>New</b> mug", "Fish & Chips blanket", 'Mug "Rīga"'],
  options: ["M & L", 'size 5" x 7"', "it's oiled", "a > b"],
};

/** Returns eight carts of a kind, because an engine may cache the rendering of a single cart. */
export const carts = (kind: "clean" | "mixed" | "dirty"): Cart[] =>
  JSON.parse(JSON.stringify(Array.from({ length: 8 }, (_, number) => cart(kind, number * 20)))) as Cart[];

const cart = (kind: string, from: number): Cart => {
  const lines = Array.from({ length: 20 }, (_, index) => {
    const at = from + index * 3;
    const words = kind == "dirty" || (kind == "mixed" && index % 5 == 0) ? DIRTY : CLEAN;
    const pick = (which: keyof Words): string => words[which][at % words[which].length] as string;
    const quantity = 1 + (at % 4);
    const price = (at * 7.3 + 4.9) % 400;
    const sign = kind == "dirty" ? "<€>" : "€";
    return {
      sku: `${pick("sku")}-${at}`,
      title: pick("title"),
      options: pick("options"),
      quantity,
      price: sign + price.toFixed(2),
      total: sign + (price * quantity).toFixed(2),
    };
  });
  return { lines, count: 20, total: "€4235.65" };
};

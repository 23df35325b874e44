/** By language: the text for a discount, and the one for an order that costs nothing. A raw script gets no messages. */
export const texts: Record<string, readonly [some: string, all: string]> & { en: readonly [string, string] } = {
  en: ["You save {amount} on this order.", "You save {amount}: this order costs you nothing."],
  lv: ["Šajā pasūtījumā tu ietaupi {amount}.", "Tu ietaupi {amount}: par šo pasūtījumu nav jāmaksā."],
  de: ["Sie sparen {amount} bei dieser Bestellung.", "Sie sparen {amount}: Diese Bestellung kostet Sie nichts."],
};

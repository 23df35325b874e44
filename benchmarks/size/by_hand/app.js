// Three widgets in one script, as short as they can be while they keep every promise of app_promises.py.
// The bundler drops the widgets and languages that are switched off (SAVING, ESTIMATE, BAR, LV_ALONE).

const LV = {
  saved: (amount) => `Ietaupiet €${amount}`,
  last: (count) => `Palikuši tikai ${count}`,
  arrives: "Piegāde",
  soldOut: "Izpārdots. Piegādes datums pašlaik nav zināms.",
  within: (count) => `Pasūti ${count} stund${lvOne(count) ? "as" : "u"} laikā, lai saņemtu šajā datumā.`,
  few: (count) => `${lvOne(count) ? "Palicis" : "Palikuši"} tikai ${count}.`,
  missing: (amount) => `Pievieno preces vēl par ${amount}, un piegāde būs bez maksas.`,
  reached: "Šim pasūtījumam piegāde ir bez maksas.",
  label: (amount) => `Cik palicis līdz bezmaksas piegādei no ${amount}`,
};
const EN = {
  saved: (amount) => `You save €${amount}`,
  last: (count) => `Only ${count} left`,
  arrives: "Arrives",
  soldOut: "Sold out. No delivery date at the moment.",
  within: (count) => `Order within ${count == 1 ? "the hour" : `${count} hours`} for this date.`,
  few: (count) => `Only ${count} left.`,
  missing: (amount) => `Add ${amount} more and shipping is free.`,
  reached: "Shipping is free for this order.",
  label: (amount) => `Progress to free shipping from ${amount}`,
};
const DE = {
  saved: (amount) => `Sie sparen €${amount}`,
  last: (count) => `Nur noch ${count} Stück`,
  arrives: "Lieferung",
  soldOut: "Ausverkauft. Zurzeit kein Liefertermin.",
  within: (count) =>
    `Innerhalb ${count == 1 ? "der nächsten Stunde" : `von ${count} Stunden`} bestellen, um diesen Termin zu erreichen.`,
  few: (count) => `Nur noch ${count} Stück.`,
  missing: (amount) => `Noch ${amount} bis zum kostenlosen Versand.`,
  reached: "Der Versand ist für diese Bestellung kostenlos.",
  label: (amount) => `Fortschritt bis zum kostenlosen Versand ab ${amount}`,
};
const lvOne = (count) => count % 10 == 1 && count % 100 != 11;

const escape = (text) => text.replace(/[&<>"']|{(?=svc_)/g, (character) => `&#${character.charCodeAt()};`);

const element = document.currentScript.previousElementSibling;

/** The app data in whatever form they come: JSON, JSON in a string, either of them HTML-escaped, or nothing. */
const read = (text) => {
  for (let left = 4; left--; ) {
    try {
      const value = JSON.parse(text);
      if (typeof value != "string") return value;
      text = value;
    } catch {
      text = text.replace(/&(?:#(\d+|x[\da-f]+)|(\w+));/gi, (whole, code, name) =>
        code ? String.fromCodePoint(`0${code}`) : ({ quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" })[name] || whole,
      );
    }
  }
};
const settings = (name, defaults) => ({ ...defaults, ...data?.[name] });
const data = ESTIMATE || BAR ? read(element.textContent) : 0;

const money = (amount, { code, symbol, decimals = 2, decimal_separator = ".", thousands_separator = "", position }) => {
  try {
    symbol ??= new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "narrowSymbol" })
      .formatToParts()
      .find(({ type }) => type == "currency").value;
  } catch {
    symbol = code;
  }
  const [whole, fraction] = (Math.round((amount + 1e-9) * 10 ** decimals) / 10 ** decimals).toFixed(decimals).split(".");
  const digits =
    whole.replace(/\B(?=(\d{3})+$)/g, () => thousands_separator) + (fraction ? decimal_separator + fraction : "");
  return position == "after" ? `${digits} ${symbol}` : symbol + digits;
};

let policy;
const widget = (name, events, render) => {
  let content, shown, early, failed;
  events.map(
    (event, updated) =>
      self.svcPlugins &&
      svcPlugins.subscribeEvent(`svc-content-after-${event}`, (_event, init, param, update) => {
        try {
          if (updated) early = update;
          else {
            update = !content && early;
            content = init();
            shown = "";
          }
          if (!content) return;
          const language = param.page?.language || (/^[\w-]+$/.test(element?.lang) ? element.lang : "");
          const html = render(param, LV_ALONE ? LV : { en: EN, de: DE }[language] || LV, update?.selectedVariant, language);
          if (html != shown) {
            try {
              content.setContent(html);
            } catch (error) {
              if (!self.trustedTypes) throw error;
              policy ||= trustedTypes.createPolicy("awning", { createHTML: String });
              content.setContent(new Range().createContextualFragment(policy.createHTML(html)).firstChild);
            }
            shown = html;
          }
        } catch (error) {
          failed || console.error(name, (failed = error));
        }
      }),
  );
};
const PRICE = ["price", "price-updated"];

if (SAVING)
  widget("saving", PRICE, ({ item }, texts, variant) => {
    item = { ...item, ...variant };
    const saved = item.price_undiscounted - item.price;
    const options = variant ? variant.options.map((option) => option.title).join(", ") : "";
    return saved > 0
      ? `<div class="saving-a1b2c3"><b>${texts.saved(saved.toFixed(2))}</b> <s>€${item.price_undiscounted.toFixed(2)}</s>${
          options && `<span>${escape(options)}</span>`
        }${item.stock && item.stock < 4 ? `<span class="last">${texts.last(item.stock)}</span>` : ""}</div>`
      : "";
  });

if (ESTIMATE) {
  const settled = settings("delivery-estimate", {
    cutoff_hour: 15,
    fastest_days: 1,
    slowest_days: 3,
    heavy_from_grams: 20000,
    heavy_extra_days: 4,
    few_left: 3,
  });
  settled.enabled !== false &&
    widget("delivery-estimate", PRICE, ({ item }, texts, variant, language) => {
      const { stock } = variant || item;
      const now = new Date();
      const hour = now.getHours();
      const late = hour >= settled.cutoff_hour || now.getDay() % 6 == 0;
      const heavy = (variant?.weight ?? item.weight) >= settled.heavy_from_grams;
      const day = (days) => {
        const date = new Date(now);
        for (days += (late ? 1 : 0) + (heavy ? settled.heavy_extra_days : 0); days > 0; ) {
          date.setDate(date.getDate() + 1);
          if (date.getDay() % 6) days--;
        }
        return escape(date.toLocaleDateString(language, { weekday: "short", day: "numeric", month: "short" }));
      };
      let text = texts.soldOut;
      if (stock !== 0) {
        const first = day(settled.fastest_days);
        const last = day(settled.slowest_days);
        const hours = settled.cutoff_hour - hour;
        text = `${texts.arrives} <b>${first}${last != first ? ` – ${last}` : ""}</b></p>${
          !late && hours <= 6 ? `<p class="note">${texts.within(hours)}</p>` : ""
        }${stock !== null && stock <= settled.few_left ? `<p class="note few">${texts.few(stock)}` : ""}`;
      }
      return `<div class="estimate-a1b2c3${stock === 0 ? " is-sold-out" : ""}">
  <svg class="icon" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M2 6h11v10H2zM13 9h4l4 4v3h-8z"></path><circle cx="7" cy="17.5" r="2"></circle><circle cx="17" cy="17.5" r="2"></circle></svg>
  <div><p class="dates">${text}</div>
</div>`;
    });
}

if (BAR) {
  const settled = settings("free-shipping-bar", { threshold: 75 });
  settled.enabled !== false &&
    widget("free-shipping-bar", ["cart"], ({ cartData, currency }, texts) => {
      const missing = Math.max(0, settled.threshold - cartData.total);
      const percent = Math.round(Math.min(100, (cartData.total / settled.threshold) * 100));
      const amount = (value) => escape(money(value, currency));
      return `<div class="bar-a1b2c3${missing ? "" : " is-free"}">
  <p class="text">${missing ? texts.missing(amount(missing)) : texts.reached}</p>
  <div class="track" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="${percent}" aria-label="${texts.label(amount(settled.threshold))}">
    <div class="fill" style="width: ${percent}%"></div>
  </div>
</div>`;
    });
}

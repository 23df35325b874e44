import { html, nothing, render } from "lit-html";
import { CLASS, subscribe } from "./saving.ts";

subscribe((setContent) => {
  const root = document.createElement("div");
  setContent(root);
  return (facts) =>
    render(
      facts
        ? html`<div class=${CLASS}><b>${facts.saved}</b> <s>${facts.before}</s>${facts.options ? html`<span>${facts.options}</span>` : nothing}${facts.left ? html`<span class="last">Palikuši tikai ${facts.left}</span>` : nothing}</div>`
        : nothing,
      root,
    );
});

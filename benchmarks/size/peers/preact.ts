import { h, render } from "preact";
import { CLASS, subscribe } from "./saving.ts";

subscribe((setContent) => {
  const root = document.createElement("div");
  setContent(root);
  return (facts) =>
    render(
      facts &&
        h(
          "div",
          { class: CLASS },
          h("b", null, facts.saved),
          " ",
          h("s", null, facts.before),
          facts.options && h("span", null, facts.options),
          !!facts.left && h("span", { class: "last" }, "Palikuši tikai ", facts.left),
        ),
      root,
    );
});

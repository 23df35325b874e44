/**
 * The overlay with the problems of a build. The page behind it shows the new build if the problems do not prevent one,
 * else the last build that worked.
 */
import { h } from "./element.ts";
import { excerptNodes } from "./excerpt.ts";
import { placeText, type Failure, type Finding } from "./server.ts";

export interface Overlay {
  /** Show the problems. If the author has closed the overlay, it stays closed until the problems change. */
  show(failure: Failure): void;
  /** Hide the overlay, because there are no problems. */
  hide(): void;
}

export function makeOverlay(root: ShadowRoot): Overlay {
  let element: HTMLElement | null = null;
  /** The problems that were drawn last, as text. */
  let drawn = "";
  let focused: Element | null = null;
  const close = (): void => {
    const hadFocus = element !== null && root.activeElement !== null && element.contains(root.activeElement);
    element?.remove();
    element = null;
    if (hadFocus && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    focused = null;
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  return {
    hide() {
      close();
      drawn = "";
    },
    show(failure) {
      const text = JSON.stringify(failure);
      if (text === drawn) return;
      const hadOverlay = element !== null;
      const before = hadOverlay ? focused : document.activeElement;
      close();
      drawn = text;
      focused = before;
      element = overlay(failure, close);
      root.append(element);
      // A save must not take the focus from a field in which the shopper is typing.
      if (!isTypedInto(before)) element.querySelector("button")?.focus({ preventScroll: true });
    },
  };
}

function isTypedInto(element: Element | null): boolean {
  const inner = element?.shadowRoot?.activeElement ?? element;
  return inner?.matches("input, textarea, select, [contenteditable]") ?? false;
}

/** The order of the findings. Only errors stop a build. */
const SEVERITIES = ["error", "warning", "note"];

function overlay(failure: Failure, close: () => void): HTMLElement {
  const errors = failure.findings.filter((finding) => finding.severity === "error");
  const findings = SEVERITIES.flatMap((severity) => failure.findings.filter((finding) => finding.severity === severity));
  const count = errors.length > 1 ? `${errors.length} errors` : "an error";
  const title = failure.isBuilt ? `The check found ${count}` : `The build failed: ${count}`;
  return h(
    "div",
    { class: "overlay", role: "alertdialog", "aria-label": title },
    h(
      "div",
      { class: "overlay-box" },
      h(
        "div",
        { class: "overlay-head" },
        h("h2", {}, title),
        h("button", { type: "button", class: "quiet", onclick: close }, "Close"),
      ),
      ...(findings.length ? findings.map(findingSection) : [h("pre", {}, failure.message)]),
      h(
        "p",
        { class: "dim" },
        failure.isBuilt
          ? `The page behind shows the new code. awning build refuses it until ${errors.length > 1 ? "the errors are" : "the error is"} mended.`
          : "The page behind shows the last build that worked, if there is one. Save a file to build again.",
      ),
    ),
  );
}

function findingSection(finding: Finding): HTMLElement {
  const label = finding.severity === "error" ? finding.rule : `${finding.severity}: ${finding.rule}`;
  return h(
    "section",
    { class: `finding is-${finding.severity}` },
    h("p", { class: "finding-place" }, h("code", {}, placeText(finding) || "workspace"), h("span", { class: "tag" }, label)),
    h("p", { class: "finding-message" }, finding.message),
    finding.excerpt !== null && h("pre", {}, ...excerptNodes(finding.excerpt, finding.column)),
    finding.hint !== null && h("p", { class: "finding-hint" }, finding.hint),
  );
}

/** The details of one row of the timeline: its payload, its contents and problems, and what can be done with it. */
import { asJson, copyText, isWritable, shortEvent } from "./copy.ts";
import { payloadEditor } from "./editor.ts";
import { h } from "./element.ts";
import type { Knowledge } from "./knowledge.ts";
import { payloadTree } from "./payload.ts";
import type { Replay } from "./replay.ts";
import { OUTCOMES, UPDATED, type Row } from "./timeline.ts";

export interface DetailTools {
  replay: Replay;
  knowledge: Knowledge;
  /** Show a short message, such as "Fired". */
  say(text: string): void;
  /** Go back to the list, on a narrow page. */
  back(): void;
}

export interface Detail {
  element: HTMLElement;
  /** Show a row. A payload that is being edited stays until another row is chosen, also if its row is gone. */
  show(row: Row | null): void;
  isEditing(): boolean;
}

export function makeDetail({ replay, knowledge, say, back }: DetailTools): Detail {
  const element = h("section", { class: "detail", "aria-label": "Details" });
  /** The row that was drawn last, with its version. */
  let drawn = "";
  let latest: Row | null = null;
  let isEditing = false;

  const show = (row: Row | null): void => {
    latest = row;
    const key = row ? `${row.id} ${row.version}` : "none";
    if (key === drawn || (isEditing && (!row || drawn.startsWith(`${row.id} `)))) return;
    drawn = key;
    isEditing = false;
    element.replaceChildren(...(row ? contents(row) : [h("p", { class: "dim" }, "Choose a row to see its payload.")]));
  };

  const fire = (row: Row, payload: unknown): void => {
    if (!replay.isPossible(row.event)) return;
    replay.fire(row.event, payload);
    say(`Fired ${shortEvent(row.event)}`);
  };

  const edit = (row: Row): void => {
    isEditing = true;
    const form = payloadEditor(
      {
        title: `${partOf(row)} of ${shortEvent(row.event)}`,
        value: payloadOf(row),
        known: knowledge.payload(row.event ?? ""),
        fire: (payload) => fire(row, payload),
        close: () => {
          isEditing = false;
          drawn = "";
          show(latest);
          element.querySelector<HTMLElement>("[data-edit]")?.focus();
        },
      },
      knowledge,
    );
    element.replaceChildren(form);
    const area = form.querySelector("textarea");
    area?.setSelectionRange(0, 0);
    area?.focus();
  };

  const contents = (row: Row): Array<HTMLElement | string> => {
    const button = (text: string, act: () => void, more = {}): HTMLElement =>
      h("button", { type: "button", class: "quiet", onclick: act, ...more }, text);
    const copy = async (): Promise<void> => say((await copyText(asJson([row]))) ? "Copied as JSON" : "The browser refused the clipboard");
    const canFire = replay.isPossible(row.event) && row.values.length > 0;
    return [
      h("h2", {}, shortEvent(row.event) || OUTCOMES[row.outcome]),
      h("p", { class: "dim" }, facts(row)),
      h(
        "p",
        { class: "buttons" },
        button("Back", back, { class: "quiet back" }),
        ...(canFire ? [button("Replay", () => fire(row, payloadOf(row)))] : []),
        ...(canFire && isWritable(payloadOf(row)) ? [button("Edit and fire", () => edit(row), { "data-edit": "" })] : []),
        button("Copy", () => void copy()),
      ),
      ...row.problems.map(({ kind, text, place }) =>
        h("p", { class: "wrong" }, kind === "rule" ? `Rule ${text}` : text, place ? h("code", { class: "place" }, place) : null),
      ),
      ...payloads(row),
      ...row.contents.map((html, index) =>
        h("details", { open: row.contents.length === 1 }, h("summary", {}, row.contents.length > 1 ? `Content ${index + 1}` : "Content"), h("pre", {}, html)),
      ),
    ];
  };

  const payloads = (row: Row): HTMLElement[] => {
    const [param, update] = row.values;
    if (!row.values.length) return [];
    const event = row.event ?? "";
    const part = (title: string, value: unknown, fields: ReturnType<Knowledge["param"]>, isOpen: boolean): HTMLElement =>
      h("details", { open: isOpen }, h("summary", {}, title), payloadTree(value, fields, knowledge));
    if (row.values.length === 1) return [part("eventParam", param, knowledge.param(event), true)];
    return [part("updatedItem", update, knowledge.payload(event), true), part("eventParam", param, knowledge.param(event), false)];
  };

  show(null);
  return { element, show, isEditing: () => isEditing };
}

const payloadOf = ({ event, values }: Row): unknown => values[UPDATED.test(event ?? "") ? 1 : 0];
const partOf = ({ event }: Row): string => (UPDATED.test(event ?? "") ? "updatedItem" : "eventParam");

function facts({ t, from, outcome, how, took }: Row): string {
  const call = how === "replay" ? "the last delivery, replayed" : null;
  const time = took === null ? null : `${took.toFixed(1)} ms`;
  return [`${t.toFixed(1)} ms`, from.name, OUTCOMES[outcome], time, call].filter(Boolean).join(" · ");
}

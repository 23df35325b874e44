/**
 * Runs in the page. Every peer is a function from a cart to HTML; they are asserted to render the same and then
 * timed in turns, each round in another order, so that what disturbs the machine disturbs all of them.
 */

import { carts, type Cart } from "./cart.ts";

type Kind = Parameters<typeof carts>[0];
type Render = (cart: Cart) => string;

declare const peers: Record<string, Render>;

/** Returns HTML as the browser serializes it, because peers write character references differently. */
const shown = (html: string): string => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.innerHTML;
};

/**
 * Renders `times` times. Returns a sum over all results, so that the engine cannot skip a rendering.
 * Reading a character forces the engine to join the pieces of the string.
 */
const run = (render: Render, data: readonly Cart[], times: number): number => {
  let sum = 0;
  for (let at = 0; at < times; at++) {
    const html = render(data[at % data.length] as Cart);
    sum += html.length + html.charCodeAt(at % 64);
  }
  return sum;
};

const once = (render: Render, data: readonly Cart[], times: number): number => {
  const start = performance.now();
  if (run(render, data, times) < 0) {
    throw new Error("never");
  }
  return performance.now() - start;
};

/** Returns how many renderings take a peer about `milliseconds`. It is measured while the peer warms up. */
const fitting = (render: Render, data: readonly Cart[], milliseconds: number): number => {
  let times = 64;
  for (let turn = 0; turn < 12; turn++) {
    times = Math.max(8, Math.round((times * milliseconds) / Math.max(once(render, data, times), 0.2)));
  }
  return times;
};

const assertEqual = (data: readonly Cart[]): void => {
  for (const cart of data) {
    const wanted = shown((peers["awning"] as Render)(cart));
    for (const [name, render] of Object.entries(peers)) {
      const found = shown(render(cart));
      if (found != wanted) {
        const at = [...wanted].findIndex((character, index) => character != found[index]);
        throw new Error(`${name} differs from awning at ${at}: ${found.slice(at, at + 40)}, ${wanted.slice(at, at + 40)}`);
      }
    }
  }
};

/** Returns the renderings per second of each peer in each round. */
const contest = (kind: Kind, rounds: number, milliseconds: number): Record<string, number[]> => {
  const data = carts(kind);
  assertEqual(data);
  const names = Object.keys(peers);
  const times = names.map((name) => fitting(peers[name] as Render, data, milliseconds));
  const rates: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const at = (turn + round) % names.length;
      const name = names[at] as string;
      const many = times[at] as number;
      (rates[name] as number[]).push((1000 * many) / Math.max(once(peers[name] as Render, data, many), 0.1));
    }
  }
  return rates;
};

Object.assign(globalThis, { contest });

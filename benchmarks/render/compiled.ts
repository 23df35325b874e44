/** Compiles the peers' templates in the page, once, before anything is timed. Usually a build step does this. */

import { Eta } from "eta/core";
import Handlebars from "handlebars/dist/handlebars.js";
import nunjucks from "nunjucks/browser/nunjucks.js";

type Render = (cart: object) => string;

const byNunjucks = (source: string): Render => {
  const environment = new nunjucks.Environment(null, { autoescape: true });
  const template = new nunjucks.Template(source, environment, "cart", true);
  return (cart) => template.render(cart);
};

/** `knownHelpersOnly`: names are looked up as fields, not as helpers first; its authors recommend it for speed. */
const byHandlebars = (source: string): Render => {
  const precompiled: string = Handlebars.precompile(source, { knownHelpersOnly: true });
  return Handlebars.template(new Function(`return ${precompiled}`)());
};

const byEta = (source: string): Render => {
  const eta = new Eta({ autoTrim: false });
  const template = eta.compile(source);
  return (cart) => template.call(eta, cart, {});
};

Object.assign(globalThis, { compilers: { nunjucks: byNunjucks, Handlebars: byHandlebars, Eta: byEta } });

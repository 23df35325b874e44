import nunjucks from "nunjucks/browser/nunjucks-slim.js";
import "./precompiled.js";
import { subscribe } from "./saving.ts";

const environment = new nunjucks.Environment([], { autoescape: true });

subscribe((setContent) => {
  let shown = "";
  return (facts) => {
    const html: string = facts ? environment.render("saving", facts) : "";
    if (html != shown) setContent((shown = html));
  };
});

/** The page's side of the tests: fills templates, inserts them, and examines the result. */
var pwned = 0;
window.alert = window.confirm = window.prompt = window.print = () => { pwned++; };
window.pwn = window.alert;
window.laboratory = (() => {
  const stage = document.getElementById("stage");
  const blocked = [];
  const watch = (page) => page.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
    if (blockedURI !== document.URL) blocked.push(blockedURI); // `url(#a)` means an element of the page
  });
  watch(document);
  /** Applies escapers to a value, one after the other. `names` are separated by spaces. */
  const escaped = (names, value) => names.split(" ").reduce((text, name) => escape_[name](text), value);
  const fill = (parts, value) =>
    parts.map((part, at) => (at % 2 ? escaped(part, Array.isArray(value) ? value[(at - 1) / 2] : value) : part)).join("");

  const skeleton = (node) => Array.from(node.childNodes, (child) => {
    if (child.nodeType === 8) return "#comment";
    if (child.nodeType !== 1) return "";
    const names = Array.from(child.attributes, (attribute) => attribute.name);
    const inside = skeleton(child.localName === "template" ? (child.content ?? child) : child);
    return "<" + child.namespaceURI.slice(-4) + child.localName + " " + names.join(" ") + ">" + inside + "</>";
  }).join("");

  const NAMES = ["href", "src", "action", "formaction", "xlink:href", "poster", "data", "cite", "background", "ping"];
  const addresses = (root) => Array.from(root.querySelectorAll("*")).flatMap((element) => NAMES
    .filter((name) => element.hasAttribute(name))
    .map((name) => element.getAttribute(name)));
  const scheme = (address) => { try { return new URL(address, document.baseURI).protocol; } catch { return "none:"; } };
  const RUNS = ["javascript:", "vbscript:", "data:", "blob:", "filesystem:", "view-source:"];
  const isGood = (address) => ["http:", "https:", "mailto:", "tel:", "sms:", "about:", "none:"].includes(scheme(address))
    || /^data:image\/(png|gif|jpe?g|webp|avif)[;,]/.test(address);

  const insert = (html, way) => {
    const host = document.createElement("div");
    if (way === "attached") stage.append(host);
    host.innerHTML = html;
    if (way === "attached") return host;
    stage.append(host);
    for (const old of host.querySelectorAll("script")) {
      const script = document.createElement("script");
      for (const attribute of old.attributes) script.setAttribute(attribute.name, attribute.value);
      script.text = old.text;
      old.replaceWith(script);
    }
    return host;
  };

  const parsed = (html) => { const t = document.createElement("template"); t.innerHTML = html; return t.content; };

  return {
    fill,
    /** Empties the stage; returns how often anything was executed. */
    clear: () => { const executed = pwned; pwned = 0; stage.replaceChildren(); return executed; },
    /**
     * Returns the addresses that the page's policy blocked, and "executed" for each execution; then empties the stage.
     * An element that may not load runs its `onerror` in a later task.
     */
    happened: async () => {
      stage.getBoundingClientRect();
      for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done, 0));
      return [...blocked.splice(0), ...Array(laboratory.clear()).fill("executed")];
    },
    fillAll: (parts, values) => values.map((value) => fill(parts, value)),
    apply: (name, values) => values.map((value) => escape_[name](value)),
    skeleton: (html) => skeleton(parsed(html)),
    addressed: (html) => addresses(parsed(html)).every(isGood),
    /**
     * Fills a template with each value. Returns [value, HTML, reason] where the skeleton differs from the benign one
     * ("skeleton"), an address is bad ("address"), or a placeholder of the service is printed ("placeholder"). An
     * address with a scheme that the author wrote (`viber:`) is good, unless that scheme runs script.
     */
    trial: (parts, benign, values, way) => {
      const expected = skeleton(parsed(fill(parts, benign)));
      const written = addresses(parsed(fill(parts, benign))).map(scheme);
      const faults = [];
      for (const value of values) {
        const html = fill(parts, value);
        const host = insert(html, way);
        if (skeleton(parsed(html)) !== expected) faults.push([value, html, "skeleton"]);
        const own = (address, at) => scheme(address) === written[at] && !RUNS.includes(written[at]);
        if (!addresses(host).every((address, at) => isGood(address) || own(address, at))) faults.push([value, html, "address"]);
        if (/\{\{svc_/.test(html)) faults.push([value, html, "placeholder"]);
        for (const element of host.querySelectorAll("a,button,input,textarea,p")) element.dispatchEvent(new MouseEvent("mouseover"));
      }
      return faults;
    },
    /** Writes all values into one document, as a server sends it. Returns where a skeleton differs from the benign one. */
    written: (parts, benign, values) => {
      const frame = document.createElement("iframe");
      stage.append(frame);
      const page = frame.contentDocument;
      page.open();
      watch(page);
      for (const name of ["alert", "confirm", "prompt", "print", "pwn"]) frame.contentWindow[name] = window.alert;
      const hosts = [benign, ...values].map((value) => "<div class=host>" + fill(parts, value) + "</div>");
      page.write("<!doctype html><title>shop</title><body>" + hosts.join("\n"));
      page.close();
      const skeletons = Array.from(page.querySelectorAll("body > .host"), skeleton);
      if (skeletons.length !== hosts.length) return [["", "", "hosts"]];
      return values.map((value, at) => [value, hosts[at + 1], "skeleton"]).filter((_, at) => skeletons[at + 1] !== skeletons[0]);
    },
    /** The text that a browser reads back from the element of the class `x`: its content or one attribute. */
    read: (parts, values, attribute) => values.map((value) => {
      const marked = parsed(fill(parts, value)).querySelector(".x");
      return attribute ? marked.getAttribute(attribute) : marked.textContent;
    }),
    query: (parts, value, selector, property) => parsed(fill(parts, value)).querySelector(selector)[property],
    /** Properties that a style attribute sets, and rules that a style element holds. */
    declared: (parts, values) => values.map((value) => {
      const host = insert(fill(parts, value), "attached");
      const style = host.querySelector("style");
      if (style) return Array.from(style.sheet.cssRules, (rule) => rule.selectorText + "{" + Array.from(rule.style).join() + "}").join();
      return Array.from(host.firstElementChild.style).join();
    }),
  };
})();

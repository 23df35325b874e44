/* Makes the page of a window still and returns what the blocks in a slot look like. The window is that of a frame: this
 * script runs in the tab around it, whose functions no page has changed, and where no policy of a page forbids it.
 *
 * The result has `lines`, `area` and `origin`. A line is [depth, name, x, y, width, height, properties]; its position is
 * relative to the line that contains it. `area` is the rectangle of everything visible, in the document's coordinates;
 * false when nothing is visible. `origin` is the position of the first block in the document.
 */
async (page, { selector, fonts, family }) => {
  const { document, getComputedStyle, CSSStyleSheet, FontFace, scrollX, scrollY } = page;
  const INHERITED = ["color", "font", "spacing", "align", "transform", "direction", "visibility"];

  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? roots(e.shadowRoot) : []))];
  const everyRoot = roots(document);
  const blocks = [...document.querySelectorAll(selector)];

  const families = new Map();
  const familiesOf = (element) => {
    families.set(element, getComputedStyle(element).fontFamily.split(",")[0].replace(/^["']|["']$/g, ""));
    for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])]) familiesOf(child);
  };

  const loadFonts = async () => {
    if ([...document.fonts].some((face) => face.family.includes(family))) return;
    const faces = fonts.map(([bytes, unicodeRange]) => new FontFace(family, bytes, { weight: "100 900", unicodeRange }));
    for (const face of await Promise.all(faces.map((face) => face.load()))) document.fonts.add(face);
  };

  /* The layer makes these declarations stronger than every !important of the page, except those in layers of the page
   * and in style attributes. */
  const still = () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@layer awning-snapshot { *, ::before, ::after, ::placeholder { font-family: "${family}" !important;
      text-rendering: geometricPrecision !important; transition: none !important; caret-color: transparent !important;
      scroll-behavior: auto !important; } }`);
    for (const root of everyRoot) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    for (const animation of new Set(everyRoot.flatMap((root) => root.getAnimations({ subtree: true })))) {
      if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
      else animation.finish();
    }
  };

  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true, colorSpace: "srgb" });
  const color = (value) => {
    if (value == "none") return value;
    const plain = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(value);
    const mixed = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(value);
    let parts = plain ? plain.slice(1, 4).map(Number) : mixed?.slice(1, 4).map((part) => part * 255);
    let alpha = Number((plain ?? mixed)?.[4] ?? 1);
    if (!parts) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = value;
      context.fillRect(0, 0, 1, 1);
      const data = context.getImageData(0, 0, 1, 1).data;
      parts = [...data.slice(0, 3)];
      alpha = data[3] / 255;
    }
    if (!alpha) return "none";
    const hex = (part) => Math.round(Math.min(255, Math.max(0, part))).toString(16).padStart(2, "0");
    return "#" + parts.map(hex).join("") + (alpha < 1 ? `/${Math.round(alpha * 100)}%` : "");
  };
  /* Colours inside of values such as shadows and gradients. */
  const colors = (value) => value.replace(/(?:rgba?|color|oklch|oklab|lab|lch|hsla?)\([^()]*\)/g, color);
  const pixels = (value) => value.replace(/-?[\d.]+px/g, (length) => `${Math.round(parseFloat(length) * 100) / 100}px`);
  const hash = (text) => {
    let sum = 0x811c9dc5;
    for (const character of text) sum = Math.imul(sum ^ character.codePointAt(0), 0x01000193);
    return (sum >>> 0).toString(16).padStart(8, "0");
  };
  const image = (value) => colors(value).replace(/url\("?(.*?)"?\)/g, (_, url) =>
    url.startsWith("data:") ? `data:${hash(url)}` : url.split(/[?#]/)[0].split("/").pop());

  const sides = (values) => (new Set(values).size == 1 ? values[0] : values.join(" | "));
  const border = (style) => sides(["Top", "Right", "Bottom", "Left"].map((side) => {
    const width = style[`border${side}Width`], kind = style[`border${side}Style`];
    return kind == "none" || width == "0px" ? "none" : pixels(`${width} ${kind} ${color(style[`border${side}Color`])}`);
  }));
  const weight = (style) => (style.fontWeight == "400" ? "" : ` ${style.fontWeight}`);
  const font = (element, style) => pixels(`${style.fontSize}/${style.lineHeight}${weight(style)}` +
    `${style.fontStyle == "normal" ? "" : ` ${style.fontStyle}`} ${families.get(element) ?? ""}`).trim();

  const looks = (element, style) => ({
    color: color(style.color),
    font: font(element, style),
    spacing: style.letterSpacing == "normal" ? "normal" : pixels(style.letterSpacing),
    align: { start: "start", "-webkit-auto": "start" }[style.textAlign] ?? style.textAlign,
    transform: style.textTransform,
    direction: style.direction,
    visibility: style.visibility,
    background: color(style.backgroundColor),
    image: style.backgroundImage == "none" ? "none" : image(style.backgroundImage),
    border: border(style),
    radius: pixels(sides([style.borderTopLeftRadius, style.borderTopRightRadius, style.borderBottomRightRadius,
      style.borderBottomLeftRadius])),
    shadow: style.boxShadow == "none" ? "none" : pixels(colors(style.boxShadow)),
    outline: style.outlineStyle == "none" ? "none" : pixels(`${style.outlineWidth} ${style.outlineStyle} ${color(style.outlineColor)}`),
    opacity: style.opacity,
    decoration: style.textDecorationLine,
    filter: style.filter,
    overflow: element.localName == "svg" ? "visible" : sides([style.overflowX, style.overflowY]),
    marker: style.display == "list-item" ? style.listStyleType : "none",
  });
  const INITIAL = { background: "none", image: "none", border: "none", radius: "0px", shadow: "none", outline: "none",
    opacity: "1", decoration: "none", filter: "none", overflow: "visible", marker: "none" };
  const ROOT = { spacing: "normal", align: "start", transform: "none", direction: "ltr", visibility: "visible" };

  const drawing = (svg) => {
    const shapes = [...svg.querySelectorAll("*")].map((shape) => {
      const style = getComputedStyle(shape);
      return [shape.localName, ...[...shape.attributes].filter((a) => a.name != "class").map((a) => `${a.name}=${a.value}`),
        color(style.fill), color(style.stroke), style.strokeWidth].join(" ");
    });
    return hash(shapes.join("\n"));
  };
  const control = (element) => {
    const facts = {};
    if (element.localName == "img") facts.picture = image(`url("${element.currentSrc || element.src}")`);
    if (element.localName == "svg") {
      const style = getComputedStyle(element);
      const paints = { fill: color(style.fill), stroke: color(style.stroke) };
      facts.drawing = drawing(element);
      for (const [key, paint] of Object.entries(paints)) if (paint != { fill: "#000000", stroke: "none" }[key]) facts[key] = paint;
    }
    if (element.matches("input:not([type=checkbox], [type=radio]), textarea, select")) facts.value = JSON.stringify(element.value);
    if (element.matches("[placeholder]:placeholder-shown")) facts.placeholder = JSON.stringify(element.placeholder);
    if (element.matches("input:checked, option:checked")) facts.checked = "yes";
    if (element.matches(":disabled")) facts.disabled = "yes";
    return facts;
  };

  const generatedContent = (element, side) => {
    const { content } = getComputedStyle(element, side);
    return /^["']/.test(content) || /^(counter|attr|url)/.test(content) ? { [side.slice(2)]: content } : {};
  };
  const differing = (own, outer) => Object.fromEntries(Object.entries(own).filter(([key, value]) =>
    value != (INHERITED.includes(key) ? outer[key] ?? ROOT[key] : INITIAL[key])));

  const name = (element) => element.localName + (element.id && !/\d/.test(element.id) ? `#${element.id}` : "") +
    [...element.classList].filter((part) => !/^aw-/.test(part)).map((part) => `.${part}`).join("");
  const isWrapper = (element) => element.matches("[data-order]") || element.shadowRoot || /(^| )aw-/.test(element.className);
  const nodesIn = (element) => [...(element.shadowRoot ?? element).childNodes].flatMap((node) =>
    node.localName == "slot" ? (node.assignedNodes().length ? node.assignedNodes() : [...node.childNodes]) : [node]);
  const isRendered = (element) => getComputedStyle(element).display == "contents" || element.checkVisibility();

  const lines = [];
  const area = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const grow = (box) => {
    if (!box.width || !box.height) return;
    area.left = Math.min(area.left, box.left);
    area.top = Math.min(area.top, box.top);
    area.right = Math.max(area.right, box.right);
    area.bottom = Math.max(area.bottom, box.bottom);
  };
  const add = (depth, label, box, outer, properties) =>
    lines.push([depth, label, ...[box.x - outer.x, box.y - outer.y, box.width, box.height].map((length) => Math.round(length) || 0), properties]);

  const addText = (node, depth, outer) => {
    const text = node.data.replace(/\s+/g, " ");
    if (!text.trim()) return;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width && box.height) add(depth, JSON.stringify(text.trim()), box, outer, {});
  };
  const addElement = (element, depth, outer, inherited) => {
    if (!isRendered(element) || ["style", "script", "template"].includes(element.localName)) return;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const own = looks(element, style);
    const properties = { ...differing(own, inherited), ...control(element), ...generatedContent(element, "::before"),
      ...generatedContent(element, "::after") };
    /* An element that the runtime adds around a widget's content gets no line, unless it is visible. */
    const isInvisible = depth > 0 && isWrapper(element) && !Object.keys(properties).length;
    if (!isInvisible && style.display != "contents") {
      if (style.visibility == "visible") grow(box);
      add(depth, depth ? name(element) : "block", box, outer, properties);
    }
    if (element.localName == "svg") return;
    const passes = isInvisible || style.display == "contents";
    for (const node of nodesIn(element)) {
      const place = passes ? [depth, outer, inherited] : [depth + 1, box, own];
      if (node.nodeType == Node.TEXT_NODE) addText(node, place[0], place[1]);
      if (node.nodeType == Node.ELEMENT_NODE) addElement(node, ...place);
    }
  };

  blocks.forEach(familiesOf);
  await loadFonts();
  still();
  const pictures = blocks.flatMap(roots).flatMap((root) => [...root.querySelectorAll("img")]);
  for (const picture of pictures) picture.loading = "eager";
  await Promise.all(pictures.map((picture) => picture.decode().catch(() => 0)));
  /* Positions begin at the first block: what other apps put above it, perhaps late, is not the widget's. */
  const first = blocks[0]?.getBoundingClientRect();
  for (const block of blocks) addElement(block, 0, first, {});
  const origin = first ? { x: first.x + scrollX, y: first.y + scrollY } : { x: 0, y: 0 };
  return { lines, origin, area: area.right > area.left && { x: area.left + scrollX, y: area.top + scrollY,
    width: area.right - area.left, height: area.bottom - area.top } };
}

/**
 * What the gallery shows: the width of the pages, their theme, a language, and the widgets that a text names. All of it is
 * in the address, so each view is a link. The page reads its address itself, because a written gallery has no server.
 */
type View = Map<string, string>;

/** The widgets are the ones whose name or title has every word of this text. */
const FILTER = "widget";

const all = <E extends HTMLElement>(selector: string): E[] => [...document.querySelectorAll<E>(selector)];
const switches = (): HTMLAnchorElement[] => all("[data-switch]");

/** Show what the address says, and let each switch lead to the view with its choice. */
export function showView(): void {
  const view = readView();
  for (const element of all("[data-shown-width]")) element.textContent = view.get("width") ?? "";
  for (const place of all("[data-frame]")) {
    place.dataset["frame"] = inTheme(place.dataset["frame"] ?? "", view);
    place.dataset["width"] = view.get("width") ?? "";
  }
  for (const link of all<HTMLAnchorElement>("[data-page]")) link.href = inTheme(link.href, view);
  showLanguage(view.get("language") ?? "");
  const field = document.querySelector<HTMLInputElement>("[data-filter]");
  if (field) followFilter(field, view);
  pointSwitches(view);
  keepPlace();
  // What is hidden now may have moved the element that the address names.
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

/** Return the choices in the address. One that does not exist counts as the default. */
function readView(): View {
  const query = new URLSearchParams(location.search);
  const view: View = new Map([[FILTER, query.get(FILTER) ?? ""]]);
  for (const { dataset } of switches()) {
    const { switch: name = "", value = "" } = dataset;
    if ("default" in dataset || query.get(name) === value) view.set(name, value);
  }
  return view;
}

/** Return the address of this page with other choices. It has none of the defaults. */
function address(view: View): string {
  const defaults = new Map(switches().flatMap(({ dataset }) => ("default" in dataset ? [[dataset["switch"], dataset["value"]]] : [])));
  const query = new URLSearchParams([...view].filter(([name, value]) => value !== (defaults.get(name) ?? "")));
  return location.pathname + (query.size ? `?${query}` : "");
}

function inTheme(page: string, view: View): string {
  const theme = view.get("theme");
  return theme ? `${page}?${new URLSearchParams({ theme })}` : page;
}

function showLanguage(language: string): void {
  for (const shot of all("[data-language]")) shot.hidden = Boolean(language) && shot.dataset["language"] !== language;
  for (const note of all("[data-unbuilt]")) note.hidden = note.parentElement?.querySelector(".shot:not([hidden])") !== null;
}

function pointSwitches(view: View): void {
  for (const link of switches()) {
    const { switch: name = "", value = "" } = link.dataset;
    if (view.get(name) === value) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.href = address(new Map(view).set(name, value));
  }
}

/** Hide the widgets that the field's text does not name, now and whenever it changes. */
function followFilter(field: HTMLInputElement, view: View): void {
  const widgets = all("[data-widget]");
  const found = document.querySelector("[data-found]");
  const apply = (): void => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const widget of widgets) {
      const names = widget.dataset["widget"]?.toLowerCase() ?? "";
      widget.hidden = !words.every((word) => names.includes(word));
    }
    const count = widgets.filter(({ hidden }) => !hidden).length;
    if (found) found.textContent = field.value.trim() ? `${count} of ${widgets.length}` : "";
  };
  field.value = view.get(FILTER) ?? "";
  field.addEventListener("input", () => {
    view.set(FILTER, field.value.trim());
    pointSwitches(view);
    apply();
  });
  apply();
}

/** Let each switch keep the place: its link leads to the state that is at the top of the window when it is clicked. */
function keepPlace(): void {
  for (const link of switches()) {
    link.addEventListener("click", () => {
      const states = scrollY ? all(".state") : [];
      const first = states.find((state) => state.getBoundingClientRect().bottom > innerHeight / 4);
      link.hash = first?.id ?? "";
    });
  }
}

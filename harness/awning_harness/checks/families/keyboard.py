"""Checks for shoppers with a keyboard. `keyboard` presses real keys, so it opens its page in a frame of its own.

The docstring of a check says what is wrong when the check fails.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from awning.workspace.model import WidgetState
from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import updated_slot
from awning_harness.checks.state_case import StateCase
from awning_harness.checks.subject import Subject
from awning_harness.visit.frames.widget import WidgetBench
from awning_harness.visit.frames.widget_visit import WidgetVisit
from awning_harness.visit.pages.visibility import OWN_BLOCKS

STOPS_BESIDE = 20
"""The most stops of the Tab key in a block that are no controls, such as boxes that scroll."""

LOOK = """
  const within = (root) => [...root.querySelectorAll("*")].flatMap((element) =>
    element.shadowRoot ? [element, ...within(element.shadowRoot)] : [element]);
  const parent = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host;
  const STYLE = ["boxShadow", "backgroundColor", "backgroundImage", "backgroundSize", "color", "fill", "stroke",
    "textDecorationLine", "textDecorationColor", "textDecorationThickness", "fontWeight", "opacity", "filter",
    "transform", "translate", "scale"];
  const isClear = (color) => /^rgba.*, 0\\)$|[/] 0\\)$/.test(color);
  const styleOf = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    if (pseudo && /^(none|normal)$/.test(style.content)) return "";
    const { outlineStyle, outlineWidth, outlineColor, borderWidth, borderStyle, borderColor } = style;
    const hasOutline = outlineStyle != "none" && parseFloat(outlineWidth) && !isClear(outlineColor);
    return [
      ...STYLE.map((name) => style[name]),
      ...(hasOutline ? [outlineStyle, outlineWidth, outlineColor] : []),
      ...(/[1-9]/.test(borderWidth) ? [borderWidth, borderStyle, borderColor] : []),
      ...(pseudo ? [style.content, style.width, style.height] : []),
    ].join("|");
  };
  const isDrawn = (element) => {
    const { clip, clipPath } = getComputedStyle(element);
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && clip == "auto" &&
      !/^inset\\((50|100)%/.test(clipPath);
  };
  const drawn = (element) => {
    if (!isDrawn(element)) return "";
    const { width, height } = element.getBoundingClientRect();
    return [width > 1 && height > 1 ? styleOf(element) : "", styleOf(element, "::before"), styleOf(element, "::after")]
      .join("\\n");
  };
"""
"""JavaScript with `drawn`, which returns what is drawn of an element itself, without its texts and descendants.

It is an empty text for an element that is transparent or only for screen readers.
"""

PREPARE = f"""(selector) => {{ {LOOK}
  const blocks = [...document.querySelectorAll(selector)];
  const parts = blocks.flatMap(within);
  const inner = new Set(parts);
  const isInert = (element) => Boolean(element) && (element.inert || isInert(parent(element)));
  const isSeen = (element) => element.checkVisibility({{ visibilityProperty: true }});
  const visible = parts.filter((element) => isSeen(element) && !isInert(element));
  const modal = visible.find((element) => element.matches("dialog:modal, [aria-modal=true]"));
  const all = modal ? visible.filter((element) => modal.contains(element)) : visible;
  const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
  const named = (element) => element.localName + [...element.classList]
    .filter((name) => !name.startsWith("aw-")).map((name) => "." + name).join("") +
    (element.innerText?.trim() ? ` (${{JSON.stringify(element.innerText.trim().slice(0, 40))}})` : "");
  const active = () => {{
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  }};
  const takesFocus = (element) => element.matches(FOCUSABLE) && !element.matches(":disabled") && element.tabIndex >= 0;
  const can = all.filter(takesFocus);
  const holders = (element) => inner.has(parent(element)) ? [parent(element), ...holders(parent(element))] : [];
  const held = new Map();
  for (const control of can)
    for (const element of [control, ...holders(control)]) held.set(element, (held.get(element) ?? 0) + 1);
  const following = (element) => {{
    const next = element.nextElementSibling;
    return next && !held.has(next) ? [next, ...following(next)] : [];
  }};
  const around = (element) => [
    ...[element, ...(element.labels ?? []), ...following(element)].flatMap((part) => [part, ...within(part)]),
    parent(element), ...holders(element).filter((holder) => held.get(holder) == 1)];
  const shades = parts.flatMap((element) => element.shadowRoot ?? []);
  const look = (element) => {{
    for (const animation of [document, ...shades].flatMap((root) => root.getAnimations()))
      if (animation instanceof CSSTransition) animation.finish();
    return around(element).map(drawn).join("\\n");
  }};
  const roles = "[onclick], [role=button], [role=link], [role=checkbox], [role=switch], [role=tab], [role=menuitem]";
  const pointer = (element) => getComputedStyle(element).cursor == "pointer";
  const reacts = (element) => element.matches(roles) || (pointer(element) && !pointer(element.parentElement));
  const isHidden = (control) => control && !control.matches(":disabled") && !isSeen(control);
  const mouse = all.filter((element) => element.localName == "label" ? isHidden(element.control) : reacts(element) &&
    !can.some((other) => other.contains(element) || element.contains(other)) && !element.closest("label, :disabled") &&
    element.tabIndex < 0);
  active()?.blur();
  window.focus();
  let changes = 0;
  const observer = new MutationObserver((records) => {{ changes += records.length; }});
  const ALL = {{ subtree: true, childList: true, attributes: true, characterData: true }};
  for (const root of [...blocks.map((block) => block.parentNode), ...shades]) observer.observe(root, ALL);
  const form = () => blocks.map((block) => within(block).map((element) => element.outerHTML).join("")).join("");
  let before = "";
  document.awningKeyboard = {{
    blocks, can, active, named, looks: can.map(look), look,
    begin: () => {{ observer.takeRecords(); changes = 0; before = form(); }},
    hasChanged: () => changes + observer.takeRecords().length > 0 || form() !== before,
  }};
  const outside = [...document.querySelectorAll("a[href], button, input")].filter((element) =>
    element.checkVisibility() && takesFocus(element) && !isInert(element) &&
    blocks[0] && element.compareDocumentPosition(blocks[0]) & Node.DOCUMENT_POSITION_FOLLOWING);
  outside.at(-1)?.focus();
  return {{ can: can.map(named), mouse: mouse.map(named), isModal: !!modal }};
}}"""
"""JavaScript that puts the focus before the block, and returns an object with `can`, `mouse` and `isModal`.

`can` has the names of the controls that a keyboard must reach, `mouse` those of the elements that only the mouse can
use, and `isModal` is whether a modal dialog is open. A label whose control is not displayed works only with the mouse,
because no key reaches the control.

The focus may be shown by the control, by its parent, its label, by what follows it up to the next control, or by an
element that holds this control alone.
"""

AFTER_TAB = """() => {
  const { blocks, can, active, named, looks, look } = document.awningKeyboard;
  const element = active(), outer = document.activeElement;
  const at = can.indexOf(element);
  const isInside = blocks.some((block) => block.contains(outer));
  const isBehind = () => blocks.at(-1).compareDocumentPosition(outer) & Node.DOCUMENT_POSITION_FOLLOWING;
  return { at, group: element?.type == "radio" ? can.map((other, n) => [other, n])
    .filter(([other]) => other.type == "radio" && other.name == element.name).map(([, n]) => n) : [],
    staysAt: isInside ? named(element) : null, isVisible: at < 0 || look(element) != looks[at],
    hasLeft: !isInside && (!outer || outer == document.body || isBehind() > 0) };
}"""

PRESSABLE = """() => document.awningKeyboard.can.map((element, at) => [element, at])
  .filter(([element]) => element.localName == "button" ? !element.form : element.matches("[role=button]:not([href])"))
  .map(([, at]) => at)"""

FOCUS = "(at) => { document.awningKeyboard.can[at].focus(); document.awningKeyboard.begin(); }"
CLICK = "(at) => { document.awningKeyboard.begin(); document.awningKeyboard.can[at].click(); }"
HAS_CHANGED = "() => new Promise((done) => setTimeout(() => done(document.awningKeyboard.hasChanged()), 30))"
"""JavaScript that tells after a moment whether a part of the block has changed since `begin`, be it for a moment."""


class Page(Protocol):
    """A page in a tab, or in a frame of one."""

    @property
    def page(self) -> Any:
        """Playwright's page, whose keys are pressed."""

    def evaluate(self, script: str, argument: Any = None) -> Any: ...


def test_keyboard(widget: WidgetBench, state: WidgetState) -> None:
    """A part of the block needs a mouse, is not reached by Tab, shows no focus, ignores Enter, or keeps the focus."""
    case = StateCase.of(widget, state)
    visit = case.open()
    widget.only_here.append("pressed keys")
    listed = visit.tab.evaluate(PREPARE, f".placeholder-{visit.slot} {OWN_BLOCKS}")
    if fault := fault_of_controls(visit.tab, listed):
        case.fail(fault)
    _require_enter(widget, case, visit, listed["can"])


def fault_of_controls(tab: Page, listed: Mapping[str, Any]) -> str | None:
    """Return what a shopper with the Tab key cannot reach, see or leave; None if nothing. PREPARE returned `listed`.

    A group of radio buttons counts as reached when one of its buttons gets the focus. The focus need not leave a modal
    dialog.
    """
    if listed["mouse"]:
        return f"{listed['mouse'][0]} reacts to the mouse, and a keyboard cannot reach it"
    if not (names := listed["can"]):
        return None
    reached, after = set[int](), dict[str, Any]()
    for _ in range(len(names) + STOPS_BESIDE):
        tab.page.keyboard.press("Tab")
        after = tab.evaluate(AFTER_TAB)
        if not after["isVisible"]:
            return f"{names[after['at']]} does not show that it has the focus"
        reached |= {after["at"], *after["group"]} - {-1}
        if len(reached) == len(names) if listed["isModal"] else after["hasLeft"] and reached:
            break
    else:
        if after["staysAt"] and not listed["isModal"]:
            return f"Tab does not leave the block: the focus stays at {after['staysAt']}"
    missing = [name for at, name in enumerate(names) if at not in reached]
    return f"Tab does not reach {missing[0]}" if missing else None


def _require_enter(
    widget: WidgetBench, case: StateCase[WidgetVisit], visit: WidgetVisit, names: list[str]
) -> None:
    """Fail the test if a button changes the block when it is clicked, but not when Enter is pressed.

    An error fails the test at its end. The report then names the last button at which one came.
    """
    tab, keyboard = visit.tab, visit.tab.page.keyboard
    for at in tab.evaluate(PRESSABLE):
        errors = len(visit.errors)
        tab.evaluate(FOCUS, at)
        keyboard.press("Enter")
        has_changed = tab.evaluate(HAS_CHANGED)
        if not has_changed:  # what it does may wait for a host, or for a busy machine
            visit.settle()
            has_changed = tab.evaluate(HAS_CHANGED)
        if len(visit.errors) > errors:
            widget.only_here[:] = [f"Enter at {names[at]}"]
        if has_changed:
            keyboard.press("Escape")
            continue
        tab.evaluate(CLICK, at)
        if tab.evaluate(HAS_CHANGED):
            case.fail(f"{names[at]} ignores Enter, and does something when it is clicked")


@looks_at(updated_slot)
async def test_focus(subject: Subject) -> None:
    """An update moves the focus away from a control, or undoes what a shopper has typed, chosen or opened."""
    trial = subject.trial("page", "loaded", "focus")
    observed = await subject.observe_one(trial)
    for loss in observed.lost[:1]:
        update = loss["update"]
        updated = replace(trial, moves=(*trial.moves, {"update": update}))
        sentence = f"after the update to {await subject.describe(update)}, {loss['what']}"
        subject.fail(sentence, at=replace(observed.last, trial=updated))

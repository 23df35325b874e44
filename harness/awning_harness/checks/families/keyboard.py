"""Checks for shoppers with a keyboard. `keyboard` presses real keys, so it opens its page in a frame of its own.

The docstring of a check says what is wrong when the check fails.
"""

from dataclasses import replace
from typing import Any

from awning.workspace.model import WidgetState
from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import updated_slot
from awning_harness.checks.state_case import StateCase
from awning_harness.checks.subject import Subject
from awning_harness.visit.frames.widget import WidgetBench
from awning_harness.visit.frames.widget_visit import WidgetVisit
from awning_harness.visit.pages.visibility import OWN_BLOCKS

PREPARE = """(selector) => {
  const within = (root) => [...root.querySelectorAll("*")].flatMap((element) =>
    element.shadowRoot ? [element, ...within(element.shadowRoot)] : [element]);
  const blocks = [...document.querySelectorAll(selector)];
  const visible = blocks.flatMap(within)
    .filter((element) => element.checkVisibility({ visibilityProperty: true }));
  const modal = visible.find((element) => element.matches("dialog:modal, [aria-modal=true]"));
  const all = modal ? visible.filter((element) => modal.contains(element)) : visible;
  const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
  const named = (element) => element.localName + [...element.classList]
    .filter((name) => !name.startsWith("aw-")).map((name) => "." + name).join("") +
    (element.innerText?.trim() ? ` (${JSON.stringify(element.innerText.trim().slice(0, 40))})` : "");
  const styleOf = (element) => {
    const style = getComputedStyle(element);
    return ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "borderColor", "borderWidth",
      "backgroundColor", "color", "textDecorationLine"].map((name) => style[name]).join("|");
  };
  const around = (element) => [element, element.parentElement, ...element.querySelectorAll("*"),
    ...(element.labels ?? []), element.nextElementSibling].filter(Boolean);
  const look = (element) => around(element).map(styleOf).join("\\n");
  const active = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  };
  const can = all.filter((element) => element.matches(FOCUSABLE) && !element.disabled && element.tabIndex >= 0);
  const roles = "[onclick], [role=button], [role=link], [role=checkbox], [role=switch], [role=tab], [role=menuitem]";
  const pointer = (element) => getComputedStyle(element).cursor == "pointer";
  const reacts = (element) => element.matches(roles) || (pointer(element) && !pointer(element.parentElement));
  const isHidden = (control) => control && !control.disabled && !control.checkVisibility({ visibilityProperty: true });
  const mouse = all.filter((element) => element.localName == "label" ? isHidden(element.control) : reacts(element) &&
    !can.some((other) => other.contains(element) || element.contains(other)) && !element.closest("label, :disabled") &&
    element.tabIndex < 0);
  document.activeElement?.blur();
  window.focus();
  let changes = 0;
  const observer = new MutationObserver((records) => { changes += records.length; });
  const roots = new Set(blocks.flatMap((block) => [block.parentNode, ...within(block).map((part) => part.shadowRoot)]));
  const ALL = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const root of roots) if (root) observer.observe(root, ALL);
  const form = () => blocks.map((block) => within(block).map((element) => element.outerHTML).join("")).join("");
  let before = "";
  document.awningKeyboard = {
    can, active, named, looks: can.map(look), look,
    begin: () => { observer.takeRecords(); changes = 0; before = form(); },
    hasChanged: () => changes + observer.takeRecords().length > 0 || form() !== before,
  };
  const outside = [...document.querySelectorAll("a[href], button, input")].filter((element) =>
    element.checkVisibility() && element.tabIndex >= 0 && !element.disabled &&
    blocks[0] && element.compareDocumentPosition(blocks[0]) & Node.DOCUMENT_POSITION_FOLLOWING);
  outside.at(-1)?.focus();
  return { can: can.map(named), mouse: mouse.map(named), isModal: !!modal };
}"""
"""JavaScript that puts the focus before the block, and returns an object with `can`, `mouse` and `isModal`.

`can` has the names of the controls that a keyboard must reach, `mouse` those of the elements that only the mouse can
use, and `isModal` is whether a modal dialog is open. A label whose control is not displayed works only with the mouse,
because no key reaches the control.
"""

AFTER_TAB = """() => {
  const { can, active, looks, look } = document.awningKeyboard;
  const element = active();
  const at = can.indexOf(element);
  return { at, group: element?.type == "radio" ? can.map((other, n) => [other, n])
    .filter(([other]) => other.type == "radio" && other.name == element.name).map(([, n]) => n) : [],
    isVisible: at < 0 || look(element) != looks[at] };
}"""

PRESSABLE = """() => document.awningKeyboard.can.map((element, at) => [element, at])
  .filter(([element]) => element.localName == "button" ? !element.form : element.matches("[role=button]:not([href])"))
  .map(([, at]) => at)"""

FOCUS = "(at) => { document.awningKeyboard.can[at].focus(); document.awningKeyboard.begin(); }"
CLICK = "(at) => { document.awningKeyboard.begin(); document.awningKeyboard.can[at].click(); }"
HAS_CHANGED = "() => new Promise((done) => setTimeout(() => done(document.awningKeyboard.hasChanged()), 30))"
"""JavaScript that tells after a moment whether a part of the block has changed since `begin`, be it for a moment."""


def test_keyboard(widget: WidgetBench, state: WidgetState) -> None:
    """A part of the block needs a mouse, is not reached by Tab, shows no focus, ignores Enter, or keeps the focus."""
    case = StateCase.of(widget, state)
    visit = case.open()
    widget.only_here.append("pressed keys")
    listed: dict[str, Any] = visit.tab.evaluate(PREPARE, f".placeholder-{visit.slot} {OWN_BLOCKS}")
    if listed["mouse"]:
        case.fail(f"{listed['mouse'][0]} reacts to the mouse, and a keyboard cannot reach it")
    if not listed["can"]:
        return
    reached = _tab_through(case, visit, listed["can"], is_modal=listed["isModal"])
    missing = [name for at, name in enumerate(listed["can"]) if at not in reached]
    if missing:
        case.fail(f"Tab does not reach {missing[0]}")
    _require_enter(widget, case, visit, listed["can"])


def _tab_through(
    case: StateCase[WidgetVisit], visit: WidgetVisit, names: list[str], *, is_modal: bool
) -> set[int]:
    """Press Tab until the focus has left the block. Returns the indexes in `names` of the controls that got it.

    A group of radio buttons counts as reached when one of its buttons gets the focus. The test fails if a control does
    not show the focus, or if the focus does not leave the block. It need not leave a modal dialog.
    """
    tab, reached = visit.tab, set[int]()
    for _ in range(len(names) + 2):
        tab.page.keyboard.press("Tab")
        after: dict[str, Any] = tab.evaluate(AFTER_TAB)
        if after["at"] < 0:
            if reached and not is_modal:
                return reached
            continue
        if not after["isVisible"]:
            case.fail(f"{names[after['at']]} does not show that it has the focus")
        reached |= {after["at"], *after["group"]}
    if after["at"] >= 0 and not is_modal:
        case.fail(f"Tab does not leave the block: the focus stays at {names[after['at']]}")
    return reached


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

"""A plain model of how the service delivers events and inserts content, written from the prose and from nothing else.

It shares no code and no structure with the emulator: real exceptions, lists instead of a document, and jQuery reduced
to a list of listeners and a list of ready handlers. `play` runs the same steps that the page runs (`PLAYER` in
tests/emulator) and gives the same trace, the same DOM and the same errors.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

Entry = tuple[str, str, int | None, int | None, str | None]
Actions = Sequence[Sequence[Any]]
Work = Callable[[], None]

NO_NAME = "no event name"
NO_JQUERY = "$ is not defined"
NESTED = 4
"""The most events that the callbacks of one page may fire. Without a limit, they could fire each other forever."""


class Thrown(Exception):
    """An exception that an app, the service or jQuery throws. `text` is its text in the trace."""

    def __init__(self, what: str, text: str | None = None) -> None:
        super().__init__(what)
        self.text = f"Error: {what}" if text is None else text


@dataclass(eq=False)
class Element:
    """A child of a box.

    `scripts` has a list for each script in its HTML: the script's name, and whether it must not run again.
    """

    order: str | None = None
    html: str = ""
    tag: str = "div"
    scripts: list[list[Any]] = field(default_factory=list)
    read: "dict[JQuery, str]" = field(default_factory=dict)
    """The order, as each jQuery read it first. A later change of it does not count."""
    inner: "Element | None" = None
    """The element that an app wrapped in this one."""

    def outer(self) -> str:
        order = "" if self.order is None else f' data-order="{self.order}"'
        return f"<{self.tag}{order}>{self.html}{self.inner.outer() if self.inner else ''}</{self.tag}>"

    def holds(self, element: "Element") -> bool:
        return self is element or (self.inner is not None and self.inner.holds(element))

    def number(self, page: "JQuery") -> float:
        if self.order is not None:
            self.read.setdefault(page, self.order)
        digits = re.match(r"\d+", self.read.get(page, ""))
        return int(digits[0]) if digits else float("-inf")


@dataclass(eq=False)
class Place:
    """A host: where its blocks go and how many positions it has given out."""

    boxes: Sequence[str]
    event: str
    positions: int = 0
    updated: bool = False
    timer: str = "unset"
    repeat: Work | None = None
    base: "Arrival | None" = None
    update: "Arrival | None" = None


@dataclass(eq=False)
class Block:
    """The block that one call of initContentHandler made."""

    place: Place
    event: str
    subscriber: int | None
    position: int | None = None
    element: Element = field(default_factory=Element)


@dataclass(eq=False)
class Arrival:
    """One event that is being delivered: a base event, or an update."""

    event: str
    place: Place
    is_update: bool
    calls: "dict[int, Call]" = field(default_factory=dict)


@dataclass(eq=False)
class Call:
    """A call of one subscriber with one event."""

    arrival: Arrival | None
    number: int
    first: Block | None = None


@dataclass
class Ready:
    """The handlers that wait for document-ready.

    With jQuery, an exception of one handler keeps all later ones from running; without jQuery, it does not.
    """

    jquery: bool
    timers: list[Work]
    ready: bool = False
    running: bool = False
    dead: bool = False
    waiting: list[Work] = field(default_factory=list)

    def begin(self) -> None:
        if not self.ready:
            self.ready = True
            self.drain()

    def run(self, work: Work) -> None:
        if not self.ready or self.running:
            self.waiting.append(work)
        elif self.jquery:
            self.waiting.append(work)
            self.drain()
        else:
            self.running = True
            try:
                work()
            finally:
                self.drain()

    def drain(self) -> None:
        self.running = True
        while self.waiting and not self.dead:
            try:
                self.waiting.pop(0)()
            except Thrown as thrown:
                if self.jquery:
                    self.dead = True
                    raise
                self.timers.append(uncaught(thrown))
        self.running = self.dead


@dataclass
class Listener:
    """An entry in the list of one event: a subscriber, or a function that an app passed to jQuery itself."""

    type: str
    spaces: Sequence[str]
    actions: Actions
    number: int | None


@dataclass(eq=False)
class JQuery:
    """One copy of jQuery on the page, or the document itself where there is none."""

    ready: Ready
    listeners: list[Listener] = field(default_factory=list)


@dataclass
class Model:
    """The page, the service and the apps."""

    answers: dict[str, str]
    jquery: bool
    ready: bool = False
    timers: list[Work] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    subscribers: int = 0
    kept: dict[Any, list[Arrival]] = field(default_factory=dict)
    boxes: dict[str, list[Element]] = field(default_factory=lambda: {"A": [], "B": [], "O": []})
    trace: list[Entry] = field(default_factory=list)
    escaped: list[str] = field(default_factory=list)
    said: list[Any] = field(default_factory=list)
    logged: int = 0
    nested: int = 0
    running: list[Call] = field(default_factory=list)
    delivering: list[Arrival] = field(default_factory=list)
    seen: list[Any] = field(default_factory=list)
    stopped: list[Any] = field(default_factory=list)
    wrappers: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.copies = [JQuery(Ready(self.jquery, self.timers))]
        self.every_copy = list(self.copies)

    def says(self, assumption: str, answer: str) -> bool:
        return self.answers[assumption] == answer

    def page(self) -> JQuery:
        """Return the jQuery that the page has at this moment."""
        if not self.copies:
            raise Thrown(NO_JQUERY, f"ReferenceError: {NO_JQUERY}")
        return self.copies[-1]

    # What a page does

    def step(self, what: str, *rest: Any) -> None:
        try:
            getattr(self, f"do_{what}")(*rest)
        except Thrown as thrown:
            self.escaped.append(str(thrown))

    def do_host(self, event: str, boxes: Sequence[str]) -> None:
        self.page()
        place = self.places[event] = Place(boxes, event)
        self.schedule(lambda: self.arrive(Arrival(event, place, is_update=False)))

    def do_fire(self, event: str) -> None:
        place = self.places.get(event.removesuffix("-updated"))
        if place is not None:
            arrival = Arrival(event, place, event.endswith("-updated"))
            self.schedule(lambda: self.arrive(arrival))

    def do_ready(self) -> None:
        self.ready = True
        for copy in self.every_copy:
            with suppress(Thrown):  # the browser reports what its listeners throw, and goes on
                copy.ready.begin()

    def do_turn(self) -> None:
        while self.timers:
            try:
                self.timers.pop(0)()
            except Thrown as thrown:
                self.escaped.append(str(thrown))

    def do_foreign(self) -> None:
        """Run a ready handler that throws and belongs to neither an app nor the service."""
        self.page().ready.run(raiser(Thrown("foreign")))

    def do_second(self) -> None:
        """Load another jQuery. If the document is ready already, the new jQuery notices that by a timer."""
        copy = JQuery(Ready(jquery=True, timers=self.timers))
        self.copies.append(copy)
        self.every_copy.append(copy)
        if self.ready:
            self.timers.append(copy.ready.begin)

    def do_back(self) -> None:
        """Call noConflict(true): the page has the jQuery that was there before, or none."""
        self.page()
        self.copies.pop()

    def do_put(self, box: str, tag: str, order: str) -> None:
        self.boxes[box].append(Element(order, "", tag))

    def do_take(self, box: str, at: int) -> None:
        if at < len(self.boxes[box]):
            self.boxes[box].pop(at)

    def do_move(self, box: str, at: int, to: str) -> None:
        if at < len(self.boxes[box]):
            element = self.boxes[box].pop(at)
            self.boxes[to].append(element)

    def do_wrap(self, box: str, at: int, tag: str) -> None:
        if at < len(self.boxes[box]):
            outer = self.boxes[box][at] = Element(None, "", tag, inner=self.boxes[box][at])
            self.wrappers.append(outer)

    def do_order(self, box: str, at: int, order: str) -> None:
        if at < len(self.boxes[box]):
            self.boxes[box][at].order = order

    def schedule(self, work: Work, *, from_timer: bool = False) -> None:
        if not self.ready and self.says("before-ready", "now"):
            work()
        elif self.ready and self.says("after-ready", "timer") and not from_timer:
            self.page().ready.run(lambda: self.timers.append(work))
        else:
            self.page().ready.run(work)

    # What jQuery does

    def listen(self, names: Any, actions: Actions, number: int | None) -> None:
        page = self.page()
        if isinstance(names, list | dict):
            return  # a list of names, or an object for a text: jQuery takes `0`, `1` and so on for the names
        if names and not isinstance(names, str):
            raise Thrown(NO_NAME)
        for name in reversed((names or "").split()):
            type_, *spaces = name.split(".")
            if type_ == "toString":
                raise Thrown(NO_NAME)
            if type_:
                page.listeners.append(Listener(type_, spaces, actions, number))

    def do_listen(self, names: str, actions: Actions) -> None:
        self.listen(names, actions, None)

    def do_off(self, names: str) -> None:
        page = self.page()
        type_, *spaces = names.split(".")
        page.listeners = [
            listener
            for listener in page.listeners
            if (type_ and listener.type != type_) or not set(spaces) <= set(listener.spaces)
        ]

    def do_trigger(self, name: str) -> None:
        self.trigger(name, None, object())

    def trigger(self, name: str, arrival: Arrival | None, event: object) -> None:
        """Call the listeners of `name` that are on the list at the beginning, in order, until one stops the event."""
        page = self.page()
        type_, *spaces = name.split(".")
        for listener in list(page.listeners):
            if listener.type != type_ or not set(spaces) <= set(listener.spaces):
                continue
            if listener.number is None:
                self.said.append(["listener", self.arguments(arrival), self.name(event)])
                self.act(listener.actions, arrival, event, [])
            else:
                guarded = arrival is not None and self.says("isolation", "subscriber")
                self.tell(listener, arrival, type_, "live", event, guarded=guarded)
            if event in self.stopped:
                return

    # What the service does

    def arrive(self, arrival: Arrival) -> None:
        """Deliver an event, and repeat it later if the answers say so.

        The timer of the repetition is set before anything is delivered.
        """
        place = arrival.place
        if place.event.endswith("after-price"):
            repeat = self.says("repeat-later-updates" if place.updated else "repeat-first-update", "on")
            if repeat and not arrival.is_update and not place.updated and place.timer == "unset":
                place.timer = "waiting"
                self.timers.append(lambda: self.timer_of(place))
            elif repeat and arrival.is_update:
                again = self.again(arrival)
                if place.timer == "waiting" and not place.updated:
                    place.repeat = again
                else:
                    self.timers.append(again)
            place.updated = place.updated or arrival.is_update
        self.deliver(arrival)

    def timer_of(self, place: Place) -> None:
        place.timer = "over"
        if place.repeat:
            place.repeat()

    def again(self, arrival: Arrival) -> Work:
        repeated = Arrival(arrival.event, arrival.place, arrival.is_update)
        return lambda: self.schedule(lambda: self.deliver(repeated), from_timer=True)

    def deliver(self, arrival: Arrival) -> None:
        if arrival.is_update:
            arrival.place.update = arrival
        else:
            arrival.place.base = arrival
        if self.says("replay", "last"):
            self.kept[arrival.event] = [arrival]
        elif self.says("replay", "all"):
            self.kept[arrival.event] = [*self.kept.get(arrival.event, []), arrival]
        self.delivering.append(arrival)
        try:
            self.trigger(arrival.event, arrival, ("live", arrival))
        except Thrown:
            if self.says("isolation", "none"):
                raise
            self.logged += 1
        finally:
            self.delivering.remove(arrival)

    def do_subscribe(self, event: Any, actions: Actions) -> None:
        self.subscribers += 1
        number = self.subscribers
        self.listen(event, actions, number)
        listener = Listener("", [], actions, number)
        self.trace.append(("subscribe", spelt(event), number, None, None))
        for arrival in list(self.kept.get(spelt(event), [])):
            guarded = self.says("replay-exception", "caught")
            self.tell(listener, arrival, arrival.event, "replay", ("replay", arrival), guarded=guarded)

    def tell(
        self,
        listener: Listener,
        arrival: Arrival | None,
        name: str,
        how: str,
        event: object,
        *,
        guarded: bool,
    ) -> None:
        number = listener.number
        assert number is not None
        call = Call(arrival, number)
        if arrival is not None:
            arrival.calls[number] = call
        self.trace.append(("deliver", name, number, None, how))
        self.said.append([True, self.arguments(arrival), self.name(event)])
        self.running.append(call)
        try:
            self.act(listener.actions, arrival, event, [])
        except Thrown as thrown:
            self.trace.append(("exception", name, number, None, thrown.text))
            self.trace.append(("violation", name, number, None, "unhandled-error"))
            if not guarded:
                raise
            self.logged += 1
        finally:
            self.running.pop()

    def arguments(self, arrival: Arrival | None) -> list[Any]:
        """Return how many arguments a callback gets, and the number of its initContentHandler; None without one.

        These functions are numbered in the order in which they are first seen. Each host has one.
        """
        if arrival is None:
            return [1, None]
        return [4 if arrival.is_update else 3, self.name(arrival.place)]

    def name(self, thing: object) -> int:
        if thing not in self.seen:
            self.seen.append(thing)
        return self.seen.index(thing)

    # What an app does in a callback

    def act(self, actions: Actions, arrival: Arrival | None, event: object, mine: list[Block]) -> None:
        for what, *rest in actions:
            match what:
                case "init":
                    mine.append(self.init(arrival))
                case "set":
                    if mine:
                        self.set_content(mine[-1], rest[0])
                case "throw":
                    raise Thrown(*THROWN[rest[0]])
                case "stop":
                    self.stop(arrival, event)
                case "later":
                    self.timers.append(self.later(rest[0], arrival, event, mine))
                case _:
                    self.nested += what in {"fire", "trigger"}
                    if what not in {"fire", "trigger"} or self.nested <= NESTED:
                        getattr(self, f"do_{what}")(*rest)

    def stop(self, arrival: Arrival | None, event: object) -> None:
        """Call stopImmediatePropagation.

        An event object that is neither jQuery's nor the browser's has no such function.
        """
        if arrival is None or not self.says("live-event", "bare"):
            self.stopped.append(event)

    def later(self, actions: Actions, arrival: Arrival | None, event: object, mine: list[Block]) -> Work:
        def work() -> None:
            self.act(actions, arrival, event, mine)

        return work

    def init(self, arrival: Arrival | None) -> Block:
        if arrival is None:
            raise Thrown("no init")
        arrival, call, late = self.caller(arrival.place)
        number, first = (call.number, call.first) if call else (None, None)
        self.judge(arrival, number, again=first is not None, late=late)
        if first is not None and self.says("second-init", "same-block"):
            return first
        block = Block(arrival.place, arrival.event, number)
        if self.says("position", "init"):
            self.give_position(block)
        self.trace.append(("init", arrival.event, number, block.position, None))
        if self.says("wrapper-enters", "init"):
            self.enter(block)
        if call is not None:
            call.first = call.first or block
        return block

    def caller(self, place: Place) -> tuple[Arrival, Call | None, bool]:
        """Return the delivery and the subscriber's call in which init was called, and whether init was called late.

        All subscribers of a host share one function in all deliveries. So while no subscriber runs, the delivery is the
        last base event, or without its subscribers the last update, and the call is known if there is only one.
        """
        for call in reversed(self.running):
            if call.arrival is not None and call.arrival.place is place:
                return call.arrival, call, False
        own = [arrival for arrival in self.delivering if arrival.place is place]
        if own and not self.running:
            return own[-1], None, False
        arrival = place.base if place.base and (place.base.calls or not place.update) else place.update
        assert arrival is not None
        calls = list(arrival.calls.values())
        return arrival, calls[0] if len(calls) == 1 else None, True

    def judge(self, arrival: Arrival, number: int | None, *, again: bool, late: bool) -> None:
        rule, switch = None, ""
        if arrival.is_update:
            rule, switch = "updated-pair", "init-in-updated"
        elif again:
            rule, switch = "init-once", "second-init"
        elif late:
            rule, switch = "init-early", "late-init"
        if rule is not None:
            self.trace.append(("violation", arrival.event, number, None, rule))
            if self.says(switch, "throws"):
                raise Thrown(REFUSED[rule])

    def give_position(self, block: Block) -> None:
        block.place.positions += 1
        block.position = block.place.positions
        block.element.order = str(block.position)

    def in_page(self, element: Element) -> bool:
        return any(one.holds(element) for box in self.boxes.values() for one in box)

    def enter(self, block: Block) -> None:
        """Insert the block's element before the first `div` with a higher order in the boxes of its place.

        Without such a `div`, it enters the last box at its end, and a copy of it enters every other box.
        """
        element, boxes = block.element, [self.boxes[name] for name in block.place.boxes]
        if not boxes:
            return
        inside = self.in_page(element)
        follower = self.follower(boxes, block)
        self.take_out(element)
        if follower is not None:
            box = next(box for box in boxes if follower in box)
            box.insert(box.index(follower), element)
        else:
            for box in boxes[:-1]:
                box.append(Element(element.order, element.html, read=dict(element.read)))
            boxes[-1].append(element)
        if inside:
            for script in element.scripts:
                script[1] = True
        else:
            self.run_scripts(element)

    def take_out(self, element: Element) -> None:
        """Take the element out of the page, or out of the detached element that an app wrapped it in."""
        for box in self.boxes.values():
            if element in box:
                box.remove(element)
        for outer in self.wrappers:
            if outer.inner is element:
                outer.inner = None

    def follower(self, boxes: Sequence[list[Element]], block: Block) -> Element | None:
        page, position = self.page(), block.position
        after = (
            element
            for box in boxes
            for element in box
            if element is not block.element
            and element.tag == "div"
            and element.number(page) > (float("inf") if position is None else position)
        )
        return next(after, None)

    def run_scripts(self, element: Element) -> None:
        for name, over in list(element.scripts):
            if not over:
                self.said.append(name)
                if name == "throws":
                    raise Thrown("inline")

    def set_content(self, block: Block, content: Any) -> None:
        element, unplaced = block.element, block.position is None
        if unplaced:
            self.give_position(block)
        html = CONTENT.get(content, content)
        html = html.replace("OLD", element.html) if html is not None else None
        result = element.html if html is None else html
        self.trace.append(("content", block.event, block.subscriber, block.position, result))
        if html is not None:
            self.page()
            element.html = html
            element.scripts = [[name, False] for name in SCRIPT.findall(html)]
            if self.in_page(element):
                self.run_scripts(element)
        inside = any(one.holds(element) for name in block.place.boxes for one in self.boxes[name])
        if unplaced or not inside:
            self.page()
            self.enter(block)
        if self.says("set-content-returns", "wrapper"):
            self.page()

    def dom(self) -> dict[str, str]:
        return {name: "".join(element.outer() for element in box) for name, box in self.boxes.items()}


SCRIPT = re.compile(r'<script>said.push\("(\w+)"\)')

CONTENT: dict[str, str | None] = {
    "nothing": None,
    "undefined": None,
    "function": None,
    "null": "",
    "old": "OLD+",
}
"""By name of a content in the steps, its HTML. A content that is not listed is HTML itself. None changes nothing."""

THROWN = {
    "error": ("app", "Error: app"),
    "number": ("7", "7"),
    "bare": ("bare", "[object Object]"),
}
"""The exceptions of apps by name: the message of each, and its text in the trace."""

REFUSED = {
    "updated-pair": "initContentHandler: not for an -updated event",
    "init-once": "initContentHandler: called before for this event",
    "init-early": "initContentHandler: called after the callback returned",
}


def spelt(event: Any) -> str:
    """Return JavaScript's String(event). A list stands for a list, an object `{"text": ...}` for a String object."""
    match event:
        case list():
            return ",".join(map(spelt, event))
        case {"text": text}:
            return str(text)
        case bool():
            return str(event).lower()
    return str(event)


def raiser(thrown: Thrown) -> Work:
    def work() -> None:
        raise thrown

    return work


uncaught = raiser
"""Makes a timer that throws the exception of a waiting handler. It is uncaught, and the later handlers still run."""


def play(answers: dict[str, str], steps: Sequence[Sequence[Any]], *, jquery: bool) -> dict[str, Any]:
    """Return what these steps cause: trace, DOM, messages, uncaught exceptions and the number of logged errors."""
    model = Model(answers, jquery)
    for what, *rest in steps:
        model.step(what, *rest)
    return {
        "trace": [list(entry) for entry in model.trace],
        "dom": model.dom(),
        "escaped": model.escaped,
        "said": model.said,
        "logged": model.logged,
    }

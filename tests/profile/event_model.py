"""A plain model of how the service delivers events and inserts content, written from the prose and from nothing else.

It shares no code and no structure with the emulator: one class, real exceptions, two queues. `play` runs the same
steps that the page runs (`PLAYER` in tests/emulator) and gives the same trace and the same DOM.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

Entry = tuple[str, str, int | None, int | None, str | None]
Actions = Sequence[Sequence[Any]]


class Thrown(Exception):
    """Thrown by an app, or by the service at an app."""


@dataclass
class Place:
    """A host: where its blocks go and how many positions it has given out."""

    box: str
    event: str
    positions: int = 0
    updated: bool = False


@dataclass(eq=False)
class Block:
    """What one initContentHandler call made."""

    place: Place
    event: str
    subscriber: int
    position: int | None = None
    html: str = ""
    entered: bool = False


@dataclass
class Arrival:
    """One event on its way: a base event, or an update."""

    event: str
    place: Place
    is_update: bool


@dataclass
class Model:
    """The page, the service and the apps."""

    answers: dict[str, str]
    jquery: bool
    ready: bool = False
    draining: bool = False
    dead: bool = False
    waiting: list[Callable[[], None]] = field(default_factory=list)
    timers: list[Callable[[], None]] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    subscribed: list[tuple[int, str, Actions]] = field(default_factory=list)
    kept: dict[str, list[Arrival]] = field(default_factory=dict)
    boxes: dict[str, list[Block]] = field(default_factory=lambda: {"A": [], "B": []})
    trace: list[Entry] = field(default_factory=list)
    escaped: list[str] = field(default_factory=list)

    def says(self, assumption: str, answer: str) -> bool:
        return self.answers[assumption] == answer

    # What a page does

    def step(self, what: str, *rest: Any) -> None:
        try:
            getattr(self, f"do_{what}")(*rest)
        except Thrown as thrown:
            self.escaped.append(str(thrown))

    def do_host(self, event: str, box: str) -> None:
        place = self.places[event] = Place(box, event)
        self.schedule(lambda: self.arrive(Arrival(event, place, is_update=False)))

    def do_fire(self, event: str) -> None:
        place = self.places.get(event.removesuffix("-updated"))
        if place is not None:
            arrival = Arrival(event, place, event.endswith("-updated"))
            self.schedule(lambda: self.arrive(arrival))

    def do_ready(self) -> None:
        self.ready = self.draining = True
        while self.waiting and not self.dead:
            try:
                self.waiting.pop(0)()
            except Thrown as thrown:
                self.timers.append(partial(throw, thrown))
        self.draining = False

    def do_turn(self) -> None:
        while self.timers:
            try:
                self.timers.pop(0)()
            except Thrown as thrown:
                self.escaped.append(str(thrown))

    def do_foreign(self) -> None:
        """Somebody's ready handler throws. With jQuery 2.2.4 nothing runs after it."""
        if self.ready and not self.dead:
            self.dead = True
            raise Thrown("foreign")
        self.waiting.append(self.die)

    def die(self) -> None:
        self.dead = True

    def schedule(self, work: Callable[[], None], *, from_timer: bool = False) -> None:
        put_off = self.says("after-ready", "timer") and not from_timer
        if not self.ready and self.says("before-ready", "now"):
            work()
        elif self.ready and not self.draining:
            if self.dead:
                return
            if put_off:
                self.timers.append(work)
            else:
                work()
        elif self.draining and put_off:
            self.waiting.append(lambda: self.timers.append(work))
        else:
            self.waiting.append(work)

    # What the service does

    def arrive(self, arrival: Arrival) -> None:
        place, repeat = arrival.place, False
        if arrival.is_update:
            switch = "repeat-later-updates" if place.updated else "repeat-first-update"
            place.updated = True
            repeat = "after-price" in arrival.event and self.says(switch, "on")
        try:
            self.deliver(arrival)
        finally:
            if repeat:
                self.timers.append(lambda: self.schedule(lambda: self.deliver(arrival), from_timer=True))

    def deliver(self, arrival: Arrival) -> None:
        if self.says("replay", "last"):
            self.kept[arrival.event] = [arrival]
        elif self.says("replay", "all"):
            self.kept[arrival.event] = [*self.kept.get(arrival.event, []), arrival]
        try:
            for subscriber in [one for one in self.subscribed if one[1] == arrival.event]:
                self.tell(subscriber, arrival, "live", guarded=self.says("isolation", "subscriber"))
        except Thrown:
            if self.says("isolation", "none"):
                raise

    def do_subscribe(self, event: str, actions: Actions) -> None:
        subscriber = (len(self.subscribed) + 1, event, actions)
        self.subscribed.append(subscriber)
        self.trace.append(("subscribe", event, subscriber[0], None, None))
        for arrival in list(self.kept.get(event, [])):
            self.tell(subscriber, arrival, "replay", guarded=self.says("replay-exception", "caught"))

    def tell(
        self, subscriber: tuple[int, str, Actions], arrival: Arrival, how: str, *, guarded: bool
    ) -> None:
        number, event, actions = subscriber
        self.trace.append(("deliver", event, number, None, how))
        call = Call(self, arrival, number)
        try:
            call.act(actions, [])
        except Thrown as thrown:
            self.trace.append(("exception", event, number, None, f"Error: {thrown}"))
            self.trace.append(("violation", event, number, None, "unhandled-error"))
            if not guarded:
                raise
        finally:
            call.returned = True

    def give_position(self, block: Block) -> None:
        if block.position is None:
            block.place.positions += 1
            block.position = block.place.positions

    def enter(self, block: Block) -> None:
        """Before the first block of the box that comes after it; last as long as it has no position."""
        block.entered = True
        box = self.boxes[block.place.box]
        if block in box:
            box.remove(block)
        mine = block.position or math.inf
        after = [at for at, other in enumerate(box) if (other.position or 0) > mine]
        box.insert(after[0] if after else len(box), block)

    def set_content(self, block: Block, html: str) -> None:
        in_place = block.entered and block.position is not None
        self.give_position(block)
        self.trace.append(("content", block.event, block.subscriber, block.position, html))
        block.html = html
        if not in_place:
            self.enter(block)

    def dom(self) -> dict[str, str]:
        return {
            name: "".join(f"<div{order(block)}>{block.html}</div>" for block in blocks)
            for name, blocks in self.boxes.items()
        }


@dataclass
class Call:
    """One subscriber being told of one event: what its initContentHandler does."""

    model: Model
    arrival: Arrival
    number: int
    first: Block | None = None
    returned: bool = False

    def act(self, actions: Actions, mine: list[Block]) -> None:
        model = self.model
        for what, *rest in actions:
            if what == "init":
                mine.append(self.init())
            elif what == "set" and mine:
                model.set_content(mine[-1], rest[0])
            elif what == "throw":
                raise Thrown("app")
            elif what == "subscribe":
                model.do_subscribe(*rest)
            elif what == "fire":
                model.do_fire(*rest)
            elif what == "later":
                model.timers.append(lambda rest=rest: self.act(rest[0], mine))

    def init(self) -> Block:
        model, event = self.model, self.arrival.event
        rule, switch = None, ""
        if self.arrival.is_update:
            rule, switch = "updated-pair", "init-in-updated"
        elif self.first is not None:
            rule, switch = "init-once", "second-init"
        elif self.returned:
            rule, switch = "init-early", "late-init"
        if rule is not None:
            model.trace.append(("violation", event, self.number, None, rule))
            if model.says(switch, "throws"):
                raise Thrown(REFUSED[rule])
        if self.first is not None and model.says("second-init", "same-block"):
            return self.first
        block = Block(self.arrival.place, event, self.number)
        if model.says("position", "init"):
            model.give_position(block)
        model.trace.append(("init", event, self.number, block.position, None))
        if model.says("wrapper-enters", "init"):
            model.enter(block)
        self.first = self.first or block
        return block


def order(block: Block) -> str:
    return "" if block.position is None else f' data-order="{block.position}"'


def throw(thrown: Thrown) -> None:
    """What a waiting delivery throws is uncaught, and what waits behind it runs all the same."""
    raise thrown


REFUSED = {
    "updated-pair": "initContentHandler: not for an -updated event",
    "init-once": "initContentHandler: called before for this event",
    "init-early": "initContentHandler: called after the callback returned",
}


def play(answers: dict[str, str], steps: Sequence[Sequence[Any]], *, jquery: bool) -> dict[str, Any]:
    """Trace, DOM and what nobody caught, after these steps."""
    model = Model(answers, jquery)
    for what, *rest in steps:
        model.step(what, *rest)
    return {"trace": [list(entry) for entry in model.trace], "dom": model.dom(), "escaped": model.escaped}

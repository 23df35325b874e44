"""One execution of the page's scripts along one path: its state, which every function of the interpreter gets."""

from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from awning.check.budget import ITEMS, NESTING, TEXT, Budget
from awning.check.interpreter.path_condition import JoinFailed, PathCondition
from awning.check.interpreter.values import (
    UNDEFINED,
    ArrayValue,
    Delivery,
    Environment,
    FunctionValue,
    Steps,
    Symbolic,
    Value,
)
from awning.contract import Dialect
from awning.script.tree import Node


class ThrownException(Exception):
    """A JavaScript exception."""

    def __init__(self, value: Value) -> None:
        super().__init__("thrown")
        self.value = value


class _Missing:
    """What a name holds that is not there."""


MISSING = _Missing()
WriteLog = dict[tuple[int, str], tuple[Environment, Value]]
"""Variables with a value: those that were written in a trial, with the value they had."""


class AbruptCompletion(Exception):
    """`return`, `break` and `continue` on their way out. `how` is the statement, `label` its label."""

    def __init__(self, how: str, *, label: str = "", value: Value = None) -> None:
        super().__init__(how)
        self.how = how
        self.label = label
        self.value = value


@dataclass(frozen=True, slots=True)
class Observation:
    """A rule that was seen broken at a byte offset; `doubtful` when it depends on code that cannot be followed."""

    rule: str
    offset: int
    message: str
    doubtful: bool = False


@dataclass(slots=True)
class Subscription:
    event: Value
    callback: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """A look-up of an element that a script of the head makes before there is a body (`early_dom`).

    `by` is `id` or `class` if the selector has nothing else. Then an element of the head may match it.
    """

    text: str
    by: str = ""
    list: bool = False


@dataclass(slots=True, kw_only=True)
class Execution:
    dialect: Dialect
    path: PathCondition
    page: Environment
    evaluate: Callable[["Execution", Node, Environment], Steps]
    execute: Callable[["Execution", Node, Environment], Steps]
    call: Callable[["Execution", Value, Value, list[Value], Node], Steps]
    method: Callable[["Execution", Symbolic, Symbolic, list[Value], Node], Steps]
    """Call a method of what is not known (`page.methods`)."""
    budget: Budget
    observations: dict[Observation, None] = field(default_factory=dict)
    subscriptions: list[Subscription] = field(default_factory=list)
    microtasks: deque[Callable[[], Steps]] = field(default_factory=deque)
    """What runs as soon as no script does: the answers of promises that are settled."""
    tasks: deque[Callable[[], Steps]] = field(default_factory=deque)
    pending_listeners: deque[Callable[[], Steps]] = field(default_factory=deque)
    delivered: dict[str, None] = field(default_factory=dict)
    """Events that were delivered: later subscribers get them at once."""
    claims: dict[tuple[str, int], Delivery] = field(default_factory=dict)
    """The first delivery of an event in which a callback asked for its block."""
    deliveries: list[Delivery] = field(default_factory=list)
    called_functions: dict[int, None] = field(default_factory=dict)
    """Where the functions start that were called, in the order of their first call."""
    awaited: Value = UNDEFINED
    """What the `await` waits for at which an async body has paused last."""
    turns: dict[int, int] = field(default_factory=dict)
    written_properties: dict[str, dict[str, Value]] = field(default_factory=dict)
    """What the script has written into objects that are not known."""
    page_listeners: dict[str, list[Value]] = field(default_factory=dict)
    """Who listens for an event of the page, by its name."""
    fired_events: set[str] = field(default_factory=set)
    """Events of the page that the script fired itself."""
    functions: list[FunctionValue] = field(default_factory=list)
    init_calls: list[tuple[str, int]] = field(default_factory=list)
    """Each call of an initContentHandler: kind of delivery and offset."""
    try_depth: int = 0
    """Depth of `try` blocks with a `catch`."""
    unknown_depth: int = 0
    """Depth of calls made by code that cannot be followed."""
    strict_ranges: list[tuple[int, int]] = field(default_factory=list)
    """Where the programs start and end that are strict code as a whole."""
    depth: int = 0
    """Calls inside one another."""
    nesting: int = 0
    """Expressions and statements inside one another."""
    offset: int = 0
    """Where the statement starts that is being run."""
    in_head: bool = False
    """Whether a script of the page's head is being run: there is no body yet (`page.early`)."""
    out_of_steps: bool = False
    """Whether it ended for lack of steps."""
    missing_elements: dict[str, Lookup] = field(default_factory=dict)
    """The look-ups that found nothing, by the key of what they gave."""
    used_missing: set[str] = field(default_factory=set)
    """Those of them that were used all the same."""
    known_names: set[str] = field(default_factory=set)
    """Ids and classes of elements that the page's head has, or that the script makes."""
    yielded: list[list[Value]] = field(default_factory=list)
    """What the generators being run have yielded."""

    write_logs: list[WriteLog] = field(default_factory=list)
    """The variables written so far in each branch that is being run for a join (`joins`), the innermost last."""
    flags: dict[str, bool] = field(default_factory=dict)
    """Variables that were last assigned true or false: what later conditions may ask about."""

    def write(self, scope: Environment, name: str, value: Value) -> None:
        if self.write_logs:
            old = scope.names.get(name, MISSING)
            self.write_logs[-1].setdefault((id(scope), name), (scope, old))
        if isinstance(value, bool):
            self.flags[name] = value
        scope.names[name] = value

    def side_effect(self) -> None:
        """What happens now is more than a value. Raises JoinFailed while a join is tried."""
        if self.write_logs:
            raise JoinFailed

    @property
    def steps(self) -> int:
        """Of this run: the same in each run that does the same."""
        return self.budget.steps_of_run

    def tick(self) -> None:
        self.budget.spend(1)

    def report(self, rule: str, node: Node, message: str, *, doubtful: bool = False) -> None:
        self.observations[Observation(rule, node.start, message, doubtful or self.unknown_depth > 0)] = None

    def too_deep(self, node: Node) -> Symbolic:
        """The unknown value of code that is nested too deeply to be looked at."""
        self.budget.leave_out(f"what is nested more than {NESTING} deep", node.start)
        return self.symbol(f"deep:{node.start}")

    def known_text(self, text: str) -> str | Symbolic:
        """The text, or one of which only the ends are known where it is longer than the budget lets it be."""
        if len(text) <= TEXT:
            return text
        self.budget.spend(len(text) // 1000)
        return Symbolic(f"long:{text[:120]}…{text[-120:]}", head=text[:100], tail=text[-100:], text=True)

    def known_list(self, items: list[Value]) -> ArrayValue | Symbolic:
        """A list that a script has put together, or an unknown one where it is longer than the budget lets it be."""
        self.budget.spend(len(items) // 16)
        return ArrayValue(items) if len(items) <= ITEMS else self.symbol(f"long list:{self.offset}", *items)

    def symbol(self, key: str, *parts: Value) -> Symbolic:
        """A new unknown that carries the taint of what it is made from."""
        return Symbolic(key[:300], taint=any(is_tainted(part) for part in parts))


def is_tainted(value: Value) -> bool:
    return isinstance(value, Symbolic) and value.taint


def finish(steps: Generator[None, None, Value]) -> Value:
    """Run to the end without pausing."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value

"""The state of one execution: one run of the page's scripts along one path. All functions of the interpreter get it."""

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
    """Stands in a write log for the old value of a variable that did not exist."""


MISSING = _Missing()
WriteLog = dict[tuple[int, str], tuple[Environment, Value]]
"""The variables that one branch of a join has written, each with its environment and its old value.

The key is the environment's id and the name.
"""


class AbruptCompletion(Exception):
    """Raised for `return`, `break` and `continue`. `how` is the statement, `label` its label."""

    def __init__(self, how: str, *, label: str = "", value: Value = None) -> None:
        super().__init__(how)
        self.how = how
        self.label = label
        self.value = value


@dataclass(frozen=True, slots=True)
class Observation:
    """A broken rule at a byte offset.

    It is `doubtful` if it may not occur on a page, for example because it depends on code that the interpreter cannot
    follow.
    """

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
    """A look-up of an element that a script in the head makes before there is a body (`early_dom`).

    `text` shows the look-up in messages. `by` is `id` or `class` if the selector has no other condition: an element of
    the head may match it. `list` is whether the look-up returns a list.
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
    """Calls a method of a symbolic value (`unknown_calls`)."""
    budget: Budget
    observations: dict[Observation, None] = field(default_factory=dict)
    subscriptions: list[Subscription] = field(default_factory=list)
    microtasks: deque[Callable[[], Steps]] = field(default_factory=deque)
    """Callbacks of settled promises. They run as soon as no script runs."""
    tasks: deque[Callable[[], Steps]] = field(default_factory=deque)
    pending_listeners: deque[Callable[[], Steps]] = field(default_factory=deque)
    delivered: dict[str, None] = field(default_factory=dict)
    """Events that are already delivered. A later subscriber gets them at once."""
    claims: dict[tuple[str, int], Delivery] = field(default_factory=dict)
    """The first delivery in which a callback has called initContentHandler, by event and callback."""
    deliveries: list[Delivery] = field(default_factory=list)
    called_functions: dict[int, None] = field(default_factory=dict)
    """The offsets of the called functions, in the order of their first call."""
    awaited: Value = UNDEFINED
    """The operand of the last `await` at which an async function has paused."""
    turns: dict[int, int] = field(default_factory=dict)
    written_properties: dict[str, dict[str, Value]] = field(default_factory=dict)
    """The properties that the script has written into symbolic values, by the value's key."""
    page_listeners: dict[str, list[Value]] = field(default_factory=dict)
    """The listeners for events of the page, by the event's name."""
    fired_events: set[str] = field(default_factory=set)
    """Events of the page that the script has fired itself."""
    functions: list[FunctionValue] = field(default_factory=list)
    init_calls: list[tuple[str, int]] = field(default_factory=list)
    """One entry per call of an initContentHandler: its delivery's state as a string, and the offset of the call."""
    try_depth: int = 0
    """How many `try` blocks with a `catch` are around the current code."""
    unknown_depth: int = 0
    """How many of the calls around the current code are made by unknown code."""
    strict_ranges: list[tuple[int, int]] = field(default_factory=list)
    """The byte offsets at which each strict program starts and ends."""
    depth: int = 0
    """How many calls are around the current code."""
    nesting: int = 0
    """How many expressions and statements are around the current code."""
    offset: int = 0
    """The offset of the statement that is being executed."""
    in_head: bool = False
    """Whether a script of the page's head is being executed, when there is no body yet (`early_dom`)."""
    out_of_steps: bool = False
    """Whether the execution ended because its steps were used up."""
    missing_elements: dict[str, Lookup] = field(default_factory=dict)
    """The look-ups without a result, by the key of their symbolic value."""
    used_missing: set[str] = field(default_factory=set)
    """The keys of missing elements whose use is already reported."""
    known_names: set[str] = field(default_factory=set)
    """Ids and classes of elements that are in the page's head, or that the script made."""
    yielded: list[list[Value]] = field(default_factory=list)
    """The values that running generators have yielded: one list per generator, the innermost last."""

    write_logs: list[WriteLog] = field(default_factory=list)
    """The write logs of the branches that are executed for joins, the innermost last."""
    flags: dict[str, bool] = field(default_factory=dict)
    """The last boolean value of each variable that had one, by name. Later conditions may depend on this value."""

    def write(self, scope: Environment, name: str, value: Value) -> None:
        if self.write_logs:
            old = scope.names.get(name, MISSING)
            self.write_logs[-1].setdefault((id(scope), name), (scope, old))
        if isinstance(value, bool):
            self.flags[name] = value
        scope.names[name] = value

    def side_effect(self) -> None:
        """Must be called before each side effect of the script. Raises JoinFailed while a join is tried."""
        if self.write_logs:
            raise JoinFailed

    @property
    def steps(self) -> int:
        """The steps of this execution so far. Equal executions have equal numbers."""
        return self.budget.steps_of_run

    def tick(self) -> None:
        self.budget.spend(1)

    def report(self, rule: str, node: Node, message: str, *, doubtful: bool = False) -> None:
        self.observations[Observation(rule, node.start, message, doubtful or self.unknown_depth > 0)] = None

    def too_deep(self, node: Node) -> Symbolic:
        """Return the symbolic value of code that is nested too deeply to be executed, and note that it is left out."""
        self.budget.leave_out(f"what is nested more than {NESTING} deep", node.start)
        return self.symbol(f"deep:{node.start}")

    def known_text(self, text: str) -> str | Symbolic:
        """Return the string, or a symbolic value for it if it is longer than the budget allows.

        Only the beginning and the end of the symbolic value are known.
        """
        if len(text) <= TEXT:
            return text
        self.budget.spend(len(text) // 1000)
        return Symbolic(f"long:{text[:120]}…{text[-120:]}", head=text[:100], tail=text[-100:], text=True)

    def known_list(self, items: list[Value]) -> ArrayValue | Symbolic:
        """Return a list that a script has built, widened to a symbolic value if it is longer than the budget allows."""
        self.budget.spend(len(items) // 16)
        return ArrayValue(items) if len(items) <= ITEMS else self.symbol(f"long list:{self.offset}", *items)

    def symbol(self, key: str, *parts: Value) -> Symbolic:
        """Return a new symbolic value. It is tainted if one of `parts` is."""
        return Symbolic(key[:300], taint=taint_of(*parts))


def is_tainted(value: Value) -> bool:
    return taint_of(value) != ""


def taint_of(*values: Value) -> str:
    """Return the taint of the first symbolic value that has one; empty if none has."""
    return next((value.taint for value in values if isinstance(value, Symbolic) and value.taint), "")


def part_of(owner: Symbolic, key: str) -> Symbolic:
    """Return a part of a symbolic value, such as an element of a list. It is tainted if the owner is."""
    key = key[:300]
    return Symbolic(key, taint=key if owner.taint == owner.key else owner.taint)


LONGEST_SOURCE = 60
"""The key of a tainted value is in a message if it has at most this many characters."""


def unescaped(value: Value, where: str) -> str:
    """Return the message of `raw-html` for a tainted value that goes into `where`."""
    return with_source(f"a value of the payload or of the address goes into {where} without escaping", value)


def with_source(message: str, value: Value) -> str:
    """Return a message about a tainted value with the value's source at its end, such as `: item.name`."""
    source = taint_of(value)
    return f"{message}: {source}" if len(source) <= LONGEST_SOURCE else message


def finish(steps: Generator[None, None, Value]) -> Value:
    """Run a generator to its end without waiting at its pauses, and return its value."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value

"""Events that a script fires itself: `$(document).trigger("app:ready", [init])`, `dispatchEvent(new CustomEvent(...))`.

Who listened for them is called at once; of these events nobody else fires any.
"""

from awning.check.page.natives import argument
from awning.check.page.run import Run
from awning.check.page.values import UNDEFINED, Arr, Callable_, Obj, Steps, Value
from awning.check.script.tree import Node

FIRES = frozenset({"trigger", "triggerHandler", "dispatchEvent"})


def event(args: list[Value]) -> Obj:
    """`new CustomEvent(type, { detail })`, `$.Event(type)`."""
    options = argument(args, 1)
    props = dict(options.props) if isinstance(options, Obj) else {}
    return Obj({"detail": None, **props, "type": argument(args, 0)}, kind="event")


def fire(run: Run, args: list[Value], node: Node) -> Steps | None:
    """The calls of those who listen, or None where the event's name is not known or nobody does."""
    fired = argument(args, 0)
    name = fired.props["type"] if isinstance(fired, Obj) and fired.kind == "event" else fired
    heard = run.heard.get(name.split(".")[0]) if isinstance(name, str) else None
    if not heard:
        return None
    run.fired.add(name.split(".")[0])
    extra = argument(args, 1)
    given = [fired if isinstance(fired, Obj) else Obj({"type": name}, kind="event")]
    return _call(run, heard, given + (extra.items if isinstance(extra, Arr) else []), node)


def _call(run: Run, heard: list[Value], given: list[Value], node: Node) -> Steps:
    for one in list(heard):
        if isinstance(one, Callable_):
            yield from run.call(run, one, UNDEFINED, given, node)
    return UNDEFINED

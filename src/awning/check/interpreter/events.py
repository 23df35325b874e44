"""Executes subscriptions, deliveries, calls of initContentHandler, and events that the script fires itself.

The rules and their order are those of the emulator (`jsrc/emulator`). A call of initContentHandler breaks
`updated-pair` in an `-updated` callback, `init-once` if it is the second call, and `init-early` if it is the first call
but comes after the callback has returned (Apps Integration API, Client-side events, rule 1).
"""

from awning.check.interpreter.builtins import argument
from awning.check.interpreter.exceptions import thrown_error
from awning.check.interpreter.execution import (
    Execution,
    Subscription,
    ThrownException,
    finish,
    is_tainted,
    unescaped,
)
from awning.check.interpreter.tasks import drain, end_of_script
from awning.check.interpreter.values import (
    CALLABLE,
    UNDEFINED,
    ArrayValue,
    Delivery,
    InitHandler,
    NativeFunction,
    ObjectValue,
    Steps,
    Symbolic,
    Value,
    is_primitive,
)
from awning.contract import SLOTS, Slot, event_names
from awning.script.tree import Node

UPDATED = "-updated"
_OF_EVERY_OBJECT = {"toString", "hasOwnProperty", "valueOf", "constructor", "isPrototypeOf", "toLocaleString"}
"""Names for which subscribeEvent throws, because every object has such a member (observed)."""


def subscribe(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    """Execute `svcPlugins.subscribeEvent`. A late subscriber gets the last delivery at once (observed).

    Raises ThrownException for the names that the service refuses.
    """
    event, callback = argument(args, 0), argument(args, 1)
    if is_primitive(event) and (not isinstance(event, str) or event in _OF_EVERY_OBJECT):
        raise thrown_error(run)
    names = subscribe_to_names(run, event, callback, node)
    subscription = Subscription(event, callback)
    name = event if isinstance(event, str) else ""
    if names not in ([name], [event]):  # with several names or a namespace, past events are not delivered
        return UNDEFINED
    if name in run.delivered or (run.delivered and name not in event_names(run.dialect)):
        deliver(run, subscription, node)
    return UNDEFINED
    yield


def subscribe_to_names(run: Execution, event: Value, callback: Value, node: Node) -> list[Value]:
    """Subscribe as jQuery's `on` does: to several names in one string, without their namespaces. Returns the names."""
    names: list[Value] = [name.split(".")[0] for name in event.split()] if isinstance(event, str) else [event]
    for name in dict.fromkeys(names):
        run.subscriptions.append(Subscription(name, callback))
        if isinstance(name, str) and name not in event_names(run.dialect):
            run.report("unknown-event", node, f'the storefront fires no event "{name}"')
    return names


def subscribe_on_document(run: Execution, name: str, args: list[Value], node: Node) -> bool:
    """Execute `$(document).on(event, f)` or `.off(event, f)`.

    They change the same subscriptions as subscribeEvent. Returns False, and does nothing, for other events
    than the service's.
    """
    event = argument(args, 0)
    known = event_names(run.dialect)
    if not isinstance(event, str) or not any(item.split(".")[0] in known for item in event.split()):
        return False
    callback = next((item for item in reversed(args) if isinstance(item, CALLABLE)), None)
    if name == "off":
        removed = {item.split(".")[0] for item in event.split()}
        run.subscriptions[:] = [
            item
            for item in run.subscriptions
            if item.event not in removed or (callback is not None and item.callback is not callback)
        ]
    elif callback is not None:
        run.side_effect()
        subscribe_to_names(run, event, callback, node)
    return True


def trigger(run: Execution, args: list[Value], node: Node) -> Steps | None:
    """Execute `$(document).trigger(name, more)`, which calls the subscribers.

    Returns None if the event is not one of the service. Subscribers are called at once, in order, with the arguments in
    `more`. Without `more`, they get no initContentHandler.
    """
    fired = argument(args, 0)
    name = fired.props["type"] if isinstance(fired, ObjectValue) and fired.kind == "event" else fired
    if not isinstance(name, str) or name not in event_names(run.dialect):
        return None
    more = argument(args, 1)
    listed = more.items if isinstance(more, ArrayValue) else [] if more in (None, UNDEFINED) else [more]
    event = fired if isinstance(fired, ObjectValue) else ObjectValue({"type": name}, kind="event")
    return _call_subscribers(run, name, [event, *listed], node)


def _call_subscribers(run: Execution, name: str, arguments_: list[Value], node: Node) -> Steps:
    for subscription in [subscription for subscription in run.subscriptions if subscription.event == name]:
        if isinstance(subscription.callback, CALLABLE):
            yield from run.call(run, subscription.callback, None, arguments_, node)
    return UNDEFINED


def kind_of(event: Value) -> str:
    """Return the kind of an event by its name: `base` or `updated`; `unknown` if the end of the name is not known."""
    text = event if isinstance(event, str) else event.tail if isinstance(event, Symbolic) else ""
    if text.endswith(UPDATED):
        return "updated"
    return "base" if isinstance(event, str) or (text and not UPDATED.endswith(text)) else "unknown"


def slot_of(run: Execution, event: Value) -> Slot | None:
    for slot in SLOTS.values():
        if event in {slot.event(run.dialect), slot.updated_event(run.dialect)}:
            return slot
    return None


def deliver(run: Execution, subscription: Subscription, node: Node, *, doubtful: bool = False) -> None:
    if not isinstance(subscription.callback, CALLABLE):
        return
    event = subscription.event if isinstance(subscription.event, str) else ""
    callback = subscription.callback if event else None
    delivery = Delivery(event, kind_of(subscription.event), doubtful=doubtful, callback=callback)
    run.deliveries.append(delivery)
    arguments_ = callback_arguments(run, subscription.event, InitHandler(delivery))
    try:
        finish(run.call(run, subscription.callback, None, arguments_, node))
    except ThrownException:
        pass
    finally:
        delivery.returned = True
        run.deliveries.pop()


def callback_arguments(run: Execution, event: Value, init: InitHandler) -> list[Value]:
    """Return the arguments of a subscriber: three, or four for an update."""
    slot, kind = slot_of(run, event), init.delivery.kind
    fields = slot.params if slot else ()
    params = (
        ObjectValue({name: _field(run, name) for name in fields}) if fields else _payload(run, "eventParam")
    )
    delivered: list[Value] = [ObjectValue({"type": event}), init, params]
    if kind == "updated":
        delivered.append(_update(run, slot))
    return delivered


def _field(run: Execution, name: str) -> Symbolic:
    if name == "page":
        run.path.assume("page", _is_object)
        return Symbolic("page")
    return _payload(run, name)


def _is_object(value: Value) -> bool:
    return value is not None and value is not UNDEFINED and not isinstance(value, (str, int, float))


def _payload(run: Execution, key: str) -> Symbolic:
    """Return the symbolic value of an object of the payload. It is certainly present, but its fields are unknown."""
    run.path.assume(key, _is_object)
    return Symbolic(key, taint=key)


def _update(run: Execution, slot: Slot | None) -> Value:
    if slot is None or slot.page != "product":
        return _payload(run, "updatedItem")
    variant = Symbolic("selectedVariant", taint="selectedVariant")
    return ObjectValue(
        {
            "item": _payload(run, "item"),
            "selectedVariant": variant,
            "selectedVariantId": Symbolic("selectedId"),
        }
    )


def call_init(run: Execution, init: InitHandler, node: Node) -> Value:
    """Call initContentHandler: report the rules that the call breaks, and return the content handler."""
    delivery = init.delivery
    if delivery.kind == "updated":
        text = "initContentHandler is called in the callback of an -updated event"
        run.report("updated-pair", node, text, doubtful=delivery.doubtful)
    elif delivery.calls:
        text = "initContentHandler is called more than once for one event"
        run.report("init-once", node, text, doubtful=delivery.doubtful)
    elif _is_claimed(run, delivery):
        text = "initContentHandler is called once more for one event: its callback is subscribed twice"
        run.report("init-once", node, text, doubtful=delivery.doubtful)
    elif delivery.returned:
        text = "initContentHandler is called after the callback has returned"
        run.report("init-early", node, text, doubtful=delivery.doubtful)
    if delivery.kind == "unknown":
        text = "initContentHandler is called for an event whose name is not known: it may be an -updated one"
        run.report("updated-pair", node, text, doubtful=True)
    run.init_calls.append((f"{delivery.kind}{delivery.calls}{delivery.returned}", node.start))
    delivery.calls += 1
    return ObjectValue(
        {"setContent": NativeFunction("setContent", set_content), "params": Symbolic("item", taint="item")}
    )


def _is_claimed(run: Execution, delivery: Delivery) -> bool:
    """Return whether the callback has already called initContentHandler in another delivery of this event.

    This means that the callback is subscribed twice.
    """
    if delivery.callback is None:
        return False
    return run.claims.setdefault((delivery.event, id(delivery.callback)), delivery) is not delivery


def set_content(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    if is_tainted(argument(args, 0)):
        run.report("raw-html", node, unescaped(argument(args, 0), "setContent()"))
    return Symbolic("wrapper")
    yield


def fire_events(run: Execution, node: Node, *, updates_first: bool = False) -> None:
    """Fire the events of a page's life: for each slot the base event, then its update twice, then timers (observed).

    With `updates_first`, the updates come before the base event, and observations in them are doubtful. Subscribers of
    unknown events are called last.
    """
    for slot in SLOTS.values():
        base, updated = slot.event(run.dialect), slot.updated_event(run.dialect)
        names = [base] if updated is None else [base, updated, updated]
        for name in reversed(names) if updates_first else names:
            doubtful = updates_first and name == updated
            run.delivered[name] = None
            run.claims.clear()
            for subscription in [
                subscription for subscription in run.subscriptions if subscription.event == name
            ]:
                deliver(run, subscription, node, doubtful=doubtful)
            if name == updated:
                end_of_script(run)
        drain(run)
    known = event_names(run.dialect)
    for subscription in [
        subscription for subscription in run.subscriptions if subscription.event not in known
    ]:
        deliver(run, subscription, node)
        drain(run)


def call_remaining_functions(run: Execution, node: Node) -> None:
    """Call the functions that nothing has called. Another file or an attribute of the page may call them.

    If there are 400 functions or more, none is called.
    """
    for function in list(run.functions):
        if function.node.start not in run.called_functions and len(run.functions) < 400:
            listed = function.node.fields.get("parameters")
            names = [kid.fields.get("pattern", kid).text for kid in listed.kids] if listed else []
            init = next((i for i, name in enumerate(names) if name == "initContentHandler" and i == 1), None)
            try:
                if init is not None:
                    event = Symbolic("event", tail=UPDATED if "updated" in function.name.lower() else "-base")
                    deliver(run, Subscription(event, function), node)
                else:
                    finish(run.call(run, function, UNDEFINED, [], node))
            except ThrownException:
                pass
            drain(run, listeners=True)


FIRES = frozenset({"trigger", "triggerHandler", "dispatchEvent"})


def event_object(args: list[Value]) -> ObjectValue:
    """Return the object of `new CustomEvent(type, { detail })` or `$.Event(type)`."""
    options = argument(args, 1)
    props = dict(options.props) if isinstance(options, ObjectValue) else {}
    return ObjectValue({"detail": None, **props, "type": argument(args, 0)}, kind="event")


def fire_own_event(run: Execution, args: list[Value], node: Node) -> Steps | None:
    """Call the listeners of an event that the script fires. Returns None if it has no known name or no listener."""
    fired = argument(args, 0)
    name = fired.props["type"] if isinstance(fired, ObjectValue) and fired.kind == "event" else fired
    listeners = run.page_listeners.get(name.split(".")[0]) if isinstance(name, str) else None
    if not listeners:
        return None
    run.fired_events.add(name.split(".")[0])
    extra = argument(args, 1)
    arguments_ = [fired if isinstance(fired, ObjectValue) else ObjectValue({"type": name}, kind="event")]
    return _call_listeners(
        run, listeners, arguments_ + (extra.items if isinstance(extra, ArrayValue) else []), node
    )


def _call_listeners(run: Execution, listeners: list[Value], arguments_: list[Value], node: Node) -> Steps:
    for listener in list(listeners):
        if isinstance(listener, CALLABLE):
            yield from run.call(run, listener, UNDEFINED, arguments_, node)
    return UNDEFINED

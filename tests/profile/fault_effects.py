"""Every fault of the simulated service, and what its effect means for a client. Tests have no list of faults."""

from dataclasses import dataclass

from msgspec import to_builtins

from awning.errors import BadAnswer, Refused, Unauthorized, Unreachable
from awning_harness.service.faults.faults import FAULTS, Got

NOT_PROCESSED = (429, 503)
UNAUTHORIZED = 401


def every_fault(patience_s):
    """Return each fault with each choice of options whose effect differs. A client waits `patience_s` seconds."""
    cases = [kind(**options) for kind in FAULTS.values() for options in kind.examples]
    late = {"ms": int(patience_s * 1500)}
    return cases + [kind(**late) for kind in FAULTS.values() if "ms" in kind.__struct_fields__]


def rule_of(fault, **scope):
    """Return the fault as the control API and `service.faults.put` take it, with `share`, `route` or `seed`."""
    return {**to_builtins(fault), **scope}


def name_of(fault):
    """Return a short name for the id of a test."""
    return "-".join(str(value) for value in to_builtins(fault).values())


def effect_on(fault, **scope):
    """Return the effect of a fault that has a `share`, a `route` or a `seed`."""
    return type(fault)(**{**{k: v for k, v in to_builtins(fault).items() if k != "fault"}, **scope}).effect


def is_slow(effect, patience_s):
    """Return whether a client that waits `patience_s` seconds gives up."""
    return effect.got is Got.NOTHING or effect.ms > patience_s * 1000


def may_still_arrive(effect):
    """Return whether the client cannot know that the service is done with the call. A 5XX page is that of a proxy."""
    if effect.got is Got.NOT_JSON:
        return (effect.status or 200) >= 500
    return effect.got not in {Got.RESPONSE, Got.ERROR}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientOutcome:
    """What a client reports of a call that meets a fault.

    `error` is the exception; None for success. `unclear` is whether a write may have been performed. `repeatable` is
    whether the client may send a write again, because the service did not process it.
    """

    error: type[Exception] | None = None
    unclear: bool = False
    repeatable: bool = False


NO_RESPONSE = ClientOutcome(error=Unreachable, unclear=True)
BY_GOT = {
    Got.RESPONSE: ClientOutcome(),
    Got.NO_CONNECTION: ClientOutcome(error=Unreachable, repeatable=True),
    **dict.fromkeys((Got.RESET, Got.HALF, Got.NOTHING), NO_RESPONSE),
    Got.NOT_JSON: ClientOutcome(error=BadAnswer, unclear=True),
}


def outcome_of(effect, patience_s):
    """Return what a client that waits `patience_s` seconds has to report, by the rules of the specification."""
    if is_slow(effect, patience_s):
        return NO_RESPONSE
    if effect.got in BY_GOT:
        return BY_GOT[effect.got]
    if effect.error_code == UNAUTHORIZED:
        return ClientOutcome(error=Unauthorized)
    if effect.status in NOT_PROCESSED and effect.retry_after is not None:
        return ClientOutcome(error=Refused, repeatable=True)
    return ClientOutcome(error=Refused, unclear=effect.status == 200 or effect.status >= 500)

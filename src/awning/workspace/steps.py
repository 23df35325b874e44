"""The grammar of a state's steps: what a shopper does on the page, one action per string.

    select L/Blue                        select a variant: the rest of the string names it
    discount SAVE10                      enter a discount code
    discount                             remove the discount code
    shipping pickup                      choose a way of shipping
    wait 10 minutes                      let time pass: a whole number of seconds, minutes or hours, at most an hour
    click "button.more"                  click an element in the widget's block: a CSS selector in quotes
    type "#note" "Happy birthday"        some actions in the block also take a text in quotes

Quotes are single or double, as the TOML around them permits. A quote within its own kind of quotes is doubled.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.diagnostics import did_you_mean

SHOP_VERBS = ("select", "discount", "shipping")
"""The actions on the page of the shop. The argument is the rest of the string."""

BLOCK_VERBS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "click": ("selector",),
        "type": ("selector", "text"),
        "check": ("selector",),
        "uncheck": ("selector",),
        "choose": ("selector", "option"),
        "open": ("selector",),
        "close": ("selector",),
    }
)
"""The actions in the widget's block, each with the names of its quoted arguments."""

WAIT = "wait"
"""The shopper does nothing for a time: the page's clock, which the state's `now` stops, moves on."""

LONGEST_WAIT_S = 3600
"""The longest wait, in seconds: in an hour, also the timers of an animation (16 ms) come to an end in time.

They run 225,000 times, which takes 4 of the 5 seconds that a step has (measured). A countdown's timers take 0.3 s.
"""

_UNITS = MappingProxyType({"second": 1, "minute": 60, "hour": 3600})

_NAMED = MappingProxyType({"selector": "a selector", "text": "a text", "option": "an option"})

VERBS = (*SHOP_VERBS, *BLOCK_VERBS, WAIT)

_WORD = re.compile(r"\S*")
_QUOTED = re.compile(r"\"((?:[^\"]|\"\")*)\"|'((?:[^']|'')*)'")
_DURATION = re.compile(rf"(\d{{1,9}})\s+({'|'.join(_UNITS)})s?", re.ASCII)
_UNQUOTED = re.compile(r"[^\s\"'].*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One action: a verb and its arguments.

    `discount` without a code has no argument. `wait` has two, such as `10` and `minute`.
    """

    verb: str
    arguments: tuple[str, ...] = ()

    @property
    def is_in_block(self) -> bool:
        """Whether the action is in the widget's block, and not on the page of the shop."""
        return self.verb in BLOCK_VERBS

    @property
    def seconds(self) -> int:
        """How long a wait is. Only the verb `wait` has a duration."""
        count, unit = self.arguments
        return int(count) * _UNITS[unit]


class StepSyntaxError(ValueError):
    """A text is not a valid step. `at` is the offset of the error in the text."""

    def __init__(self, message: str, *, at: int, hint: str) -> None:
        super().__init__(message)
        self.at = at
        self.hint = hint


def read_step(text: str) -> Step:
    """Return the step that a text describes. Raises StepSyntaxError with the place of the mistake and a hint."""
    start = len(text) - len(text.lstrip())
    verb = _WORD.match(text, start)[0]  # type: ignore[index]  # the pattern also matches an empty text
    after = start + len(verb)
    if verb in SHOP_VERBS:
        rest = text[after:].strip()
        if not rest and verb != "discount":
            raise StepSyntaxError(f'"{verb}" needs a name', at=after, hint=f"write: {example_of(verb)}")
        return Step(verb, (rest,) if rest else ())
    if verb == WAIT:
        return _read_wait(text, after)
    if verb not in BLOCK_VERBS:
        hint = did_you_mean(verb, VERBS) or f"a step begins with one of {', '.join(VERBS)}"
        raise StepSyntaxError(f'"{verb}" is not an action of a shopper', at=start, hint=hint)
    return Step(verb, _read_arguments(text, verb, after))


def example_of(verb: str) -> str:
    """Return an example of a step with this verb, as an author writes it."""
    names = {
        "select": "select L/Blue",
        "discount": "discount SAVE10",
        "shipping": "shipping pickup",
        WAIT: "wait 10 minutes",
    }
    arguments = {"selector": '"#note"', "text": '"Happy birthday"', "option": '"Monday"'}
    return names.get(verb) or " ".join((verb, *(arguments[name] for name in BLOCK_VERBS.get(verb, ()))))


def _read_wait(text: str, at: int) -> Step:
    """Return the wait whose duration begins at an offset. Raises StepSyntaxError for one that is not possible."""
    duration, hint = text[at:].strip(), f"write: {example_of(WAIT)}"
    if not duration:
        raise StepSyntaxError(f'"{WAIT}" needs a duration', at=at, hint=hint)
    at = text.index(duration, at)
    match = _DURATION.fullmatch(duration)
    if match is None:
        message = f'"{duration}" is not a whole number of seconds, minutes or hours'
        raise StepSyntaxError(message, at=at, hint=hint)
    step = Step(WAIT, (match[1], match[2]))
    if not step.seconds:
        raise StepSyntaxError(f'in "{duration}" nothing happens', at=at, hint=hint)
    if step.seconds > LONGEST_WAIT_S:
        hint = "for a later time of the day, change `now`; for a longer wait, write several steps"
        raise StepSyntaxError(f'"{duration}" is more than an hour, the longest wait', at=at, hint=hint)
    return step


def _read_arguments(text: str, verb: str, at: int) -> tuple[str, ...]:
    """Return the quoted arguments that begin at an offset. Raises StepSyntaxError when they do not fit the verb."""
    names, arguments, hint = BLOCK_VERBS[verb], list[str](), f"write: {example_of(verb)}"
    while True:
        at += len(text[at:]) - len(text[at:].lstrip())
        if at == len(text):
            break
        if len(arguments) == len(names):
            what = " and ".join(_NAMED[name] for name in names)
            raise StepSyntaxError(f'"{verb}" takes {what}, and nothing after it', at=at, hint=hint)
        match = _QUOTED.match(text, at)
        if match is None:
            is_open = _UNQUOTED.match(text, at) is None
            message = "the quote is not closed" if is_open else f"the {names[len(arguments)]} needs quotes"
            raise StepSyntaxError(message, at=at, hint=hint)
        arguments.append(_content(match))
        at = match.end()
    if len(arguments) < len(names):
        raise StepSyntaxError(f'"{verb}" needs {_NAMED[names[len(arguments)]]}', at=at, hint=hint)
    if not arguments[0].strip():
        raise StepSyntaxError("the selector is empty", at=text.index(verb) + len(verb), hint=hint)
    return tuple(arguments)


def _content(match: re.Match[str]) -> str:
    """Return the text between the quotes, with each doubled quote replaced by one."""
    double, single = match.groups()
    return single.replace("''", "'") if double is None else double.replace('""', '"')

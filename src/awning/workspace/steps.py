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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStep:
    """A step on the page of the shop. Its argument is the rest of the string.

    pages     the kinds of page where it may be taken
    choice    what of the store the argument names, a key of CHOICES; None for a step without an argument
    option    what the step changes of the page, as its address names it: `variant`, `code`, `shipping` or `cart`
    value     the value of the option where the step has no argument
    optional  whether the argument may be left out

    What the step does on the page is a function of the same name in `jsrc/visit/page_steps.ts`.
    """

    verb: str
    example: str
    pages: tuple[str, ...]
    choice: str | None = None
    option: str
    value: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockStep:
    """A step in the widget's block. `arguments` are the names of its quoted arguments.

    What the step does is a function of the same name in `jsrc/visit/block_steps.ts`. On a live page it is `method` of
    Playwright's element; without one, `ACTIONS` in the harness's `live/record.py` has the step.
    """

    verb: str
    example: str
    arguments: tuple[str, ...] = ("selector",)
    method: str | None = None


PAGE_STEPS: Mapping[str, PageStep] = MappingProxyType(
    {
        step.verb: step
        for step in (
            PageStep(
                verb="select", example="select L/Blue", pages=("product",), choice="variant", option="variant"
            ),
            PageStep(
                verb="discount",
                example="discount SAVE10",
                pages=("checkout",),
                choice="code",
                option="code",
                optional=True,
            ),
            PageStep(
                verb="shipping",
                example="shipping pickup",
                pages=("checkout",),
                choice="shipping",
                option="shipping",
            ),
        )
    }
)

BLOCK_STEPS: Mapping[str, BlockStep] = MappingProxyType(
    {
        step.verb: step
        for step in (
            BlockStep(verb="click", example='click "button.more"', method="click"),
            BlockStep(
                verb="type",
                example='type "#note" "Happy birthday"',
                arguments=("selector", "text"),
                method="fill",
            ),
            BlockStep(verb="check", example='check "#gift"', method="check"),
            BlockStep(verb="uncheck", example='uncheck "#gift"', method="uncheck"),
            BlockStep(verb="choose", example='choose "#day" "Monday"', arguments=("selector", "option")),
            BlockStep(verb="open", example='open "details"'),
            BlockStep(verb="close", example='close "details"'),
        )
    }
)

WAIT = "wait"
"""The shopper does nothing for a time: the page's clock, which the state's `now` stops, moves on."""

LONGEST_WAIT_S = 3600
"""The longest wait, in seconds: in an hour, also the timers of an animation (16 ms) come to an end in time.

They run 225,000 times, which takes 4 of the 5 seconds that a step has (measured). A countdown's timers take 0.3 s.
"""

_UNITS = MappingProxyType({"second": 1, "minute": 60, "hour": 3600})

_WAIT_EXAMPLE = "wait 10 minutes"

_NAMED = MappingProxyType({"selector": "a selector", "text": "a text", "option": "an option"})

VERBS = (*PAGE_STEPS, *BLOCK_STEPS, WAIT)

ABOUT_STEPS = (
    f"The actions of the shopper: {', '.join(step.example for step in PAGE_STEPS.values())}; {_WAIT_EXAMPLE}, with "
    f"`now`; in the widget's block, with a CSS selector: {', '.join(step.example for step in BLOCK_STEPS.values())}."
)

_WORD = re.compile(r"\S*")
_QUOTED = re.compile(r"\"((?:[^\"]|\"\")*)\"|'((?:[^']|'')*)'")
_DURATION = re.compile(rf"0*(\d{{1,9}})\d*\s+({'|'.join(_UNITS)})s?", re.ASCII)
"""Nine digits of a number are enough to know that it is too large."""
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
        return self.verb in BLOCK_STEPS

    @property
    def argument(self) -> str | None:
        """The first argument; None without one."""
        return self.arguments[0] if self.arguments else None

    @property
    def words(self) -> str:
        """The step as an author writes it, with double quotes."""
        if not self.is_in_block:
            return " ".join((self.verb, *self.arguments))
        quoted = (argument.replace('"', '""') for argument in self.arguments)
        return " ".join((self.verb, *(f'"{argument}"' for argument in quoted)))

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
    if verb in PAGE_STEPS:
        return _read_page_step(text, PAGE_STEPS[verb], after)
    if verb == WAIT:
        return _read_wait(text, after)
    if verb not in BLOCK_STEPS:
        hint = did_you_mean(verb, VERBS) or f"a step begins with one of {', '.join(VERBS)}"
        raise StepSyntaxError(f'"{verb}" is not an action of a shopper', at=start, hint=hint)
    return Step(verb, _read_arguments(text, verb, after))


def steps_of(page: str) -> tuple[PageStep, ...]:
    """Return the steps that a shopper may take on a kind of page."""
    return tuple(step for step in PAGE_STEPS.values() if page in step.pages)


def example_of(verb: str) -> str:
    """Return an example of a step with this verb, as an author writes it."""
    described = PAGE_STEPS.get(verb) or BLOCK_STEPS.get(verb)
    return described.example if described else _WAIT_EXAMPLE


def _read_page_step(text: str, described: PageStep, at: int) -> Step:
    """Return the step whose argument begins at an offset. Raises StepSyntaxError when it has none, or one too many."""
    rest, hint = text[at:].strip(), f"write: {described.example}"
    if rest and described.choice is None:
        raise StepSyntaxError(
            f'"{described.verb}" takes nothing after it', at=text.index(rest, at), hint=hint
        )
    if not rest and described.choice is not None and not described.optional:
        raise StepSyntaxError(f'"{described.verb}" needs a name', at=at, hint=hint)
    return Step(described.verb, (rest,) if rest else ())


def _read_wait(text: str, at: int) -> Step:
    """Return the wait whose duration begins at an offset. Raises StepSyntaxError for one that is not possible."""
    duration, hint = text[at:].strip(), f"write: {_WAIT_EXAMPLE}"
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
    names, arguments, hint = BLOCK_STEPS[verb].arguments, list[str](), f"write: {example_of(verb)}"
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

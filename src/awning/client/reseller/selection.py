"""Selects and sorts websites by their fields. `--where`, `--columns`, `--json` and CSV use the same field names.

A condition (`--where`) is a text: comparisons of fields, joined by and, or, not.

    premium and ai_spent > 0.8 * ai_limit
    plan in ("premiumplus", "premiumpro") and accessed < "2026-01-01"
    "shop" in url or owner_country == "LV"

Python's parser reads the text. Nodes of the allowed types become closures. A node of any other type is an error, which
marks its column. Nothing is evaluated as Python: there are no calls, attributes or powers, and the only names are the
fields, true, false and null. A date is compared with a text in quotes or another date. Null is neither less nor greater
than any value.
"""

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from types import MappingProxyType
from typing import Any

from awning.client.reseller.resources import FREE, Website
from awning.contract.reseller_calls import SUBSCRIPTIONS
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError

Fields = Mapping[str, Any]
Evaluation = Callable[[Fields], Any]

LONGEST = 2000
_ORDER: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_LINE_END = re.compile(r"\r\n?|\n")
_JOINERS = (ast.BitAnd, ast.BitOr)
_OTHER_NOTATIONS = (
    (re.compile(r"&&|\|\|"), "conditions are joined by `and` and `or`"),
    (re.compile(r"!(?!=)"), "the opposite is `not`"),
    (re.compile(r"<>"), "`!=` is not equal"),
    (re.compile(r"(?<![\d\"'-])\d{4}-\d{1,2}-\d{1,2}(?![\"'])"), 'a date is written in quotes: "2026-01-31"'),
    (re.compile(r"\d\s*%(?!\s*\w)"), "a share is written as a number: 0.8 * ai_limit"),
    (re.compile(r"(?<![<>!=])=(?!=)"), "`==` compares"),
)
_UNFINISHED = (
    ("never closed", "this parenthesis is never closed"),
    ("unmatched", "no parenthesis is open here"),
    ("unterminated", "this text has no quote at its end"),
)
"""Parts of the messages of Python's parser, each with a hint."""
_EXAMPLE = "such as premium and ai_spent > 0.8 * ai_limit"
_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}


def compile_condition(
    text: str,
    names: Iterable[str],
    zone: tzinfo = UTC,
    choices: Mapping[str, Sequence[str]] = MappingProxyType({}),
    mixed: frozenset[str] = frozenset(),
) -> Callable[[Fields], bool]:
    """Compile a condition to a function of a website's fields.

    Raises ConfigurationError when `text` is not a condition. The returned function raises ConfigurationError when
    values cannot be compared or calculated with. `choices` has the possible values of fields that allow only some
    texts. A field in `mixed` has values of several types: those of another type than the compared value are unequal.
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise ConfigurationError(f"--where is longer than {LONGEST} characters")
    if not text:
        raise ConfigurationError(
            "--where: the condition is empty", hint="leave out --where to select all websites"
        )
    try:
        tree = ast.parse(text, mode="eval")
        value = _Compiler(text, frozenset(names), zone, choices, mixed).condition(tree.body)
    except SyntaxError as error:
        raise _syntax_error(text, error) from None
    except (ValueError, RecursionError, MemoryError):
        raise ConfigurationError(
            "--where cannot be read: it is nested too deeply, or holds a null byte"
        ) from None
    return lambda fields: bool(value(fields))


class _Compiler:
    """Compiles nodes of Python's syntax tree to closures."""

    def __init__(
        self,
        text: str,
        names: frozenset[str],
        zone: tzinfo,
        choices: Mapping[str, Sequence[str]],
        mixed: frozenset[str],
    ) -> None:
        self._text = text
        self._names = names
        self._zone = zone
        self._choices = choices
        self._mixed = mixed

    def condition(self, node: ast.expr) -> Evaluation:
        """Return the closure of a condition.

        One without a name, or a list, holds for every website or for none, by mistake: it is refused. `true` is no
        mistake.
        """
        evaluation = self.value(node)
        has_name = any(isinstance(part, ast.Name) for part in ast.walk(node))
        if isinstance(node, ast.Tuple | ast.List) or not has_name:
            hint = 'compare it with a field: plan == "free" or plan == "premium"'
            raise self._refused(node, "this is compared with nothing", hint)
        return evaluation

    def value(self, node: ast.expr) -> Evaluation:  # noqa: PLR0911 - one for each kind of node
        """Return the closure of an expression. Raises ConfigurationError when such expressions are not allowed."""
        match node:
            case ast.BoolOp():
                return self._joined(node)
            case ast.UnaryOp(op=ast.Not()):
                inner = self.condition(node.operand)
                return lambda fields: not inner(fields)
            case ast.UnaryOp(op=ast.USub()):
                return self._arithmetic(node, operator.sub, lambda _: 0, self.value(node.operand))
            case ast.Compare():
                return self._compared(node)
            case ast.BinOp():
                return self._calculated(node)
            case ast.Name(id=name):
                return self._field(node, name)
            case ast.Constant(value=constant) if isinstance(constant, bool | int | float | str | None):
                return lambda _: constant
            case ast.Tuple(elts=items) | ast.List(elts=items):
                values = [self.value(item) for item in items]
                return lambda fields: [value(fields) for value in values]
            case _:
                raise self._refused(node, "this is not part of a condition", _EXAMPLE)

    def _joined(self, node: ast.BoolOp) -> Evaluation:
        parts = [self.condition(part) for part in node.values]
        if isinstance(node.op, ast.And):
            return lambda fields: all(part(fields) for part in parts)
        return lambda fields: any(part(fields) for part in parts)

    def _field(self, node: ast.expr, name: str) -> Evaluation:
        if name in {"true", "false", "null"}:
            constant = {"true": True, "false": False, "null": None}[name]
            return lambda _: constant
        if name not in self._names:
            hint = did_you_mean(name, self._names) or f'a text is written in quotes: "{name}"'
            raise self._refused(node, f'there is no field "{name}"', hint)
        return operator.itemgetter(name)

    def _calculated(self, node: ast.BinOp) -> Evaluation:
        action = _ARITHMETIC.get(type(node.op))
        if action is None:
            joins = type(node.op) in _JOINERS
            hint = "conditions are joined by `and` and `or`" if joins else "such as 0.8 * ai_limit"
            raise self._refused(node, "there are only + - * / %", hint)
        return self._arithmetic(node, action, self.value(node.left), self.value(node.right))

    def _arithmetic(
        self, node: ast.expr, action: Callable[[Any, Any], Any], first: Evaluation, second: Evaluation
    ) -> Evaluation:
        """Return the closure of a calculation. Its result is null for a null, a division by 0 and an overflow."""

        def calculated(fields: Fields) -> Any:
            left, right = first(fields), second(fields)
            if left is None or right is None:
                return None
            if not (_is_number(left) and _is_number(right)):
                raise self._refused(node, "arithmetic needs numbers", "such as ai_spent + ai_extra")
            try:
                return action(left, right)
            except (ZeroDivisionError, OverflowError):
                return None

        return calculated

    def _compared(self, node: ast.Compare) -> Evaluation:
        sides = (node.left, *node.comparators)
        values = [self.value(part) for part in sides]
        for n, op in enumerate(node.ops):
            self._check_choices(sides[n], op, sides[n + 1])
        pairs = [self._pair(node, op, values[n], values[n + 1]) for n, op in enumerate(node.ops)]
        return lambda fields: all(pair(fields) for pair in pairs)

    def _check_choices(self, first: ast.expr, op: ast.cmpop, second: ast.expr) -> None:
        """Refuse a text that the compared field never has, because it is most likely misspelt."""
        if isinstance(op, ast.In | ast.NotIn):
            texts = second.elts if isinstance(second, ast.Tuple | ast.List) else []
        else:
            first, second = (second, first) if isinstance(first, ast.Constant) else (first, second)
            texts = [second]
        known = self._choices.get(first.id, ()) if isinstance(first, ast.Name) else ()
        for text in texts if known else ():
            if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value not in known:
                hint = did_you_mean(text.value, known) or f"there are {', '.join(known)}"
                raise self._refused(text, f'there is no "{text.value}"', hint)

    def _pair(self, node: ast.Compare, op: ast.cmpop, first: Evaluation, second: Evaluation) -> Evaluation:
        if isinstance(op, ast.Eq | ast.Is):
            return lambda fields: operator.eq(*self._comparable(node, first(fields), second(fields)))
        if isinstance(op, ast.NotEq | ast.IsNot):
            return lambda fields: operator.ne(*self._comparable(node, first(fields), second(fields)))
        if isinstance(op, ast.In):
            return lambda fields: self._inside(node, first(fields), second(fields))
        if isinstance(op, ast.NotIn):
            return lambda fields: not self._inside(node, first(fields), second(fields))
        ordered = _ORDER[type(op)]

        def compared(fields: Fields) -> bool:
            left, right = self._comparable(node, first(fields), second(fields))
            if left is None or right is None or isinstance(left, dict):
                return False
            return ordered(left, right)

        return compared

    def _comparable(self, node: ast.expr, first: Any, second: Any) -> tuple[Any, Any]:
        """Return both values. When one is a date and the other a text, the text is read as a date."""
        if isinstance(first, datetime) and isinstance(second, str):
            return first, self._date(node, second)
        if isinstance(second, datetime) and isinstance(first, str):
            return self._date(node, first), second
        if first is None or second is None:
            return first, second
        if type(first) is not type(second) and self._mixed & {
            part.id for part in ast.walk(node) if isinstance(part, ast.Name)
        }:
            return first, second if _is_number(first) and _is_number(second) else None
        if isinstance(first, datetime) != isinstance(second, datetime):
            raise self._refused(node, "a date is compared with a text in quotes", 'such as "2026-01-31"')
        if isinstance(first, list) or isinstance(second, list):
            hint = 'such as plan in ("free", "premium")'
            raise self._refused(node, "before a list comes `in` or `not in`", hint)
        if isinstance(first, str) != isinstance(second, str):
            hint = 'a text is in quotes, a number is not: owner_country == "LV", ai_spent > 100'
            raise self._refused(node, "a text and a number cannot be compared", hint)
        return first, second

    def _date(self, node: ast.expr, text: str) -> datetime:
        try:
            instant = datetime.fromisoformat(text)
        except ValueError:
            raise self._refused(node, f'"{text}" is not a date', 'such as "2026-01-31"') from None
        return instant if instant.tzinfo else instant.replace(tzinfo=self._zone)

    def _inside(self, node: ast.expr, first: Any, second: Any) -> bool:
        if isinstance(first, str) and isinstance(second, str):
            return first.casefold() in second.casefold()
        if isinstance(second, list):
            # Each item is checked, also after a match.
            pairs = [self._comparable(node, first, item) for item in second]
            return any(left == right for left, right in pairs)
        if second is None:
            return False
        hint = 'such as plan in ("free", "premium")'
        raise self._refused(node, "after `in` comes a text or a list in parentheses", hint)

    def _refused(self, node: ast.expr, what: str, hint: str) -> ConfigurationError:
        line = _LINE_END.split(self._text)[node.lineno - 1]
        column = len(line.encode()[: node.col_offset].decode("utf-8", "ignore"))
        return _wrong(line, column, what, hint)


def hint_for(text: str) -> str | None:
    """Return a hint for a text that uses another language's notation or a date without quotes; None for any other."""
    return next((hint for sign, hint in _OTHER_NOTATIONS if sign.search(text)), None)


def _syntax_error(text: str, error: SyntaxError) -> ConfigurationError:
    """Return the error for a text that Python's parser refuses. Its offset is not in a text that ends too early."""
    lines = _LINE_END.split(text)
    if not 0 < (error.offset or 0) <= len(text):
        return _wrong(lines[-1], len(lines[-1]), "the condition is not complete", _EXAMPLE)
    hints = (hint for part, hint in _UNFINISHED if part in error.msg)
    hint = hint_for(text) or next(hints, _EXAMPLE)
    line = lines[min(error.lineno or 1, len(lines)) - 1]
    return _wrong(line, (error.offset or 1) - 1, "this is not a condition", hint)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _wrong(line: str, column: int, what: str, hint: str | None = None) -> ConfigurationError:
    """Return the error, with a caret under the column of the line. The column counts characters, from 0."""
    return ConfigurationError(f"--where: {what}\n  {line}\n  {' ' * column}^", hint=hint)


WEBSITE_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "id": "number",
        "brandname": "text",
        "alias": "text",
        "url": "text",
        "plan": "free, premium, premiumplus, premiumpro",
        "premium": "whether any subscription is paid for",
        "enabled": "true or false",
        "status": "number: 1 enabled, 4 suspended",
        "type": "number",
        "ai_limit": "monthly AI credits",
        "ai_spent": "used this month",
        "ai_extra": "extra credits left",
        "ai_extra_until": "date or null",
        "created": "date",
        "modified": "date",
        "accessed": "date or null",
        "owner_name": "text",
        "owner_email": "text",
        "owner_country": "code",
        "owner_created": "date",
        "owner_confirmed": "true or false",
        "owner_unsubscribed": "true or false",
    }
)
"""The fields of a website, each with a description of its value."""

FIELD_VALUES: Mapping[str, Sequence[str]] = MappingProxyType({"plan": (FREE, *SUBSCRIPTIONS)})
"""The possible values of the fields that allow only some texts."""


def fields_of(website: Website) -> dict[str, Any]:
    return {name: getattr(website, name) for name in WEBSITE_FIELDS}


def field_names(text: str) -> tuple[str, ...]:
    """Parse names of fields, separated by commas or spaces.

    Raises ConfigurationError without any name, and for a name that is no field.
    """
    names = _names(text)
    if not names:
        raise ConfigurationError(
            "--columns needs a field", hint="such as id,brandname, or leave out --columns"
        )
    for name in names:
        if name not in WEBSITE_FIELDS:
            hint = did_you_mean(name, WEBSITE_FIELDS) or f"there are {', '.join(WEBSITE_FIELDS)}"
            raise ConfigurationError(f'there is no column "{name}"', hint=hint)
    return names


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _sort_field(sort: str) -> str:
    """Return the field of `--sort`. Raises ConfigurationError unless the text names exactly one."""
    text = sort.removeprefix("-")
    if len(_names(text)) != 1:
        raise ConfigurationError("--sort needs one field", hint="such as -ai_spent, or leave out --sort")
    return field_names(text)[0]


class WebsiteSelection:
    """Selects websites by a condition, and sorts them by one field. A minus before the field reverses the order.

    Raises ConfigurationError when the condition or the name of the field is wrong, or when `sort` names no or several
    fields.
    """

    def __init__(self, where: str | None, sort: str | None, zone: tzinfo) -> None:
        self._holds = (
            compile_condition(where, WEBSITE_FIELDS, zone, FIELD_VALUES) if where is not None else None
        )
        self._sort_field = None if sort is None else _sort_field(sort)
        self._descending = (sort or "").startswith("-")

    def select(self, websites: Iterable[Website]) -> list[Website]:
        """Return the selected websites. Raises ConfigurationError when values cannot be compared."""
        holds, name = self._holds, self._sort_field
        chosen = [website for website in websites if holds is None or holds(fields_of(website))]
        if name is not None:
            value_of = operator.attrgetter(name)
            chosen.sort(
                key=lambda site: (value_of(site) is not None, value_of(site)), reverse=self._descending
            )
        return chosen

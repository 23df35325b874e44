"""Signs the requests that the browser carries to an app: installation and settings.

The query has the canonical form that verifiers use (observed; Apps Integration API, Verifying request authenticity).
Every byte except `A-Z a-z 0-9 - _ .` is percent-encoded with upper-case digits, a space is `+`, the parameters keep
their order, and the hash is last. Verifiers that use the raw query string and verifiers that encode it again both
accept this form.

Parameters of the app's own address are signed as PHP reads them (observed in the reference verifier): `a[]` gets a
number, spaces and dots in names become `_`, and a repeated name occurs once, at its first place and with its last
value. Verifiers that use the raw text accept this form, too.
"""

import hmac
import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, quote_plus, urlsplit, urlunsplit

Parameters = Iterable[tuple[str, str]]


def canonical(parameters: Parameters) -> str:
    return "&".join(f"{_encoded(name)}={_encoded(value)}" for name, value in parameters)


def signature(query: str, secret: str) -> str:
    """Return the HMAC-SHA-256 of the query string, in lower-case hex."""
    return hmac.digest(secret.encode(), query.encode(), "sha256").hex()


def signed_url(url: str, parameters: Parameters, secret: str) -> str:
    """Return `url` with the parameters and their hash. The URL's own parameters come first and are signed, too."""
    parts = urlsplit(url)
    query = canonical([*own_parameters(parts.query), *parameters])
    return urlunsplit(parts._replace(query=f"{query}&hash={signature(query, secret)}", fragment=""))


def _encoded(text: str) -> str:
    return quote_plus(text).replace("~", "%7E")


Tree = dict[str, "str | Tree"]
DEEPEST = 64
"""The deepest nesting of names. Names that nest deeper are left out, as in PHP (max_input_nesting_level)."""
_STEP = re.compile(r"\[([^\]]*)\]")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")


def own_parameters(query: str) -> list[tuple[str, str]]:
    """Return the parameters of a raw query in the form that is signed and sent."""
    tree: Tree = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        base, steps = _read(name)
        if base and len(steps) <= DEEPEST:
            _put(tree, [base, *steps], value)
    return list(_written(tree, ""))


def _read(name: str) -> tuple[str, list[str]]:
    """Split the name of a parameter: `a.b[k][]` becomes `a_b` and the keys `["k", ""]`. `[ ]` counts as `[]`.

    A `[` without a `]` after it becomes `_`, too. Text after the last key is left out. A name ends at a NUL character.
    """
    name = name.partition("\0")[0].lstrip(" ")
    base, bracket, rest = name.partition("[")
    if bracket and "]" not in rest:
        return re.sub(r"[ .\[]", "_", name), []
    steps, at = [], len(base)
    while step := _STEP.match(name, at):
        steps.append("" if step[1] == " " else step[1])
        at = step.end()
    return re.sub(r"[ .]", "_", base), steps


def _put(tree: Tree, path: list[str], value: str) -> None:
    for step in path[:-1]:
        key = step or _next(tree)
        inner = tree.get(key)
        if not isinstance(inner, dict):
            inner = tree[key] = {}
        tree = inner
    tree[path[-1] or _next(tree)] = value


def _next(tree: Tree) -> str:
    return str(max((int(key) for key in tree if _NUMBER.fullmatch(key)), default=-1) + 1)


def _written(tree: Tree, prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        name = f"{prefix}[{key}]" if prefix else key
        if isinstance(value, dict):
            yield from _written(value, name)
        else:
            yield name, value

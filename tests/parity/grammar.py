# ruff: noqa: E501, RUF001 - lists of words, many to a line, in several alphabets
"""Random templates and contexts: a grammar of the language, as Hypothesis strategies.

Expressions mix types freely: what Python refuses at run time must fail in JavaScript too.
"""

from typing import Any

from hypothesis import strategies as st

NAMES = ("s", "t", "n", "f", "l", "w", "d", "u", "b", "z", "x", "missing")

TEXTS = st.one_of(
    st.sampled_from(
        [
            "",
            "a",
            "Ab c",
            "<b>",
            "&amp;",
            "it's",
            '"q"',
            "héllo",
            "😀x",
            " x ",
            "a,b,c",
            "10",
            "-3.5",
            "one two three",
            "a\nb",
        ]
    ),
    st.text(alphabet=st.sampled_from("abAB <>&'\"{}%,.-_\n\té😀ßσΣ0123\u00a0"), max_size=12),
)
INTEGERS = st.one_of(
    st.integers(-5, 12), st.integers(-(10**6), 10**6), st.sampled_from([10**15, 10**16, 2**53, 10**21])
)
FLOATS = st.one_of(
    st.sampled_from([0.5, 1.0, -2.5, 2.675, 0.1, 1e-7, 1e16, 1e21, 123456.789, 19.99, -0.0]),
    st.floats(-1000, 1000, allow_nan=False).map(lambda number: round(number, 3)),
)
SCALARS = st.one_of(TEXTS, INTEGERS, FLOATS, st.booleans(), st.none())
KEYS = st.sampled_from(["a", "b", "k", "1", "10", "2", "items", "title", "constructor", "x y"])
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)

CONTEXTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "s": TEXTS,
        "t": TEXTS,
        "n": INTEGERS,
        "f": FLOATS,
        "l": st.lists(INTEGERS | FLOATS, max_size=4),
        "w": st.lists(TEXTS, max_size=4),
        "d": st.dictionaries(KEYS, SCALARS, max_size=4),
        "u": st.lists(
            st.fixed_dictionaries({"a": INTEGERS, "b": TEXTS}, optional={"k": SCALARS}), max_size=3
        ),
        "b": st.booleans(),
        "z": st.none(),
    },
    optional={"x": JSON},
)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    return f"'{escaped}'"


LITERALS = st.one_of(
    TEXTS.filter(lambda text: "{" not in text and "%" not in text).map(quoted),
    st.integers(0, 12).map(str),
    st.sampled_from(
        ["1.5", "0.1", "2.0", "true", "false", "none", "[]", "{}", "()", "[1, 2, 3]", "{'a': 1, '2': 'b'}"]
    ),
)
ATOMS = st.one_of(st.sampled_from(NAMES), LITERALS)

FILTERS = st.sampled_from(
    [
        "upper", "lower", "title", "capitalize", "trim", "length", "first", "last", "list", "sort", "string", "e",
        "safe", "abs", "int", "float", "round", "round(1)", "round(2, 'floor')", "round(-1)", "join", "join(', ')", "join('<')",
        "reverse|list", "default('d')", "default('d', true)", "replace('a', 'b')", "replace('a', '<')", "truncate(5)",
        "truncate(4, true, '')", "tojson", "sum", "min", "max", "unique|list", "map('string')|list", "map(attribute='a')|list",
        "select|list", "reject|list", "select('number')|list", "batch(2)|list", "slice(2)|list", "dictsort", "items|list",
        "wordcount", "center(7)", "indent(2)", "striptags", "urlencode", "forceescape", "groupby('a')|list", "filesizeformat",
        "selectattr('a')|list", "sort(attribute='a')", "sort(reverse=true)", "wordwrap(4)", "map('upper')|join('-')", "xmlattr",
        "sum(attribute='a')", "attr('a')", "count", "d(0)", "format(1)", "max(attribute='a')", "map('default', 'q')|list",
    ]
)  # fmt: skip
TESTS = st.sampled_from(
    [
        "defined", "undefined", "none", "odd", "even", "string", "number", "integer", "float", "mapping", "sequence", "iterable",
        "lower", "upper", "true", "false", "boolean", "divisibleby(3)", "eq(1)", "in([1, 'a'])", "gt(2)", "callable", "escaped",
    ]
)  # fmt: skip
METHODS = st.sampled_from(
    [
        ".upper()", ".lower()", ".title()", ".strip()", ".split()", ".split(',')", ".split(',', 1)", ".replace('a', 'b')",
        ".startswith('a')", ".endswith('b')", ".capitalize()", ".find('a')", ".count('a')", ".join(['x', 'y'])", ".get('a')",
        ".get('q', 5)", ".items()|list", ".keys()|list", ".values()|list", ".zfill(4)", ".center(6)", ".isdigit()", ".format(1)",
        ".rsplit(none, 1)", ".partition(',')", ".splitlines()", ".swapcase()", ".isalpha()", ".islower()", ".ljust(5)", ".index('a')",
    ]
)  # fmt: skip
OPERATORS = st.sampled_from(
    ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in", "**"]
)
SUBSCRIPTS = st.sampled_from(
    [
        "[0]",
        "[-1]",
        "['a']",
        ".a",
        ".b",
        ".k",
        "[1:]",
        "[:2]",
        "[::-1]",
        "[n]",
        "[s]",
        ".constructor",
        ".title",
        "['1']",
        "[1]",
    ]
)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, OPERATORS, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, FILTERS).map(lambda t: f"({t[0]}|{t[1]})"),
        st.tuples(inner, TESTS).map(lambda t: f"({t[0]} is {t[1]})"),
        st.tuples(inner, METHODS).map(lambda t: f"({t[0]}){t[1]}"),
        st.tuples(inner, SUBSCRIPTS).map(lambda t: f"({t[0]}){t[1]}"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} < {t[1]} <= {t[2]})"),
        inner.map(lambda code: f"(not {code})"),
        inner.map(lambda code: f"(-{code})"),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]}, {t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"{{'p': {t[0]}, '7': {t[1]}}}"),
    )


MIXED = st.recursive(ATOMS, grown, max_leaves=4)
"""Most of these fail in both: the types rarely fit."""

TEXT_ATOMS = st.one_of(
    st.sampled_from(["s", "t", "s", "t", "d.a", "missing"]),
    TEXTS.filter(lambda text: "{" not in text).map(quoted),
)
TEXT_FILTERS = st.sampled_from(
    [
        "upper", "lower", "title", "capitalize", "trim", "e", "safe", "string", "reverse", "replace('a', 'b')", "replace('a', '<')",
        "truncate(5)", "truncate(4, true, '')", "center(7)", "indent(2)", "striptags", "urlencode", "forceescape", "wordwrap(4)",
        "default('d', true)", "list|join('-')", "tojson", "urlize", "format|string", "replace('<', '&'|safe)", "truncate(6, false, '…', 0)",
    ]
)  # fmt: skip
TEXT_METHODS = st.sampled_from(
    [
        ".upper()", ".lower()", ".title()", ".strip()", ".replace('a', 'b')", ".capitalize()", ".zfill(4)", ".center(6)", ".swapcase()",
        ".split()|join('+')", ".split(',')|last", ".rsplit(none, 1)|first", ".partition(',')|join('/')", ".ljust(5)", ".lstrip('a')",
        ".split('a', 1)|join('|')", ".splitlines()|join('~')", ".removeprefix('a')", "[1:]", "[::-1]", "[:2]", "[-3:]", "[::2]",
    ]
)  # fmt: skip
TEXT = st.recursive(
    TEXT_ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, TEXT_FILTERS).map(lambda t: f"({t[0]}|{t[1]})"),
        st.tuples(inner, TEXT_METHODS).map(lambda t: f"({t[0]}){t[1]}"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]} ~ {t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]} or {t[1]})"),
        st.tuples(inner, st.sampled_from(["n", "f", "b", "z", "l", "d"])).map(lambda t: f"({t[0]} ~ {t[1]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} in {t[2]} else 'no')"),
    ),
    max_leaves=4,
)
NUMBER_ATOMS = st.sampled_from(
    [
        "n",
        "f",
        "l|length",
        "s|length",
        "l|sum",
        "b",
        "2",
        "3",
        "0.5",
        "10",
        "2.0",
        "s|int",
        "t|float(1)",
        "loop_",
    ]
)
NUMBER = st.recursive(
    NUMBER_ATOMS.map(lambda code: code.replace("loop_", "l|first|default(7)")),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        st.tuples(
            inner,
            st.sampled_from(
                [
                    "round",
                    "round(1)",
                    "round(2)",
                    "round(1, 'ceil')",
                    "round(-1)",
                    "abs",
                    "int",
                    "float",
                    "filesizeformat",
                ]
            ),
        ).map(lambda t: f"({t[0]}|{t[1]})"),
        inner.map(lambda code: f"(-{code})"),
        inner.map(lambda code: f"({code} ** 2)"),
        st.tuples(st.sampled_from(["%.2f", "%d", "%s", "%e", "%g", "%06.1f", "%x"]), inner).map(
            lambda t: f"('{t[0]}' % ({t[1]}|default(0)))"
        ),
        st.tuples(
            st.sampled_from([":.2f", ":,.2f", ":>9", ":+.1f", ":e", ":g", "", ":010.3f", ":.3", ":,"]), inner
        ).map(lambda t: f"'{{{t[0]}}}'.format({t[1]})"),
    ),
    max_leaves=4,
)
LIST_ATOMS = st.sampled_from(
    [
        "l",
        "w",
        "u",
        "[1, 2, 3]",
        "range(4)|list",
        "s|list",
        "d|list",
        "d|dictsort",
        "u|map(attribute='b')|list",
        "()",
    ]
)
LIST_FILTERS = st.sampled_from(
    [
        "sort", "reverse|list", "unique|list", "batch(2)|list", "slice(2)|list", "map('string')|list", "select|list", "list",
        "map('upper')|list", "sort(reverse=true)", "batch(2, 'x')|list", "map('string')|sort(case_sensitive=true)", "map('length')|list",
    ]
)  # fmt: skip
LIST = st.recursive(
    LIST_ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, LIST_FILTERS).map(lambda t: f"({t[0]}|{t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]} + {t[1]})"),
        st.tuples(inner, st.sampled_from(["[1:]", "[:2]", "[::-1]"])).map(lambda t: f"({t[0]}){t[1]}"),
    ),
    max_leaves=3,
)
OF_LISTS = st.tuples(
    LIST,
    st.sampled_from(["join", "join(', ')", "join('<')", "first", "last", "length", "tojson", "max", "min"]),
).map(lambda t: f"({t[0]}|{t[1]})")
COMPARED = st.one_of(
    st.tuples(NUMBER, st.sampled_from(["<", "<=", ">", "==", "!="]), NUMBER).map(
        lambda t: f"({t[0]} {t[1]} {t[2]})"
    ),
    st.tuples(TEXT, st.sampled_from(["<", "==", "in", "not in", ">="]), TEXT).map(
        lambda t: f"({t[0]} {t[1]} {t[2]})"
    ),
    st.tuples(MIXED, TESTS).map(lambda t: f"({t[0]} is {t[1]})"),
)
EXPRESSIONS = st.one_of(TEXT, TEXT, NUMBER, LIST, OF_LISTS, COMPARED, MIXED)
OUTPUTS = EXPRESSIONS.map(lambda code: f"{{{{ {code} }}}}")
DATA = st.sampled_from(["text ", "<b>", "</b>", "\n", "<p title='", "'>", "</p>", " - ", "é"])
LOOPS = st.sampled_from(
    ["loop.index", "loop.first", "loop.last", "loop.length", "loop.revindex0", "loop.cycle('a', 'b')", "loop.previtem",
     "loop.nextitem", "loop.changed(i)", "loop.depth", "i"]
)  # fmt: skip


def statements(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map("".join)
    target = st.sampled_from(["s", "n", "x", "q"])
    return st.one_of(
        st.tuples(EXPRESSIONS, body, body).map(
            lambda t: f"{{% if {t[0]} %}}{t[1]}{{% else %}}{t[2]}{{% endif %}}"
        ),
        st.tuples(EXPRESSIONS, body).map(lambda t: f"{{% if {t[0]} %}}{t[1]}{{% endif %}}"),
        st.tuples(EXPRESSIONS, LOOPS, body, body).map(
            lambda t: f"{{% for i in {t[0]} %}}{{{{ {t[1]} }}}}{t[2]}{{% else %}}{t[3]}{{% endfor %}}"
        ),
        st.tuples(EXPRESSIONS, EXPRESSIONS, body).map(
            lambda t: f"{{% for i in {t[0]} if {t[1]} %}}{{{{ i }}}}{t[2]}{{% endfor %}}"
        ),
        body.map(lambda code: f"{{% for k, v in d.items() %}}{{{{ k }}}}={{{{ v }}}}{code}{{% endfor %}}"),
        st.tuples(target, EXPRESSIONS).map(lambda t: f"{{% set {t[0]} = {t[1]} %}}"),
        st.tuples(target, body).map(lambda t: f"{{% set {t[0]} %}}{t[1]}{{% endset %}}"),
        st.tuples(target, EXPRESSIONS, body).map(
            lambda t: f"{{% with {t[0]} = {t[1]} %}}{t[2]}{{% endwith %}}"
        ),
        st.tuples(EXPRESSIONS, body, EXPRESSIONS).map(
            lambda t: f"{{% macro m(x, q={t[0]}) %}}{t[1]}{{{{ q }}}}{{% endmacro %}}{{{{ m({t[2]}) }}}}"
        ),
        st.tuples(body, EXPRESSIONS).map(
            lambda t: (
                f"{{% macro w(x) %}}<i>{{{{ caller(x) }}}}</i>{{% endmacro %}}{{% call(x) w({t[1]}) %}}{t[0]}{{% endcall %}}"
            )
        ),
        body.map(lambda code: f"{{% filter upper %}}{code}{{% endfilter %}}"),
    )


TEMPLATES = st.lists(
    st.recursive(st.one_of(OUTPUTS, OUTPUTS, DATA), statements, max_leaves=6), min_size=1, max_size=4
).map("".join)

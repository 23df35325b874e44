"""The escapers in Chromium: a table of values and results."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markupsafe import escape
from volumes import volume

from awning.jsrc import jsrc_root
from awning.template import html

REFUSED = "about:invalid#awning"

TABLE = {
    "escapeText": {
        "": "",
        "plain ünïcode": "plain ünïcode",
        "<b>\"'&</b>": "&lt;b&gt;&#34;&#39;&amp;&lt;/b&gt;",
        "{{x}} {sv.": "{{x}} {sv.",
        "{{svc_app_data}}": "{&#123;svc_app_data}}",
        "a{svc_x}&": "a&#123;svc_x}&amp;",
        "{sv {vc": "{sv {vc",
    },
    "escapeMarkupInDoubleQuotes": {"<b>\"x\"</b> &amp; 'y'": "<b>&#34;x&#34;</b> &amp; 'y'"},
    "escapeMarkupInSingleQuotes": {"<b>\"x\"</b> &amp; 'y'": '<b>"x"</b> &amp; &#39;y&#39;'},
    "escapeMarkupInRcdata": {"<b>&lt;</title>": "<b>&lt;&lt;/title>", "x<": "x&lt;"},
    "decode": {
        "/a?b=1&amp;c=&#39;&#x41;&quot;": "/a?b=1&c='A\"",
        "java&#115;cript&#58;x": "javascript:x",
        "javascript&colon;x": "javascript&colon;x",
        "&#9999999;&#x110000;": "&#9999999;&#x110000;",
        "&amp;lt;&LT;": "&lt;<",
    },
    "escapeUrl": {
        "": "",
        "/lv/a?b=c&d=e#f": "/lv/a?b=c&amp;d=e#f",
        "https://shop.example/%C4%81/ā": "https://shop.example/%C4%81/ā",
        "  HTTP://x  ": "HTTP://x",
        "mailto:a@b.example": "mailto:a@b.example",
        "tel:+371 2": "tel:+371%202",
        "a:b": REFUSED,
        "javascript:x": REFUSED,
        "java\nscript\t:x": REFUSED,
        "\x00javascript:x": REFUSED,
        "\x7fjavascript:x": REFUSED,
        "data:image/png,x": REFUSED,
        ":x": REFUSED,
        "./a:b": "./a:b",
        "?a:b": "?a:b",
        "//evil.test": "//evil.test",
        '/"<>\\^`{|}\x7f': "/%22%3C%3E%5C%5E%60%7B%7C%7D%7F",
        "/it's": "/it&#39;s",
        "/\ud800": "/\ud800",
    },
    "escapeImageUrl": {
        "data:image/png;base64,iVBORw0KGgo+/=": "data:image/png;base64,iVBORw0KGgo+/=",
        "DATA:image/webp,x": "DATA:image/webp,x",
        "data:image/svg+xml,<svg>": REFUSED,
        "data:text/html,x": REFUSED,
        "data:image/png": REFUSED,
        "/a.png": "/a.png",
        "javascript:x": REFUSED,
    },
    "escapeUrlRest": {
        "/a/b?c=d:e": "/a/b?c=d:e",
        "script:x": "script%3Ax",
        ":8080/a:b": "%3A8080/a:b",
        "a,b": "a%2Cb",
    },
    "escapeUrlPart": {
        "a b&c=d/é?#'()": "a%20b%26c%3Dd%2F%C3%A9%3F%23%27()",
        "\ud800x\U0001f600": "%EF%BF%BDx%F0%9F%98%80",
        "..": "..",
        "": "",
    },
    "escapeUrlSegment": {"..": "", ".": "", "...": "", "a.b": "a.b", "../x": "..%2Fx"},
    "escapeUrlPath": {
        "a/b c?d#e&f": "a/b%20c%3Fd%23e%26f",
        "a@b.example": "a@b.example",
        "+371 2": "+371%202",
        "\\": "%5C",
        "50%": "50%25",
        "\U0001f600\udc00": "%F0%9F%98%80%EF%BF%BD",
    },
    "escapeUrlRoot": {"lv": "lv", "": "./", "/evil.test": ".//evil.test", "\\evil.test": "./%5Cevil.test"},
    "escapeUrlEncoded": {"a%20b%2Fc": "a%20b%2Fc", "50%": "50%25", "a&b'": "a%26b%27"},
    "escapeUrlRootEncoded": {"a%20b": "a%20b", "/a": ".//a"},
    "escapeSrcset": {
        "": "",
        "/a.png": "/a.png",
        "/a.png 1x, /b.png 2x": "/a.png 1x, /b.png 2x",
        "/a.png 100w,\n/b,c.png 2.5x": "/a.png 100w, /b,c.png 2.5x",
        "/a.png, /b.png": "/a.png, /b.png",
        "javascript:x 1x, /b 2x": f"{REFUSED} 1x, /b 2x",
        "/a 1x onerror=x": "",
        "data:image/png;base64,x 1x": "data:image/png;base64,x 1x",
    },
    "escapeSrcsetDescriptor": {"2": "2", "2x": "2x", "1.5e1x": "1.5e1x", "100w": "100w", "1x,/b": "", "": ""},
    "escapeCssValue": {
        "12.5": "12.5",
        "-3px": "-3px",
        "#fff": "#fff",
        "red !important": "red !important",
        "rgb(1, 2, 3)": "rgb(1, 2, 3)",
        "rgb(1 2 3 / 50%)": "rgb(1 2 3 / 50%)",
        "calc(100% - var(--x) * 2)": "calc(100% - var(--x) * 2)",
        "url(x)": "awning-refused",
        "expression(x)": "awning-refused",
        "a;b": "awning-refused",
        "a:b": "awning-refused",
        "if(style(--a: 1): red; else: blue)": "if(style(--a: 1): red; else: blue)",
        "if(a: b); c: d": "awning-refused",
        "if(a: url(b))": "awning-refused",
        "a/*": "awning-refused",
        "*/": "awning-refused",
        "calc(1px": "awning-refused",
        "1)(": "awning-refused",
        "linear-gradient(9deg, #fff 0%, rgb(0 0 0 / 9%))": "linear-gradient(9deg, #fff 0%, rgb(0 0 0 / 9%))",
        "calc((100% - 10px) / 2)": "calc((100% - 10px) / 2)",
        "calc(100%/3 - 2*1em)": "calc(100%/3 - 2*1em)",
        "(1px + 2px) * 2": " (1px + 2px) * 2",
        "drop-shadow(0 0 2px red) hue-rotate(9deg)": "drop-shadow(0 0 2px red) hue-rotate(9deg)",
        "polygon(0 0, 100% 0, 50% 100%)": "polygon(0 0, 100% 0, 50% 100%)",
        "12px/1.5 a": "12px/1.5 a",
        "16/9": "16/9",
        "of-tomorrow(1)": "of-tomorrow(1)",
        '"Open Sans", \'Ā "b" C\', serif': "&#34;Open Sans&#34;, &#34;Ā \\22 b\\22  C&#34;, serif",
        "path('M0 0h9v-9z')": "path(&#34;M0 0h9v-9z&#34;)",
        '"</style>&{{svc_x}}"': "&#34;\\3c \\2f style\\3e \\26 \\7b \\7b svc_x\\7d \\7d &#34;",
        '"\\201C" "\\22 "': "&#34;\\201C&#34; &#34;\\22 &#34;",
        '"a\\"': "awning-refused",
        '"a\\"b"': "&#34;a\\22 b&#34;",
        "'\\41\\ b'": "&#34;\\41\\20 b&#34;",
        "'It\\'s' \"\\\\41 \\g\\😀\"": "&#34;It\\27 s&#34; &#34;\\5c 41 g😀&#34;",
        '"\\\\"; color: url(x) "': "awning-refused",
        '"a': "awning-refused",
        "\"a'": "awning-refused",
        '"a\nb"': "awning-refused",
        '"a"(b)': "&#34;a&#34;(b)",
        'url("x")': "awning-refused",
        "URL(x)": "awning-refused",
        'image-set("x" 1x)': "awning-refused",
        "-webkit-image-set(var(--x) 1x)": "awning-refused",
        "image(x)": "awning-refused",
        "src(var(--x))": "awning-refused",
        "max(1px, src(var(--x)))": "awning-refused",
        "--mine(x)": "awning-refused",
        "l(x)": "awning-refused",
        "-set(x)": "awning-refused",
        "(x)": " (x)",
        "/2": "awning-refused",
        "2/": "awning-refused",
        "2//2": "awning-refused",
        "2/*2": "awning-refused",
        "2 / * 2": "2 / * 2",
        "* 2": "awning-refused",
        "(" * 50 + ")" * 50: " " + "(" * 50 + ")" * 50,
        "(" * 51 + ")" * 51: "awning-refused",
        "\\75rl(x)": "awning-refused",
        "a\nb": "a\nb",
        "linear-gradient(\n\tred,\r\n\tblue\n)": "linear-gradient(\n\tred,\r\n\tblue\n)",
        "[full-start] 1fr [main] minmax(0, 2fr) [full-end]": "[full-start] 1fr [main] minmax(0, 2fr) [full-end]",
        "[a": "awning-refused",
        "a]": "awning-refused",
        "([)]": "awning-refused",
        "a\n/\n*b": "a\n/\n*b",
        "calc(\n  100%\n  / 3\n\t* 2)": "calc(\n  100%\n  / 3\n\t* 2)",
        "[a] 1fr [b]/[c] auto": "[a] 1fr [b]/[c] auto",
        "\u2028": "\u2028",
        "a\u00a0b": "awning-refused",
        "<b": "awning-refused",
        "}": "awning-refused",
        "@x": "awning-refused",
        "": "",
    },
    "escapeCssValueInElement": {
        "red": "red",
        "'Open Sans', serif": '"Open Sans", serif',
        '"</style>"': '"\\3c \\2f style\\3e "',
        "url(x)": "awning-refused",
    },
    "escapeCssArgument": {
        "100% - (2 * 1px)": "100% - (2 * 1px)",
        "(1px)": " (1px)",
        "'x'": "awning-refused",
        "path('M0 0')": "awning-refused",
        "image-set(x)": "awning-refused",
    },
    "escapeCssUrl": {
        "": "",
        "/a.png?b=c,d#e": "/a.png?b=c,d#e",
        "https://cdn.example/ā b.png": "https://cdn.example/ā%20b.png",
        "data:image/png;base64,iVBORw0KGgo+/=": "data:image/png;base64,iVBORw0KGgo+/=",
        "data:image/svg+xml,<svg>": REFUSED,
        "javascript:x": REFUSED,
        "java\nscript:x": REFUSED,
        "/a'b(c)&d": "/a\\27 b\\28 c\\29 \\26 d",
        ")}</style>": "\\29 %7D%3C/style%3E",
        "{{svc_x}}": "%7B%7Bsvc_x%7D%7D",
        "[]": "\\5b \\5d ",
    },
    "escapeCssUrlPart": {"a b/c'(d)": "a%20b%2Fc%27\\28 d\\29 "},
    "escapeCssUrlPath": {"a/b c)": "a/b%20c\\29 "},
    "escapeCssUrlRoot": {"/evil.test": ".//evil.test", "a(": "a\\28 "},
    "escapeCssUrlEncoded": {"a%20b&": "a%20b%26"},
    "escapeCssUrlRootEncoded": {"a%20b": "a%20b", "/a": ".//a"},
    "escapeJson": {
        "1.5": "1.5",
        '"a\\u003cb"': '"a\\u003cb"',
        '"</script><!--"': '"\\u003c/script>\\u003c!--"',
        '{"a": [null, true]}': '{"a": [null, true]}',
        '"{{svc_app_data}}"': '"{\\u007bsvc_app_data}}"',
        "NaN": "null",
        "": "null",
        '1}, "b": 2': "null",
        "</script>": "null",
    },
    "escapeCssString": {
        "Open Sans-1.0, é": "Open Sans-1.0, é",
        "a\"b'c\\": "a\\22 b\\27 c\\5c ",
        "</style>": "\\3c \\2f style\\3e ",
        "a\nb\x00": "a\\a b\\fffd ",
    },
}
ROWS = [(name, value, out) for name, rows in TABLE.items() for value, out in rows.items()]


@pytest.mark.parametrize(
    ("name", "value", "expected"), ROWS, ids=[f"{name} {value!a}" for name, value, _out in ROWS]
)
def test_escaper_escapes_a_value(laboratory, name: str, value: str, expected: str) -> None:
    assert laboratory.call("apply", name, [value]) == [expected]


def test_every_escaper_is_exported_tested_and_used_by_the_tokenizer() -> None:
    index = (jsrc_root() / "runtime" / "escape" / "index.ts").read_text(encoding="utf-8")
    exported = set(re.findall(r"\bescape[A-Z]\w+", index)) | {"decode"}
    folder = Path(html.__file__).parent
    sources = [path.read_text(encoding="utf-8") for path in folder.glob("*.py")]
    named = {name for source in sources for name in re.findall(r'"(escape[A-Z]\w+)"', source)}
    assert exported == set(TABLE) == named | {"decode"}


@settings(max_examples=volume("escape-text"), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(alphabet=st.sampled_from("ab<>&'\"{ é\n")), min_size=20, max_size=60))
def test_text_is_escaped_as_markupsafe_does(laboratory, texts: list[str]) -> None:
    assert laboratory.call("apply", "escapeText", texts) == [str(escape(text)) for text in texts]


@pytest.mark.parametrize(
    "value", ["5", "null", "[]", "['a']", "['<b>']", "{}", "true", "() => 1", "10n", "location"]
)
def test_value_that_is_not_a_string_is_an_error(laboratory, value: str) -> None:
    failed = (
        f"() => {{ try {{ return escape_.escapeText({value}); }} catch (error) {{ return error.name; }} }}"
    )
    assert laboratory.page.evaluate(failed) == "TypeError"


@pytest.mark.parametrize("name", sorted(set(TABLE) - {"escapeJson"}))
def test_escaper_fails_for_a_list_a_mapping_or_a_number(laboratory, name: str) -> None:
    """Variables that are declared as strings rely on this. `escapeJson` is left out: it gets what `tojson` returns."""
    accepted = laboratory.page.evaluate(
        """(name) => [[], ["red"], ["/a.png"], ["1x"], [".."], ["calc("], {}, { a: 1 }, 1e21, 1e-7].filter((value) => {
          try { escape_[name](value); return true; } catch (error) { return !(error instanceof TypeError); }
        })""",
        name,
    )
    assert accepted == []


def test_harmless_value_is_returned_unchanged(laboratory) -> None:
    assert laboratory.page.evaluate(
        "() => { const t = 'x'.repeat(1e6); return escape_.escapeText(t) === t; }"
    )


@pytest.mark.parametrize("name", TABLE)
def test_long_hostile_values_take_linear_time(laboratory, name: str) -> None:
    """A text of eight times the length takes some eight times as long; with a quadratic pattern, it takes 64 times.

    The shortest of three long runs is compared with the longest of three short ones, and at least with 5 ms: a busy
    machine fails nothing, and a quadratic pattern takes longer than 5 ms for the short one.
    """
    runs = [
        "(", "a(", "calc(", " /", " * ", "%", "&", "a,", " x", ":", "\\", "{svc", "x 1x,", "-", "+.", "\ud800", '"\\',
    ]  # fmt: skip
    growth = laboratory.page.evaluate(
        """([name, runs]) => Math.max(...runs.map((run) => {
          const times = (length) => [0, 1, 2].map(() => {
            const text = run.repeat(length / run.length) + "\\u0001";
            const start = performance.now(); escape_[name](text); return performance.now() - start;
          });
          return Math.min(...times(100000)) / Math.max(5, ...times(12500));
        }))""",
        [name, runs],
    )
    assert growth < 24

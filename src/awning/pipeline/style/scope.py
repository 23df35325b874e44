"""Restricts a widget's rules to the widget: `.aw-1a2b3c { ... }` around them, which esbuild then lowers.

Statements that CSS does not allow inside a rule (imports, fonts, key frames) go before or after it. The names of key
frames are global on a page, so they get the class as a prefix, wherever the style sheet uses them. `:root` and `:host`
at the start of a selector would match nothing inside. They become `&`, which is the widget's own element.
"""

from itertools import zip_longest

from awning.pipeline.style.css import CONDITIONS, MOST_LEVELS, Rule, Token, joined, rules, split

_FIRST = ("@charset", "@import", "@namespace")
_GLOBAL = (
    "@font-face",
    "@keyframes",
    "@property",
    "@counter-style",
    "@font-feature-values",
    "@font-palette-values",
    "@page",
)
_ANIMATES = ("animation", "animation-name", "-webkit-animation", "-webkit-animation-name")


def scope(css: str, root: str) -> str:
    """Return the style sheet with its rules inside the class `root`. The rules inside keep their line numbers."""
    sheet = rules(css)
    renamed = _renamed(sheet, root)
    first = "".join(rule.text.strip() for rule in sheet if _stays_first(rule))
    outside = "".join(_global_css(rule, renamed) for rule in sheet)
    inside = "".join(_nested_css(rule, renamed) for rule in sheet)
    wrapped = f".{root}{{{inside}}}" if inside.strip() else ""
    return f"{first}{wrapped}{outside}"


def _stays_first(rule: Rule) -> bool:
    return rule.at in _FIRST or (rule.at == "@layer" and not rule.block)


def _global_css(rule: Rule, renamed: dict[str, str], level: int = 0) -> str:
    """Return the part of a statement that cannot be nested, with the `@media` around it; empty without such a part."""
    if rule.at in _GLOBAL:
        if rule.at != "@keyframes":
            return rule.text.strip()
        prelude = "".join(renamed.get(t.text, t.text) if t.kind == "name" else t.text for t in rule.prelude)
        return f"{prelude.strip()}{{{joined(rule.inside)}}}"
    if rule.at in CONDITIONS and rule.block and level < MOST_LEVELS:
        inner = "".join(_global_css(child, renamed, level + 1) for child in split(rule.inside))
        return f"{joined(rule.prelude).strip()}{{{inner}}}" if inner else ""
    return ""


def _nested_css(rule: Rule, renamed: dict[str, str], level: int = 0) -> str:
    if _stays_first(rule) or rule.at in _GLOBAL:
        return "\n" * rule.text.count("\n")
    if rule.at in CONDITIONS and rule.block and level < MOST_LEVELS:
        inner = "".join(_nested_css(child, renamed, level + 1) for child in split(rule.inside))
        return f"{joined(rule.prelude)}{{{inner}}}" if inner.strip() else "\n" * rule.text.count("\n")
    if rule.at or not rule.block:
        return rule.text
    return f"{_own_element(rule.prelude)}{{{_used(rule.inside, renamed)}}}"


def _renamed(sheet: list[Rule], root: str, level: int = 0) -> dict[str, str]:
    """Return the name on the page of each `@keyframes`, by its name in the style sheet."""
    names: dict[str, str] = {}
    for rule in sheet:
        if rule.at == "@keyframes":
            names |= {token.text: f"{root}-{token.text}" for token in rule.prelude if token.kind == "name"}
        elif rule.at in CONDITIONS and rule.block and level < MOST_LEVELS:
            names |= _renamed(split(rule.inside), root, level + 1)
    return names


def _used(inside: list[Token], renamed: dict[str, str]) -> str:
    """Return the text of declarations, with key frames renamed in animations and in custom properties."""
    if not renamed:
        return joined(inside)
    out: list[str] = []
    current = ""
    value = False
    for token in inside:
        if token.kind == "other" and token.text in "{};":
            current, value = "", False
        elif token.kind == "other" and token.text == ":" and not value:
            value = current.lower() in _ANIMATES or current.startswith("--")
        elif token.kind == "name" and not value:
            current = token.text
        use = value and token.kind == "name"
        out.append(renamed.get(token.text, token.text) if use else token.text)
    return "".join(out)


def _own_element(prelude: list[Token]) -> str:
    """Return the selector list, with `&` in place of a leading `:root` or `:host`."""
    out: list[str] = []
    begins = True
    rest = iter(zip_longest(prelude, prelude[1:]))
    for token, following in rest:
        pair = token.text + (following.text if following else "")
        if begins and pair.lower() in (":root", ":host"):
            out.append("&")
            next(rest)
        else:
            out.append(token.text)
        if token.kind not in ("space", "comment"):
            begins = token.text == ","
    return "".join(out)

"""A style sheet without comments and needless blanks, for a shadow root: it travels as a string in the script."""

from awning.pipeline.style.tokens import tokens

_TIGHT = "{};,"


def compact(css: str) -> str:
    """The same rules. Blanks stay wherever they could mean something (`a :hover`, `1px + 2px`)."""
    out: list[str] = []
    for token in tokens(css):
        last = out[-1][-1:] if out else ""
        if token.kind in ("space", "comment"):
            if last and last not in _TIGHT + " ":
                out.append(" ")
        elif token.kind == "other" and token.text in _TIGHT:
            while out and out[-1] in (" ", ";") and (out[-1] == " " or token.text == "}"):
                out.pop()
            out.append(token.text)
        else:
            out.append(token.text)
    return "".join(out).strip()

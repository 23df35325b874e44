"""The text that ends what a piece of HTML leaves open, for tests that make HTML of random pieces."""

from awning.template.html.html_context import HtmlContext, TokenizerState

_TEXTS = (TokenizerState.RCDATA, TokenizerState.RAWTEXT, TokenizerState.STYLE, TokenizerState.SCRIPT)
_ENDS = {
    TokenizerState.TAG_OPEN: " ",
    TokenizerState.END_TAG_OPEN: "p>",
    TokenizerState.COMMENT: "-->",
    TokenizerState.DECLARATION: "x",
}


def is_open(context: HtmlContext) -> bool:
    return context.state is not TokenizerState.TEXT or bool(context.foreign) or context.select


def end_of(context: HtmlContext) -> str:
    """Return what ends the innermost thing that is open."""
    if context.state is TokenizerState.TEXT:
        return f"</{context.foreign[-1]}>" if context.foreign else "</select>"
    if context.state in _TEXTS:
        return f"</{context.element}>"
    return _ENDS.get(context.state, f"{context.quote}>")

"""A refused construct, before it has a file and a line.

The machine sees pieces of text, not files: the compiler turns an `HtmlFault` into a `Diagnostic` by adding the
offset to the place where the piece began. Rule ids are the names of pages in docs/rules.
"""


class HtmlFault(Exception):
    """The author wrote what cannot be escaped or must not be written. `offset` counts into the piece fed."""

    def __init__(self, rule: str, message: str, hint: str, offset: int = 0) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.hint = hint
        self.offset = offset

    def at(self, offset: int) -> "HtmlFault":
        """The same fault further into the text."""
        return HtmlFault(self.rule, self.message, self.hint, offset)

"""The pseudo-language: the default language's messages in changed letters, for tests and the dev shop.

It is never published.

Its texts have accents and brackets and are about 35 % longer: `Arrives {date}` becomes `⟦Ååŕŕîvéš {date}⟧`. So a text
that does not come from the messages is easy to see, and a layout without room for a longer language breaks. Arguments,
markup and plural forms are unchanged. The code, such as `en-XA`, follows CLDR; plural rules and formats are those of
the default language.
"""

import re
from dataclasses import replace
from types import MappingProxyType

from awning.workspace.model import Message, Widget, Workspace

LONGER = 0.35
_VOWELS = frozenset("aeiouyåéîöûýAEIOUYÅÉÎÖÛÝāēīūĀĒĪŪäöüÄÖÜ")
_ACCENTED = str.maketrans(
    "abcdefghijklmnoprstuwyzABCDEFGHIJKLMNOPRSTUWYZ",
    "åƀçðéƒğĥîĵķļɱñöþŕšţûŵýžÅƁÇÐÉƑĞĤÎĴĶĻṀÑÖÞŔŠŢÛŴÝŽ",
)
_UNCHANGED = re.compile(r"(\{\s*[A-Za-z_]\w*\s*\}|</?[A-Za-z][^<>]*>|&(?:#\w+|\w+);)")
"""Matches an argument, a tag or a character reference, which are not changed."""


def pseudo_code(language: str) -> str:
    """Return the code of the pseudo-language for `language`: `en` -> `en-XA`."""
    return f"{re.split('[-_]', language)[0]}-XA"


def pseudo_text(text: str) -> str:
    """Return the text with accents and brackets, about 35 % longer. A blank text is returned unchanged."""
    if not text.strip():
        return text
    pieces = _UNCHANGED.split(text)
    plain = pieces[::2]
    missing = max(0, round(LONGER * sum(map(len, plain))) - 2)
    for number, piece in enumerate(plain):
        longer = _double_vowels(piece, missing)
        missing -= len(longer) - len(piece)
        pieces[2 * number] = longer.translate(_ACCENTED)
    return f"⟦{''.join(pieces)}{'~' * missing}⟧"


def _double_vowels(piece: str, most: int) -> str:
    """Return the piece with its first vowels doubled, at most `most` of them."""
    letters: list[str] = []
    for letter in piece:
        double = most > 0 and letter in _VOWELS
        letters.append(letter + letter.lower() if double else letter)
        most -= double
    return "".join(letters)


def pseudo_message(message: Message) -> Message:
    if isinstance(message, str):
        return pseudo_text(message)
    return {category: pseudo_text(text) for category, text in message.items()}


def pseudo_workspace(workspace: Workspace) -> Workspace:
    """Return the same workspace with the pseudo-language as its only language."""
    language = pseudo_code(workspace.languages[0])
    widgets = tuple(_pseudo_widget(widget, workspace.languages[0], language) for widget in workspace.widgets)
    return replace(workspace, languages=(language,), widgets=widgets)


def _pseudo_widget(widget: Widget, default: str, language: str) -> Widget:
    """Return the widget in the pseudo-language.

    Its texts come from the default language, else from its first language.
    """
    texts = widget.messages.get(default) or next(iter(widget.messages.values()), None)
    messages = {} if texts is None else {language: {key: pseudo_message(text) for key, text in texts.items()}}
    return replace(widget, languages=(language,), messages=MappingProxyType(messages))

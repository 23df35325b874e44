"""The pseudo-language: made of the default language's messages for tests and the dev shop, never shipped.

Its texts are accented, about 35 % longer and bracketed: `Arrives {date}` is `⟦Ååŕŕîvéš {date}⟧`. So a text that is not
in the messages stands out, and a layout with no room for a longer language breaks. Arguments, markup and plural forms
stay. Its code, such as `en-XA`, is CLDR's way to name one; plural rules and formats are the default language's own.
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
_KEPT = re.compile(r"(\{\s*[A-Za-z_]\w*\s*\}|</?[A-Za-z][^<>]*>|&(?:#\w+|\w+);)")
"""An argument, a tag, a character reference."""


def pseudo_code(language: str) -> str:
    """The pseudo-language that is made of `language`: `en` -> `en-XA`."""
    return f"{re.split('[-_]', language)[0]}-XA"


def pseudo_text(text: str) -> str:
    """Accented, longer, in brackets; an empty text stays empty."""
    if not text.strip():
        return text
    pieces = _KEPT.split(text)
    plain = pieces[::2]
    wanted = max(0, round(LONGER * sum(map(len, plain))) - 2)
    for number, piece in enumerate(plain):
        stretched = _stretched(piece, wanted)
        wanted -= len(stretched) - len(piece)
        pieces[2 * number] = stretched.translate(_ACCENTED)
    return f"⟦{''.join(pieces)}{'~' * wanted}⟧"


def _stretched(piece: str, most: int) -> str:
    """Vowels doubled, `most` of them."""
    out: list[str] = []
    for letter in piece:
        double = most > 0 and letter in _VOWELS
        out.append(letter + letter.lower() if double else letter)
        most -= double
    return "".join(out)


def pseudo_message(message: Message) -> Message:
    if isinstance(message, str):
        return pseudo_text(message)
    return {category: pseudo_text(text) for category, text in message.items()}


def pseudo_workspace(workspace: Workspace) -> Workspace:
    """The same workspace in the pseudo-language alone."""
    language = pseudo_code(workspace.languages[0])
    widgets = tuple(_pseudo_widget(widget, workspace.languages[0], language) for widget in workspace.widgets)
    return replace(workspace, languages=(language,), widgets=widgets)


def _pseudo_widget(widget: Widget, default: str, language: str) -> Widget:
    """A widget that does not have the default language is made of its own first one."""
    texts = widget.messages.get(default) or next(iter(widget.messages.values()), None)
    made = {} if texts is None else {language: {key: pseudo_message(text) for key, text in texts.items()}}
    return replace(widget, languages=(language,), messages=MappingProxyType(made))

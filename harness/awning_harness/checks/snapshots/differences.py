"""Describes the differences between two structures: which nodes moved, appeared, vanished or changed.

The nodes in one container are matched first by their name and all their texts, then by their name alone. So if a row of
a list is removed, exactly this row is reported. A difference of one pixel is ignored, because other machines round
fonts and fractions differently.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import takewhile, zip_longest

from awning_harness.checks.snapshots.appearance import SeenNode, Structure

TOLERANCE_PX = 1
LONGEST_TEXT = 48

INHERITED = frozenset({"color", "font", "spacing", "align", "transform", "direction", "visibility"})
"""The properties that a node inherits from its container unless it has its own value (as in `capture.js`)."""

WORDS = {
    "color": "colour",
    "align": "text alignment",
    "spacing": "letter spacing",
    "transform": "text transform",
    "radius": "corner radius",
    "image": "background picture",
    "decoration": "text decoration",
    "before": "text before it",
    "after": "text after it",
    "marker": "list marker",
}
"""The names of properties in sentences. A property that is not listed here is named as in the structure."""

ABSENT = {
    "opacity": "1",
    "spacing": "normal",
    "radius": "0px",
    "visibility": "visible",
    "direction": "ltr",
    "align": "start",
    "overflow": "visible",
}
"""The value of a property that a structure leaves out. It is `none` for a property that is not listed here."""

CAUSE, CONSEQUENCE = range(2)
Sentence = tuple[int, str]
"""The rank of a sentence (CAUSE is before CONSEQUENCE), and its text."""
Pair = tuple[SeenNode | None, SeenNode | None]


@dataclass(frozen=True, slots=True)
class Names:
    """The names of nodes in sentences. A name that is not unique is followed by the node's text."""

    counts: Counter[str]

    @classmethod
    def of(cls, *structures: Structure) -> "Names":
        """Count the nodes of each name. The count is that of the structure with the most nodes of this name."""
        counts: Counter[str] = Counter()
        for structure in structures:
            counts |= Counter(node.name for node in _walk(structure))
        return cls(counts)

    def name(self, node: SeenNode) -> str:
        if node.is_text:
            return f"the text {_short(node.name)}"
        words = node.words
        return f"{node.name} ({_short(words)})" if self.counts[node.name] > 1 and words else node.name


def describe_differences(before: Structure, after: Structure) -> list[str]:
    """Return a sentence for each node that differs, in the order of the page. Empty when nothing differs.

    Nodes that only moved or changed their size come last, because most of them follow from another change.
    """
    if before and not after:
        return [f"the block vanished; it showed {_short(' '.join(node.words for node in before))}"]
    if after and not before:
        return [f"the block appeared; it shows {_short(' '.join(node.words for node in after))}"]
    names = Names.of(before, after)
    sentences = _compare(_resolve(before, {}), _resolve(after, {}), None, names)
    return [text for _, text in sorted(sentences, key=lambda sentence: sentence[0])]


def _resolve(structure: Structure, outer: Mapping[str, str]) -> Structure:
    """Return the structure with its inherited properties written out in each node."""

    def resolved(node: SeenNode) -> SeenNode:
        inherited = {key: value for key, value in outer.items() if key in INHERITED}
        properties = node.properties if node.is_text else {**inherited, **node.properties}
        return replace(node, properties=properties, children=_resolve(node.children, properties))

    return tuple(resolved(node) for node in structure)


def _compare(
    before: Structure, after: Structure, outer: tuple[SeenNode, SeenNode] | None, names: Names
) -> Iterator[Sentence]:
    pairs = list(match_nodes(before, after))
    where = names.name(outer[1]) if outer else "the slot"
    reordered = _reordered(pairs)
    movements = [_movement(old, new) if old and new else None for old, new in pairs]
    for index, (old, new) in enumerate(pairs):
        if old is not None and new is not None:
            yield from _changes(old, new, outer, names, _movement_words(movements, index))
            yield from _compare(old.children, new.children, (old, new), names)
        elif old is not None and _identity(old) not in reordered:
            yield CAUSE, f"{names.name(old)} vanished from {where}{_words_of(old, names)}"
        elif new is not None and _identity(new) in reordered:
            yield CAUSE, f"{names.name(new)} has another place in the order of {where}"
        elif new is not None:
            yield CAUSE, f"{names.name(new)} appeared in {where}{_words_of(new, names)}"


def _reordered(pairs: Sequence[Pair]) -> set[str]:
    """Return the identities of the nodes that are in both structures, but in another order."""
    olds = {_identity(old) for old, new in pairs if old is not None and new is None}
    return olds & {_identity(new) for old, new in pairs if new is not None and old is None}


def _words_of(node: SeenNode, names: Names) -> str:
    words = node.words
    return f" with {_short(words)}" if words and not node.is_text and names.counts[node.name] < 2 else ""  # noqa: PLR2004


def match_nodes(before: Structure, after: Structure) -> Iterator[Pair]:
    """Yield pairs of matching nodes of both structures, in order. A node without a match is paired with None."""
    for olds, news in _match(before, after, _identity):
        if _equal_keys(olds, news, _identity):
            yield from zip(olds, news, strict=True)
            continue
        for old_part, new_part in _match(olds, news, _kind):
            if _equal_keys(old_part, new_part, _kind):
                yield from zip(old_part, new_part, strict=True)
            else:
                yield from ((old, None) for old in old_part)
                yield from ((None, new) for new in new_part)


def _match(
    before: Sequence[SeenNode], after: Sequence[SeenNode], key: Callable[[SeenNode], str]
) -> Iterator[tuple[Sequence[SeenNode], Sequence[SeenNode]]]:
    matcher = SequenceMatcher(
        None, [key(node) for node in before], [key(node) for node in after], autojunk=False
    )
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        yield before[start:end], after[new_start:new_end]


def _equal_keys(olds: Sequence[SeenNode], news: Sequence[SeenNode], key: Callable[[SeenNode], str]) -> bool:
    return all(
        old is not None and new is not None and key(old) == key(new) for old, new in zip_longest(olds, news)
    )


def _identity(node: SeenNode) -> str:
    return f"{node.name} {node.words}"


def _kind(node: SeenNode) -> str:
    return '"' if node.is_text else node.name


def _changes(
    old: SeenNode, new: SeenNode, outer: tuple[SeenNode, SeenNode] | None, names: Names, movement: str
) -> Iterator[Sentence]:
    """Yield one sentence with the differences between two matched nodes, or nothing if there are none.

    For a text that has changed, only the text is named. A change that the nodes inherit from `outer` is left out.
    """
    if new.is_text and old.name != new.name:
        yield CAUSE, f"the text {_short(old.name)} is now {_short(new.name)}"
        return
    keys = dict.fromkeys([*old.properties, *new.properties])
    changes = [fact for key in keys for fact in _property_words(key, old, new, outer)]
    facts = [*_size_words(old, new), *changes]
    subject = f"{names.name(new)}{movement}"
    if movement or facts:
        text = "; ".join([subject, *facts]) if movement else f"{subject}: {'; '.join(facts)}"
        yield (CAUSE if changes else CONSEQUENCE), text


def _movement(old: SeenNode, new: SeenNode) -> tuple[int, int] | None:
    dx, dy = new.box.x - old.box.x, new.box.y - old.box.y
    return (dx, dy) if max(abs(dx), abs(dy)) > TOLERANCE_PX else None


def _movement_words(movements: Sequence[tuple[int, int] | None], index: int) -> str:
    """Return the movement of a node, with the number of nodes after it that moved just as far.

    Empty when it did not move, or moved with the node before it.
    """
    movement = movements[index]
    if movement is None or (index and movements[index - 1] == movement):
        return ""
    dx, dy = movement
    parts = [f"{abs(dx)} px {'right' if dx > 0 else 'left'}"] if abs(dx) > TOLERANCE_PX else []
    parts += [f"{abs(dy)} px {'down' if dy > 0 else 'up'}"] if abs(dy) > TOLERANCE_PX else []
    followers = len(list(takewhile(lambda other: other == movement, movements[index + 1 :])))
    behind = f" and {followers} more behind it" if followers else ""
    return f"{behind} moved {' and '.join(parts)}"


def _size_words(old: SeenNode, new: SeenNode) -> Iterator[str]:
    """Yield a phrase for the width and one for the height of an element, each only if it changed.

    A text gets none, because its size follows from its words and its font.
    """
    for side in () if new.is_text else ("width", "height"):
        was, now = getattr(old.box, side), getattr(new.box, side)
        if abs(was - now) > TOLERANCE_PX:
            yield f"its {side} was {was} px, is {now} px"


def _property_words(
    key: str, old: SeenNode, new: SeenNode, outer: tuple[SeenNode, SeenNode] | None
) -> Iterator[str]:
    """Yield a phrase if a property has changed, unless the node only inherits the change from its container."""
    was, now = old.properties.get(key), new.properties.get(key)
    around = (outer[0].properties.get(key), outer[1].properties.get(key)) if outer else None
    if was == now or (key in INHERITED and (was, now) == around):
        return
    if key == "drawing":
        yield "its drawing is another"
    else:
        absent = ABSENT.get(key, "none")
        yield f"its {WORDS.get(key, key)} was {was or absent}, is {now or absent}"


def _walk(structure: Structure) -> Iterator[SeenNode]:
    for node in structure:
        yield node
        yield from _walk(node.children)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"

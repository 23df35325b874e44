"""TypeScript's problems about members that an object does not have, as findings about payloads and data.

They come from a script, and from its text with additions. All other problems in that text are those of the script
itself, or of the additions. In TypeScript, `payload-field` is left out where the script itself has a `type-error`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from awning.data_schema import DATA
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.script.file import ScriptFile
from awning.script.records import LABELS, OF_EVENTS, RECORDS, SHOWN, record_of
from awning.script.tree import Node
from awning.typescript.additions import Added, CheckedText, checked_text
from awning.typescript.project import MODULES
from awning.typescript.server import Problem

_CODES = frozenset({2339, 2551, 7053})
"""`Property 'x' does not exist on type 'Y'.`, with `Did you mean 'z'?`, and of a key in brackets."""
_MESSAGE = re.compile(r"Property '(.+?)' does not exist on type '(.+)'\.(?: Did you mean '.+'\?)?")

NO_DATA_TYPE = "DataOfNoType"
"""The type of `data` in a slot without a type argument."""
DATA_MODULE = "data.schema"

DataObjects = Mapping[str, tuple[str, tuple[str, ...]]]
"""The objects of a widget's data by the name of their type: the path of each, and its keys."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record of a payload, or an object of the data at the path `data_path`: what it is called, and its keys."""

    label: str
    keys: AbstractSet[str]
    data_path: str = ""

    def has_similar(self, name: str) -> bool:
        return did_you_mean(name, self.keys) is not None

    def lacks(self, name: str, place: Place, excerpt: str | None) -> Diagnostic:
        """Return the finding that the record has no such key."""
        return Diagnostic(
            rule="data-key" if self.data_path else "payload-field",
            message=f'{self.label} has no "{name}"',
            place=place,
            hint=did_you_mean(name, self.keys) or self._advice(name),
            severity=Severity.ERROR if self.data_path else Severity.WARNING,
            excerpt=excerpt,
        )

    def _advice(self, name: str) -> str:
        keys = ", ".join(sorted(self.keys))
        if not self.data_path:
            return f"the fields are {keys}"
        if keys:
            return f"data.schema.json has: {keys}"
        if self.data_path == DATA:
            return "describe it in data.schema.json, beside widget.ts: the widget has no settings yet"
        return f'add "{name}" to {self.data_path} in data.schema.json, which describes no properties there'


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberCheck:
    """A script, and what is known of its widget. `objects` are those of the widget's data.

    `own_types` returns the names of types that scripts of the widget declare, `line` the line of a place.
    """

    script: ScriptFile
    objects: DataObjects
    own_types: Callable[[], AbstractSet[str]]
    line: Callable[[Place], str | None]

    def findings(self, problems: Sequence[Problem], text: CheckedText | None = None) -> Iterator[Diagnostic]:
        """Yield a finding for each member that a record does not have.

        `text` is the text with additions in which the problems are; None if they are in the script itself.
        """
        script = self.script
        text = text or checked_text(script.code if script.is_markup else script.content, ())
        for problem in problems:
            first, *others = problem.message.splitlines()
            message = _MESSAGE.fullmatch((others[-1] if others else first).strip())
            if message is None or problem.code not in _CODES:
                continue
            record = self._record(message[2], message[1], is_one_of_several=" | " in first)
            if record is not None:
                piece, distance = text.at(problem.offset(text.content))
                if piece.added is not None:
                    yield from self._in_template(record, message[1], piece.added)
                elif not self._is_doubtful(message[1], piece.start + distance):
                    place = self.script.place(piece.start + distance)
                    yield record.lacks(message[1], place, self.line(place))

    def _record(self, type_: str, name: str, *, is_one_of_several: bool) -> Record | None:
        """Return the record of this type that has no such member; None if the type is none, or the author's own."""
        facts = self.script.facts
        if facts.broken:
            return None
        imports = [each for each in facts.imports if each.module not in MODULES]
        own = {name for each in imports if not each.module.endswith(DATA_MODULE) for name in each.locals}
        if type_.partition("<")[0] in own:
            return None
        if type_ in self.objects:
            path, keys = self.objects[type_]
            is_ours = name not in keys and type_.partition("<")[0] not in self.own_types()
            return Record(path, frozenset(keys), path) if is_ours else None
        record = record_of(type_, facts.calls.keys())
        if record is None or (record in OF_EVENTS and is_one_of_several):
            return None  # with several, the event is not known
        if type_.partition("<")[0] in self.own_types():
            return None
        known = RECORDS[record]
        return None if name in (SHOWN if record == "Item" else known) else Record(LABELS[record], known)

    def _in_template(self, record: Record, name: str, added: Added) -> Iterator[Diagnostic]:
        """Yield the finding about an attribute that a template reads.

        If the template does not need it, it is reported only if its name resembles a key that there is.
        """
        attribute = added.attribute
        if attribute is None or attribute.name != name or self._is_doubtful(name):
            return
        finding = record.lacks(name, attribute.place, self.line(attribute.place))
        if attribute.required:
            yield replace(finding, passed_at=(self.script.place(added.passed_at),))
        elif record.has_similar(name):
            yield finding

    def _is_doubtful(self, name: str, at: int | None = None) -> bool:
        """Return whether a JavaScript file may give its object a member, or its variable another object.

        `at` is the byte offset of the member's name where the script reads it; None if a template reads it.
        """
        if self.script.path.endswith(("ts", "tsx")):
            return False
        assigned: set[str] = set()
        variable = ""
        for node in self.script.tree.root.walk():
            if node.type in {"assignment_expression", "augmented_assignment_expression"}:
                left = node.fields["left"]
                assigned.update(kid.text for kid in (left.fields.get("property"), left) if kid is not None)
            key = node.fields.get("property") or node.fields.get("index")
            if key is not None and key.start == at:
                variable = _variable(node)
        return name in assigned or variable in assigned


def _variable(node: Node) -> str:
    """Return the name of the variable at the beginning of `item.variants[0].price`."""
    while inner := node.fields.get("object") or node.fields.get("function"):
        node = inner
    return node.text if node.type == "identifier" else ""

"""Plans each cell, from the journal alone or by reading the service (`refresh`). It never writes to the service.

A page shows the snippet of its language if there is one, else the website-wide one. So when all languages of a website
have a snippet, no page shows the website-wide one, and the plan says so.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from awning.client import Calling, apps, call
from awning.errors import ServiceError
from awning.publish.cell_flow import PublishFlow, read_snippet, same_in_page
from awning.publish.cell_outcome import Cause, Ending, ending_of
from awning.publish.cells import NOT_BUILT, NOT_USED, Cell, cells_of, skip_reason
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.journal.journal import CellRecord, Content, Journal
from awning.publish.ownership import FOREIGN, Ownership
from awning.publish.plan.planned_cell import Action, PlannedCell
from awning.publish.release.build_files import Build, Snippet, sha256_of

NOT_KNOWN = "what is there is not known; apply reads it before it writes"
HIDDEN = "no page shows it: each language of the website has its own snippet"
EMPTY = sha256_of("")
_ORDER = (Action.CONFLICT, Action.WRITE, Action.ADOPT, Action.UNCHANGED)
"""A cell's action is the first of these that applies to one of its snippets."""

Records = Mapping[str | None, CellRecord]
"""The journal's records of an instance's cells, by language."""


def plan_by_journal(
    pages: Iterable[Sequence[Instance]],
    build_of: Callable[[Instance], Build],
    journal: Journal,
    ownership: Ownership,
) -> Iterator[PlannedCell]:
    """Plan all cells of all instances from the journal and the inventory."""
    for page in pages:
        records = journal.records([instance.key for instance in page])
        for instance in page:
            known = records.get(instance.key, {})
            cells = cells_of(instance, build_of(instance), instance.website_languages)
            if instance.website_languages is None:
                cells = (*cells, *_left_behind(instance, cells, known))
            planned = [_by_journal(cell, known.get(cell.language), ownership) for cell in cells]
            yield from with_layers(planned, instance.website_languages, known)


class RefreshWork:
    """Plans cells by reading them. `sink` gets each instance with its planned cells, in their order.

    It stores the languages of each website in the inventory, for later plans from the journal.
    """

    def __init__(
        self,
        *,
        build_of: Callable[[Instance], Build],
        journal: Journal,
        inventory: Inventory,
        ownership: Ownership,
        calling: Calling,
        sink: Callable[[Instance, Sequence[PlannedCell]], object],
    ) -> None:
        self._build_of = build_of
        self._journal = journal
        self._inventory = inventory
        self._ownership = ownership
        self._calling = calling
        self._sink = sink
        self._records: dict[str, Records] = {}
        self._languages: dict[str, Sequence[str]] = {}
        self._planned: dict[str, list[PlannedCell]] = {}

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        self._begin(instance)
        website = yield from call(apps.languages(instance.code), self._calling)
        self._languages[instance.key] = website
        return cells_of(instance, self._build_of(instance), website)

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        self._begin(instance)
        return cells_of(instance, self._build_of(instance), instance.website_languages)

    def cell(self, cell: Cell) -> PublishFlow[PlannedCell]:
        record = self._records[cell.instance.key].get(cell.language)
        actions: list[Action] = []
        for snippet in cell.snippets:
            try:
                text = yield from read_snippet(cell, snippet.place, self._calling)
            except ServiceError as problem:
                return _unread(cell, record, ending_of(problem))
            content = record.contents.get(snippet.place) if record else None
            actions.append(_judge_text(text, snippet, content, self._ownership))
        return _planned(cell, record, actions)

    def ended(self, cell: Cell, result: PlannedCell) -> None:
        self._planned[cell.instance.key].append(result)

    def not_run(self, cell: Cell, ending: Ending) -> None:
        record = self._records[cell.instance.key].get(cell.language)
        self.ended(cell, _unread(cell, record, ending))

    def instance_ended(self, instance: Instance) -> None:
        planned, known = self._planned.pop(instance.key), self._records.pop(instance.key)
        languages = self._languages.pop(instance.key, None)
        if languages is None:
            languages = instance.website_languages
        elif tuple(languages) != instance.website_languages:
            self._inventory.set_websites([replace(instance, website_languages=tuple(languages))])
        self._sink(instance, list(with_layers(planned, languages, known)))

    def _begin(self, instance: Instance) -> None:
        self._records[instance.key] = self._journal.records([instance.key]).get(instance.key, {})
        self._planned[instance.key] = []


def with_layers(
    planned: Sequence[PlannedCell], languages: Sequence[str] | None, known: Records
) -> Iterator[PlannedCell]:
    """Yield the planned cells of one instance.

    If all languages of the website have their own snippet, or get one in this plan, a write of the website-wide cell
    gets the reason HIDDEN.
    """
    published = {cell.language for cell in planned if cell.action is not Action.SKIP}
    published |= {language for language, record in known.items() if _is_set(record)}
    is_hidden = bool(languages) and set(languages or ()) <= published
    for cell in planned:
        if cell.language is None and cell.action is Action.WRITE and is_hidden:
            yield replace(cell, reason=HIDDEN)
        else:
            yield cell


def _left_behind(instance: Instance, cells: Sequence[Cell], known: Records) -> Iterator[Cell]:
    """Yield a skipped cell for each language that is in none of `cells`, and has a snippet of ours."""
    listed = {None, *(cell.language for cell in cells)}
    for language, record in known.items():
        if language not in listed and record.has_ours:
            yield Cell(instance=instance, language=language, skip=NOT_BUILT)


def _is_set(record: CellRecord) -> bool:
    body = record.contents.get("body")
    return body is not None and body.is_known and body.sha256 not in {None, EMPTY}


def _by_journal(cell: Cell, record: CellRecord | None, ownership: Ownership) -> PlannedCell:
    if cell.skip is not None:
        return _skipped(cell, record, cell.skip)
    if record is not None and record.outcome == "skipped" and record.note == NOT_USED:
        return _skipped(cell, record, NOT_USED)
    contents = record.contents if record else {}
    actions = [_judge_content(contents.get(s.place), s, ownership) for s in cell.snippets]
    is_known = all(s.place in contents and contents[s.place].is_known for s in cell.snippets)
    return _planned(cell, record, actions, reason=None if is_known else NOT_KNOWN)


def _judge_content(content: Content | None, wanted: Snippet, ownership: Ownership) -> Action:
    if content is None or not content.is_known:
        return Action.WRITE
    if content.sha256 == wanted.sha256:
        return Action.UNCHANGED
    is_nobodys = content.sha256 in {None, EMPTY} or content.sha256 in ownership.replaceable
    return Action.WRITE if is_nobodys or ownership.overwrite_foreign else Action.CONFLICT


def _judge_text(text: str | None, wanted: Snippet, content: Content | None, ownership: Ownership) -> Action:
    if text is not None and same_in_page(text, wanted.text):
        is_known = content is not None and content.is_known and content.sha256 == wanted.sha256
        return Action.UNCHANGED if is_known else Action.ADOPT
    return Action.WRITE if ownership.may_replace(text) else Action.CONFLICT


def _planned(
    cell: Cell, record: CellRecord | None, actions: Sequence[Action], *, reason: str | None = None
) -> PlannedCell:
    action = next(action for action in _ORDER if action in actions)
    writes_first = False
    if action is Action.CONFLICT:
        reason = FOREIGN
        writes_first = Action.WRITE in actions[: actions.index(Action.CONFLICT)]
    return _with_record(cell, record, action, reason, writes_first=writes_first)


def _skipped(cell: Cell, record: CellRecord | None, reason: str) -> PlannedCell:
    return _with_record(cell, record, Action.SKIP, skip_reason(reason, record))


def _with_record(
    cell: Cell, record: CellRecord | None, action: Action, reason: str | None, *, writes_first: bool = False
) -> PlannedCell:
    return PlannedCell(
        instance=cell.instance.display_name,
        key=cell.instance.key,
        language=cell.language,
        action=action,
        reason=reason,
        seq=record.seq if record else 0,
        stamp=cell.instance.stamp,
        pinned=cell.instance.pinned,
        writes_first=writes_first,
    )


def _unread(cell: Cell, record: CellRecord | None, ending: Ending) -> PlannedCell:
    """Return the plan of a cell that is skipped or could not be read."""
    if cell.skip is not None:
        return _skipped(cell, record, cell.skip)
    planned = _skipped(cell, record, f"it could not be read: {ending.reason}")
    return replace(planned, cause=ending.cause or Cause.OTHER)

"""Plans each cell of an apply, from the journal alone or by reading the service (`refresh`), or of a rollback.

It never writes to the service.

A page shows the snippet of its language if there is one, else the website-wide one. So when all languages of a website
have a snippet, no page shows the website-wide one, and the plan says so.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from awning.client import Calling, apps, call
from awning.data_schema import Misfit, SchemaPart
from awning.errors import ServiceError
from awning.publish.cell_flow import PublishFlow, read_snippet, same_in_page
from awning.publish.cell_outcome import Cause, Ending, ending_of
from awning.publish.cells import (
    FOREIGN,
    NOT_BUILT,
    NOT_USED,
    Cell,
    Ownership,
    cells_of,
    skip_reason,
    with_records,
)
from awning.publish.data.checking import checked_data
from awning.publish.data.migrating import CANNOT, MigrationChange
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import CellRecord, Content, Journal
from awning.publish.plan.planned_cell import Action, DataAction, PlannedCell, PlannedMigration
from awning.publish.release.build_files import Build, Snippet, sha256_of
from awning.publish.rollback import DATA_FIRST, RollbackCells
from awning.publish.runner import CellWork
from awning.publish.stores import Stores
from awning.publish.text_difference import Differences, TextDifference

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
    *,
    differences: Differences | None = None,
    text: Callable[[str], str | None] = lambda _sha256: None,
) -> Iterator[PlannedCell]:
    """Plan all cells of all instances from the journal and the inventory.

    With `differences`, each cell has how it differs; `text` returns the text with a hash.
    """
    for page in pages:
        records = journal.records([instance.key for instance in page])
        for instance in page:
            known = records.get(instance.key, {})
            cells = cells_of(instance, build_of(instance), instance.website_languages)
            if instance.website_languages is None:
                cells = (*cells, *_left_behind(instance, cells, known))
            planned = [
                _by_journal(cell, ownership, _differing_by_journal(cell, differences, text))
                for cell in with_records(cells, known)
            ]
            yield from with_layers(planned, instance.website_languages, known)


class PlanWork(CellWork[PlannedCell]):
    """Plans cells by reading them."""

    def __init__(
        self, calling: Calling, ownership: Ownership, differences: Differences | None = None
    ) -> None:
        self.calling = calling
        self.ownership = ownership
        self._differences = differences

    def cell(self, cell: Cell) -> PublishFlow[PlannedCell]:
        actions: list[Action] = []
        differing: list[TextDifference] = []
        for snippet in cell.snippets:
            try:
                text = yield from read_snippet(cell, snippet.place, self.calling)
            except ServiceError as problem:
                return self.not_run(cell, ending_of(problem))
            actions.append(_judge_text(text, snippet, cell.record, self.ownership))
            if self._differences is not None and actions[-1] in {Action.CONFLICT, Action.WRITE}:
                release = cell.instance.pinned
                difference = self._differences.of(snippet.place, text, snippet.text, wanted_release=release)
                differing += [difference] if difference else []
            if actions[-1] is Action.CONFLICT:
                break
        planned = planned_cell(cell, actions)
        return planned if self._differences is None else replace(planned, differences=tuple(differing))

    def not_run(self, cell: Cell, ending: Ending) -> PlannedCell:
        if cell.skip is not None:
            return skipped_cell(cell, cell.skip)
        planned = skipped_cell(cell, f"it could not be read: {ending.reason}")
        return replace(planned, cause=ending.cause or Cause.OTHER)


class RefreshWork(PlanWork):
    """Plans an apply. `sink` gets the planned cells of each instance, in their order.

    `schema_of` returns the schema of the settings that an instance's build reads. Where it has settings, the app data
    are read, and compared with it: a newer build may not understand what a shop has stored. Where the build migrates
    them, that is tried.

    It stores the languages of each website in the inventory, for later plans from the journal.
    """

    def __init__(
        self,
        stores: Stores,
        build_of: Callable[[Instance], Build],
        calling: Calling,
        ownership: Ownership,
        sink: Callable[[Sequence[PlannedCell]], object],
        *,
        schema_of: Callable[[Instance], SchemaPart],
        differences: Differences | None = None,
    ) -> None:
        super().__init__(calling, ownership, differences)
        self._schema_of = schema_of
        self._misfits: dict[str, tuple[Misfit, ...]] = {}
        self._planned: dict[str, PlannedMigration] = {}
        self._migration = MigrationChange(
            migration_of=lambda instance: build_of(instance).migration, journal=stores.journal
        )
        self._stores = stores
        self._build_of = build_of
        self._sink = sink
        self._records: dict[str, Records] = {}
        self._languages: dict[str, Sequence[str]] = {}

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        website = yield from call(apps.languages(instance.code), self.calling)
        self._languages[instance.key] = website
        schema = self._schema_of(instance)
        if schema.properties:
            yield from self._look_at_data(instance, schema)
        return self._cells(instance, website)

    def _look_at_data(self, instance: Instance, schema: SchemaPart) -> PublishFlow[None]:
        """Read the app data of an instance, try to migrate them, and compare them with the schema."""
        migration = self._build_of(instance).migration
        migrates = migration is not None and migration.is_versioned
        check = yield from checked_data(instance, self._migration, schema, self.calling)
        if check.unmigrated is not None:
            planned = PlannedMigration(action=DataAction.FAIL, reason=check.unmigrated)
        elif check.error is not None:
            planned = PlannedMigration(action=DataAction.UNREAD, reason=check.error)
        else:
            planned = PlannedMigration(action=DataAction.MIGRATE if check.migrates else DataAction.UNCHANGED)
        if migrates or check.unmigrated is not None:
            self._planned[instance.key] = planned
        self._misfits[instance.key] = check.misfits

    def cell(self, cell: Cell) -> PublishFlow[PlannedCell]:
        planned = self._planned.get(cell.instance.key)
        if planned is not None and planned.action is DataAction.FAIL:
            return plan_of(cell, Action.REFUSE, CANNOT.format(planned.reason))
        if planned is not None and planned.action is DataAction.UNREAD:
            return skipped_cell(cell, f"its app data could not be read: {planned.reason}")
        return (yield from super().cell(cell))

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return self._cells(instance, instance.website_languages)

    def _cells(self, instance: Instance, website: Sequence[str] | None) -> Sequence[Cell]:
        known = self._records[instance.key] = self._stores.journal.cells(instance.key)
        return with_records(cells_of(instance, self._build_of(instance), website), known)

    def instance_ended(self, instance: Instance, results: Sequence[PlannedCell]) -> None:
        known, languages = self._records.pop(instance.key), self._languages.pop(instance.key, None)
        if languages is None:
            languages = instance.website_languages
        elif tuple(languages) != instance.website_languages:
            answered = replace(instance, website_languages=tuple(languages))
            self._stores.inventory.set_websites([answered])
        misfits, migration = self._misfits.pop(instance.key, ()), self._planned.pop(instance.key, None)
        planned = with_layers(results, languages, known)
        self._sink([replace(cell, misfits=misfits, migration=migration) for cell in planned])


class RollbackPlanWork(PlanWork):
    """Plans the rollback of each instance. `sink` gets the planned cells of each instance, in their order."""

    def __init__(
        self,
        cells: RollbackCells,
        calling: Calling,
        ownership: Ownership,
        sink: Callable[[Sequence[PlannedCell]], object],
    ) -> None:
        super().__init__(calling, ownership)
        self._cells = cells
        self._sink = sink

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        return [cell for cell in (yield from self._cells.of(instance)) if not cell.is_data]

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return self._cells.without_answer(instance)

    def cell(self, cell: Cell) -> PublishFlow[PlannedCell]:
        reason = self._cells.refusal(cell)
        if reason is not None:
            return plan_of(cell, Action.REFUSE, reason)
        planned = yield from super().cell(cell)
        release = self._cells.release_of(cell)
        match planned.action:
            case Action.ADOPT:
                return replace(planned, action=Action.UNCHANGED, release=release)
            case Action.WRITE:
                is_undone = cell.instance.key in self._cells.undo.schemas
                reason = DATA_FIRST if is_undone else self._cells.remark(cell)
                return replace(planned, reason=reason, release=release)
            case _:
                return planned

    def instance_ended(self, instance: Instance, results: Sequence[PlannedCell]) -> None:
        if instance.key in self._cells.undo.schemas:
            back = PlannedMigration(action=DataAction.BACK)
            results = [replace(cell, migration=back) for cell in results]
        self._sink(results)


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


def _differing_by_journal(
    cell: Cell, differences: Differences | None, text: Callable[[str], str | None]
) -> tuple[TextDifference, ...] | None:
    """Return how the places of a cell differ, by what the journal knows; None when nobody asked for it."""
    if differences is None:
        return None
    differing: list[TextDifference] = []
    for snippet in cell.snippets:
        content = cell.record.contents.get(snippet.place) if cell.record else None
        there = text(content.sha256) if content and content.is_known and content.sha256 else None
        if content is not None and content.sha256 is not None and there is None:
            continue  # what is there is not known, or its text is not kept any more
        release = cell.instance.pinned
        difference = differences.of(snippet.place, there, snippet.text, wanted_release=release)
        differing += [difference] if difference else []
    return tuple(differing)


def _by_journal(
    cell: Cell, ownership: Ownership, differing: tuple[TextDifference, ...] | None
) -> PlannedCell:
    record = cell.record
    if cell.skip is not None:
        return skipped_cell(cell, cell.skip)
    if record is not None and record.outcome == "skipped" and record.note == NOT_USED:
        return skipped_cell(cell, NOT_USED)
    contents = record.contents if record else {}
    actions = [_judge_content(contents.get(s.place), s, ownership) for s in cell.snippets]
    is_known = all(s.place in contents and contents[s.place].is_known for s in cell.snippets)
    planned = planned_cell(cell, actions, reason=None if is_known else NOT_KNOWN)
    return replace(planned, differences=differing)


def _judge_content(content: Content | None, wanted: Snippet, ownership: Ownership) -> Action:
    if content is None or not content.is_known:
        return Action.WRITE
    if content.sha256 == wanted.sha256:
        return Action.UNCHANGED
    is_nobodys = content.sha256 in {None, EMPTY} or content.sha256 in ownership.replaceable
    return Action.WRITE if is_nobodys or ownership.overwrite_foreign else Action.CONFLICT


def _judge_text(text: str | None, wanted: Snippet, record: CellRecord | None, ownership: Ownership) -> Action:
    """Return what happens to a place that holds `text`. Without a record, it need not be adopted."""
    if text is not None and same_in_page(text, wanted.text):
        content = record.contents.get(wanted.place) if record else None
        is_known = content is not None and content.is_known and content.sha256 == wanted.sha256
        return Action.UNCHANGED if is_known else Action.ADOPT
    return Action.WRITE if ownership.may_replace(text) else Action.CONFLICT


def planned_cell(cell: Cell, actions: Sequence[Action], *, reason: str | None = None) -> PlannedCell:
    """Return the plan of a cell by what happens to its snippets. `actions` are in the order of the snippets."""
    action = next(action for action in _ORDER if action in actions)
    if action is not Action.CONFLICT:
        return plan_of(cell, action, reason)
    writes_first = Action.WRITE in actions[: actions.index(action)]
    return replace(plan_of(cell, action, FOREIGN), writes_first=writes_first)


def skipped_cell(cell: Cell, reason: str) -> PlannedCell:
    return plan_of(cell, Action.SKIP, skip_reason(reason, cell.record))


def plan_of(cell: Cell, action: Action, reason: str | None) -> PlannedCell:
    return PlannedCell(
        instance=cell.instance.display_name,
        key=cell.instance.key,
        language=cell.language,
        action=action,
        reason=reason,
        seq=cell.record.seq if cell.record else 0,
        stamp=cell.instance.stamp,
        pinned=cell.instance.pinned,
    )

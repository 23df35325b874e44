"""Any history of builds, runs, foreign changes and faults keeps the publisher's promises.

A state machine of Hypothesis against a model of the service. The promises:

    each cell of a run ends once, and the outcomes add up
    `applied` and `unchanged` mean that the service has the wanted text
    a plan after an apply is empty, but for foreign content that the apply refused
    drift is what somebody else changed, and nothing else
    a rollback restores the bytes of before, and an apply after it restores the bytes of the build
    no older body replaces a newer one, and the journal's chain holds
"""

import shutil
import tempfile
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from listed_results import Listed
from model_service import CLEAR, EFFECTS, LATE, TIMEOUT_S, Died, ModelService, Weather, publishing_to
from plain_dist import write_dist
from volumes import volume

from awning.client import Limits, Retry, Secret, apps_access
from awning.contract import Exit
from awning.publish.cell_flow import same_in_page
from awning.publish.cell_outcome import CellOutcome
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.pacing import Pace
from awning.publish.plan.planned_cell import Action
from awning.publish.reading import find_drift, plan_apply
from awning.publish.release.build_files import read_files
from awning.publish.release.releases import Releases
from awning.publish.requests import PublishRequest, Rollback
from awning.publish.run import publish
from awning.publish.state.store import StateDir
from awning.publish.stores import Stores

CODES = ("code-a", "code-b", "code-c")
TEXTS = ("<b>1</b>", "<b>2</b>", "<b>3</b>\n", " <b>3</b>")
FOREIGN = (None, "", "<i>theirs</i>", "<i>theirs 2</i>", "<b>1</b>", " <b>2</b>\n")
LANGUAGES = (None, "lv", "en")
RIGHT = {CellOutcome.APPLIED, CellOutcome.UNCHANGED}

builds = st.fixed_dictionaries(
    {None: st.sampled_from(TEXTS)}, optional={"lv": st.sampled_from(TEXTS), "en": st.sampled_from(TEXTS)}
) | st.fixed_dictionaries({"lv": st.sampled_from(TEXTS)}, optional={"en": st.sampled_from(TEXTS)})
weathers = st.builds(
    Weather,
    seed=st.integers(0, 1000),
    share=st.sampled_from([0.5, 0.1, 0.9]),
    kinds=st.sampled_from([EFFECTS, *((effect,) for effect in EFFECTS)]),
    spares_reads=st.booleans(),
    dies_at=st.none() | st.none() | st.integers(1, 25),
)
codes = st.sampled_from(CODES)
languages = st.sampled_from(LANGUAGES)


class Histories(RuleBasedStateMachine):
    """`right` are the cells that ended right in their last run, each with the text that the service had then."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.stack = ExitStack()
        self.stack.callback(shutil.rmtree, self.folder)
        self.state = StateDir(self.folder / "state")
        self.inventory = self.stack.enter_context(closing(Inventory.open(self.state)))
        self.right = {}

    def teardown(self):
        self.stack.close()

    @initialize(
        website=st.lists(
            st.lists(st.sampled_from(["lv", "en", "ru"]), unique=True),
            min_size=len(CODES),
            max_size=len(CODES),
        ),
        fallback=st.booleans(),
        snippets=builds,
    )
    def begin(self, website, fallback, snippets):
        self.service = ModelService(dict(zip(CODES, website, strict=True)), fallback=fallback)
        self.installed = dict(self.service.languages)
        self.stack.enter_context(publishing_to(self.service))
        self.inventory.put([self.inventory.instance(code) for code in CODES])
        self.key = {i.key: i.code.reveal() for i in self.inventory.all()}
        self.build(snippets)

    # What happens

    @rule(snippets=builds)
    def build(self, snippets):
        shutil.rmtree(self.folder / "dist", ignore_errors=True)
        write_dist(self.folder / "dist", snippets)
        self.files = read_files(self.folder / "dist")
        self.snippets = snippets

    @rule(weather=weathers, overwrite=st.booleans())
    def apply(self, weather, overwrite):
        self.run(weather, overwrite=overwrite, wanted=self.snippets)

    @rule(overwrite=st.booleans())
    def apply_in_clear_weather(self, overwrite):
        self.apply_clearly(overwrite)

    @rule(weather=weathers)
    def roll_back(self, weather):
        self.run(weather, rollback=Rollback(previous=True))

    @rule(weather=weathers)
    def roll_back_to_the_first_release(self, weather):
        with closing(Releases.open(self.state)) as releases:
            if not releases.all():
                return
            files = releases.files(1)
        self.run(weather, rollback=Rollback(previous=False), files=files)

    @rule(snippets=builds, way=st.sampled_from(["run", "previous"]), overwrite=st.booleans())
    def apply_and_take_back_and_apply_again(self, snippets, way, overwrite):
        self.build(snippets)
        run, before = self.apply_clearly(overwrite)
        rollback = Rollback(previous=True, before_run=run if way == "run" else None)
        after = dict(self.service.cells)
        written = self.written_in(run)
        _, results = self.run(CLEAR, rollback=rollback)
        for result in results:
            cell, ending = self.cell(result), result.ending
            if cell not in written or cell[0] not in self.service.languages:
                continue
            if ending.outcome in RIGHT:
                assert self.service.cells.get(cell) == before.get(cell)
            elif ending.reason == "nothing was set before":
                assert before.get(cell) in {None, before.get((cell[0], None)), after.get((cell[0], None))}
            else:
                assert ending.reason == "foreign content", ending
        self.run(CLEAR, wanted=self.snippets)

    @rule(snippets=builds, seed=st.integers(0, 100), kind=st.sampled_from(LATE), back=st.booleans())
    def write_late_and_publish_again(self, snippets, seed, kind, back):
        before = self.snippets
        self.build(snippets)
        self.run(Weather(seed=seed, share=0.8, kinds=(kind,), spares_reads=True), wanted=snippets)
        self.build(before)
        self.run(CLEAR, rollback=Rollback(previous=True) if back else None, wanted=None if back else before)
        self.land()

    @rule(code=codes, language=languages, text=st.sampled_from(FOREIGN))
    def change_by_hand(self, code, language, text):
        self.service.set_by_hand((code, language), text)

    @rule(code=codes)
    def remove_or_restore(self, code):
        instance = self.inventory.instance(code)
        listed = self.inventory.find(instance.code)
        if listed is None:
            self.inventory.restore(instance)
        else:
            self.inventory.remove(listed)

    @rule(code=codes)
    def uninstall_or_install(self, code):
        if code in self.service.languages:
            del self.service.languages[code]
        else:
            self.service.languages[code] = self.installed[code]

    @rule()
    def time_passes(self):
        self.land()

    # What is always true

    @rule()
    def compare(self):
        """Drift reports the cells that were right and that somebody else has changed since."""
        self.land()
        with Stores(self.state) as stores:
            drifted = {self.cell(drift): drift for drift in find_drift(self.request(), stores).drifts}
        listed = {instance.code.reveal() for instance in self.inventory.all()}
        for cell, wanted in self.right.items():
            if cell[0] in listed & set(self.service.languages):
                is_same = same_in_page(self.service.read(cell) or "", wanted)
                assert (cell in drifted) is not is_same, (cell, wanted, drifted.get(cell))

    @rule()
    def verify(self):
        with closing(Journal.open(self.state)) as journal:
            assert journal.verify() is None
            journal.check()

    @invariant()
    def no_older_body_replaces_a_newer_one(self):
        assert not hasattr(self, "service") or self.service.replaced == []

    # What the rules share

    def apply_clearly(self, overwrite):
        """Apply without faults. Returns the number of the run, and what the service had before."""
        self.land()
        before = dict(self.service.cells)
        summary, results = self.run(CLEAR, overwrite=overwrite, wanted=self.snippets)
        outcomes = {result.ending.outcome for result in results}
        refused = {self.cell(r) for r in results if r.ending.outcome is CellOutcome.REFUSED}
        assert outcomes <= {*RIGHT, CellOutcome.SKIPPED, CellOutcome.REFUSED}
        assert summary.exit_code in {Exit.DONE if not refused else Exit.PARTLY, Exit.REFUSED}
        known = {cell for cell in refused if cell[0] in self.service.languages}
        assert not (overwrite and known)
        for cell in known:
            assert self.service.cells.get(cell) == before.get(cell), "foreign content was overwritten"
        assert self.planned(overwrite=overwrite) == known
        return summary.run, before

    def cell(self, result):
        return self.key[getattr(result, "key", None) or result.instance], result.language

    def land(self):
        """Perform the late writes. They may change no cell that a later run reported as right."""
        own = {cell for cell in self.right if cell in self.service.cells}
        fine = [cell for cell in own if same_in_page(self.service.cells[cell], self.right[cell])]
        self.service.land()
        for cell in fine:
            assert same_in_page(self.service.cells[cell], self.right[cell]), f"a late write changed {cell}"

    def request(self, **fields):
        return PublishRequest(
            **{"files": self.files, **fields},
            access=apps_access("https://service.test/v1", Secret("k")),
            environ={},
            instances=self.inventory.all(),
            pace=Pace(per_instance=None),
            limits=Limits(total_s=TIMEOUT_S),
            retry=Retry(attempts=3, first_s=0.001, ceiling_s=0.002),
        )

    def run(self, weather, *, overwrite=False, rollback=None, wanted=None, files=None):
        """Run the publisher, and note which cells are right afterwards.

        Returns the summary and the results. The summary is None when the process died.
        """
        results = []
        self.service.weather = replace(weather)
        request = self.request(
            files=files or self.files,
            overwrite_foreign=overwrite,
            rollback=rollback,
            watcher=Listed(results),
        )
        summary = None
        try:
            summary = publish(request, self.state)
        except Died:
            pass
        finally:
            self.service.weather = CLEAR
        self.forget_what_changed()
        cells = [self.cell(result) for result in results]
        assert len(set(cells)) == len(cells)
        if summary is not None:
            assert sum(summary.totals.values()) == len(results)
        for result in results:
            cell = self.cell(result)
            self.right.pop(cell, None)
            if result.ending.outcome in RIGHT and result.ending.published:
                text = self.service.read(cell)
                if wanted is not None:
                    assert same_in_page(text or "", wanted[cell[1]]), (cell, text)
                self.right[cell] = text
        if summary is None:
            self.forget_what_changed()
        return summary, results

    def forget_what_changed(self):
        """Forget the cells that a run that died may have written without reporting them."""
        with closing(Journal.open(self.state)) as journal:
            records = journal.records(self.key)
        for cell in list(self.right):
            key = next(key for key, code in self.key.items() if code == cell[0])
            contents = records.get(key, {})[cell[1]].contents
            if not all(content.is_known for content in contents.values()):
                del self.right[cell]

    def written_in(self, run):
        with closing(Journal.open(self.state)) as journal:
            return {
                (self.key[entry["instance"]], entry["language"])
                for entry in journal.entries(run)
                if entry["kind"] == "outcome" and entry["outcome"] == "applied"
            }

    def planned(self, *, overwrite):
        """Make a plan, which must have no changes but conflicts. Returns the cells in conflict."""
        conflicts = set()

        def sink(cells):
            for cell in cells:
                assert cell.action in {Action.UNCHANGED, Action.SKIP, Action.CONFLICT}, cell
                if cell.action is Action.CONFLICT:
                    conflicts.add(self.cell(cell))

        with Stores(self.state) as stores:
            plan_apply(self.request(overwrite_foreign=overwrite), stores, sink)
        return conflicts


TestHistories = Histories.TestCase
TestHistories.settings = settings(
    max_examples=volume("publish-histories"),
    stateful_step_count=12,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

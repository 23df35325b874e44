"""The generated test of snapshots: each state in each language looks as it did when its snapshot was stored.

The structures and the accessibility trees are compared first. If they differ, the test fails. If they are equal, the
pictures decide, but only if the same browser drew the stored picture: another version or operating system draws the
same structure with other pixels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os.path import relpath
from pathlib import Path
from typing import NoReturn

from awning_harness.checks.situation import states_of
from awning_harness.checks.snapshots.appearance import (
    FROZEN_NOW,
    Appearance,
    SeenNode,
    Structure,
    Unreadable,
    describe_aria_differences,
    read_appearance,
)
from awning_harness.checks.snapshots.differences import describe_differences
from awning_harness.checks.snapshots.files import (
    PictureDifference,
    SnapshotFiles,
    SnapshotText,
    browser_of,
    compare_pictures,
    delete_others,
    read_snapshot,
    write_snapshot,
)
from awning_harness.checks.snapshots.outcomes import OUTCOMES, PictureChoice, SnapshotOptions, SnapshotOutcome
from awning_harness.checks.subject import Subject
from awning_harness.visit.pages.causes import Cause, CauseKind, fail_because, plain_message
from awning_harness.visit.pages.problems import cause_of, describe_first
from awning_harness.visit.pages.visibility import OWN_BLOCKS
from awning_harness.visit.trial import Observed

MOST_SENTENCES = 10
UPDATE = "awning test --update-snapshots"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotCheck:
    """One state in one language, with its stored snapshot."""

    subject: Subject
    files: SnapshotFiles
    options: SnapshotOptions

    @classmethod
    def of(cls, subject: Subject) -> "SnapshotCheck":
        state, language = subject.situation.state, subject.situation.language
        frozen = state if state.now else replace(state, now=FROZEN_NOW)
        return cls(
            subject=replace(subject, situation=replace(subject.situation, state=frozen)),
            files=SnapshotFiles(folder=subject.widget.folder, state=state.name, language=language),
            options=SnapshotOptions.by(subject.request.config),
        )

    @property
    def language(self) -> str:
        return self.subject.situation.language

    @property
    def is_pictured(self) -> bool:
        """Whether this run takes a picture. By default, only the first language gets one, as languages look alike."""
        choice = self.options.pictures
        is_first = self.language == self.subject.widget.languages[0]
        return choice is PictureChoice.ALL or (choice is PictureChoice.FIRST and is_first)

    @property
    def results(self) -> Path:
        """The folder for the files of a failed test."""
        return Path(self.subject.request.getfixturevalue("output_path"))

    async def run(self) -> None:
        """Compare the state with its snapshot, or store it, and note the outcomes. A difference fails the test.

        Without a snapshot, nothing is compared. The page is then opened only if a picture is wanted for the report.
        An error of the page fails the test afterwards: what was stored is noted.
        """
        is_stored = self.files.text.is_file()
        folder = self.options.picture_folder if self.is_pictured else None
        if not (is_stored or self.options.update or folder):
            await self.subject.begin_effects()
            self._note(SnapshotOutcome.MISSING)
            return
        stores_picture = self.options.update and self.is_pictured
        observed, appearance = await self._take(
            tree=is_stored or self.options.update,
            picture=bool(folder) or stores_picture or self.files.picture.is_file(),
        )
        problems = await self.subject.problems_of_page(observed)
        await self.subject.begin_effects()
        if folder and appearance.picture:
            self._leave_picture(folder, appearance.picture)
        if self.options.update:
            outcomes = self._store(appearance)
        else:
            outcomes = await self._compare(observed, appearance) if is_stored else (SnapshotOutcome.MISSING,)
        self._note(*outcomes)
        if problem := describe_first(problems):
            self.subject.fail(problem, cause_of(problems), at=observed.last)

    def _note(self, *outcomes: SnapshotOutcome) -> None:
        self.subject.request.node.stash[OUTCOMES] = outcomes

    async def _take(self, *, tree: bool, picture: bool) -> tuple[Observed, Appearance]:
        """Open the state, wait for its texts, which another test checks, and let it pose."""
        blocks = f".placeholder-{self.subject.situation.state.slot} {OWN_BLOCKS}"
        pose = {"pose": {"blocks": blocks, "tree": tree, "picture": picture}}
        observed = await self.subject.observe_state(then=[pose])
        return observed, read_appearance(observed, self.subject.laboratory.session.browser)

    def _store(self, appearance: Appearance) -> tuple[SnapshotOutcome, ...]:
        """Store the appearance, and delete the snapshots of states and languages that the widget no longer has."""
        is_new = self.files.write(appearance)
        widget = self.subject.widget
        states = [state.name for state in states_of(widget)]
        names = frozenset(f"{name}.{code}" for name in states for code in widget.languages)
        deleted = delete_others(self.files.folder, names)
        structures = [name for name in deleted if name.endswith(".txt")]
        outcome = SnapshotOutcome.UPDATED if is_new else SnapshotOutcome.SAME
        return (outcome, *(SnapshotOutcome.DELETED for _ in structures))

    def _leave_picture(self, folder: Path, picture: bytes) -> None:
        """Write the picture into the folder that the report of the run reads."""
        file = folder / self.subject.widget.name / self.files.picture.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(picture)

    async def _compare(self, observed: Observed, appearance: Appearance) -> tuple[SnapshotOutcome, ...]:
        stored = self._earlier(observed)
        sentences = describe_differences(stored.structure, appearance.structure)
        aria_sentences: list[str] = []
        # That all of a block appeared or vanished is one sentence.
        if stored.aria is not None and bool(stored.structure) == bool(appearance.structure):
            aria_sentences = describe_aria_differences(stored.aria, appearance.aria)
        picture = self.files.picture.read_bytes() if self.files.picture.is_file() else None
        same_browser = picture is not None and browser_of(picture) == appearance.browser
        difference = None
        if picture and appearance.picture and (same_browser or sentences):
            difference = compare_pictures(picture, appearance.picture)
        if sentences or difference:
            present = appearance.picture or (await self._take(tree=False, picture=True))[1].picture
            self._leave_pictures(present, picture, difference)
        if not sentences and difference:
            sentences = [describe_pixels(difference, appearance.structure, appearance.corner)]
        if sentences or aria_sentences:
            self._leave_texts(appearance)
            self._fail(observed, [*sentences, *aria_sentences])
        ignores_picture = picture is not None and not same_browser
        without_tree = (SnapshotOutcome.WITHOUT_TREE,) if stored.aria is None else ()
        return (SnapshotOutcome.OTHER_BROWSER if ignores_picture else SnapshotOutcome.SAME, *without_tree)

    def _earlier(self, observed: Observed) -> SnapshotText:
        try:
            return read_snapshot(self.files.text.read_text(encoding="utf-8"))
        except (Unreadable, UnicodeDecodeError) as error:
            self._fail(observed, [f"the snapshot cannot be read: {error}"], f"{UPDATE} writes it anew")

    def _leave_texts(self, appearance: Appearance) -> None:
        """Write the stored text and that of the present appearance into the test's folder."""
        state = self.subject.situation.state.name
        after = write_snapshot(appearance, state=state, language=self.language)
        self.results.mkdir(parents=True, exist_ok=True)
        (self.results / "before.txt").write_bytes(self.files.text.read_bytes())
        (self.results / "after.txt").write_text(after, encoding="utf-8", newline="\n")

    def _leave_pictures(
        self, present: bytes | None, stored: bytes | None, difference: PictureDifference | None
    ) -> None:
        """Write the stored picture, the present one and their difference into the test's folder."""
        self.results.mkdir(parents=True, exist_ok=True)
        pictures = {"before": stored, "after": present, "difference": difference and difference.picture}
        for name, picture in pictures.items():
            if picture:
                (self.results / f"{name}.png").write_bytes(picture)

    def _fail(self, observed: Observed, sentences: Sequence[str], hint: str = "") -> NoReturn:
        unit, name = self.subject.widget.name, self.subject.situation.state.name
        lines = [f"    {sentence}" for sentence in sentences[:MOST_SENTENCES]]
        if len(sentences) > MOST_SENTENCES:
            lines.append(
                f"    and {len(sentences) - MOST_SENTENCES} more differences: compare before.txt and after.txt"
            )
        where = f"widgets/{unit}/snapshots/{self.files.text.name}"
        files = sorted(file.name for file in self.results.glob("*.*")) if self.results.is_dir() else []
        compared = f"\ncompare: {relpath(self.results)}: {', '.join(files)}" if files else ""
        self.subject.show(observed.trial, None)
        fail_because(
            f'{where}: the state "{name}" ({self.language}) does not look as it did:\n'
            + "\n".join(lines)
            + (f"\nhint: {hint}" if hint else "")
            + compared,
            Cause(CauseKind.OTHER, plain_message("\n".join(sentences))),
        )


def describe_pixels(difference: PictureDifference, structure: Structure, corner: tuple[int, int]) -> str:
    """Return a sentence for pictures that differ although the structures are equal.

    `corner` is the position of the pictures' left upper corner, in the coordinates of the structure.
    """
    before, after = difference.sizes
    if before != after:
        return f"the picture was {before[0]}x{before[1]} px, is {after[0]}x{after[1]} px"
    left, top, right, bottom = difference.box
    pixels = "1 pixel differs" if difference.count == 1 else f"{difference.count} pixels differ"
    x, y = corner
    place = node_at(structure, (left + x, top + y, right + x, bottom + y))
    inside = f", in {place.name}" if place else ""
    return f"{pixels}, within {right - left}x{bottom - top} px at {left},{top} of the picture{inside}"


def node_at(structure: Structure, box: tuple[int, int, int, int]) -> SeenNode | None:
    """Return the smallest element that contains `box`; None if no element does.

    `box` has the coordinates of the structure. All elements are searched, because an element may stick out of its
    container.
    """
    left, top, right, bottom = box
    containing = [
        node
        for node, x, y in _placed(structure, 0, 0)
        if x - 1 <= left
        and y - 1 <= top
        and right <= x + node.box.width + 1
        and bottom <= y + node.box.height + 1
    ]
    # Of two elements of the same size, the later one is inside the other, or drawn above it.
    return min(reversed(containing), key=lambda node: node.box.width * node.box.height, default=None)


def _placed(nodes: Structure, left: int, top: int) -> Iterator[tuple[SeenNode, int, int]]:
    """Yield each element in `nodes` with its position, in the order of the lines."""
    for node in nodes:
        if not node.is_text:
            x, y = left + node.box.x, top + node.box.y
            yield node, x, y
            yield from _placed(node.children, x, y)

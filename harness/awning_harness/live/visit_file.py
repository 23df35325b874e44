"""Reads the file of `awning record --visit`: the pages of a visit, and a shopper's actions on each, in TOML."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from awning.contract import Exit
from awning.errors import Faulty
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.steps import PAGE_STEPS, WAIT, Step, StepSyntaxError, read_step
from awning.workspace.validation import TABLE, TEXT, Key, TableShape, array_of, validate_table
from awning_harness.live.page_gate import is_same_site

MOST_PAGES, MOST_STEPS = 20, 50
_LONGEST_WAIT_S = 60

VISIT = TableShape(
    what="a visit", keys=(Key(name="page", kind=array_of(TABLE, unique=False), required=True),)
)
VISITED_PAGE = TableShape(
    what="a page of the visit",
    keys=(
        Key(
            name="url",
            kind=TEXT,
            about="Its address, or a path on the same site. Default: the command's; then the page before.",
        ),
        Key(name="steps", kind=array_of(TEXT, least=0, unique=False), about="The shopper's actions on it."),
    ),
)


class UnreadableVisit(Faulty):
    """A file holds no visit. Exit code 2: nothing was opened."""

    exit_code = Exit.USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedPage:
    """A page of a visit; without a `url`, the one that the steps before led to."""

    url: str | None
    steps: tuple[Step, ...] = ()
    places: tuple[str, ...] = ()
    """Where each step is in the visit file, as diagnostics show it; empty without a file."""


def read_visit(file: Path, address: str) -> tuple[VisitedPage, ...]:
    """Return the pages of a visit that begins at an address. Raises UnreadableVisit with every fault of the file."""
    findings = Findings()
    document = read_toml(file, str(file), findings)
    pages = () if document is None else tuple(_read_pages(document, address))
    if findings.diagnostics:
        raise UnreadableVisit(findings.diagnostics)
    return pages


def _read_pages(document: Document, address: str) -> list[VisitedPage]:
    values = validate_table(document, document.values, VISIT)
    tables = values.get("page", ())
    if len(tables) > MOST_PAGES:
        document.report("wrong-type", f"a visit has at most {MOST_PAGES} pages", ("page", MOST_PAGES))
    pages = []
    for index, table in enumerate(tables[:MOST_PAGES]):
        at = ("page", index)
        page = validate_table(document, table, VISITED_PAGE, at)
        url = page.get("url", None if index else "")
        if url is not None:
            try:
                url = urljoin(address, url)
                parts = urlsplit(url)
            except ValueError:
                document.report("wrong-type", f"{url} is not the address of a page", (*at, "url"))
                continue
            is_of_site = is_same_site(parts.hostname or "", urlsplit(address).hostname or "")
            if parts.scheme not in ("http", "https") or not is_of_site:
                hint = "a visit stays on the site of the command's address"
                document.report("wrong-type", "the page is of another site", (*at, "url"), hint=hint)
        texts = page.get("steps", ())
        if len(texts) > MOST_STEPS:
            document.report(
                "wrong-type", f"a page has at most {MOST_STEPS} steps", (*at, "steps", MOST_STEPS)
            )
        steps = (_read_step(document, text, (*at, "steps", number)) for number, text in enumerate(texts))
        places = tuple(str(document.place((*at, "steps", number))) for number in range(len(texts)))
        pages.append(VisitedPage(url=url, steps=tuple(step for step in steps if step), places=places))
    return pages


def _read_step(document: Document, text: str, where: tuple[str | int, ...]) -> Step | None:
    try:
        step = read_step(text)
    except StepSyntaxError as error:
        document.report("state-step", str(error), where, hint=error.hint)
        return None
    if step.verb in PAGE_STEPS:
        hint = 'click what a shopper clicks, by its CSS selector: click ".size-L"'
        document.report("state-step", f"only the simulated shop has the step {step.verb}", where, hint=hint)
        return None
    if step.verb == WAIT and step.seconds > _LONGEST_WAIT_S:
        hint = "on a live page, a wait takes its time"
        document.report("state-step", f"a wait is at most {_LONGEST_WAIT_S} seconds", where, hint=hint)
        return None
    return step

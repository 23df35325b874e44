"""Builds the site of the docs, with search, into a folder:

    .venv/bin/python packaging/docs_site.py OUT

The pages in docs/ stay as they are, because forges such as GitHub show them, too. A copy of docs/ gets what only the
site needs: the pages of the rules, which are made from `awning.rules`; the tables of contents, which are made from the
lists in docs/index.md; and links that do not leave the site. A page that no list names is in the site below "More".
`llms.txt` lists the same pages for language models, with links to their Markdown (https://llmstxt.org). Nothing is
fetched. A warning of Sphinx, such as a link to a missing page, is an error.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from awning.rules import PAGES, all_rules

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
THEME = Path(__file__).resolve().parent / "docs_theme"

BESIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages of the root that belong to the site, and their names in it."""

INDEXES = {"rules": "reference/rules.md"}
"""The page that stands for a folder, by folder. Other folders have a README.md, or get a list of their pages."""

UNLISTED = ("rules", "decisions")
"""Folders whose pages are left out of the navigation, which would be too long. The folder's own page lists them."""

LINK = re.compile(r"(?P<text>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>[^)\s]+)\)")
SECTION = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!## ).*\n?)*)", re.MULTILINE)
FENCE = re.compile(r"^(`{3,}).*?^\1\s*?$", re.MULTILINE | re.DOTALL)
ORPHAN = "---\norphan: true\n---\n"
"""Tells Sphinx that a page is in no table of contents on purpose."""

HIDDEN = ":hidden:\n"
"""The option of a table of contents that only the navigation shows."""

SEARCH_INDEX = "searchindex.js"
"""A file that every site has. A folder with other files and without this one is not replaced."""

MODELS_INDEX = "llms.txt"
MARKDOWN = "_sources"
"""The site's folder with the Markdown of its pages (`html_copy_source` in docs_theme/conf.py)."""

HEADING = re.compile(r"^# (?P<title>.+)$", re.MULTILINE)
PROSE = re.compile(r"(?:\A|(?<=\n\n))(?![#>|:!<-]|\d+\. |```)\S(?:.+\n?)+")
"""Matches a paragraph: no heading, list, table, picture, code or directive."""

SENTENCE = re.compile(r"(?:`[^`]*`|[^`])+?[.!?](?=\s|$)")
VERDICT = re.compile(r"^(Wrong|Right):$", re.MULTILINE)
INDEX_PAGES = ("README.md", "index.md")


def main() -> int:
    if len(sys.argv) != 2:  # noqa: PLR2004 - the program and one argument
        sys.stderr.write("usage: docs_site.py OUT\n")
        return 2
    out = Path(sys.argv[1]).resolve()
    if ROOT.is_relative_to(out) or out.is_relative_to(DOCS) or not is_replaceable(out):
        sys.stderr.write(f"docs_site.py: {out} would be replaced; name another folder\n")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder))
        return build(Path(folder), out)


def is_replaceable(out: Path) -> bool:
    """Return whether `out` is missing, empty or an earlier site, so that replacing it loses nothing else."""
    return not out.exists() or (out.is_dir() and ((out / SEARCH_INDEX).is_file() or not any(out.iterdir())))


def build(source: Path, out: Path) -> int:
    """Run Sphinx on staged pages. Returns its exit code. `out` is replaced only by a site without warnings."""
    built = source.with_name(f"{source.name}-site")
    options = ("-b", "html", "-q", "-W", "--keep-going", "-j", "auto", "-c", str(THEME))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", *options, str(source), str(built)], check=False
        )
        if done.returncode == 0:
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(built, out, ignore=shutil.ignore_patterns(".doctrees", ".buildinfo"))
            shutil.copyfile(source / MODELS_INDEX, out / MODELS_INDEX)
    finally:
        shutil.rmtree(built, ignore_errors=True)
    return done.returncode


def stage(folder: Path) -> None:
    """Write the pages as Sphinx needs them: links rewritten, tables of contents added."""
    shutil.copytree(DOCS, folder, dirs_exist_ok=True)
    rules = {f"rules/{rule.id}.md": rule for rule in all_rules()}
    (folder / "rules").mkdir(exist_ok=True)
    for page, rule in rules.items():
        (folder / page).write_text(rule.page, encoding="utf-8")
    for name, own in BESIDE.items():
        (folder / own).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    for page in pages:
        origin = _origin(page) if page not in rules else str(PAGES / Path(page).name)
        text = (folder / page).read_text(encoding="utf-8")
        orphan = ORPHAN if _is_unlisted(page) and Path(page).name not in INDEX_PAGES else ""
        (folder / page).write_text(
            orphan + with_verdicts(inside_the_site(text, origin, page)), encoding="utf-8"
        )
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    (folder / MODELS_INDEX).write_text("\n".join(models_index(folder, pages, index)), encoding="utf-8")
    contents = tables_of_contents(pages, index)
    for page, text in contents.items():
        file = folder / page
        if file.exists():
            file.write_text(f"{file.read_text(encoding='utf-8')}\n{text}", encoding="utf-8")
        else:  # a folder without a page of its own: the list is the page
            title = Path(page).parent.name.capitalize()
            file.write_text(f"# {title}\n\n{text.replace(HIDDEN, '')}", encoding="utf-8")


def _origin(page: str) -> str:
    return next((name for name, own in BESIDE.items() if own == page), f"docs/{page}")


def with_verdicts(text: str) -> str:
    """Return a page with its lines `Wrong:` and `Right:`, which precede examples, as HTML that the site colours."""
    return VERDICT.sub(lambda match: f'<p class="{match[1].lower()}">{match[1]}</p>', text)


def inside_the_site(text: str, origin: str, page: str) -> str:
    """Return a page with links that work in the site.

    `origin` is its path in the repository, `page` that in the site. A link to another file of the repository, which the
    site does not have, becomes the link's text, followed by the name of that file.
    """

    def rewritten(match: re.Match[str]) -> str:
        target, hash_, anchor = match["target"].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        path = (ROOT / origin).parent.joinpath(target).resolve()
        named = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else target
        if path.parent == PAGES:
            in_site = f"rules/{path.name}"
        elif path.is_relative_to(DOCS):
            in_site = path.relative_to(DOCS).as_posix()
            if path.is_dir():
                in_site = INDEXES.get(in_site, f"{in_site}/README.md")
                if not (DOCS / in_site).exists() and not any(path.glob("*.md")):
                    return f"{match['text'][1:-1]} (`{named}`)"
        elif named in BESIDE:
            in_site = BESIDE[named]
        else:
            return f"{match['text'][1:-1]} (`{named}`)" if path.exists() else match[0]
        up = "../" * page.count("/")
        return f"{match['text']}({up}{in_site}{hash_}{anchor})"

    parts: list[str] = []
    end = 0
    for fence in FENCE.finditer(text):
        parts += [LINK.sub(rewritten, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join((*parts, LINK.sub(rewritten, text[end:])))


def models_index(folder: Path, pages: list[str], index: str) -> Iterator[str]:
    """Yield the lines of llms.txt: a row for each page of the navigation, with its title and first sentence."""
    title, summary = _summary(index)
    yield f"# {title}\n\n> {summary}"
    below = _listed_below(pages)
    for caption, listed in _sections(pages, index):
        yield f"\n## {caption}\n"
        for page in (each for parent in listed for each in (parent, *below.get(parent, ()))):
            if (folder / page).exists():
                title, summary = _summary((folder / page).read_text(encoding="utf-8"))
                yield f"- [{title}]({MARKDOWN}/{page})" + (f": {summary}" if summary else "")
    yield ""


def _summary(text: str) -> tuple[str, str]:
    """Return the title of a page and the first sentence of its prose, without links; empty if there is none."""
    title = HEADING.search(text)
    prose = PROSE.search(FENCE.sub("", text[title.end() :] if title else text).replace("\n\n\n", "\n\n"))
    paragraph = " ".join(LINK.sub(lambda link: link["text"][1:-1], prose[0]).split()) if prose else ""
    sentence = SENTENCE.match(paragraph)
    return title["title"] if title else "", sentence[0] if sentence else paragraph


def tables_of_contents(pages: list[str], index: str) -> Mapping[str, str]:
    """Return the table of contents to add, by page: for docs/index.md, and for each page that has pages below it.

    Pages in `UNLISTED` folders are in no table.
    """
    contents = {parent: _toctree("", children, parent) for parent, children in _listed_below(pages).items()}
    sections = (_toctree(caption, listed, "index.md") for caption, listed in _sections(pages, index))
    contents["index.md"] = "\n".join(sections)
    return contents


def _below(pages: list[str]) -> dict[str, list[str]]:
    """Return the pages below each page that stands for a folder."""
    parents = {
        folder: _parent(folder, pages)
        for folder in sorted({str(Path(page).parent) for page in pages} - {"."})
    }
    below: dict[str, list[str]] = {}
    for page in pages:
        folder = str(Path(page).parent)
        if folder != "." and page != parents[folder]:
            below.setdefault(parents[folder], []).append(page)
    return below


def _listed_below(pages: list[str]) -> dict[str, list[str]]:
    """Return the pages below each page, without those of `UNLISTED` folders."""
    return {parent: listed for parent, listed in _below(pages).items() if not _is_unlisted(listed[0])}


def _is_unlisted(page: str) -> bool:
    return Path(page).parent.name in UNLISTED


def _parent(folder: str, pages: list[str]) -> str:
    own = (f"{folder}/{name}" for name in INDEX_PAGES)
    return INDEXES.get(folder) or next((page for page in own if page in pages), f"{folder}/README.md")


def _sections(pages: list[str], index: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections of docs/index.md with the pages that each is the first to name, then the rest as "More"."""
    below = _below(pages)
    children = {page for listed in below.values() for page in listed}
    placed = {"index.md", *children}
    for section in SECTION.finditer(index):
        linked = (BESIDE.get(target.removeprefix("../"), target) for target in _targets(section["body"]))
        listed = [page for page in dict.fromkeys(linked) if page not in placed]
        placed.update(listed)
        if listed:
            yield section["title"], listed
    rest = [page for page in (*pages, *below) if page not in placed]
    if rest:
        yield "More", list(dict.fromkeys(rest))


def _targets(text: str) -> Iterator[str]:
    for match in LINK.finditer(text):
        target = match["target"].partition("#")[0]
        if target.endswith("/"):
            target = INDEXES.get(target.rstrip("/"), f"{target}README.md")
        if target.endswith(".md"):
            yield target


def _toctree(caption: str, pages: list[str], page: str) -> str:
    up = "../" * page.count("/")
    entries = "\n".join(f"{up}{entry.removesuffix('.md')}" for entry in pages)
    option = f":caption: {caption}\n" if caption else ""
    return f"```{{toctree}}\n{HIDDEN}{option}\n{entries}\n```\n"


if __name__ == "__main__":
    sys.exit(main())

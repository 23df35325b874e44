"""Builds the site of the docs, with search, into a folder:

    .venv/bin/python packaging/docs_site.py OUT

The pages in docs/ stay as they are, because forges such as GitHub show them, too. A copy of docs/ gets what only the
site needs: the pages of the rules, which are made from `awning.rules`; the tables of contents, which are made from the
lists in docs/index.md; and links that do not leave the site. A page that no list names is in the site below "More".
Nothing is fetched. A warning of Sphinx, such as a link to a missing page, is an error.
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
    contents = tables_of_contents(pages, (DOCS / "index.md").read_text(encoding="utf-8"))
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


def tables_of_contents(pages: list[str], index: str) -> Mapping[str, str]:
    """Return the table of contents to add, by page: for docs/index.md, and for each page that has pages below it.

    Pages in `UNLISTED` folders are in no table.
    """
    parents = {
        folder: _parent(folder, pages)
        for folder in sorted({str(Path(page).parent) for page in pages} - {"."})
    }
    below: dict[str, list[str]] = {}
    for page in pages:
        folder = str(Path(page).parent)
        if folder != "." and page != parents[folder]:
            below.setdefault(parents[folder], []).append(page)
    listed = {parent: pages for parent, pages in below.items() if not _is_unlisted(pages[0])}
    contents = {parent: _toctree("", children, parent) for parent, children in listed.items()}
    contents["index.md"] = "\n".join(_home(pages, index, below))
    return contents


def _is_unlisted(page: str) -> bool:
    return Path(page).parent.name in UNLISTED


def _parent(folder: str, pages: list[str]) -> str:
    own = (f"{folder}/{name}" for name in INDEX_PAGES)
    return INDEXES.get(folder) or next((page for page in own if page in pages), f"{folder}/README.md")


def _home(pages: list[str], index: str, below: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a table of contents for each section of docs/index.md, and one for the pages that no section names."""
    children = {page for listed in below.values() for page in listed}
    placed = {"index.md", *children}
    for section in SECTION.finditer(index):
        linked = (BESIDE.get(target.removeprefix("../"), target) for target in _targets(section["body"]))
        listed = [page for page in dict.fromkeys(linked) if page not in placed]
        placed.update(listed)
        if listed:
            yield _toctree(section["title"], listed, "index.md")
    rest = [page for page in (*pages, *below) if page not in placed]
    if rest:
        yield _toctree("More", list(dict.fromkeys(rest)), "index.md")


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

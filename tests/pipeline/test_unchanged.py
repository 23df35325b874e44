"""A build after no change does nothing, and every change causes a build."""

import os
from functools import partial
from types import SimpleNamespace

import pytest

from awning.errors import Faulty
from awning.pipeline import incremental

build = partial(incremental.build, types=False)
"""TypeScript would take most of the time. `test_type_errors.py` has what it remembers."""


def age(project, seconds=60):
    """Make every file old enough for its time to be trusted."""
    for file in project.root.rglob("*"):
        if file.is_file() and ".awning" not in file.parts:
            stat = file.stat()
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns - seconds * 10**9))


@pytest.fixture
def built(project):
    project.add_widget("note").add_file("widgets/_shared/x.html.j2", "x")
    age(project)
    assert build(project.root).fresh
    assert not build(project.root).fresh
    return project


CHANGES = {
    "a script": lambda p: p.add_file(
        "widgets/note/widget.ts", (p.root / "widgets/note/widget.ts").read_text() + "// x\n"
    ),
    "a template": lambda p: p.add_file("widgets/note/view.html.j2", "<p>x</p>"),
    "a shared template": lambda p: p.add_file("widgets/_shared/x.html.j2", "yy"),
    "a message": lambda p: p.add_file("widgets/note/messages/en.toml", 'hello = "Hi"\n'),
    "the manifest": lambda p: p.add_file("manifest.toml", (p.root / "manifest.toml").read_text() + "# x\n"),
    "a new file": lambda p: p.add_file("widgets/note/more.ts", ""),
    "a file less": lambda p: (p.root / "widgets/_shared/x.html.j2").unlink(),
    "an output gone": lambda p: (p.root / "dist/lv/body.html").unlink(),
    "an output edited": lambda p: p.add_file("dist/body.html", "x"),
    "dist gone": lambda p: (p.root / "dist").rename(p.root / "gone"),
}


def test_every_change_causes_a_build(built):
    for change, make in CHANGES.items():
        make(built)
        assert [build(built.root).fresh for _ in range(2)] == [True, False], change


def test_recent_change_with_equal_size_and_time_causes_a_build(project, monkeypatch):
    """However long the first build takes: this one is said to begin half a second after the file was saved."""
    project.add_widget("note", view_html_j2="<p>aaa</p>")
    file = project.root / "widgets/note/view.html.j2"
    age(project)
    stat = file.stat()
    clock = SimpleNamespace(time_ns=lambda: stat.st_mtime_ns + 10**9 // 2)
    monkeypatch.setattr(incremental, "time", clock)
    build(project.root)
    file.write_text("<p>bbb</p>")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert build(project.root).fresh
    assert "<p>bbb</p>" in project.dist("body.html")


def test_a_file_that_was_only_touched_is_unchanged(built):
    os.utime(built.root / "widgets/note/widget.ts")
    assert not build(built.root).fresh


def test_tests_beside_a_widget_are_not_sources(built):
    before = build(built.root)
    built.add_file("widgets/note/test_note.py", "x = 1")
    after = build(built.root)
    assert (after.fresh, after.record) == (True, before.record)  # the test is parsed, so it is checked again
    built.add_file("widgets/note/tool.py", "x = 1")
    assert not build(built.root).fresh


def test_unchanged_build_returns_the_same_diagnostics_and_record(project):
    project.add_widget("note", widget_toml='title = "A"\nslot = "after-price"\nbudget = 10\n')
    first = build(project.root, allow_errors=True)
    again = build(project.root, allow_errors=True)
    assert (first.fresh, again.fresh) == (True, False)
    assert again.diagnostics == first.diagnostics
    assert again.record == first.record


def test_changed_profile_causes_a_build(built):
    text = '[tool.awning]\nlanguages = ["en"]\n[tool.awning.profiles.x]\ndialect = { event_prefix = "x-" }\n'
    built.add_file("pyproject.toml", text)
    assert build(built.root).fresh
    assert build(built.root, environ={**os.environ, "AWNING_PROFILE": "x"}).fresh
    assert "x-content-after-" in built.dist("body.html")
    assert build(built.root).fresh


def test_a_failed_build_is_not_remembered(built):
    built.add_file("widgets/note/widget.ts", "export default (;\n")
    for _ in range(2):
        with pytest.raises(Faulty):
            build(built.root)


def test_damaged_cache_is_ignored(built):
    for file in (built.root / ".awning/cache").rglob("*.json"):
        file.write_text("{")
    assert build(built.root).fresh


IMPORTING = (
    'import { afterPrice } from "awning";\nimport more from "tiny";\nexport default afterPrice(() => more);\n'
)


def add_package(folder, *, main, **files):
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(f'{{"main": "{main}"}}')
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text)


def test_changed_main_file_of_a_package_causes_a_build(project):
    tiny = project.root / "node_modules/tiny"
    add_package(tiny, main="a.js", a='export default "AAAA";', b='export default "BBBB";')
    project.add_widget("note", widget_ts=IMPORTING)
    age(project)
    build(project.root)
    assert not build(project.root).fresh
    (tiny / "package.json").write_text('{"main": "b.js"}')
    assert build(project.root).fresh
    assert "BBBB" in project.dist("body.html")


def test_package_link_to_another_version_causes_a_build(project):
    """As pnpm installs: packages lie in a store, and old versions stay there for a while."""
    store, inner = (
        project.root / "node_modules/.store",
        project.root / "node_modules/.store/tiny/node_modules/deep",
    )
    add_package(store / "tiny/node_modules/tiny", main="a.js", a='export { default } from "deep";')
    for version in ("1.0", "2.0.0"):
        add_package(store / version, main="a.js", a=f'export default "deep {version}";')
        (store / version / "package.json").write_text(f'{{"main": "a.js", "version": "{version}"}}')
    inner.symlink_to(store / "1.0")
    (project.root / "node_modules/tiny").symlink_to(store / "tiny/node_modules/tiny")
    project.add_widget("note", widget_ts=IMPORTING)
    age(project)
    build(project.root)
    assert not build(project.root).fresh
    inner.unlink()
    inner.symlink_to(store / "2.0.0")
    assert build(project.root).fresh
    assert "deep 2.0.0" in project.dist("body.html")

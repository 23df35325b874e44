"""One source, two locks: uv.lock and requirements.lock name the same packages with the same hashes."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PUBLIC = "https://pypi.org/simple"


def uv_packages() -> list[dict]:
    return tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]


def pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def from_uv() -> dict[tuple[str, str], frozenset[str]]:
    files = {
        (package["name"], package["version"]): [
            *package.get("wheels", ()),
            *filter(None, [package.get("sdist")]),
        ]
        for package in uv_packages()
        if "editable" not in package["source"]
    }
    return {key: frozenset(file["hash"] for file in listed) for key, listed in files.items()}


def from_requirements() -> dict[tuple[str, str], frozenset[str]]:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    hashes = {}
    for line in lines:
        name, version = re.match(r"([\w.-]+)==([^\s;]+)", line).groups()
        hashes[name, version] = frozenset(re.findall(r"--hash=(\S+)", line))
    return hashes


def test_both_lock_files_have_the_same_versions_and_hashes():
    assert from_requirements() == from_uv()


def test_every_locked_file_has_a_hash_and_comes_from_the_public_index():
    for key, hashes in from_uv().items():
        assert hashes, key
    assert {p["source"]["registry"] for p in uv_packages() if "registry" in p["source"]} == {PUBLIC}
    assert "--index" not in (ROOT / "requirements.lock").read_text(encoding="utf-8")


def test_build_requirements_are_pinned_to_the_locked_versions():
    """hatchling and its requirements: each installation is built with the same versions."""
    pinned = dict(requirement.split("==") for requirement in pyproject()["build-system"]["requires"])
    locked = {package["name"]: package for package in uv_packages()}
    assert pinned == {name: locked[name]["version"] for name in pinned}
    needed, queue = set(), ["hatchling"]
    while queue:
        needed.add(name := queue.pop())
        queue += [
            d["name"]
            for d in locked[name].get("dependencies", ())
            if d["name"] not in needed and not skipped(d)
        ]
    assert set(pinned) == needed


def skipped(dependency: dict) -> bool:
    return "python_full_version < '3.11'" in dependency.get("marker", "")


def test_lock_file_belongs_to_this_project():
    """uv refuses a lock file that does not match pyproject.toml. This test detects that without uv."""
    [own] = [package for package in uv_packages() if "editable" in package["source"]]
    project = pyproject()["project"]
    recorded = {entry["name"] for entry in own["metadata"]["requires-dist"]}
    declared = project["dependencies"] + [
        d for extra in project["optional-dependencies"].values() for d in extra
    ]
    assert recorded == {re.match(r"[\w.-]+", requirement)[0].lower() for requirement in declared}

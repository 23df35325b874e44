"""What a wheel and the source distribution hold, and that a wheel works without the checkout. No network: the cache of
the build hook is filled with the programs that are installed here.
"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from awning.programs import ESBUILD, PROGRAMS, find_program, verify
from awning.programs.pin import ADDED, WHEEL_TAGS, this_platform
from awning.rules import PAGES

ROOT = Path(__file__).parents[2]
PLATFORM = this_platform()
TAGS = WHEEL_TAGS[PLATFORM]
OFFLINE = {"npm_config_registry": "http://127.0.0.1:9", "NO_PROXY": "*"}


@pytest.fixture(scope="session")
def environ(tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    for program in PROGRAMS:
        folder = cache / "awning" / f"{program.name.lower()}-{program.version}" / PLATFORM
        shutil.copytree(find_program(program, {}).package, folder, ignore=shutil.ignore_patterns(ADDED))
    return {**os.environ, **OFFLINE, "XDG_CACHE_HOME": str(cache), "HOME": str(cache)}


def hatchling(out: Path, environ: dict[str, str], *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out), *arguments]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def wheel(processes, environ, tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    done = hatchling(out, environ, "-t", "wheel")
    assert done.returncode == 0, done.stderr
    [path] = out.iterdir()
    return path


@pytest.fixture(scope="session")
def site(wheel, tmp_path_factory):
    """The wheel, unpacked as an installer does."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            path = Path(archive.extract(info, site))
            path.chmod((info.external_attr >> 16) & 0o777 or 0o644)
    return site


def awning(site: Path, code: str, *arguments: str, cwd: Path) -> str:
    """Run code with the unpacked wheel and the dependencies of this environment, without its .pth files (-S): the
    checkout is out of reach.
    """
    path = [str(site), sysconfig.get_path("purelib")]
    start = f"import sys; sys.path[:0] = {path!r}; sys.argv[1:] = {list(arguments)!r}\n{code}"
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", start], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def contents(wheel: Path) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


def test_wheel_is_tagged_for_its_platform(wheel):
    assert wheel.name.endswith(f"-py3-none-{'.'.join(TAGS)}.whl")
    with zipfile.ZipFile(wheel) as archive:
        [info] = [name for name in archive.namelist() if name.endswith(".dist-info/WHEEL")]
        assert b"Root-Is-Purelib: false" in archive.read(info)


def test_wheel_holds_both_packages_jsrc_and_the_programs(site):
    for program in PROGRAMS:
        binary = find_program(program, {}, search=[str(site)])
        verify(binary)
        assert binary.path.stat().st_mode & 0o111
    assert "Evan Wallace" in (site / "awning_esbuild" / "LICENSE.md").read_text()
    assert "Apache License" in (site / "awning_typescript" / "LICENSE").read_text()
    assert (site / "awning_harness" / "plugin.py").is_file()
    for path in (ROOT / "jsrc").rglob("*.ts"):
        assert (site / "awning" / "_jsrc" / path.relative_to(ROOT / "jsrc")).read_bytes() == path.read_bytes()
    for path in PAGES.glob("*.md"):
        assert (site / "awning" / "rules" / "pages" / path.name).read_bytes() == path.read_bytes()


def test_wheel_holds_nothing_else(site):
    top = {path.name for path in site.iterdir()}
    assert {name for name in top if not name.endswith(".dist-info")} == {
        "awning",
        "awning_harness",
        "awning_esbuild",
        "awning_typescript",
    }


@pytest.mark.usefixtures("processes")
def test_wheel_is_reproducible(wheel, environ, tmp_path):
    done = hatchling(tmp_path, environ, "-t", "wheel")
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / wheel.name) == contents(wheel)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


@pytest.mark.usefixtures("processes")
def test_wheel_runs_without_the_checkout(site, tmp_path):
    output = awning(site, "from awning.cli import main; main()", "--help", cwd=tmp_path)
    assert "awning build" in output


@pytest.mark.usefixtures("processes")
def test_wheel_bundles_without_the_checkout(site, tmp_path):
    (tmp_path / "e.ts").write_text('import { afterPrice } from "awning";\nconsole.log(typeof afterPrice);\n')
    code = """
import json
from pathlib import Path
from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.jsrc import jsrc_root
root = Path.cwd()
request = BundleRequest(entry_points=(EntryPoint("e", root / "e.ts"),), root=root, jsrc=jsrc_root())
result = bundle(find_esbuild({}), request)
print(json.dumps([str(jsrc_root()), str(find_esbuild({}).path), result.outputs["e"].code.decode()]))
"""
    jsrc, esbuild, output = json.loads(awning(site, code, cwd=tmp_path))
    assert Path(jsrc) == site / "awning" / "_jsrc"
    assert Path(esbuild) == site / "awning_esbuild" / ESBUILD.binary_for(PLATFORM)
    assert "console.log(typeof" in output


@pytest.mark.usefixtures("processes")
def test_editable_wheel_holds_the_programs_but_no_sources(environ, tmp_path):
    build = "import sys; from hatchling.build import build_editable; print(build_editable(sys.argv[1]))"
    command = [sys.executable, "-c", build, str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True)
    [wheel] = tmp_path.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        packages = tuple(f"{program.folder}/" for program in PROGRAMS)
        assert {name for name in names if not name.startswith(packages)} == {"_awning.pth"}
        for program in PROGRAMS:
            path = f"{program.folder}/{program.binary_for(PLATFORM)}"
            assert (archive.getinfo(path).external_attr >> 16) & 0o111


@pytest.mark.usefixtures("processes")
def test_wheel_for_no_platform_has_no_programs(environ, tmp_path):
    done = hatchling(tmp_path, environ | {"AWNING_BUILD_TARGET": "none"}, "-t", "wheel")
    assert done.returncode == 0, done.stderr
    assert "AWNING_ESBUILD" in done.stdout + done.stderr
    [wheel] = tmp_path.iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert not [
            name for name in archive.namelist() if name.startswith(("awning_esbuild", "awning_typescript"))
        ]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ({"AWNING_BUILD_TARGET": "linux-vax"}, "it can be linux-x64, linux-arm64"),
        (
            {"AWNING_BUILD_TARGET": "linux-arm64" if PLATFORM != "linux-arm64" else "linux-x64"},
            "HTTPS_PROXY",
        ),
    ],
    ids=["unknown target", "no network"],
)
def test_failed_wheel_build_gives_a_reason_and_leaves_no_file(environ, tmp_path, extra, words):
    done = hatchling(tmp_path, environ | extra, "-t", "wheel")
    assert done.returncode != 0
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("processes")
def test_source_distribution_holds_the_files_of_a_clone(environ, tmp_path):
    done = hatchling(tmp_path, environ, "-t", "sdist")
    assert done.returncode == 0, done.stderr
    [path] = tmp_path.iterdir()
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        *("pyproject.toml", "build.py", "uv.lock", "manifest.toml", "dist/README.md"),
        *("packaging/hatch_build.py", "packaging/uv.txt", "packaging/esbuild-LICENSE.md"),
        *("src/awning/programs/pin.py", "jsrc/runtime/index.ts", "widgets/delivery-estimate/widget.ts"),
        *("harness/awning_harness/plugin.py", "tests/conftest.py", ".ci/run", "LICENSE", "README.md"),
    } <= names
    assert [name for name in names if name.rpartition("/")[2] in {"esbuild", "tsc"}] == []
    assert [
        name for name in names if name.startswith((".venv", ".awning", "dist/")) and name != "dist/README.md"
    ] == []


@pytest.mark.usefixtures("processes")
def test_wheels_cannot_be_built_into_dist():
    command = [sys.executable, "packaging/wheels.py", "dist"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "wheelhouse" in done.stderr


def test_licence_is_that_of_esbuild():
    digest = base64.b16encode(
        hashlib.sha256((ROOT / "packaging/esbuild-LICENSE.md").read_bytes()).digest()
    ).decode()
    assert digest.lower() == "b40ec5baec7bb34fa5b1c09521fa3cd52d5fad7adafed74932a2010d3612a681"

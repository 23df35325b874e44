"""The pinned programs, esbuild and TypeScript: versions, hashes and names for each platform.

The build hook (`packaging/hatch_build.py`) loads this file by its path, before awning is installed. So it imports
nothing of ours. `python packaging/pin_program.py NAME VERSION` prints the pins of another version.
"""

import sys
import sysconfig
from dataclasses import dataclass

LICENCES = ("LICENSE", "NOTICE.txt")
"""The files at the root of a package that are installed beside the binary."""

ADDED = "LICENSE.md"
"""The name of a licence that the build hook adds, because the package has none."""


@dataclass(frozen=True)
class Pin:
    """The npm package of a program for one platform.

    `integrity` is the registry's hash of the tarball (`sha512-` and base64). `sha256` is the hash of the list of the
    files that are installed, as `listing` writes it.
    """

    platform: str
    integrity: str
    sha256: str


@dataclass(frozen=True)
class Program:
    """A program that awning carries: the binary and all files beside it, because they decide results, too, as
    TypeScript's `lib.*.d.ts` do.

    `package` and `binary` are the npm package and the binary's path in it, `windows_binary` that path on Windows.
    `folder` is the folder in site-packages with the files; the repository contains none of them. `variable` is the
    environment variable that names another binary. `is_needed` is whether nothing can be built without the program.
    """

    name: str
    version: str
    package: str
    binary: str
    windows_binary: str
    folder: str
    variable: str
    is_needed: bool
    pins: tuple[Pin, ...]

    def pin_for(self, platform: str) -> Pin | None:
        """Return the pin of `linux-x64`, `darwin-arm64`, ...; None when the program is not pinned for the platform."""
        return next((pin for pin in self.pins if pin.platform == platform), None)

    def package_for(self, platform: str) -> str:
        """Return the npm package, such as `@esbuild/linux-x64`."""
        return self.package.format(platform=platform)

    def tarball_for(self, platform: str) -> str:
        """Return the tarball's path below the registry's address."""
        package = self.package_for(platform)
        return f"{package}/-/{package.rpartition('/')[2]}-{self.version}.tgz"

    def binary_for(self, platform: str) -> str:
        """Return the name of the binary."""
        return self._binary_in_package(platform).rpartition("/")[2]

    def installed_as(self, path: str, platform: str) -> str | None:
        """Return the name under which the file at `path` of the package is installed; None when it is not."""
        folder, _, name = path.rpartition("/")
        beside = folder == self._binary_in_package(platform).rpartition("/")[0]
        return name if beside or path in LICENCES else None

    def _binary_in_package(self, platform: str) -> str:
        return self.windows_binary if platform.startswith("win32") else self.binary


ESBUILD = Program(
    name="esbuild",
    version="0.28.2",
    package="@esbuild/{platform}",
    binary="bin/esbuild",
    windows_binary="esbuild.exe",
    folder="awning_esbuild",
    variable="AWNING_ESBUILD",
    is_needed=True,
    pins=(
        Pin(
            platform="linux-x64",
            integrity="sha512-4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIufQ9hDQVRJH5YhgPVF8A/HQ==",
            sha256="397fc2f88af0971b8ea1c4de08db3ca6bedba14b5620b8a733e04c77fc0878ff",
        ),
        Pin(
            platform="linux-arm64",
            integrity="sha512-pW4AC0P3it8c7do9MVM4p51FzHzdM/TZrerurgRcHJ2WTa1VQ1CIq18xncfpBJw4ojkiZZrKW2yIBWBP92j6Ug==",
            sha256="e77be2d570a14e88538402484f3739b187d1849212906db7dc0c9bd94f7a8843",
        ),
        Pin(
            platform="darwin-x64",
            integrity="sha512-uq6suIWYP37qzGddBKPw5QEQPi6HiLGsO7UmkpfyaYNQ3D+rN6w6WfwH+nuqcGXWvawGwxOEroO4YGnFh95azw==",
            sha256="0789f4430a045023fbc8ae675fea5d8e6f50d6a225a743a6b8a34136495e5382",
        ),
        Pin(
            platform="darwin-arm64",
            integrity="sha512-n4KqkOQrraxHJcgjM1RvwbigfQKIKJVpM7xp+KsxiyUSrRdIXnt73VhrPAx0fV44hgfmIVKjxMN9J1t5jySVkw==",
            sha256="153f28d339b44e30cb96697094d84dd876f6c81120a12ed5fd15a31745f51cb1",
        ),
        Pin(
            platform="win32-x64",
            integrity="sha512-5ebpxr3nWMzrL/rnUI755Jkuee0bHL/Gq0WTF9lvcpv73wAp5eu8MfBUgWK9bhWvZjj7yX8etf/8tI8Ney695g==",
            sha256="9de813f15fec5f40e78f8def4105547e7d94aef1c7901f292f9b587ab1e86422",
        ),
    ),
)

TYPESCRIPT = Program(
    name="TypeScript",
    version="7.0.2",
    package="@typescript/typescript-{platform}",
    binary="lib/tsc",
    windows_binary="lib/tsc.exe",
    folder="awning_typescript",
    variable="AWNING_TYPESCRIPT",
    is_needed=False,
    pins=(
        Pin(
            platform="linux-x64",
            integrity="sha512-EYdf2cNg7rgCWJnxCdJ+F3V39O8ihb37eHAu1LK8oAFizgTQbPOK7zHHXbPt8rX24COqODXeI3sIf0fCXG7H/A==",
            sha256="5f6a1849a529cc2462f45a5b490bc464f6b5487684f25ca99d8bcef49dc33003",
        ),
        Pin(
            platform="linux-arm64",
            integrity="sha512-Qh4eU4/y3yDjnfjjyPYihMj5/ODIlmt+Bzu17OI+fiSRDW57QmU5SiN63exPRNJPKUzcc1INa1NXdrJ+MqHjUQ==",
            sha256="433442b0b23cd9618eb11cb9c8b7d17e0fe96da1aab9ecd412ef249d2ee3457e",
        ),
        Pin(
            platform="darwin-x64",
            integrity="sha512-SZ9xZInqApNlNGc9s0W1VSsktYSOe9cFqNOIqmN1Gs8SmkjKZYFt017G4VwPxASInODuAdbTW7sXiFUf893RgA==",
            sha256="a67c583f17bf0db318cdd66e1db54995a8336283648b68574791b9b7ed64d7d9",
        ),
        Pin(
            platform="darwin-arm64",
            integrity="sha512-gowzar9MwS/aRWp6f3a4KUqzRjAZjOsmGNCM6LcTgXum+dBfgsBVMN+AgvOCCbguXyick6LJhpBszxMebJ8syA==",
            sha256="dcc7e9788568fb58ac4f465d2e5cba1a963f1ae84544f41ff0ffd8732dea9bdc",
        ),
        Pin(
            platform="win32-x64",
            integrity="sha512-0BQ3HkAHHlKLSp1qRvf3SUhGpGsDuhB/jgFw75guyqbxJqEaS0Cw/VFO8i2nHglJUzQCRtMMR/IBAKE3ETMC4g==",
            sha256="f39dae03359cf66787cb32c25729845ee3f2d6ea7349c928219ea31af63a08f2",
        ),
    ),
)

PROGRAMS = (ESBUILD, TYPESCRIPT)

WHEEL_TAGS = {
    "linux-x64": ("manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"),
    "linux-arm64": ("manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"),
    "darwin-x64": ("macosx_12_0_x86_64",),
    "darwin-arm64": ("macosx_12_0_arm64",),
    "win32-x64": ("win_amd64",),
}
"""The platform tags of a wheel with the programs, by platform. Both are linked statically, so one Linux wheel works
with glibc and musl.
"""


def listing(hashes: dict[str, str]) -> str:
    """Return the list of the installed files, whose hash is pinned. `hashes` are their SHA-256 hashes by path."""
    return "".join(f"{sha256} {path}\n" for path, sha256 in sorted(hashes.items()) if path != ADDED)


def this_platform(tag: str | None = None) -> str:
    """Return the platform of this Python by npm's name, such as `linux-x64`.

    The name is made from `sysconfig.get_platform()` (`linux-x86_64`, `macosx-11.0-arm64`, `win-amd64`), which has the
    architecture of the interpreter, even if that of the kernel is different.
    """
    tag = tag or sysconfig.get_platform()
    system, _, rest = tag.partition("-")
    machine = rest.rpartition("-")[2].lower()
    if machine == "universal2":
        # A universal Python on macOS runs as `arm64` or as `x86_64` (also under Rosetta).
        import platform  # noqa: PLC0415 - 5 ms that only a universal Python needs

        machine = platform.machine().lower() or sys.platform
    names = {"linux": "linux", "macosx": "darwin", "win": "win32"}
    machines = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
    return f"{names.get(system, system)}-{machines.get(machine, machine)}"

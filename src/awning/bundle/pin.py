"""The pinned esbuild: version, hashes and names for each platform.

The build hook (`packaging/hatch_build.py`) loads this file by its path, before awning is installed. So it imports
nothing of ours. `python packaging/pin_esbuild.py VERSION` prints the table for another version.
"""

import sys
import sysconfig
from dataclasses import dataclass

VERSION = "0.28.2"

FOLDER = "awning_esbuild"
"""The folder in site-packages that contains the binary. The repository contains no binary."""


@dataclass(frozen=True)
class Pin:
    """The binary of one platform.

    `integrity` is the registry's hash of the tarball (`sha512-` and base64), `sha256` is the hash of the binary in the
    tarball (lower-case hex), `member` its path there. `wheel_tags` are the platform tags of a wheel with the binary.
    esbuild is linked statically, so one Linux wheel works with glibc and musl.
    """

    platform: str
    integrity: str
    sha256: str
    member: str
    wheel_tags: tuple[str, ...]

    @property
    def package(self) -> str:
        """The npm package, such as `@esbuild/linux-x64`."""
        return f"@esbuild/{self.platform}"

    @property
    def tarball(self) -> str:
        """The tarball's path below the registry's address."""
        return f"{self.package}/-/{self.platform}-{VERSION}.tgz"

    @property
    def binary(self) -> str:
        """The name of the executable."""
        return self.member.rpartition("/")[2]


PINS = (
    Pin(
        platform="linux-x64",
        integrity="sha512-4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIufQ9hDQVRJH5YhgPVF8A/HQ==",
        sha256="e1698a3d5c6c0798fee4fd3b5cc816651f460c63d390a7a26ea4beb0b1884100",
        member="package/bin/esbuild",
        wheel_tags=("manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"),
    ),
    Pin(
        platform="linux-arm64",
        integrity="sha512-pW4AC0P3it8c7do9MVM4p51FzHzdM/TZrerurgRcHJ2WTa1VQ1CIq18xncfpBJw4ojkiZZrKW2yIBWBP92j6Ug==",
        sha256="90bd269553d258e80b19e3ccab4f98f0831f87442a2f056510ce24fd1b425fc2",
        member="package/bin/esbuild",
        wheel_tags=("manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"),
    ),
    Pin(
        platform="darwin-x64",
        integrity="sha512-uq6suIWYP37qzGddBKPw5QEQPi6HiLGsO7UmkpfyaYNQ3D+rN6w6WfwH+nuqcGXWvawGwxOEroO4YGnFh95azw==",
        sha256="7fe5c9c905fff0a05d92db98929434ab4d3b6dd92d7a7688922db74380c75df3",
        member="package/bin/esbuild",
        wheel_tags=("macosx_12_0_x86_64",),
    ),
    Pin(
        platform="darwin-arm64",
        integrity="sha512-n4KqkOQrraxHJcgjM1RvwbigfQKIKJVpM7xp+KsxiyUSrRdIXnt73VhrPAx0fV44hgfmIVKjxMN9J1t5jySVkw==",
        sha256="10b6243df618d374bb2d5c9cfbe7052e1405f6aa4e53a6164f11a91b9f2e1384",
        member="package/bin/esbuild",
        wheel_tags=("macosx_12_0_arm64",),
    ),
    Pin(
        platform="win32-x64",
        integrity="sha512-5ebpxr3nWMzrL/rnUI755Jkuee0bHL/Gq0WTF9lvcpv73wAp5eu8MfBUgWK9bhWvZjj7yX8etf/8tI8Ney695g==",
        sha256="c7bee37877d0aa6a046e52783fa0a2cf1a9ce5579d68bb3083bda99d4bff18ef",
        member="package/esbuild.exe",
        wheel_tags=("win_amd64",),
    ),
)


def pin_for(platform: str) -> Pin | None:
    """Return the pin of `linux-x64`, `darwin-arm64`, ...; None when no esbuild is pinned for the platform."""
    return next((pin for pin in PINS if pin.platform == platform), None)


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

"""The checks of `awning doctor` for the harness: whether its packages are installed, and which browser it uses."""

from collections.abc import Iterator, Mapping
from importlib.util import find_spec

from awning.cli.checkup import Check
from awning.errors import AwningError
from awning_harness.browser import find_browser


def checks(environ: Mapping[str, str]) -> Iterator[Check]:
    if find_spec("playwright") is None or find_spec("pytest") is None:
        hint = "needed for dev and test only: pip install 'awning[harness]'"
        yield Check(name="browser", state="warning", found="the harness is not installed", hint=hint)
        return
    yield _browser(environ)


def _browser(environ: Mapping[str, str]) -> Check:
    try:
        browser = find_browser(environ)
    except AwningError as error:
        return Check(name="browser", state="missing", found=error.message, hint=error.hint)
    if browser is None:
        return Check(name="browser", state="warning", found="none found", hint="`awning test` installs one")
    return Check(name="browser", state="ok", found=f"{browser.version()} ({browser.origin}) {browser.path}")

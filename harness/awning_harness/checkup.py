"""The checks of `awning doctor` for the harness: whether its packages are installed, and which browser it uses."""

from collections.abc import Iterator, Mapping
from importlib.util import find_spec

from awning.diagnostics import SetupCheck
from awning.errors import AwningError
from awning_harness.browser import find_browser


def checks(environ: Mapping[str, str]) -> Iterator[SetupCheck]:
    if find_spec("playwright") is None or find_spec("pytest") is None:
        hint = "awning dev and awning test need it: pip install 'awning[harness]'"
        yield SetupCheck(name="browser", state="warning", detail="the harness is not installed", hint=hint)
        return
    yield _browser(environ)


def _browser(environ: Mapping[str, str]) -> SetupCheck:
    try:
        browser = find_browser(environ)
    except AwningError as error:
        return SetupCheck(name="browser", state="missing", detail=error.message, hint=error.hint)
    if browser is None:
        return SetupCheck(
            name="browser", state="warning", detail="none found", hint="`awning test` installs a browser"
        )
    return SetupCheck(
        name="browser", state="ok", detail=f"{browser.version()} ({browser.origin}) {browser.path}"
    )

"""Language codes in the form that the service uses."""

import re

LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")


def is_language_code(text: str) -> bool:
    """Return whether `text` could be a language code: `lv`, `pt-BR`, `zh_Hant`."""
    return LANGUAGE_CODE.fullmatch(text) is not None


def browser_code(code: str) -> str:
    """Return a code as browsers write it: `pt-BR` for `pt_BR`."""
    return code.replace("_", "-")


def base_language(code: str) -> str:
    """Return the language of a code without its script and region: `pt` for `pt-BR` and `pt_BR`."""
    return browser_code(code).partition("-")[0]

"""Domain names: judged before they are sent, compared in one form."""

from awning.errors import ConfigurationError

WWW = "www."
LONGEST = 253


def ascii_domain(name: str) -> str:
    """`name` in lower case and ASCII. Raises ConfigurationError for what is no domain name, or has www before it."""
    text = name.strip().lower()
    try:
        plain = text.encode("idna").decode("ascii")
    except UnicodeError:
        plain = ""
    labels = plain.split(".")
    if len(labels) <= 1 or not all(_label(label) for label in labels) or len(plain) > LONGEST:
        raise ConfigurationError(f"{name!r} is not a domain name", hint="such as shop.example")
    if plain.startswith(WWW):
        raise ConfigurationError("the domain must be given without www", hint=text.removeprefix(WWW))
    return plain


def same_domain(listed: str, plain: str) -> bool:
    """Whether `listed`, a domain in the service's notation, is the domain `plain`."""
    try:
        return ascii_domain(listed) == plain
    except ConfigurationError:
        return False


def _label(label: str) -> bool:
    return (
        bool(label)
        and label.replace("-", "a").isalnum()
        and not (label.startswith("-") or label.endswith("-"))
    )

"""A line of somebody's text, as a terminal shows it: escaped and cut. For `--diff`."""

from awning.client.secret import escaped

LONGEST_LINE = 200
"""The most characters of a line of a diff that are shown."""


def cut_line(text: str) -> str:
    """Return a line with control and invisible characters escaped, cut to LONGEST_LINE characters."""
    line = escaped(text)
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}\N{HORIZONTAL ELLIPSIS}"

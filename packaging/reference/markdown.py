"""Makes Markdown for the modules beside this one: lists, tables, pages."""

from collections.abc import Iterable, Sequence

NOTICE = "<!-- Made from the code by packaging/make_reference.py. Edit the code, not this page. -->"


def one_line(text: str) -> str:
    return " ".join(text.split())


def sentence(text: str) -> str:
    """Return a text on one line as a sentence: a capital at its beginning, a full stop at its end."""
    line = one_line(text)
    return f"{line[:1].upper()}{line[1:]}{'' if line[-1:] in '.!?]' else '.'}" if line else ""


def code(text: str) -> str:
    return f"`{one_line(text)}`" if text else ""


def entries(rows: Iterable[tuple[str, str]]) -> str:
    """Return a list of things, each with what is said about it. On a phone it is read more easily than a table."""
    return "\n".join(f"- {name}: {about}" if about else f"- {name}" for name, about in rows)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; empty when there are no rows. Columns that are empty in all rows are left out."""
    listed = [[value.replace("|", "\\|") for value in row] for row in rows]
    columns = [index for index in range(len(heads)) if any(row[index] for row in listed)]
    lines = [heads, ["---"] * len(heads), *listed]
    return (
        "\n".join("| " + " | ".join(line[index] for index in columns) + " |" for line in lines)
        if listed
        else ""
    )


def page(title: str, parts: Iterable[str]) -> str:
    """Return a page that ends in a newline. Empty parts are left out."""
    return "\n\n".join((NOTICE, f"# {title}", *(part for part in parts if part))) + "\n"

"""What the import statements of a script bring: templates, and the slots of "awning"."""

from collections.abc import Iterator

from awning.check.script.tree import Node

SLOTS = frozenset({"afterPrice", "afterCart", "afterCheckout"})


def template_of(node: Node) -> tuple[str, str] | None:
    """The name that an import statement gives a template, and the path that it takes it from."""
    source = _source(node)
    if not source.endswith(".html.j2"):
        return None
    name = next((one.text for one in node.kids[0].kids if one.type == "identifier"), None)
    return (name, source) if name else None


def slots_of(node: Node) -> Iterator[tuple[str, str]]:
    """The slots that a statement imports from "awning", by the names that it gives them."""
    if _source(node) == "awning":
        for one in node.walk():
            if one.type == "import_specifier" and one.fields["name"].text in SLOTS:
                yield one.fields.get("alias", one.fields["name"]).text, one.fields["name"].text


def _source(node: Node) -> str:
    source = node.fields.get("source")
    return source.text.strip("\"'") if node.type == "import_statement" and source else ""

"""Where in a JSON text a key stands: `json` gives values without positions, as `tomllib` does (locate.py).

Walks a text that `json` has already accepted, and therefore checks nothing; without recursion. It runs only when there
is something to report.
"""

import json
import re
from collections.abc import Mapping

from awning.workspace.locate import KeyPath

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')


def json_offsets(text: str) -> Mapping[KeyPath, int]:
    """The offset of every key and array element of a valid JSON text, by its path."""
    found: dict[KeyPath, int] = {}
    around: list[KeyPath] = []
    in_list: list[bool] = []
    path: KeyPath = ()
    key_next = False
    for token in _TOKEN.finditer(text):
        match token[0]:
            case "{" | "[" as opening:
                _note_item(found, around, in_list, path, token.start())
                around.append(path)
                in_list.append(opening == "[")
                key_next = opening == "{"
                path = (*path, 0) if opening == "[" else path
            case "}" | "]":
                path = around.pop()
                in_list.pop()
                key_next = False
            case ",":
                key_next = not in_list[-1]
                path = (*around[-1], int(path[len(around[-1])]) + 1) if in_list[-1] else around[-1]
            case ":":
                pass
            case name if key_next:
                path = (*around[-1], json.loads(name))
                found.setdefault(path, token.start())
                key_next = False
            case _:
                _note_item(found, around, in_list, path, token.start())
    return found


def _note_item(
    found: dict[KeyPath, int], around: list[KeyPath], in_list: list[bool], path: KeyPath, at: int
) -> None:
    """An element of a list stands where its value begins; a key's value, where the key does."""
    if around and in_list[-1]:
        found.setdefault(path, at)

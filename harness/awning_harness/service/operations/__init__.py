"""The calls of the Apps API, one file per family. Each takes a `Call` and returns the answer's fields.

Keyed by the operation names of `awning.contract.endpoints.ENDPOINTS`; a test holds the two complete.
"""

from collections.abc import Callable, Mapping
from typing import Any

from awning_harness.service.operations import account, data, installation, snippets
from awning_harness.service.operations.call import Call

Operation = Callable[[Call], dict[str, Any]]

OPERATIONS: Mapping[str, Operation] = {
    "installed": installation.installed,
    "delete": installation.delete,
    "set_snippet": snippets.set_snippet,
    "get_snippet": snippets.get_snippet,
    "set_head_snippet": snippets.set_head_snippet,
    "get_head_snippet": snippets.get_head_snippet,
    "set_data": data.set_data,
    "get_data": data.get_data,
    "user": account.user,
    "website": account.website,
    "languages": account.languages,
    "app_info": account.app_info,
}

__all__ = ["OPERATIONS", "Call", "Operation"]

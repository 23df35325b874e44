"""A request to a running server, whose answer is JSON."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit


def ask_json(url: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Return the status and the JSON of the answer to a request, on a connection of its own."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.request(method, urlsplit(url).path + path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()

"""Makes the `send` of a conformance run from a WSGI or ASGI application, which is called without a socket."""

import asyncio
import hmac
import io
from urllib.parse import urlsplit

from awning.client import Response, Secret
from awning.signed_requests.conformance import try_server
from awning.signed_requests.trial_requests import SampleValues, trial_requests

SECRET = "planted-canary-0452"
KEY = SECRET.encode()


def digest(text, key=KEY):
    return hmac.new(key, text if isinstance(text, bytes) else text.encode(), "sha256").hexdigest()


def wsgi(app, path="/install"):
    def send(operation):
        status, location = [], []
        environ = {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": operation.path.removeprefix("?"),
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": io.StringIO(),
            "wsgi.url_scheme": "http",
            "wsgi.version": (1, 0),
        }

        def start(line, headers, *_):
            status.append(int(line.split()[0]))
            location.append(next((value for name, value in headers if name.lower() == "location"), None))

        answer = app(environ, start)
        body = b"".join(answer)
        getattr(answer, "close", id)()
        return Response(status=status[0], location=location[0], body=body)

    return send


def asgi(app, path="/install"):
    async def once(query):
        sent = []

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query.encode(),
            "headers": [(b"host", b"localhost")],
            "server": ("localhost", 80),
            "scheme": "http",
            "http_version": "1.1",
        }
        await app(scope, receive, send)
        headers = {name: value.decode() for name, value in sent[0]["headers"]}
        body = b"".join(message.get("body", b"") for message in sent)
        return Response(status=sent[0]["status"], location=headers.get(b"location"), body=body)

    return lambda operation: asyncio.run(once(operation.path.removeprefix("?")))


def judged_by(accepts):
    """Return the `send` of a server that only calls `accepts` with the raw query.

    True becomes the status 200, False 403, and an exception 500.
    """

    def send(operation):
        try:
            return Response(status=200 if accepts(urlsplit(operation.path).query.encode()) else 403)
        except Exception:  # noqa: BLE001 - as a framework does
            return Response(status=500)

    return send


def run(send, **sample):
    """Send every request of the conformance command with `send`, and return the result."""
    return try_server(trial_requests(SampleValues(secret=Secret(SECRET), **sample)), send)

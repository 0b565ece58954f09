"""A scheduler extender on a port of this machine, as somebody would run one."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class RunningExtender:
    """Answers each verb by what ``answers`` has for it: JSON, bytes as they are, or a function of what was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.status = 200
        self.pause = 0.0
        self.headers: dict[str, str] = {}
        self.port = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{self.host}/ext"


@contextmanager
def running_extender() -> Iterator[RunningExtender]:
    """Run an extender while the block does."""
    extender = RunningExtender()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(extender))
    server.daemon_threads = True
    extender.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield extender
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _handler(extender: RunningExtender) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            arguments = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            verb = self.path.removeprefix("/ext/")
            extender.asked.append((verb, arguments))
            time.sleep(extender.pause)
            found: Any | Callable[[dict[str, Any]], Any] = extender.answers.get(verb)
            answer = found(arguments) if callable(found) else found
            body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(extender.status)
            for name, value in extender.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            # Who asked may have gone.
            with suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - so the library names it
            """Say nothing."""

    return Handler

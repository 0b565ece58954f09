"""A scheduler extender on a port of this machine, as somebody would run one."""

from __future__ import annotations

import json
import ssl
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from threading import Thread
from typing import TYPE_CHECKING, Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tests.engine.builders import Document


class Held:
    """Objects that the tests' clusters are made of, as a source holds them."""

    def __init__(self, nodes: Sequence[Document], pods: Sequence[Document] = ()) -> None:
        self.nodes = nodes
        self.pods = {f"{each['metadata']['namespace']}/{each['metadata']['name']}": each for each in pods}

    def nodes_named(self, names: Sequence[str]) -> list[Document]:
        return [each for each in self.nodes if each["metadata"]["name"] in names]

    def pods_named(self, keys: Sequence[str]) -> list[Document]:
        return [self.pods[key] for key in keys if key in self.pods]

    def pods_on(self, node: str) -> list[Document]:
        return [each for each in self.pods.values() if each["spec"]["nodeName"] == node]


class RunningExtender:
    """Answers each verb by what ``answers`` has for it: JSON, bytes as they are, or a function of what was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.status = 200
        self.pause = 0.0
        # So many bytes of a header come one by one before the rest; ``dripped`` have come.
        self.drip = 0
        self.dripped = 0
        self.headers: dict[str, str] = {}
        self.port = 0
        self.scheme = "http"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        return f"{self.scheme}://{self.host}/ext"


@contextmanager
def running_extender(tls: ssl.SSLContext | None = None) -> Iterator[RunningExtender]:
    """Run an extender while the block does, over TLS if its certificate is given."""
    extender = RunningExtender()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(extender))
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        extender.scheme = "https"
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


def self_signed(folder: Path) -> tuple[bytes, ssl.SSLContext]:
    """A certificate of this machine's that signs itself, and a server's side of TLS with it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "extender")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate = made.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "extender.pem").write_bytes(certificate + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "extender.pem")
    return certificate, context


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
            # Who asked may have gone.
            with suppress(BrokenPipeError, ConnectionResetError):
                self.flush_headers()
                for _ in range(extender.drip):
                    self.wfile.write(b"x")
                    extender.dripped += 1
                    time.sleep(0.05)
                self.wfile.write(b": 1\r\n" if extender.drip else b"")
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - so the library names it
            """Say nothing."""

    return Handler

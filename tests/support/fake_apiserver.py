"""An API server for tests: lists in pages, watches with resource versions and bookmarks, and misbehaves on request.

It runs on a thread with an event loop of its own, so that tests may block and watchers in other processes are served.
"""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import yaml

from clusters.adapters.kube import API_KINDS, ApiKind, api_path
from tests.support.live import free_port

if TYPE_CHECKING:
    from pathlib import Path

Object = dict[str, Any]
Key = tuple[str, str, str]

TOKEN = "let-me-in"


class RefusedError(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code}
        self.code = code


class FakeApiServer:
    """Serves what `put` and `delete` made; every attribute may be changed while it runs."""

    def __init__(self) -> None:
        self.port = free_port()
        self.objects: dict[Key, Object] = {}
        self.version = 100
        self.forbidden: set[str] = set()
        # Which versions of a group's kinds are served; groups that are not named serve v1 alone.
        self.served = {"resource.k8s.io": {"v1", "v1beta1"}}
        # What metrics.k8s.io serves, by plural; without any it is not served.
        self.metrics: dict[str, list[Object]] = {}
        self.token = TOKEN
        self.bookmark_seconds = 0.2
        # Bytes go out this many at a time, with a pause after each piece.
        self.piece_bytes = 0
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self._events: list[tuple[int, str, str, Object]] = []
        self._forgotten = 0
        self._continues: dict[str, tuple[int, list[Object]]] = {}
        self._lock = threading.RLock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server: asyncio.Server | None = None
        self._conversations: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()

    # -- from tests --------------------------------------------------------------------------------------

    def start(self) -> None:
        async def listen() -> None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

        asyncio.run_coroutine_threadsafe(listen(), self._loop).result(5)

    def stop(self) -> None:
        """Stop as if killed: open connections break off."""

        async def end() -> None:
            if self._server is not None:
                self._server.close()
            self._break_off()
            await asyncio.gather(*self._conversations)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(5)

    def close(self) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def drop_connections(self) -> None:
        self._loop.call_soon_threadsafe(self._break_off)

    def put(self, *documents: Object) -> None:
        """Create or replace objects."""
        with self._lock:
            for document in documents:
                self.version += 1
                key = key_of(document)
                metadata = {"uid": f"uid-{self.version}", **document["metadata"], "resourceVersion": str(self.version)}
                if key in self.objects:
                    metadata["uid"] = self.objects[key]["metadata"]["uid"]
                stored = {**document, "metadata": metadata}
                self._events.append((self.version, "MODIFIED" if key in self.objects else "ADDED", key[0], stored))
                self.objects[key] = stored
        self._tell()

    def delete(self, kind: str, name: str, namespace: str = "") -> None:
        with self._lock:
            self.version += 1
            gone = self.objects.pop((kind, namespace, name))
            gone = {**gone, "metadata": {**gone["metadata"], "resourceVersion": str(self.version)}}
            self._events.append((self.version, "DELETED", kind, gone))
        self._tell()

    def compact(self) -> None:
        """Forget all events but what they led to, and the rest of every list that is being read."""
        with self._lock:
            self._forgotten = self.version
            self._events.clear()
            self._continues.clear()

    def kubeconfig(self, path: Path, *, token: str = TOKEN) -> Path:
        """Write a kubeconfig with one context, `fake`."""
        return kubeconfig(path, port=self.port, token=token)

    # -- serving -----------------------------------------------------------------------------------------

    def _tell(self) -> None:
        def wake() -> None:
            self._news.set()
            self._news = asyncio.Event()

        self._loop.call_soon_threadsafe(wake)

    def _break_off(self) -> None:
        for conversation in self._conversations:
            conversation.cancel()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = asyncio.create_task(self._converse(reader, writer))
        self._conversations.add(conversation)
        await conversation
        self._conversations.discard(conversation)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                request, *headers = head.split("\r\n")
                method, target, _ = request.split(" ")
                address = urlsplit(target)
                query = {name: values[0] for name, values in parse_qs(address.query).items()}
                self.requests.append((method, address.path, query))
                try:
                    await self._answer(writer, address.path, query, headers)
                except RefusedError as refusal:
                    await self._document(writer, refusal.status, refusal.code)
        writer.transport.abort()

    async def _answer(self, writer: asyncio.StreamWriter, path: str, query: dict[str, str], headers: list[str]) -> None:
        if f"authorization: bearer {self.token}" not in (header.lower() for header in headers):
            raise RefusedError(401, "Unauthorized")
        if path == "/version":
            await self._document(writer, {"gitVersion": "v1.34.1"})
            return
        if path.startswith("/apis/metrics.k8s.io/v1beta1/") and self.metrics:
            plural = path.rpartition("/")[2]
            if plural in self.forbidden:
                raise RefusedError(403, f'{plural}.metrics.k8s.io is forbidden: User "berth" cannot list it')
            await self._document(writer, {"kind": "List", "items": self.metrics[plural]})
            return
        kind = next((kind for kind in API_KINDS.values() for each in kind.versions if kind.path(each) == path), None)
        version = path.split("/")[-2]
        if kind is None:
            await self._document(writer, self._resources(path))
        elif version not in self._versions(kind.group):
            raise RefusedError(404, "the server could not find the requested resource")
        elif kind.name in self.forbidden:
            raise RefusedError(403, f'{kind.plural} is forbidden: User "berth" cannot list resource "{kind.plural}"')
        elif query.get("watch") == "true":
            await self._watch(writer, kind, query)
        else:
            await self._document(writer, self._list(kind, version, query))

    def _versions(self, group: str) -> set[str]:
        return self.served.get(group, {"v1"})

    def _resources(self, path: str) -> Object:
        found = [
            kind.plural
            for kind in API_KINDS.values()
            for version in kind.versions
            if api_path(kind.group, version) == path and version in self._versions(kind.group)
        ]
        if not found:
            raise RefusedError(404, "the server could not find the requested resource")
        return {"kind": "APIResourceList", "resources": [{"name": name} for name in found]}

    def _list(self, kind: ApiKind, version: str, query: dict[str, str]) -> Object:
        with self._lock:
            token = query.get("continue", "")
            if token and token not in self._continues:
                raise RefusedError(410, "The provided continue parameter is too old")
            at, items = self._continues.pop(token, (self.version, self._of(kind)))
            limit = int(query.get("limit", "0")) or len(items)
            page, rest = items[:limit], items[limit:]
            metadata = {"resourceVersion": str(at)}
            if rest:
                metadata["continue"] = f"{kind.name}-{at}-{len(rest)}"
                self._continues[metadata["continue"]] = (at, rest)
        bare = [{name: part for name, part in item.items() if name not in ("kind", "apiVersion")} for item in page]
        return {"kind": f"{kind.name}List", "apiVersion": version, "metadata": metadata, "items": bare}

    def _of(self, kind: ApiKind) -> list[Object]:
        return [document for key, document in sorted(self.objects.items()) if key[0] == kind.name]

    async def _watch(self, writer: asyncio.StreamWriter, kind: ApiKind, query: dict[str, str]) -> None:
        position = int(query["resourceVersion"])
        if position < self._forgotten:
            raise RefusedError(410, f"too old resource version: {position}")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            with self._lock:
                news = self._news
                gone = position < self._forgotten
                at = self.version
                events = [event for event in self._events[self._first_after(position) :] if event[2] == kind.name]
            if gone:
                status = RefusedError(410, f"too old resource version: {position}").status
                await self._chunk(writer, {"type": "ERROR", "object": status})
                writer.write(b"0\r\n\r\n")
                return
            for _, happening, _, document in events:
                await self._chunk(writer, {"type": happening, "object": document})
            position = at
            try:
                async with asyncio.timeout(self.bookmark_seconds):
                    await news.wait()
            except TimeoutError:
                if query.get("allowWatchBookmarks") == "true":
                    bookmark = {"kind": kind.name, "metadata": {"resourceVersion": str(position)}}
                    await self._chunk(writer, {"type": "BOOKMARK", "object": bookmark})

    def _first_after(self, position: int) -> int:
        # Versions grow by one with each event, so the place of the first one later is known.
        return max(0, len(self._events) - (self.version - position))

    async def _chunk(self, writer: asyncio.StreamWriter, message: Object) -> None:
        data = json.dumps(message).encode() + b"\n"
        size = self.piece_bytes or len(data)
        for start in range(0, len(data), size):
            piece = data[start : start + size]
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await writer.drain()
            if self.piece_bytes:
                await asyncio.sleep(0.001)

    async def _document(self, writer: asyncio.StreamWriter, document: Object, code: int = 200) -> None:
        data = json.dumps(document).encode()
        head = f"HTTP/1.1 {code} Something\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        writer.write(head.encode() + data)
        await writer.drain()


def key_of(document: Object) -> Key:
    metadata = document["metadata"]
    return document["kind"], metadata.get("namespace", ""), metadata["name"]


def kubeconfig(path: Path, *, port: int, token: str = TOKEN) -> Path:
    """Write a kubeconfig with one context, `fake`, for a server on the loopback address."""
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "fake",
        "clusters": [{"name": "here", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
        "users": [{"name": "me", "user": {"token": token}}],
        "contexts": [{"name": "fake", "context": {"cluster": "here", "user": "me"}}],
    }
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path

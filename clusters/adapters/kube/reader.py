"""The ClusterReader that speaks HTTP: GET requests, and nothing else."""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import httpx2
import orjson

from clusters.adapters.bad_input import printable
from clusters.adapters.kube.connection import CONNECT_SECONDS
from clusters.adapters.kube.kinds import ApiKind, api_path
from clusters.adapters.kube.objects import version_of
from clusters.adapters.kube.port import (
    ForbiddenError,
    GoneError,
    Happening,
    NotServedError,
    Page,
    SourceError,
    UnauthorizedError,
    UnreachableError,
    WatchEvent,
)
from clusters.adapters.usage.metrics import METRICS_GROUP, METRICS_RELEASE
from clusters.problems.live import (
    ConnectionLost,
    EndlessMessage,
    KindNotServed,
    MayNotList,
    NoAnswer,
    NotConnected,
    NothingHeard,
    PathNotFound,
    RefusedWithStatus,
    StrangeAnswer,
    UnknownCredentials,
    UnknownEvent,
    VersionGone,
    WatchFailed,
)
from clusters.problems.usage import LargeMetrics

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from clusters.adapters.kube.connection import Connection
    from clusters.engine.problems import Problem

_OBJECTS_PER_PAGE = 500
# The API server is asked to end a watch after some minutes, at another moment for each kind; it is then resumed.
_WATCH_SECONDS = (240, 420)
# A bookmark comes about once a minute, but only of a kind of which something has happened since the API server started.
# Whether a watch that is silent for longer has lost its API server shows when it is opened again.
_LONGEST_SILENCE = httpx2.Timeout(30, connect=CONNECT_SECONDS, read=75)
_LONGEST_MESSAGE = 32 * 1024 * 1024
_LONGEST_SAYING = 1000
# Of 150,000 pods with two containers it takes some 100 MiB.
LARGEST_METRICS = 256 * 1024 * 1024


class HttpReader:
    """Reads one cluster over connections that all its kinds share."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._client: httpx2.AsyncClient | None = None
        self._served: dict[str, frozenset[str] | None] = {}

    async def version(self) -> str:
        return printable(str((await self._document("/version", {}, "")).get("gitVersion", "")))

    async def served_version(self, kind: ApiKind) -> str:
        for version in kind.versions:
            try:
                document = await self._document(api_path(kind.group, version), {}, kind.name)
            except NotServedError:
                continue
            except ForbiddenError:
                # Who may not discover may still list: the list itself will say what is served.
                return version
            if any(entry.get("name") == kind.plural for entry in _objects(document, "resources", kind.name)):
                return version
        raise NotServedError(KindNotServed(kind.name))

    async def pages(self, kind: ApiKind, version: str) -> AsyncGenerator[Page]:
        query = {"limit": str(_OBJECTS_PER_PAGE)}
        while True:
            document = await self._document(kind.path(version), query, kind.name)
            yield Page(_objects(document, "items", kind.name), version_of(document))
            metadata = document.get("metadata")
            rest = metadata.get("continue") if isinstance(metadata, dict) else None
            if not rest:
                return
            query["continue"] = str(rest)

    async def watch(self, kind: ApiKind, version: str, resource_version: str) -> AsyncGenerator[WatchEvent]:
        query = {
            "watch": "true",
            "resourceVersion": resource_version,
            "timeoutSeconds": str(random.randint(*_WATCH_SECONDS)),  # noqa: S311 - to spread load, not to hide anything
            "allowWatchBookmarks": "true",
        }
        async with self._answer(kind.path(version), query, kind.name, patience=_LONGEST_SILENCE) as response:
            yield WatchEvent(Happening.OPENED, {}, resource_version)
            with suppress(httpx2.ReadTimeout):
                async for line in _lines(response):
                    yield _event(line, kind.name)

    async def metrics(self, plural: str, what: str) -> list[dict[str, Any]]:
        """Return all objects of a kind of metrics.k8s.io, which has no pages. Raises SourceError."""
        async with self._answer(f"{api_path(METRICS_GROUP, METRICS_RELEASE)}/{plural}", {}, what) as response:
            parts, size = [], 0
            async for part in response.aiter_bytes():
                parts.append(part)
                size += len(part)
                if size > LARGEST_METRICS:
                    raise UnreachableError(LargeMetrics(LARGEST_METRICS))
            return _objects(_parsed(b"".join(parts), what), "items", what)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _document(self, path: str, query: dict[str, str], what: str) -> dict[str, Any]:
        async with self._answer(path, query, what) as response:
            return _parsed(await response.aread(), what)

    @asynccontextmanager
    async def _answer(
        self, path: str, query: dict[str, str], what: str, *, patience: httpx2.Timeout | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """Ask, and give the answer if it is a good one; translate whatever can go wrong until it is read."""
        client = self._open_client()
        request = client.build_request("GET", path, params=query)
        if patience is not None:
            request.extensions["timeout"] = patience.as_dict()
        try:
            response = await client.send(request, stream=True)
            try:
                if response.status_code != httpx2.codes.OK:
                    raise self._refusal(response.status_code, _message(await response.aread()), what)
                yield response
            finally:
                await response.aclose()
        except UnauthorizedError:
            # The next request reads the kubeconfig again, where somebody may have renewed the token.
            if self._client is client:
                await self.close()
            raise
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and not client.is_closed:
                raise
            raise UnreachableError(self._silence(error)) from error

    def _open_client(self) -> httpx2.AsyncClient:
        if self._client is None:
            self._client = self._connection.client()
        return self._client

    def _refusal(self, status: int, message: str, what: str) -> SourceError:
        match status:
            case 401:
                return UnauthorizedError(UnknownCredentials(self._connection.kubeconfig, self._connection.context))
            case 403:
                return ForbiddenError(MayNotList(what, message))
            case 404:
                return NotServedError(PathNotFound(what))
            case 410:
                return GoneError(VersionGone(what, message))
        return UnreachableError(RefusedWithStatus(status, message))

    def _silence(self, error: Exception) -> Problem:
        kubeconfig, context = self._connection.kubeconfig, self._connection.context
        match error:
            case httpx2.ConnectTimeout():
                return NotConnected(CONNECT_SECONDS, kubeconfig, context)
            case httpx2.TimeoutException():
                return NothingHeard(kubeconfig, context)
            case httpx2.RemoteProtocolError() | httpx2.ReadError() | httpx2.CloseError():
                return ConnectionLost(kubeconfig, context)
        return NoAnswer(str(error) or type(error).__name__, kubeconfig, context)


async def _lines(response: httpx2.Response) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in response.aiter_bytes():
        lines = (rest + chunk).split(b"\n") if b"\n" in chunk else [rest + chunk]
        rest = lines.pop()
        if len(rest) > _LONGEST_MESSAGE:
            raise UnreachableError(EndlessMessage())
        for line in lines:
            if line:
                yield line
        # A burst of events must not keep the other kinds waiting.
        await asyncio.sleep(0)


def _event(line: bytes, what: str) -> WatchEvent:
    message = _parsed(line, what)
    found = message.get("object")
    document: dict[str, Any] = found if isinstance(found, dict) else {}
    if message.get("type") == "ERROR":
        said = _said(document)
        if document.get("code") == httpx2.codes.GONE:
            raise GoneError(VersionGone(what, said))
        raise UnreachableError(WatchFailed(what, said))
    try:
        happening = Happening(str(message.get("type")))
    except ValueError:
        raise UnreachableError(UnknownEvent(what)) from None
    return WatchEvent(happening, document, version_of(document))


def _objects(document: dict[str, Any], key: str, what: str) -> list[dict[str, Any]]:
    """Return a list of objects within an answer. Raises UnreachableError for anything else."""
    found = document.get(key) or []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise UnreachableError(StrangeAnswer(what))
    return found


def _parsed(data: bytes, what: str) -> dict[str, Any]:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict):
        raise UnreachableError(StrangeAnswer(what))
    return document


def _message(data: bytes) -> str:
    """Return what a Status says, or nothing of an answer that is none."""
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        return ""
    return _said(document) if isinstance(document, dict) else ""


def _said(status: dict[str, Any]) -> str:
    """Return a Status's message as it can be stored and shown."""
    return printable(str(status.get("message", ""))[:_LONGEST_SAYING])

"""Answers that no API server of Kubernetes gives: each fails in a way that a watcher knows."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from clusters.adapters.kube import (
    API_KINDS,
    Connection,
    HttpReader,
    UnreachableError,
    UnreadableObjectError,
    WatchEvent,
    live_row,
    version_of,
)
from clusters.documents.stored_problems import problem_of_text, text_of_problem
from clusters.problems.live import WatchFailed
from clusters.wording.problems import problem_sentence
from tests.support.fake_apiserver import kubeconfig
from tests.support.problems import not_given

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

PODS = API_KINDS["Pod"]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({"metadata": {"name": "web", "namespace": "shop"}}, "Pod shop/web: metadata.uid: The object has no UID"),
        ({"metadata": {"name": "web", "uid": 5}}, "Pod web: metadata.uid: "),
        ({"metadata": "web"}, "Pod without a name: metadata: 'web' is not a map."),
        ({"metadata": ["web"]}, "Pod without a name: metadata: ['web'] is not a map."),
        ({}, "Pod without a name: metadata.name: "),
    ],
)
def test_an_object_that_cannot_be_kept_is_said_to_be_so(document: dict[str, Any], problem: str) -> None:
    with pytest.raises(UnreadableObjectError) as caught:
        live_row(PODS, "v1", document)

    assert problem_sentence(caught.value.problem).startswith(problem)
    assert problem_of_text(text_of_problem(caught.value.problem)) == caught.value.problem


@pytest.mark.parametrize("metadata", [None, "7", ["7"], {"resourceVersion": 7}, {"resourceVersion": "7" * 64}])
def test_a_version_that_cannot_be_kept_is_none(metadata: object) -> None:
    assert version_of({"metadata": metadata}) == ""


@asynccontextmanager
async def answering(tmp_path: Path, answer: object) -> AsyncIterator[HttpReader]:
    """A server that gives one JSON answer to every request."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        data = orjson.dumps(answer) + b"\n"
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(data), data))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(converse, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = HttpReader(Connection(str(kubeconfig(tmp_path / "kubeconfig", port=port)), "fake"))
    try:
        yield client
    finally:
        await client.close()
        server.close()


@pytest.mark.parametrize("answer", [{"items": 5}, {"items": ["pod"]}, {"items": {"a": 1}}, ["pod"]])
async def test_a_list_that_is_none_is_refused(tmp_path: Path, answer: object) -> None:
    async with answering(tmp_path, answer) as reader:
        with not_given(UnreachableError, "not the API server's"):
            await anext(reader.pages(PODS, "v1"))


async def test_a_directory_of_kinds_that_is_none_is_refused(tmp_path: Path) -> None:
    async with answering(tmp_path, {"resources": ["pods"]}) as reader:
        with not_given(UnreachableError, "not the API server's"):
            await reader.served_version(PODS)


@pytest.mark.parametrize("metadata", ["web", ["web"], {"resourceVersion": "7" * 64}])
async def test_an_event_without_a_version_has_none(tmp_path: Path, metadata: object) -> None:
    async with answering(tmp_path, {"type": "ADDED", "object": {"metadata": metadata}}) as reader:
        events: list[WatchEvent] = [event async for event in reader.watch(PODS, "v1", "1")]

    assert [event.resource_version for event in events] == ["1", ""]


async def test_what_a_watch_complains_of_can_be_stored(tmp_path: Path) -> None:
    """No database takes a NUL, and no page a book."""
    complaint = {"type": "ERROR", "object": {"code": 500, "message": "no\0 " + "more" * 10_000}}
    async with answering(tmp_path, complaint) as reader:
        with pytest.raises(UnreachableError) as caught:
            _ = [event async for event in reader.watch(PODS, "v1", "1")]

    assert isinstance(caught.value.problem, WatchFailed)
    assert caught.value.problem.said.isprintable()
    assert len(caught.value.problem.said) < 1_100


async def test_a_version_of_the_api_server_can_be_stored(tmp_path: Path) -> None:
    async with answering(tmp_path, {"gitVersion": "v1.34.1\0"}) as reader:
        assert (await reader.version()).isprintable()

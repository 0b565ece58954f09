"""One kind, followed through an API server that does not serve it, or whose proxy says so."""

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
from clusters.adapters.state import is_needed
from clusters.documents.stored_problems import problem_of_text, text_of_problem
from clusters.engine.batch_systems import BATCH_SYSTEMS, BatchSystem
from clusters.models import WatchedKind
from clusters.problems.live import CoreKindNotServed, WatchFailed
from clusters.services.journal.ledger import Ledger
from clusters.services.watching import watcher as follower
from clusters.services.watching.watcher import Backoff, Batch, Follower, Pending
from clusters.wording.problems import problem_sentence
from tests.clusters.dumps import pod
from tests.support.fake_apiserver import kubeconfig
from tests.support.problems import not_given
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from clusters.engine.problems import Problem
    from tests.support.fake_apiserver import FakeApiServer, Object

State = WatchedKind.State


class Following:
    """A follower that runs, and what it says of its kind."""

    def __init__(self, reader: HttpReader, pending: Pending, kind: str) -> None:
        self._reader = reader
        self._pending = pending
        self.kind = kind

    @property
    def state(self) -> str:
        return self._pending.status(self.kind).state

    @property
    def problem(self) -> Problem | None:
        return self._pending.status(self.kind).problem

    def take(self) -> Batch:
        return self._pending.take()

    def take_gates(self) -> dict[str, bool | None]:
        """The gates of the next batch, none where it has none."""
        return self.take().gates or {}

    async def until(self, happened: Callable[[], object]) -> None:
        await asyncio.to_thread(wait_until, happened, seconds=20, otherwise=f"{self.kind} is {self.state}")


@pytest.fixture
async def follow(api_server: FakeApiServer, tmp_path: Path) -> AsyncIterator[Callable[[str], Following]]:
    reader = HttpReader(Connection(str(api_server.kubeconfig(tmp_path / "kubeconfig")), "fake"))
    tasks = []

    def follow(kind: str) -> Following:
        pending = Pending({}, Ledger(is_new=True))
        tasks.append(asyncio.create_task(Follower(API_KINDS[kind], reader, pending).run()))
        return Following(reader, pending, kind)

    yield follow
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await reader.close()


def discoveries(api_server: FakeApiServer) -> int:
    return sum(path == "/apis/resource.k8s.io/v1alpha3" for _, path, _ in api_server.requests)


async def test_a_kind_that_is_not_served_is_emptied_once(
    api_server: FakeApiServer, follow: Callable[[str], Following], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each list makes the journal forget the past, and most API servers lack a kind or two for ever."""
    monkeypatch.setattr(follower, "_WAIT_FOR_KIND", 0.02)
    api_server.served["resource.k8s.io"] = {"v1beta1"}
    following = follow("DeviceTaintRule")
    await following.until(lambda: following.state == State.UNSERVED)
    assert following.take().listings == {"DeviceTaintRule": {}}

    asked = discoveries(api_server)
    await following.until(lambda: discoveries(api_server) > asked + 2)

    assert following.take().listings == {}
    assert following.state == State.UNSERVED


@pytest.mark.parametrize("system", BATCH_SYSTEMS, ids=lambda system: system.name)
async def test_groups_of_other_systems_come_once_their_api_does(
    api_server: FakeApiServer,
    follow: Callable[[str], Following],
    monkeypatch: pytest.MonkeyPatch,
    system: BatchSystem,
) -> None:
    monkeypatch.setattr(follower, "_WAIT_FOR_KIND", 0.02)
    kind = API_KINDS[system.kind]
    api_server.served[kind.group] = set()
    following = follow(system.kind)
    await following.until(lambda: following.state == State.UNSERVED)
    assert not is_needed(system.kind, is_served=False)

    metadata = {"name": "train", "namespace": "ml", "uid": "train"}
    api_server.put({"kind": system.kind, "metadata": metadata, "spec": {"minMember": 2, "secret": "x"}})
    api_server.served[kind.group] = {kind.versions[0]}

    await following.until(lambda: following.state == State.OK)
    (row,) = following.take().listings[system.kind].values()
    assert row is not None
    document = orjson.loads(row[3])
    assert (document["kind"], document["apiVersion"]) == (system.kind, kind.api_version(kind.versions[0]))
    assert "secret" not in document["spec"]


@pytest.mark.parametrize("version", ["v1beta1", "v1alpha3"])
async def test_groups_of_groups_come_in_the_version_that_is_served(
    api_server: FakeApiServer, follow: Callable[[str], Following], version: str
) -> None:
    api_server.put({"kind": "CompositePodGroup", "metadata": {"name": "whole", "namespace": "ml", "uid": "whole"}})
    api_server.served["scheduling.k8s.io"] = {version}
    following = follow("CompositePodGroup")

    await following.until(lambda: following.state == State.OK)
    (row,) = following.take().listings["CompositePodGroup"].values()
    assert row is not None
    assert orjson.loads(row[3])["apiVersion"] == f"scheduling.k8s.io/{version}"


async def test_the_core_kinds_are_never_taken_for_gone(
    api_server: FakeApiServer, follow: Callable[[str], Following]
) -> None:
    """As a proxy says whose API server is away: an answer with 404 must not empty the mirror."""
    api_server.put(pod())
    following = follow("Pod")
    await following.until(lambda: following.state == State.OK)
    assert list(following.take().listings["Pod"]) == ["pod-shop-web"]

    api_server.served[""] = set()
    api_server.drop_connections()
    await following.until(lambda: following.problem == CoreKindNotServed("Pod"))
    assert following.state == State.SILENT
    assert following.take().listings == {}

    del api_server.served[""]
    await following.until(lambda: following.state == State.OK)


def scheduler(name: str, *flags: str) -> Object:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "kube-system", "name": name, "uid": name},
        "spec": {"containers": [{"name": "kube-scheduler", "command": ["kube-scheduler", *flags]}], "nodeName": "n1"},
    }


async def test_the_gates_of_scheduler_pods_are_heard_and_nothing_else_of_their_command(
    api_server: FakeApiServer, follow: Callable[[str], Following]
) -> None:
    api_server.put(pod())
    api_server.put(scheduler("a", "--feature-gates=VolumeLimitScaling=true,NoSuchGate=false", "--kubeconfig=/secret"))
    following = follow("Pod")
    await following.until(lambda: following.state == State.OK)
    batch = following.take()
    assert batch.gates == {"VolumeLimitScaling": True}
    assert "secret" not in repr(batch)

    api_server.put(scheduler("b", "--feature-gates=VolumeLimitScaling=false"))
    await following.until(lambda: following.take_gates() == {"VolumeLimitScaling": None})

    api_server.delete("Pod", "b", "kube-system")
    await following.until(lambda: following.take_gates() == {"VolumeLimitScaling": True})


def slice_named(name: str) -> Object:
    return {
        "apiVersion": "resource.k8s.io/v1beta2",
        "kind": "ResourceSlice",
        "metadata": {"name": name, "uid": name},
        "spec": {},
    }


async def test_a_kind_that_moves_to_another_version_is_not_emptied(
    api_server: FakeApiServer, follow: Callable[[str], Following]
) -> None:
    """As with an upgrade of the API server."""
    api_server.served["resource.k8s.io"] = {"v1beta2"}
    api_server.put(slice_named("a"))
    following = follow("ResourceSlice")
    await following.until(lambda: following.state == State.OK)
    assert list(following.take().listings["ResourceSlice"]) == ["a"]

    api_server.served["resource.k8s.io"] = {"v1"}
    api_server.drop_connections()
    taken = following.take()
    await following.until(lambda: "ResourceSlice" in taken.listings or following.state == State.SILENT)
    await following.until(lambda: following.state == State.OK)

    assert list(following.take().listings["ResourceSlice"]) == ["a"]


def test_waits_grow_to_the_limit() -> None:
    backoff = Backoff(longest=15.0)
    waits = [backoff.next() for _ in range(10)]

    assert 0.25 <= waits[0] <= 0.5
    assert all(7.5 <= wait <= 15.0 for wait in waits[5:])


def test_what_fails_for_days_is_asked_as_often_as_before() -> None:
    """As a kind does that stays forbidden, or an API server that is away over a weekend."""
    backoff = Backoff(longest=30.0)
    assert all(15.0 <= wait <= 30.0 for wait in [backoff.next() for _ in range(5_000)][-100:])


PODS = API_KINDS["Pod"]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({"metadata": {"name": "web", "namespace": "shop"}}, "Pod shop/web: metadata.uid: There is no metadata.uid"),
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

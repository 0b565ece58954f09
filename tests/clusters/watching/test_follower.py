"""One kind, followed through an API server that does not serve it, or whose proxy says so."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from clusters.adapters.kube import API_KINDS, Connection, HttpReader
from clusters.models import WatchedKind
from clusters.problems.live import CoreKindNotServed
from clusters.services.journal.ledger import Ledger
from clusters.services.watching import watcher as follower
from clusters.services.watching.watcher import Batch, Follower, Pending
from tests.clusters.dumps import pod
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
    api_server.put(scheduler("a", "--feature-gates=VolumeLimitScaling=true,NodeSwap=false", "--kubeconfig=/secret"))
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

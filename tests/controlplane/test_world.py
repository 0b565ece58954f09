"""Thousands of pods of every kind of constraint, and the life of a cluster: Berth has seen, and judged, all of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.controlplane.chronicle import Chronicle
from tests.controlplane.following import PATIENCE, create_cluster, wait_until_equal
from tests.controlplane.life import CREATED, REFUSED, UNDECIDABLE, Life
from tests.controlplane.world import World, plan
from tests.support.watching import start_watcher, wait_until_followed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.models import Cluster
    from dashboard.serving.children import Child
    from tests.controlplane.plane import ControlPlane

pytestmark = [pytest.mark.controlplane, pytest.mark.django_db(transaction=True)]

_SETTLES_IN = 400


@pytest.fixture
def world(control_plane: ControlPlane) -> Iterator[World]:
    world = plan(control_plane)
    try:
        world.build()
        yield world
    finally:
        world.remove()


@pytest.fixture
def cluster(control_plane: ControlPlane) -> Cluster:
    return create_cluster(control_plane)


@pytest.fixture
def watcher(cluster: Cluster, redis_url: str) -> Iterator[Child]:
    child = start_watcher(cluster, redis_url=f"{redis_url}?db=2")
    yield child
    child.stop(grace=10)


def test_world(world: World, cluster: Cluster, watcher: Child) -> None:
    wait_until_followed(cluster, seconds=PATIENCE)
    life = Life(world)
    with Chronicle(world.plane.admin_kubeconfig) as chronicle:
        began = time.monotonic()
        planned = world.populate()
        print(f"{planned} pods asked for after {time.monotonic() - began:.0f} s", flush=True)
        chronicle.wait_until_settled(seconds=_SETTLES_IN)
        placed = len(chronicle.placed())
        print(f"{placed} pods placed, settled after {time.monotonic() - began:.0f} s", flush=True)
        life.lead()
        print(f"life led after {time.monotonic() - began:.0f} s: {life.evictions}", flush=True)
        chronicle.wait_until_settled(seconds=_SETTLES_IN)
        print(f"{len(chronicle.placed())} pods placed, settled after {time.monotonic() - began:.0f} s", flush=True)
    count = wait_until_equal(cluster, world.api)
    print(f"{count} objects equal after {time.monotonic() - began:.0f} s", flush=True)

    assert set(life.evictions) >= {CREATED, REFUSED, UNDECIDABLE}

"""Clusters that many pages are asked about, and who may change them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.rows import allow_changes
from tests.support.decision_cluster import decision_cluster
from tests.support.mirrored import DEMO, DEMO_OF_DAY, load, load_demo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.test import Client


@pytest.fixture
def demo(db: None, tmp_path: Path) -> Iterator[Cluster]:
    """The demo cluster, which nobody may change."""
    cluster = load_demo(tmp_path, key=DEMO)
    yield cluster
    assert Cluster.objects.get(pk=DEMO).revision == cluster.revision


@pytest.fixture
def demo_of_day(db: None, tmp_path: Path) -> Iterator[Cluster]:
    """The demo cluster with its last day in the journal, which nobody may change."""
    cluster = load_demo(tmp_path, key=DEMO_OF_DAY, with_day=True)
    yield cluster
    assert Cluster.objects.get(pk=DEMO_OF_DAY).revision == cluster.revision


@pytest.fixture
def cluster(db: None, tmp_path: Path) -> Cluster:
    """The small cluster whose pods meet every kind of verdict."""
    return decision_cluster(tmp_path)


@pytest.fixture
def shop(db: None, tmp_path: Path) -> Cluster:
    """Four nodes of 4 CPUs in three zones, and a Deployment of which two pods of half a CPU run."""
    return load(tmp_path, "shop", [*zones(), *deployed({"a1": 2})])


@pytest.fixture
def operator_client(user: User, signed_in_client: Client) -> Client:
    """A client that is signed in as somebody who may add and change clusters."""
    allow_changes(user)
    return signed_in_client

"""The demo cluster, for tests that only look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster
from tests.support.mirrored import DEMO, DEMO_OF_DAY, load_demo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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

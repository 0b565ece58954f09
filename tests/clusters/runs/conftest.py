"""Clusters and specs that several tests of runs begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.clusters.dumps import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.models import Cluster


def nodes(count: int, **fields: Any) -> list[dict[str, Any]]:
    return [node(f"n{number:03d}", **fields) for number in range(count)]


@pytest.fixture
def cluster(db: None, tmp_path: Path) -> Cluster:
    """Three nodes of 4 CPUs, a pod on one of them and one that waits."""
    return load(tmp_path, "prod", [*nodes(3), pod("web", on="n000"), pod("waiting")])

"""What lives long is left out of collections of cyclic garbage, and nothing is lost by that."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from clusters.services.computing import clear_away, set_aside
from clusters.services.mirror import snapshots
from clusters.services.mirror.snapshots import forget_snapshots, snapshot_of
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Link:
    """An object that may refer to itself."""

    def __init__(self) -> None:
        self.other: Link | None = None


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    threshold = gc.get_threshold()
    gc.unfreeze()
    yield
    gc.freeze()
    gc.set_threshold(*threshold)


def test_of_what_is_set_aside_cycles_alone_wait_for_the_next_time() -> None:
    link, cycle = Link(), Link()
    cycle.other = cycle
    seen, waiting = weakref.ref(link), weakref.ref(cycle)
    set_aside()

    del link
    assert seen() is None

    cycle = Link()
    cycle.other, younger = cycle, weakref.ref(cycle)
    del cycle
    clear_away()
    assert waiting() is not None
    assert younger() is None, "it is not freed at the end of a run"

    set_aside()
    assert waiting() is None


@pytest.mark.django_db
@pytest.mark.parametrize(("many", "is_set_aside"), [(2, True), (3, False)])
def test_the_snapshot_of_a_large_cluster_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int, is_set_aside: bool
) -> None:
    cluster = load(tmp_path, "shop", [node("ash", "north"), pod("web", nodeName="ash"), pod("db", nodeName="ash")])
    forget_snapshots()
    monkeypatch.setattr(snapshots, "_MANY_PODS", many)

    snapshot = snapshot_of(cluster)

    assert any(each is snapshot for each in gc.get_objects()) is not is_set_aside

"""What lives long is left out of collections of cyclic garbage, and nothing is lost by that."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from clusters.services.computing import set_aside
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
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_what_is_set_aside_is_freed_when_nothing_refers_to_it() -> None:
    link = Link()
    seen = weakref.ref(link)
    set_aside()

    del link

    assert seen() is None


def test_a_cycle_that_was_set_aside_is_freed_the_next_time() -> None:
    link = Link()
    link.other = link
    seen = weakref.ref(link)
    set_aside()
    del link

    gc.collect()
    before = seen() is not None
    set_aside()

    assert before
    assert seen() is None


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

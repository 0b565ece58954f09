"""Clusters that are followed and judged, for tests of what becomes of their decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.services.journal import judge as judging
from tests.clusters.dumps import node
from tests.clusters.journal.followed import Followed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.clusters.journal.pods import Object


@pytest.fixture
def follow_objects(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Followed]]:
    """Return what follows some objects, and waits moments for seconds."""
    monkeypatch.setattr(judging, "_SETTLING", 0.2)
    monkeypatch.setattr(judging, "_SECOND_LOOK", 0.3)
    monkeypatch.setattr(judging, "_BETWEEN_ATTEMPTS", 0.1)
    started: list[Followed] = []

    def start(*objects: Object) -> Followed:
        started.append(Followed(*objects))
        return started[-1]

    yield start
    for followed in started:
        followed.end()


@pytest.fixture
def follow(follow_objects: Callable[..., Followed]) -> Callable[..., Followed]:
    """Return what follows two nodes with four cores each, and some more objects."""
    return lambda *objects: follow_objects(node("n1"), node("n2"), *objects)

"""One process for each live cluster, as they come and go. The processes here only sleep."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from clusters.models import Cluster
from dashboard.serving import processes, watchers
from dashboard.serving.children import Child
from dashboard.serving.watchers import Wanted, Watchers, wanted_watchers
from tests.dashboard.rows import a_cluster
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator


class Scene:
    """Clusters that a test wants watched, and the processes that were started for them."""

    def __init__(self) -> None:
        self.wanted: dict[int, Wanted] | None = {}
        self.started: list[Child] = []
        self.watchers = Watchers(start=self._start, look=lambda: self.wanted)

    def _start(self, name: str, cluster: str) -> Child:
        command = [sys.executable, "-c", "import time; time.sleep(60)", cluster]
        self.started.append(Child(name, command, env=os.environ, cwd=settings.BASE_DIR))
        return self.started[-1]

    def living(self) -> list[str]:
        return [child.name for child in self.started if child.process.poll() is None]


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setattr(watchers, "_BETWEEN_LOOKS", 0)
    monkeypatch.setattr(watchers, "_BETWEEN_STARTS", 0)
    scene = Scene()
    yield scene
    scene.watchers.kill()
    scene.watchers.stop(grace=1)


def ended(scene: Scene, number: int) -> None:
    wait_until(lambda: scene.started[number].process.poll() is not None, seconds=10, otherwise="it goes on")


def test_each_cluster_has_one(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "", ""), 2: Wanted("b", "", "")}
    for _ in range(3):
        scene.watchers.tend()

    assert scene.living() == ["watch a", "watch b"]


def test_it_ends_with_its_cluster(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "", ""), 2: Wanted("b", "", "")}
    scene.watchers.tend()
    scene.wanted = {2: Wanted("b", "", "")}
    scene.watchers.tend()
    ended(scene, 0)

    assert scene.living() == ["watch b"]


def test_it_goes_on_under_another_name_but_not_by_another_connection(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "file", "here")}
    scene.watchers.tend()
    scene.wanted = {1: Wanted("renamed", "file", "here")}
    scene.watchers.tend()
    assert scene.living() == ["watch a"]

    scene.wanted = {1: Wanted("renamed", "file", "there")}
    scene.watchers.tend()
    ended(scene, 0)
    assert scene.living() == ["watch renamed"]


def test_one_that_died_is_started_again_but_not_at_once(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.wanted = {1: Wanted("a", "", "")}
    scene.watchers.tend()
    scene.started[0].kill()
    ended(scene, 0)
    monkeypatch.setattr(watchers, "_BETWEEN_STARTS", 60)
    scene.watchers.tend()
    assert scene.living() == []

    monkeypatch.setattr(watchers, "_BETWEEN_STARTS", 0)
    scene.watchers.tend()
    assert scene.living() == ["watch a"]


def test_a_database_that_does_not_answer_stops_nobody(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "", "")}
    scene.watchers.tend()
    scene.wanted = None
    scene.watchers.tend()

    assert scene.living() == ["watch a"]


def test_stopping_leaves_nobody_behind(scene: Scene) -> None:
    scene.wanted = {1: Wanted("a", "", ""), 2: Wanted("b", "", "")}
    scene.watchers.tend()
    scene.wanted = {2: Wanted("b", "", "")}
    scene.watchers.tend()
    scene.watchers.stop(grace=5)

    assert scene.living() == []


@pytest.mark.django_db(transaction=True)
def test_live_clusters_are_wanted() -> None:
    a_cluster("dumped")
    live = a_cluster("live", source=Cluster.Source.LIVE, kubeconfig="/etc/kubeconfig", context="prod")

    assert wanted_watchers() == {live.pk: ("live", "/etc/kubeconfig", "prod")}


def test_the_command_names_the_cluster() -> None:
    assert processes.watch("prod")[1:] == ["manage.py", "watch", "prod"]

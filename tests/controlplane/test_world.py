"""Thousands of pods of every kind of constraint, and the life of a cluster: Berth has seen, and judged, all of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster, Decision
from tests.controlplane.chronicle import Chronicle
from tests.controlplane.findings import Findings
from tests.controlplane.following import PATIENCE, create_cluster, wait_until_equal
from tests.controlplane.life import CREATED, REFUSED, UNDECIDABLE, Life
from tests.controlplane.world import World, plan
from tests.support.waiting import wait_until
from tests.support.watching import end, start_watcher, wait_until_followed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dashboard.serving.children import Child
    from tests.controlplane.plane import ControlPlane

pytestmark = [pytest.mark.controlplane, pytest.mark.django_db(transaction=True)]

# On a machine that does nothing else a fraction of it is enough.
_SETTLES_IN = 400
_JUDGED_IN = 180
MOST_UNDECIDED, MOST_WAITING = 40, 200
# As parts of all decisions. Those that disagree because the state before them is uncertain are told apart from the
# others: the more an API server falls behind, the more there are, and that is for the machine to say.
MOST_DISAGREEMENTS, MOST_UNCERTAIN_STATES = 0.001, 0.01
MOST_UNJUDGED = 0.001
# A part of what was judged, too: sampling leaves open what comes before the searches can be followed.
MOST_SAMPLED = 0.1


@pytest.fixture
def world(own_control_plane: ControlPlane) -> World:
    world = plan(own_control_plane)
    world.build()
    return world


@pytest.fixture
def cluster(own_control_plane: ControlPlane) -> Cluster:
    return create_cluster(own_control_plane)


@pytest.fixture
def watcher(world: World, cluster: Cluster, redis_url: str) -> Iterator[Child]:
    child = start_watcher(cluster, redis_url=f"{redis_url}?db=2")
    yield child
    child.stop(grace=10)


def test_world(world: World, cluster: Cluster, watcher: Child, measurements: list[str]) -> None:
    wait_until_followed(cluster, seconds=PATIENCE)
    began = time.monotonic()

    def measure(what: str) -> None:
        measurements.append(f"world: {time.monotonic() - began:4.0f} s: {what}")
        print(measurements[-1], flush=True)

    def calm_down() -> None:
        """Let the machine set the pace: where all is late, nobody can say in which state a decision was made."""
        waiting = Decision.objects.filter(verdict=Decision.Verdict.WAITING)
        # Until the controllers have begun to do what they were told.
        time.sleep(0.4)
        wait_until(
            lambda: chronicle.undecided() < MOST_UNDECIDED and waiting.count() < MOST_WAITING,
            seconds=_SETTLES_IN,
            otherwise="the scheduler or the journal does not keep up",
        )

    with Chronicle(world.plane.admin_kubeconfig) as chronicle:
        life = Life(world, calm_down)
        measure(f"{world.populate(calm_down)} pods wanted on {len(world.nodes)} nodes")
        chronicle.wait_until_settled(seconds=_SETTLES_IN)
        measure(f"{len(chronicle.placed())} pods placed")
        life.lead()
        measure(f"life led; answers of the Eviction API {dict(sorted(life.evictions.items()))}")
        chronicle.wait_until_settled(seconds=_SETTLES_IN)
        measure(f"{len(chronicle.placed())} pods placed in all")
    measure(f"mirror equal, {wait_until_equal(cluster, world.api)} objects")
    wait_until(
        lambda: not Decision.objects.filter(verdict=Decision.Verdict.WAITING).exists(),
        seconds=_JUDGED_IN,
        otherwise="decisions wait to be judged",
    )
    findings = Findings(cluster, chronicle)
    measure(f"{len(findings.decisions)} decisions judged: {findings.counts()}")
    measure(f"within sampling {100 * findings.sampled():.1f} %")
    measure(f"agreement {100 * findings.agreement():.3f} %, {len(findings.unjudged())} not judged")
    for decision in (*findings.disagreements(), *findings.uncertain_states(), *findings.texts_that_differ()):
        print(findings.describe(decision), flush=True)
    contradictions = list(findings.contradictions())

    assert set(life.evictions) >= {CREATED, REFUSED, UNDECIDABLE}
    assert contradictions == []
    assert len(findings.disagreements()) <= MOST_DISAGREEMENTS * len(findings.judged())
    assert len(findings.uncertain_states()) <= MOST_UNCERTAIN_STATES * len(findings.judged())
    assert findings.sampled() <= MOST_SAMPLED
    assert findings.texts_that_differ() == []
    assert len(findings.unjudged()) <= MOST_UNJUDGED * len(findings.decisions)
    assert {decision.kind for decision in findings.decisions} == set(Decision.Kind)
    assert end(watcher) == 0

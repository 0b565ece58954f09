"""Searches that end early are followed from decision to decision, and decide what sampling leaves open."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.models import Decision, FollowedSearches
from clusters.services.journal.judge import Searches
from clusters.services.journal.ledger import PodFact
from clusters.services.journal.writing import take_followed_searches, write_followed_searches
from tests.clusters.dumps import node, pod
from tests.clusters.journal.decisions import a_decision
from tests.clusters.journal.pods import Object, bound
from tests.engine.searching.simulated import SimulatedScheduler, a_cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.clusters.journal.followed import Followed

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason

NODES = 200


def a_followed_cluster(chance: random.Random) -> list[Object]:
    """Nodes of three zones and many sizes, with a pod on each, so that hardly two have the same total."""
    found = []
    for number in range(NODES):
        name = f"n{number:03}"
        labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"z{number % 3}", "fits": "true"}
        amounts = {"cpu": str(chance.randrange(4, 64)), "memory": f"{chance.randrange(8, 128)}Gi", "pods": "110"}
        metadata = {"name": name, "uid": f"node-{name}", "labels": labels}
        found.append(node(name, metadata=metadata, status={"allocatable": amounts}))
        found.append(pod(f"x{number}", on=name))
        requests = {"cpu": f"{chance.randrange(500, 3000)}m", "memory": f"{chance.randrange(500, 6000)}Mi"}
        found[-1]["spec"]["containers"][0]["resources"]["requests"] = requests
    return found


@pytest.mark.django_db(transaction=True)
def test_a_choice_that_follows_from_the_searches_before_agrees(follow_objects: Callable[..., Followed]) -> None:
    chance = random.Random(3)
    objects = a_followed_cluster(chance)
    followed = follow_objects(*objects)
    scheduler = SimulatedScheduler(chance, Snapshot.from_objects(objects))
    last = ""
    for explanation, chosen, _ in scheduler.bind(50):
        decided: dict[str, Any] = {"apiVersion": "v1", **explanation.pod.document}
        followed.hear(decided, bound(decided, chosen))
        last = decided["metadata"]["name"]
    followed.judged(last)

    decisions = list(Decision.objects.order_by("pk"))
    searches = [each.basis["search"] for each in decisions if each.basis]
    assert len(searches) == 50
    assert (searches[0]["places"], searches[0]["nodes"]) == (NODES, NODES)
    assert max(each["places"] for each in searches[20:]) <= NODES / 4
    assert all(each["is_expected"] for each in searches)
    assert {each.verdict for each in decisions} <= {Verdict.AGREES, Verdict.SAMPLED}
    # All that sampling leaves open is decided once the order of the nodes has proved right, and there is some.
    assert [each["is_followed"] for each in searches] == sorted(each["is_followed"] for each in searches)
    assert {each.verdict for each in decisions[30:]} == {Verdict.AGREES}
    assert sum(each.reason == Reason.SEARCH for each in decisions) >= 3
    assert all(each["looked_at"]["first"] in scheduler.snapshot.nodes.index for each in searches)


@pytest.mark.django_db(transaction=True)
def test_a_choice_that_does_not_follow_stays_within_sampling(follow_objects: Callable[..., Followed]) -> None:
    chance = random.Random(4)
    objects = a_followed_cluster(chance)
    followed = follow_objects(*objects)
    scheduler = SimulatedScheduler(chance, Snapshot.from_objects(objects))
    for explanation, chosen, _ in scheduler.bind(30):
        decided: dict[str, Any] = {"apiVersion": "v1", **explanation.pod.document}
        followed.hear(decided, bound(decided, chosen))
    explanation, chosen, _ = next(scheduler.bind(1))
    ranked = explanation.cycle.feasible[(-explanation.cycle.totals).argsort(kind="stable")]
    # Behind so many better nodes that no search of this scheduler can have missed all of them.
    other = explanation.snapshot.nodes.names[int(ranked[60])]
    decided = {"apiVersion": "v1", **explanation.pod.document}
    followed.hear(decided, bound(decided, other))

    decision = followed.judged(decided["metadata"]["name"])

    assert (decision.verdict, decision.reason) == (Verdict.SAMPLED, "")
    assert decision.basis is not None
    assert decision.basis["search"]["is_expected"] is False
    assert decision.basis["search"]["looked_at"] is None


def fact(kind: Decision.Kind, node_name: str = "") -> PodFact:
    return PodFact(
        kind=kind,
        pod_uid="uid",
        namespace="shop",
        name="web",
        owner_kind="",
        owner_name="",
        scheduler_name="default-scheduler",
        priority=0,
        resource_version="1",
        node_name=node_name,
        message="",
        heard_at=datetime(2026, 1, 1, tzinfo=UTC),
        reported_at=None,
        is_watched=True,
    )


class Heard:
    """Searches that a scheduler's decisions were read from."""

    @classmethod
    def resuming(cls, other: Heard, followed: FollowedSearches) -> Heard:
        """Return what hears the decision that another heard last, as the next one."""
        found = cls.__new__(cls)
        found.scheduler, found.last = other.scheduler, other.last
        found.searches = Searches()
        found.searches.resume(followed)
        found.searches.configure(SchedulerConfiguration.default())
        found.is_repeating = True
        return found

    def __init__(self) -> None:
        chance = random.Random(5)
        self.scheduler = SimulatedScheduler(chance, a_cluster(chance, NODES, unfit=0.0))
        self.searches = Searches()
        self.searches.configure(SchedulerConfiguration.default())
        self.last = next(self.scheduler.bind(1))
        self.is_repeating = False
        for _ in range(20):
            self.places()

    def places(self) -> int | None:
        """Hear one more decision, and return in how many places its search can have begun; None if nobody follows."""
        if not self.is_repeating:
            self.last = next(self.scheduler.bind(1))
        explanation, chosen, _ = self.last
        found = self.searches.hear(fact(Kind.BOUND, chosen), explanation, is_allowed=True)
        self.searches.take(found)
        return None if found is None or found.finding is None else found.finding.places


def test_a_missed_decision_leaves_every_start_open() -> None:
    heard = Heard()
    # A refused pod was tried on every node.
    heard.searches.miss(fact(Kind.UNSCHEDULABLE))
    assert (heard.places() or NODES) < NODES

    heard.searches.miss(fact(Kind.BOUND))
    assert heard.places() == NODES


def test_another_number_of_workers_is_another_scheduler() -> None:
    heard = Heard()
    heard.searches.configure(SchedulerConfiguration.default())
    assert (heard.places() or NODES) < NODES

    fields = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "parallelism": 2}
    heard.searches.configure(SchedulerConfiguration.from_dict(fields))
    assert heard.places() == NODES


def test_a_scheduler_of_an_unknown_configuration_is_not_followed() -> None:
    heard = Heard()
    heard.searches.configure(None)
    assert heard.places() is None


def test_a_nomination_is_no_attempt_of_its_own() -> None:
    heard = Heard()
    explanation, chosen, _ = next(heard.scheduler.bind(1))

    assert heard.searches.hear(fact(Kind.NOMINATED, chosen), explanation, is_allowed=True) is None
    assert heard.searches.hear(fact(Kind.UNSCHEDULABLE), explanation, is_allowed=True) is not None


def test_another_watcher_goes_on_where_nothing_was_decided_meanwhile() -> None:
    heard = Heard()
    kept = heard.searches.kept()
    assert kept is not None
    followed = FollowedSearches(parallelism=kept[0])
    followed.state = kept[1]
    places = heard.places()

    assert Heard.resuming(heard, followed).places() == places

    other = Heard.resuming(heard, FollowedSearches(parallelism=kept[0] + 1, packed_state=followed.packed_state))
    assert other.places() == NODES
    lost = Searches()
    lost.resume(followed)
    lost.lose()
    lost.configure(SchedulerConfiguration.default())
    assert lost.kept() is None


@pytest.mark.django_db(transaction=True)
def test_a_watcher_that_ends_leaves_its_searches_to_the_next(follow_objects: Callable[..., Followed]) -> None:
    chance = random.Random(6)
    objects = a_followed_cluster(chance)
    followed = follow_objects(*objects)
    scheduler = SimulatedScheduler(chance, Snapshot.from_objects(objects))
    name = ""
    for explanation, chosen, _ in scheduler.bind(15):
        decided: dict[str, Any] = {"apiVersion": "v1", **explanation.pod.document}
        followed.hear(decided, bound(decided, chosen))
        name = decided["metadata"]["name"]
    decision = followed.judged(name)
    followed.end()

    cluster_id = followed.cluster.pk
    found = take_followed_searches(cluster_id=cluster_id)
    assert found is not None
    assert (found.decision, found.parallelism) == (decision.pk, 16)
    # It is there for one watcher, and for none when a pod was bound since.
    assert take_followed_searches(cluster_id=cluster_id) is None
    write_followed_searches(cluster_id=cluster_id, parallelism=16, state=found.state)
    a_decision(followed.cluster, verdict=Verdict.UNJUDGED, reason=Reason.GAP, ago=timedelta(0))
    assert take_followed_searches(cluster_id=cluster_id) is None


@pytest.mark.django_db(transaction=True)
def test_without_a_judged_decision_nothing_is_left(follow_objects: Callable[..., Followed]) -> None:
    followed = follow_objects(*a_followed_cluster(random.Random(7)))

    write_followed_searches(cluster_id=followed.cluster.pk, parallelism=16, state={})

    assert not FollowedSearches.objects.exists()

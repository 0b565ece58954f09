"""Searches that end early are followed from decision to decision, and decide what sampling leaves open."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.journal import History, RecordedChange
from clusters.models import Decision, FollowedSearches
from clusters.services.journal.judge import Searches
from clusters.services.journal.ledger import PodFact
from clusters.services.journal.states import (
    JUST_BEFORE,
    Arrivals,
    NearbyState,
    as_queued,
    earlier_ones,
    incomparable_ones,
    interleaved,
    later_ones,
    place_in_queue,
)
from clusters.services.journal.writing import take_followed_searches, write_followed_searches
from tests.clusters.dumps import node, pod
from tests.clusters.journal.decisions import a_decision
from tests.clusters.journal.pods import Object, bound, refused
from tests.engine.searching.simulated import SimulatedScheduler, a_cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


AT = 1_000


def binding(name: str, version: int, *, came: int | None, tried: bool = False, priority: int = 0) -> RecordedChange:
    """A pod that came with one version and was bound with another."""
    document = pod(name)
    document["spec"]["priority"] = priority
    before = refused(document) if tried else document
    return RecordedChange(version, before, bound(document, "n1"), came=came)


def state(step: RecordedChange, *others: RecordedChange) -> tuple[list[RecordedChange], list[RecordedChange]]:
    history = History(Snapshot.from_objects([]))
    for each in (step, *others):
        history.add(each)
    found = as_queued(history, step)
    return list(found.without), list(found.beyond)


def test_who_came_first_is_taken_up_first() -> None:
    first, second = binding("a", AT, came=10), binding("b", AT, came=11)

    assert earlier_ones(second, [first]) == [first]
    assert later_ones(first, [second]) == [second]
    assert earlier_ones(first, [second]) == later_ones(second, [first]) == []


def test_they_are_told_in_the_order_in_which_they_came() -> None:
    came = [binding(str(number), AT + number, came=number) for number in (7, 3, 5)]

    assert [each.came for each in earlier_ones(binding("last", AT, came=9), came)] == [3, 5, 7]


def test_priority_goes_before_age() -> None:
    urgent, old = binding("urgent", AT, came=20, priority=5), binding("old", AT, came=10)

    assert earlier_ones(old, [urgent]) == [urgent]


def test_of_a_pod_that_was_tried_before_it_is_not_known_when_it_was_taken_up_again() -> None:
    old, new = binding("old", AT, came=5, tried=True), binding("new", AT, came=10)

    assert earlier_ones(new, [old]) == later_ones(old, [new]) == []
    assert earlier_ones(replace(new, before=refused(pod("new"))), [old]) == [old]


def test_a_pod_that_waited_when_another_came_is_taken_up_before_that_one_is_tried_again() -> None:
    waiting, tried = binding("waiting", AT, came=5), binding("tried", AT, came=10, tried=True)

    assert earlier_ones(tried, [waiting]) == [waiting]
    assert later_ones(waiting, [tried]) == [tried]
    assert earlier_ones(waiting, [tried]) == later_ones(tried, [waiting]) == []
    # Of a higher priority the one that is tried again may have overtaken it.
    urgent = binding("urgent", AT, came=10, tried=True, priority=5)
    assert earlier_ones(urgent, [waiting]) == later_ones(waiting, [urgent]) == []
    assert incomparable_ones(urgent, [waiting, tried]) == [waiting]


def test_pods_that_are_tried_again_are_taken_up_anywhere_among_new_ones_in_order() -> None:
    first, last = binding("first", AT + 5, came=3, tried=True), binding("last", AT - 1, came=9, tried=True)
    new = [binding(f"new-{number}", AT - 2 + 3 * number, came=20 + number) for number in range(3)]
    decided = binding("decided", AT, came=5, tried=True)
    history = History(Snapshot.from_objects([]))
    for each in (decided, first, last, *new):
        history.add(each)

    found = list(interleaved(history, decided))

    # In each the pods that are tried again stand in their own order, and so many of the new ones come before it.
    assert all(first in state.beyond and last in state.without for state in found)
    counted = [[each for each in new if _counts(each, state)] for state in found]
    assert sorted(counted, key=len) == [new[:count] for count in range(4)]
    # What was written before it is likeliest to count: that is the state of the queue.
    assert counted[0] == new[:1]
    assert found[0] == as_queued(history, decided)


def _counts(step: RecordedChange, state: NearbyState) -> bool:
    return step in state.beyond or (step.version < AT and step not in state.without)


def test_of_a_new_pod_there_is_no_order_but_that_of_the_queue() -> None:
    again = binding("again", AT - 1, came=3, tried=True)
    decided = binding("decided", AT, came=5)
    history = History(Snapshot.from_objects([]))
    for each in (again, decided):
        history.add(each)

    assert list(interleaved(history, decided)) == [as_queued(history, decided)]


def test_without_pods_of_the_other_kind_there_is_no_order_but_that_of_the_queue() -> None:
    history = History(Snapshot.from_objects([]))
    steps = [binding(str(number), AT + number, came=number, tried=True) for number in range(3)]
    for each in steps:
        history.add(each)

    assert list(interleaved(history, steps[1])) == [as_queued(history, steps[1])]


def test_of_a_pod_that_nobody_saw_come_nothing_is_known() -> None:
    unseen, seen = binding("unseen", AT, came=None), binding("seen", AT, came=10)

    assert place_in_queue(unseen) is None
    assert earlier_ones(unseen, [seen]) == later_ones(unseen, [seen]) == []
    assert earlier_ones(seen, [unseen]) == later_ones(seen, [unseen]) == []


def test_the_state_of_a_decision_is_that_of_the_queue() -> None:
    later = [binding(f"later-{number}", AT - 9 + number, came=30 + number) for number in range(3)]
    earlier = [binding(f"earlier-{number}", AT + 1 + number, came=5 + number) for number in range(4)]
    # In its place already, or never seen to come.
    others = [
        binding("in-place", AT - 20, came=1),
        binding("behind", AT + 20, came=60),
        binding("old", AT + 9, came=None),
    ]

    without, beyond = state(binding("decided", AT, came=20), *later, *earlier, *others)

    assert (without, beyond) == (later[::-1], earlier)


def test_what_is_written_much_later_is_left_as_it_is() -> None:
    slow = replace(binding("slow", AT + 1, came=5), moment=20.0)

    assert state(binding("decided", AT, came=20), slow) == ([], [])
    assert as_queued(History(Snapshot.from_objects([])), binding("decided", AT, came=20)) == JUST_BEFORE


def test_arrivals_are_kept_as_long_as_pods_are_pending() -> None:
    arrivals, document = Arrivals(), pod("a")

    assert arrivals.of("a", None, document, 3) == 3
    assert arrivals.of("a", document, refused(document), 5) == 3
    assert arrivals.of("a", refused(document), bound(document, "n1"), 8) == 3
    assert arrivals.of("a", bound(document, "n1"), None, 9) is None
    # Seen pending for the first time, or never.
    assert arrivals.of("b", document, refused(document), 5) is None
    assert arrivals.of("c", None, bound(document, "n1"), 6) is None


def burst(scheduler: SimulatedScheduler, count: int) -> list[tuple[dict[str, Any], str]]:
    """Decisions in the order in which they are taken."""
    return [({"apiVersion": "v1", **each.pod.document}, chosen) for each, chosen, _ in scheduler.bind(count)]


def hear_burst(followed: Followed, decisions: Sequence[tuple[dict[str, Any], str]], order: Sequence[int]) -> None:
    for document, _ in decisions:
        followed.hear(document)
    for place in order:
        document, chosen = decisions[place]
        followed.hear(bound(document, chosen))


@pytest.mark.django_db(transaction=True)
def test_bindings_that_are_written_in_another_order_are_judged_in_that_of_the_queue(
    follow_objects: Callable[..., Followed],
) -> None:
    chance = random.Random(21)
    objects = a_followed_cluster(chance)
    followed = follow_objects(*objects)
    scheduler = SimulatedScheduler(chance, Snapshot.from_objects(objects))
    names = []
    for _ in range(8):
        decisions = burst(scheduler, 6)
        hear_burst(followed, decisions, chance.sample(range(6), 6))
        names += [document["metadata"]["name"] for document, _ in decisions]
    for name in names:
        followed.judged(name)

    found = {each.name: each for each in Decision.objects.filter(kind=Decision.Kind.BOUND)}
    learned = [found[name] for name in names[20:]]
    assert {each.verdict for each in learned} == {Decision.Verdict.AGREES}
    assert sum(each.reason == Decision.Reason.SEARCH for each in learned) >= 2
    assert max([each.basis["search"]["places"] for each in learned if each.basis]) <= NODES / 4

"""The states that a decision is compared with: near ones first, far ones of a burst too, none twice as likely."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from django.utils import timezone

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.journal import History, RecordedChange
from clusters.models import Decision, NodeChange
from clusters.services.journal.judge import judge
from clusters.services.journal.ledger import PodFact
from clusters.services.journal.states import NearbyState, moment_of
from clusters.services.journal.writing import prune
from tests.clusters.dumps import node as node_named, pod
from tests.clusters.journal.pods import bound, refused
from tests.clusters.live_batches import apply, followed_cluster, list_kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.services.journal.writing import Judgement
    from clusters.services.watching.watcher import Lease


Object = dict[str, Any]
AT = 1_000
DECIDED = RecordedChange(AT, pod("decided"), pod("decided", on="n1"))


def history_of(steps: Iterable[RecordedChange]) -> History:
    history = History(Snapshot.from_objects([]))
    for step in steps:
        history.add(step)
    return history


def cordon(number: int, version: int) -> RecordedChange:
    before = node_named(f"n{number}")
    return RecordedChange(version, before, {**before, "spec": {**before.get("spec", {}), "unschedulable": True}})


def binding(name: str, version: int, *, moment: float = 0.0, **spec: Any) -> RecordedChange:
    before, after = pod(name), pod(name, on="n1")
    for each in (before, after):
        each["spec"] = {**each["spec"], **spec}
    return RecordedChange(version, before, after, moment)


def leaving(number: int, version: int) -> RecordedChange:
    return RecordedChange(version, pod(f"leaving-{number}", on="n1"), None)


def states(*steps: RecordedChange, most: int = 240) -> list[NearbyState]:
    return list(moment_of(history_of(steps), DECIDED).states(most))


def test_the_nearest_states_come_first() -> None:
    news, later, own = leaving(1, AT - 1), binding("later", AT + 1), binding("earlier", AT - 2)

    found = states(news, later, own)

    assert [(state.without, state.beyond) for state in found[:3]] == [((), (later,)), ((news,), ()), ((own,), ())]
    assert len(found) == 7


def test_news_of_nodes_may_be_late_alone() -> None:
    """Nodes come by a watch of their own: twelve changes behind, while every pod that left meanwhile is known."""
    cordons = [cordon(number, AT - 500 + number) for number in range(12)]
    departures = [leaving(number, AT - 400 + number) for number in range(300)]

    assert any(set(state.without) == set(cordons) for state in states(*cordons, *departures))


def test_a_burst_of_news_may_be_late() -> None:
    departures = [leaving(number, AT - 100 + number) for number in range(60)]

    assert max(len(state.without) for state in states(*departures)) == 48


def test_a_burst_of_bindings_may_be_written_seconds_later() -> None:
    """The scheduler decided 150 of them before it refused the pod, and its limit of writes let that be told first."""
    later = [binding(f"later-{number}", AT + 1 + number, moment=number / 50) for number in range(400)]
    moment = moment_of(history_of(later), DECIDED)

    found = moment.nearest(lambda state: 2 if len(state.beyond) < 150 else 0, most=240)

    assert 150 <= len(found.beyond) < 166
    assert any(len(state.beyond) >= 150 for state in moment.states(60))


def test_pods_that_wait_for_their_volumes_count_long_before_they_are_bound() -> None:
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    waiting = [binding(f"db-{number}", AT + 200 * number, moment=4.0 * number, volumes=volumes) for number in (1, 2)]
    overtaking = [binding(f"web-{number}", AT + number + 1) for number in range(100)]

    assert any(set(state.beyond) == set(waiting) for state in states(*waiting, *overtaking)[:20])


def test_the_queue_tells_who_was_decided_before() -> None:
    """Forty that had waited longer were bound later, twenty that came later were bound before."""

    def of(name: str, version: int, second: int) -> RecordedChange:
        step = binding(name, version)
        for document in (step.before, step.after):
            assert document is not None
            document["metadata"]["creationTimestamp"] = f"2026-01-01T00:00:{second:02}Z"
        return step

    older = [of(f"older-{number}", AT + 2 + 2 * number, 10) for number in range(40)]
    alike = [of(f"alike-{number}", AT + 3 + 2 * number, 20) for number in range(40)]
    younger = [of(f"younger-{number}", AT - 50 + number, 30) for number in range(20)]
    found = list(moment_of(history_of([*older, *alike, *younger]), of("decided", AT, 20)).states(9))

    assert any((set(state.without), set(state.beyond)) == (set(younger), set(older)) for state in found)


def test_what_is_far_in_time_is_left_as_it_is() -> None:
    assert (
        states(RecordedChange(AT - 1, node_named("n1"), None, moment=-60.0), binding("later", AT + 1, moment=60.0))
        == []
    )


def test_a_crowd_is_called_one() -> None:
    quiet = moment_of(history_of([leaving(1, AT - 1)]), DECIDED)
    busy = moment_of(history_of(leaving(number, AT - 100 + number) for number in range(60)), DECIDED)

    assert (quiet.is_crowded, busy.is_crowded) == (False, True)
    assert len(list(busy.states(5))) == 5


def test_a_measure_leads_to_a_state_that_is_not_among_the_likely_ones() -> None:
    """Nineteen changes of nodes behind, 37 departures behind, and 21 bindings ahead."""
    cordons = [cordon(number, AT - 100 + number) for number in range(30)]
    departures = [leaving(number, AT - 60 + number) for number in range(60)]
    later = [binding(f"later-{number}", AT + 1 + number) for number in range(40)]
    moment = moment_of(history_of([*cordons, *departures, *later]), DECIDED)
    decided = {*cordons[-19:], *departures[-37:]}, set(later[:21])

    def distance(state: NearbyState) -> int:
        return len(decided[0] ^ set(state.without)) + len(decided[1] ^ set(state.beyond))

    found = moment.nearest(distance, most=600)

    assert (set(found.without), set(found.beyond)) == decided
    assert decided not in [(set(state.without), set(state.beyond)) for state in moment.states(320)]


def test_a_search_measures_no_more_than_it_may() -> None:
    measured = []

    def distance(state: NearbyState) -> int:
        measured.append(state)
        return 1_000 - len(state.without)

    moment_of(history_of(leaving(number, AT - 100 + number) for number in range(60)), DECIDED).nearest(distance, most=9)

    assert len(measured) == 9


pytestmark = pytest.mark.django_db


@pytest.fixture
def lease() -> Lease:
    return followed_cluster()[1]


def node(name: str = "n", *, ready: str = "True", pressure: str = "False", **spec: Any) -> dict[str, Any]:
    conditions = [{"type": "Ready", "status": ready}, {"type": "MemoryPressure", "status": pressure}]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"uid-{name}", "labels": {}},
        "spec": spec,
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}, "conditions": conditions},
    }


def told() -> list[tuple[str, str, str]]:
    return list(NodeChange.objects.order_by("pk").values_list("node_name", "kind", "condition"))


def test_every_change_that_decides_which_pods_a_node_takes_is_kept(lease: Lease) -> None:
    apply(lease, put=(node(),))
    apply(lease, put=(node(unschedulable=True),))
    apply(lease, put=(node(ready="Unknown", pressure="True"),))
    apply(lease, put=(node(),))
    apply(lease, gone=(node(),))

    assert told() == [
        ("n", "added", ""),
        ("n", "cordoned", ""),
        ("n", "uncordoned", ""),
        ("n", "not-ready", ""),
        ("n", "pressure", "MemoryPressure"),
        ("n", "ready", ""),
        ("n", "relieved", "MemoryPressure"),
        ("n", "removed", ""),
    ]


def test_other_changes_and_lists_tell_nothing(lease: Lease) -> None:
    list_kind(lease, "Node", node("listed"))
    changed = node("listed")
    changed["metadata"]["labels"] = {"pool": "green"}
    apply(lease, put=(changed,))
    apply(lease, gone=(node("never-heard-of"),))

    assert told() == []


def test_old_changes_go_with_the_decisions(lease: Lease) -> None:
    apply(lease, put=(node("old"), node("new")))
    NodeChange.objects.filter(node_name="old").update(heard_at=timezone.now() - timedelta(days=9))

    prune(keep=timedelta(days=2))

    assert told() == [("new", "added", "")]


CONFIGURATION = SchedulerConfiguration.default()
NODES, PODS = 30, 40
# So many bindings may overtake one that was decided before them.
OVERTAKING = 40
# As many as are looked at when a decision is heard of.
STATES = 60


class Attempt(NamedTuple):
    """An attempt of the burst: the pod as it is taken up, the version with which it came, and the node chosen."""

    pod: Object
    came: int
    node: str


def sized(chance: random.Random, name: str) -> Object:
    document = pod(name)
    amounts = {"cpu": f"{chance.randint(1, 30)}00m", "memory": f"{chance.randint(1, 40)}00Mi"}
    document["spec"]["containers"][0]["resources"]["requests"] = amounts
    return document


def some_nodes() -> list[Object]:
    found = [node_named(f"n{number}") for number in range(NODES)]
    for each in found:
        each["status"]["allocatable"] = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    return found


def attempts(chance: random.Random) -> list[Attempt]:
    """Decide about old pods, which were refused before, and new ones: each kind in order, among each other in any."""
    old = [(refused(sized(chance, f"old-{number}")), number) for number in range(PODS)]
    new = [(sized(chance, f"new-{number}"), 1_000 + number) for number in range(PODS)]
    snapshot, found = Snapshot.from_objects(some_nodes()), []
    while old or new:
        kind = old if not new or (old and chance.random() < 0.5) else new
        document, came = kind.pop(0)
        cycle = explain(snapshot, document, CONFIGURATION.profile_for(document)).cycle
        chosen = snapshot.nodes.names[chance.choice(list(cycle.choices))]
        snapshot.upsert(bound(document, chosen))
        found.append(Attempt(document, came, chosen))
    return found


def judged(history: History, step: RecordedChange, attempt: Attempt, chosen: str) -> Judgement:
    fact = PodFact(
        kind=Decision.Kind.BOUND,
        pod_uid=attempt.pod["metadata"]["uid"],
        namespace=attempt.pod["metadata"]["namespace"],
        name=attempt.pod["metadata"]["name"],
        owner_kind="",
        owner_name="",
        scheduler_name="default-scheduler",
        priority=0,
        resource_version=str(step.version),
        node_name=chosen,
        message="",
        heard_at=timezone.now(),
        reported_at=None,
        is_watched=True,
    )
    return judge(fact, step, history, CONFIGURATION, most_states=STATES)


def test_what_an_order_of_the_attempts_explains_agrees() -> None:
    chance = random.Random(3)
    decided = attempts(chance)
    history, steps = History(Snapshot.from_objects(some_nodes())), []
    written = sorted(range(len(decided)), key=lambda place: place + chance.random() * OVERTAKING)
    for number, place in enumerate(written):
        document, came, chosen = decided[place]
        steps.append((RecordedChange(5_000 + number, document, bound(document, chosen), number / 100, came), place))
        history.add(steps[-1][0])

    again = [(step, decided[place]) for step, place in steps if decided[place].came < PODS]
    verdicts = [judged(history, step, attempt, attempt.node).verdict for step, attempt in again]
    # No order makes room for a pod that is larger than every node.
    huge = refused(sized(chance, "huge"))
    huge["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "100"
    other = RecordedChange(9_000, huge, bound(huge, "n0"), again[0][0].moment, came=PODS)

    assert len(verdicts) == PODS
    assert set(verdicts) == {Decision.Verdict.AGREES}
    assert judged(history, other, Attempt(huge, PODS, "n0"), "n0").verdict == Decision.Verdict.DISAGREES

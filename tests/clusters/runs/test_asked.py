"""What the map is asked comes to what a stored run of the same changes comes to, pod by pod."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from msgspec.structs import replace

from clusters.models import Cluster, RunPod, SimulationRun
from clusters.services import evaluation
from clusters.services.computing import start, stop
from clusters.services.disruption import DrainChoice, PlannedDrain, plan_of
from clusters.services.evaluation import Progress
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.runs.asked import QUESTION, AskedOutcome, outcome_of, outcome_of_run
from clusters.services.runs.results import pending_after
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.runs.starting import stored_run
from clusters.services.runs.working import work
from clusters.services.workers import finish
from tests.support.mirrored import DEMO, load_demo

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]

Entry = dict[str, Any]

DRAIN: Entry = {"change": "drain-nodes", "nodes": ["general-a-01"]}
LOSS: Entry = {"change": "remove-nodes", "nodes": ["arm-a-01"]}
ZONE: Entry = {"change": "lose-zone", "zone": "eu-central-1b", "how": "gone"}
COPY: Entry = {"change": "add-nodes", "like": "general-a-01", "count": 1}
MORE: Entry = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "checkout", "by": 5}
TOO_MANY: Entry = MORE | {"by": 2_000}
RUNNING, STAYED = {"placed", "uncertain"}, {"refused", "held"}


@pytest.fixture
def demo(tmp_path: Path) -> Cluster:
    return load_demo(tmp_path, key=DEMO)


def asked(cluster: Cluster, *changes: Entry) -> AskedOutcome:
    found = outcome_of(cluster=cluster, changes=changes)
    assert isinstance(found, AskedOutcome)
    return found


def ran(cluster: Cluster, *changes: Entry) -> SimulationRun:
    spec = read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [*changes]})
    run = stored_run(cluster=cluster, spec=spec, title="", user=None)
    assert work(run.pk)
    run.refresh_from_db()
    return run


@pytest.mark.parametrize(
    "changes",
    [(DRAIN,), (MORE,), (COPY, LOSS, DRAIN)],
    ids=lambda changes: "+".join(each["change"] for each in changes),
)
def test_an_outcome_is_that_of_a_stored_run(demo: Cluster, changes: tuple[Entry, ...]) -> None:
    found, run = asked(demo, *changes), ran(demo, *changes)

    assert run.summary is not None
    assert found.ends == {name: run.summary[name] for name in found.ends}
    assert replace(outcome_of_run(run)[1], ends=found.ends) == found
    ends = {f"{pod.namespace}/{pod.name}": pod for pod in RunPod.objects.filter(run=run)}
    before = snapshot_of(demo)
    # A pod that came to a node and could not be evicted from it came, too.
    came = Counter(
        pod.node_name
        for key, pod in ends.items()
        if pod.outcome in RUNNING or (pod.outcome in STAYED and not before.placed_on(key))
    )
    arrived = Counter(move.target for move in found.moves if move.target)
    assert arrived <= came
    # Who was preempted may come back.
    assert (came - arrived).total() <= found.ends["steps"]["preempted"]
    pending = {key for key, pod in ends.items() if pod.outcome == "unschedulable"}
    for move in found.moves:
        if move.is_pending and move.pod in pending:
            assert move.message == ends[move.pod].message


def test_the_pods_that_are_newly_pending_are_named(demo: Cluster) -> None:
    for change in (DRAIN, ZONE, MORE, TOO_MANY):
        found = asked(demo, change)
        named = [move for move in found.moves if move.is_pending]
        assert len(named) == pending_after(found.ends["origins"]).newly
        assert all(move.message and not move.target for move in named)


def test_every_pod_leaves_the_node_that_it_was_on(demo: Cluster) -> None:
    snapshot, found = snapshot_of(demo), asked(demo, ZONE)

    left = {move.pod: move.source for move in found.moves if move.source}
    assert left
    assert left == {pod: snapshot.placed_on(pod) for pod in left}
    assert {node for node in left.values() if node in found.gone} == found.gone
    on_gone = {key: slot for key, slot in snapshot.pods.slot_of.items() if snapshot.placed_on(key) in found.gone}
    # Those of DaemonSets are wanted on that node alone: they leave no gap.
    of_the_node = {
        key for key, slot in on_gone.items() if snapshot.pods.templates[snapshot.pods.template[slot]].is_pinned
    }
    assert of_the_node
    assert left.keys() & on_gone.keys() == on_gone.keys() - of_the_node
    assert all(move.target not in found.gone for move in found.moves)


def test_a_drain_says_what_it_leaves_behind(demo: Cluster) -> None:
    found = asked(demo, DRAIN)

    assert found.drained == {"general-a-01"}
    (kept,) = found.ends["drains"]["first"]
    assert [(each.pod, each.node, each.message) for each in found.kept] == [
        (*kept["refused"]["examples"], "general-a-01", kept["refused"]["message"])
    ]
    assert found.gone == frozenset()


@pytest.mark.parametrize("name", ["general-a-01", "arm-a-01"])
def test_a_drain_does_what_its_plan_says(demo: Cluster, name: str) -> None:
    found = asked(demo, DRAIN | {"nodes": [name]})
    planned = plan_of(cluster=demo, choice=DrainChoice(nodes=(name,)))
    assert isinstance(planned, PlannedDrain)

    evicted = {eviction.pod for evictions in planned.plan.courses for eviction in evictions}
    blockers = [blocker for node in planned.plan.blocked for blocker in node.blockers]
    assert {move.pod for move in found.moves if move.source == name} == evicted
    assert {each.pod for each in found.kept} == {blocker.pod for blocker in blockers if blocker.landing is None}
    assert not any(move.target == name for move in found.moves)
    assert {move.pod for move in found.moves if not move.is_aside} == evicted


def test_pods_that_were_pending_before_stand_aside_unless_nodes_come(demo: Cluster) -> None:
    drained, more = asked(demo, DRAIN).moves, asked(demo, COPY, DRAIN).moves

    aside = [move.is_aside for move in drained]
    assert aside == sorted(aside)
    assert {move.pod for move in drained if not move.source} <= {move.pod for move in drained if move.is_aside}
    assert any(aside)
    assert not any(move.is_aside for move in more)
    # Of pods that come the changes are about those alone.
    scaled = asked(demo, MORE).moves
    assert [move.is_aside for move in scaled] == [not move.is_added for move in scaled]
    assert [move.pod.partition("-")[0] for move in scaled if move.is_added] == ["shop/checkout"] * 5


def test_what_is_not_there_is_refused_by_name(demo: Cluster) -> None:
    with pytest.raises(SpecError) as refused:
        outcome_of(cluster=demo, changes=[{"change": "drain-nodes", "nodes": ["nope"]}])

    assert refused.value.field == "changes[0].nodes[0]"


def test_a_worker_finds_out_what_takes_longer(demo: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = asked(demo, DRAIN, LOSS)
    monkeypatch.setattr(evaluation, "MOST_SECONDS", 0.0)

    start(60.0)
    try:
        begun = outcome_of(cluster=demo, changes=[LOSS, DRAIN])
    finally:
        stop()
    finish(cluster_id=demo.pk, question=QUESTION.name, subject=(orjson.dumps([LOSS, DRAIN]).decode(),))
    found = asked(demo, LOSS, DRAIN)

    assert isinstance(begun, Progress)
    assert {(move.source, move.target) for move in found.moves if move.source} == {
        (move.source, move.target) for move in whole.moves if move.source
    }

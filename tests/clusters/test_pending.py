"""What was heard stays until it is written, whatever the database does in between."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.adapters.kube import ForbiddenError
from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis import Cause, Kind, PendingFinding, SuggestedChange, finding_of
from clusters.engine.conclusion import UncomputedField
from clusters.engine.configuration import Backoff
from clusters.engine.owners import Workload
from clusters.engine.plugin import Constraint
from clusters.engine.plugins.inter_pod_affinity import NoPodAffinity
from clusters.engine.plugins.node_affinity import SelectorSubject
from clusters.engine.plugins.node_resources_fit import Insufficient, ResourceSubject
from clusters.engine.plugins.taint_toleration import TaintSubject
from clusters.engine.problems import NotAMap
from clusters.engine.simulation import MoreNodes, NodeLikeness, OneMoreNode, node_counts
from clusters.engine.taints import Taint
from clusters.engine.volumes import ClaimProblem, ClaimRefused
from clusters.models import Cluster, Decision, Event, WatchedKind
from clusters.problems.live import LiveObjectUnreadable, MayNotList
from clusters.services.evaluation import Answers
from clusters.services.journal.ledger import Ledger
from clusters.services.pending import pods as service
from clusters.services.pending.pods import WaitingPod, attempts_of, findings_of, grouped_by_cause, pending_of
from clusters.services.watching.watcher import Batch, Pending
from dashboard.presenters.pending import way
from tests.clusters.dumps import node, pod
from tests.engine import strategies
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from pathlib import Path

    from clusters.adapters.rows import Row


KINDS = ("Service", "Node")
UIDS = ("a", "b", "c", "d")
ROWS = st.integers(0, 9).map(lambda number: ("row", number))

Mirror = dict[str, dict[str, "Row"]]


def heard() -> st.SearchStrategy[tuple[str, Any]]:
    """A step: an object changes or goes, a kind is listed, and a batch is taken and written, or comes back."""
    change = st.tuples(st.sampled_from(KINDS), st.sampled_from(UIDS), st.one_of(st.none(), ROWS))
    listing = st.tuples(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(UIDS), ROWS))
    fate = st.sampled_from([("take", None), ("take", None), ("write", None), ("fail", None)])
    return st.one_of(change.map(lambda what: ("change", what)), fate, listing.map(lambda what: ("replace", what)), fate)


def write(batch: Batch, mirror: Mirror) -> None:
    assert not set(batch.listings) & set(batch.changes)
    for kind, rows in batch.listings.items():
        mirror[kind] = dict(rows)
    for kind, changes in batch.changes.items():
        for uid, row in changes.items():
            if row is None:
                mirror[kind].pop(uid, None)
            else:
                mirror[kind][uid] = row


@settings(max_examples=120, deadline=None)
@given(steps=st.lists(heard(), max_size=40))
def test_nothing_is_lost_and_the_last_word_counts(steps: list[tuple[str, Any]]) -> None:
    pending = Pending({}, Ledger(is_new=False))
    truth: Mirror = {kind: {} for kind in KINDS}
    mirror: Mirror = {kind: {} for kind in KINDS}
    under_way: Batch | None = None
    for action, what in [*steps, ("fail", None), ("take", None), ("write", None)]:
        match action:
            case "change":
                kind, uid, row = what
                pending.change(kind, uid, row, "1")
                truth[kind].pop(uid, None)
                if row is not None:
                    truth[kind][uid] = row
            case "replace":
                kind, rows = what
                pending.replace(kind, dict(rows), {})
                truth[kind] = dict(rows)
            case "take" if under_way is None:
                under_way = pending.take()
            case "write" if under_way is not None:
                write(under_way, mirror)
                under_way = None
            case "fail" if under_way is not None:
                pending.give_back(under_way)
                assert pending.arrived.is_set()
                under_way = None

    assert mirror == truth
    assert pending.size == 0


def test_a_batch_remembers_when_its_oldest_change_came() -> None:
    pending = Pending({}, Ledger(is_new=False))
    pending.change("Pod", "a", None, "1")
    first = pending.take()
    pending.change("Pod", "b", None, "2")
    pending.give_back(first)

    assert pending.take().first_arrival == first.first_arrival is not None


def test_a_state_keeps_its_beginning() -> None:
    pending = Pending({}, Ledger(is_new=False))
    error = ForbiddenError(MayNotList("Pod", "No."))
    pending.fail("Pod", WatchedKind.State.FORBIDDEN, error)
    since = pending.status("Pod").state_since
    pending.fail("Pod", WatchedKind.State.FORBIDDEN, error)
    assert pending.status("Pod").state_since == since

    pending.contact("Pod", "7")
    status = pending.take().statuses["Pod"]
    assert (status.state, status.problem, status.resource_version) == (WatchedKind.State.OK, None, "7")
    assert status.state_since > since


def test_what_cannot_be_read_is_said_until_the_next_list() -> None:
    pending = Pending({}, Ledger(is_new=False))
    pending.contact("Pod", "7")
    unreadable = LiveObjectUnreadable("Pod", "shop/web", "spec", NotAMap("'wrong'"))
    pending.note_unreadable(unreadable)
    pending.contact("Pod", "8")
    assert pending.status("Pod").problem == unreadable

    pending.list_anew("Pod")
    pending.contact("Pod", "9")
    assert pending.status("Pod").problem is None


CONFIGURATION = SchedulerConfiguration.default()
CPU = Cause(Kind.UNSCHEDULABLE, ("NodeResourcesFit",), (Insufficient("cpu"),))
TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


def asking(name: str, cpu: str, **spec: Any) -> dict[str, Any]:
    resources = {"requests": {"cpu": cpu}}
    return pod(name, containers=[{"name": "main", "image": "app:1", "resources": resources}], **spec)


def cause_of(*objects: dict[str, Any], waiting: dict[str, Any]) -> Cause:
    (found,) = findings_of(Snapshot.from_objects([*objects, waiting]), CONFIGURATION, [waiting])
    return found.cause


def clones(incoming: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a pod several times over, told apart by what its controllers would give it."""
    found = []
    for number in range(3):
        metadata = {**incoming["metadata"], "name": f"incoming-{number}", "uid": f"uid-{number}"}
        metadata["labels"] = {**metadata["labels"], "apps.kubernetes.io/pod-index": str(number)}
        found.append({**incoming, "metadata": metadata})
    return found


@settings(max_examples=50, deadline=None)
@given(
    st.lists(strategies.nodes(), max_size=5, unique_by=lambda node: node["metadata"]["name"]),
    st.lists(strategies.pods(placed=True), max_size=8, unique_by=lambda pod: pod["metadata"]["name"]),
    st.lists(strategies.pods(placed=False), min_size=1, max_size=3),
)
def test_each_pod_is_found_what_its_own_explanation_says(
    nodes: list[dict[str, Any]], placed: list[dict[str, Any]], incoming: list[dict[str, Any]]
) -> None:
    snapshot = Snapshot.from_objects([*nodes, *placed])
    nominated = [each for each in placed if "nodeName" not in each["spec"]]
    waiting = [*(clone for each in incoming for clone in clones(each)), *nominated]

    findings = findings_of(snapshot, CONFIGURATION, waiting)

    profile = CONFIGURATION.profiles[0]
    assert findings == [finding_of(explain(snapshot, each, profile)) for each in waiting]


_CAUSES = st.tuples(st.sampled_from(Kind), st.sampled_from(((), ("a",), ("b",)))).map(lambda each: Cause(*each))


@given(st.lists(_CAUSES, max_size=30))
def test_grouping_loses_no_pod_and_keeps_their_order(causes: list[Cause]) -> None:
    pods = [
        WaitingPod(str(number), "shop", f"pod-{number}", Workload("shop", "", ""), None, "", PendingFinding(cause))
        for number, cause in enumerate(causes)
    ]

    groups = grouped_by_cause(pods)

    assert sorted((pod for group in groups for pod in group.pods), key=lambda pod: int(pod.uid)) == pods
    assert len({group.identity for group in groups}) == len(groups) == len(set(causes))
    firsts = [int(group.pods[0].uid) for group in groups]
    assert firsts == sorted(firsts)
    for group in groups:
        assert {pod.finding.cause for pod in group.pods} == {group.cause}
        assert [int(pod.uid) for pod in group.pods] == sorted(int(pod.uid) for pod in group.pods)


def test_pods_of_one_template_are_explained_once(monkeypatch: pytest.MonkeyPatch) -> None:
    explained = []

    def noted(*arguments: Any) -> Any:
        explained.append(arguments)
        return explain(*arguments)

    monkeypatch.setattr(service, "explain", noted)
    waiting = [asking(f"job-{number}", "8") for number in range(50)]

    findings = findings_of(Snapshot.from_objects([node(), *waiting]), CONFIGURATION, waiting)

    assert len(explained) == 1
    assert {found.cause.resources for found in findings} == {("cpu",)}


def test_pods_for_which_there_is_no_time_are_still_being_evaluated() -> None:
    waiting = [
        *(asking(f"p{number}", cpu) for number, cpu in enumerate(("5", "6", "7", "5"))),
        asking("other", "1", schedulerName="volcano"),
    ]
    left = iter((True, True))
    answers = Answers[PendingFinding](has_time=lambda _: next(left, False))

    findings = findings_of(Snapshot.from_objects([node(), *waiting]), CONFIGURATION, waiting, answers=answers)

    kinds = [found.cause.kind for found in findings]
    unschedulable = Kind.UNSCHEDULABLE
    assert kinds == [unschedulable, unschedulable, Kind.EVALUATING, unschedulable, Kind.OTHER_SCHEDULER]
    assert (answers.left, len(answers.known)) == (1, 2)


def test_causes_may_keep_more_pods_while_some_are_still_being_evaluated() -> None:
    causes = (CPU, Cause(Kind.OTHER_SCHEDULER, scheduler_name="volcano"), Cause(Kind.EVALUATING))
    pods = [
        WaitingPod(f"{number}", "shop", f"p{number}", Workload("shop", "", ""), None, "", PendingFinding(cause))
        for number, cause in enumerate(causes)
    ]

    assert [group.is_whole for group in grouped_by_cause(pods)] == [False, True, True]
    assert [group.is_whole for group in grouped_by_cause(pods[:2])] == [True, True]


def test_cause_is_what_stands_on_nodes_that_are_meant_for_the_pod() -> None:
    tainted = [node(f"gpu-{number}", spec={"taints": [TAINT]}) for number in range(5)]

    assert cause_of(*tainted, node("n1"), pod("web", on="n1"), waiting=asking("large", "4")) == CPU


def test_cause_without_such_nodes_is_what_a_single_change_overcomes() -> None:
    small = [node(f"n{number}", status={"allocatable": {"cpu": "1", "pods": "10"}}) for number in range(5)]

    cause = cause_of(*small, node("gpu", spec={"taints": [TAINT]}), waiting=asking("large", "2"))

    assert cause == Cause(Kind.UNSCHEDULABLE, ("TaintToleration",))


def gpu_pod(**spec: Any) -> dict[str, Any]:
    amounts = {"nvidia.com/gpu": "1"}
    resources = {"requests": amounts, "limits": amounts}
    return pod("gpu", containers=[{"name": "main", "image": "app:1", "resources": resources}], **spec)


def test_cause_is_what_frees_the_pod_alone_and_not_what_is_frequent() -> None:
    """Without the taints no node has a GPU either."""
    tainted = [node(f"k{number}", spec={"taints": [TAINT]}) for number in range(2)]

    cause = cause_of(node("a"), *tainted, waiting=gpu_pod())

    assert cause == Cause(Kind.UNSCHEDULABLE, ("NodeResourcesFit",), (Insufficient("nvidia.com/gpu"),))


def test_of_two_causes_the_one_that_takes_least_is_told() -> None:
    """Few pods can do without a GPU; many can tolerate the taint of the nodes that have some."""
    allocatable = {"cpu": "4", "pods": "10", "nvidia.com/gpu": "8"}
    tainted = node("k", spec={"taints": [TAINT]}, status={"allocatable": allocatable})

    cause = cause_of(*(node(f"n{number}") for number in range(3)), tainted, waiting=gpu_pod())

    assert cause == Cause(Kind.UNSCHEDULABLE, ("TaintToleration",))


def test_nodes_of_the_control_plane_are_the_last_that_a_pod_is_told_to_use() -> None:
    small = [node(f"n{number}", status={"allocatable": {"cpu": "1", "pods": "10"}}) for number in range(2)]
    control = {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}

    cause = cause_of(*small, node("master", spec={"taints": [control]}), waiting=asking("large", "2"))

    assert cause == CPU


def test_where_nothing_alone_frees_the_pod_all_that_does_together_is_told() -> None:
    tainted = node("k", spec={"taints": [TAINT]})
    waiting = pod("choosy", nodeSelector={"disk": "ssd"})

    (found,) = findings_of(Snapshot.from_objects([tainted, waiting]), CONFIGURATION, [waiting])

    assert found.cause == Cause(Kind.UNSCHEDULABLE, ("TaintToleration", "NodeAffinity"))
    (change,) = found.changes
    assert [each.plugin for each in change.lifted] == ["TaintToleration", "NodeAffinity"]
    assert change.gained == 1


def test_two_resources_that_are_short_together_are_one_cause() -> None:
    requests = {"cpu": "9", "memory": "99Gi"}
    waiting = pod("large", containers=[{"name": "main", "image": "app:1", "resources": {"requests": requests}}])
    large = node("n1", status={"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}})

    cause = cause_of(large, waiting=waiting)

    assert cause == Cause(
        Kind.UNSCHEDULABLE,
        ("NodeResourcesFit",),
        (Insufficient("cpu"), Insufficient("memory")),
        is_too_large=True,
    )


def test_full_node_that_is_not_meant_for_the_pod_either_is_no_cause() -> None:
    near = {"labelSelector": {"matchLabels": {"app": "nobody"}}, "topologyKey": "kubernetes.io/hostname"}
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [near]}}
    full = node("n2", status={"allocatable": {"cpu": "4", "pods": "1"}})

    cause = cause_of(node("n1"), full, pod("web", on="n2"), waiting=asking("lonely", "1", affinity=affinity))

    assert cause == Cause(Kind.UNSCHEDULABLE, ("InterPodAffinity",), (NoPodAffinity(),))


@pytest.mark.parametrize(
    ("waiting", "cause"),
    [
        (asking("fits", "1"), Cause(Kind.FITS)),
        (
            asking("gated", "9", schedulingGates=[{"name": "a"}, {"name": "b"}]),
            Cause(Kind.GATED, gates=("a", "b")),
        ),
        (asking("other", "1", schedulerName="volcano"), Cause(Kind.OTHER_SCHEDULER, scheduler_name="volcano")),
        (
            asking("device", "1", resourceClaims=[{"name": "gpu", "resourceClaimName": "gpu"}]),
            Cause(Kind.UNCERTAIN, uncertainties=(UncomputedField("DynamicResources", "spec.resourceClaims"),)),
        ),
        (asking("important", "4", priority=10), Cause(Kind.PREEMPTS)),
        (
            {**asking("nominee", "4", priority=10), "status": {"phase": "Pending", "nominatedNodeName": "n1"}},
            Cause(Kind.NOMINATED),
        ),
        (
            asking("data", "1", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "gone"}}]),
            Cause(
                Kind.UNSCHEDULABLE,
                ("VolumeRestrictions",),
                (ClaimRefused(ClaimProblem.NOT_FOUND),),
            ),
        ),
    ],
)
def test_kinds_are_told_apart(waiting: dict[str, Any], cause: Cause) -> None:
    assert cause_of(node("n1"), pod("web", on="n1", priority=0), waiting=waiting) == cause


@pytest.mark.parametrize(("reason", "is_leaving"), [("PreemptionByScheduler", True), ("EvictionByEvictionAPI", False)])
def test_nominated_pod_waits_for_those_that_it_preempted(reason: str, *, is_leaving: bool) -> None:
    condition = {"type": "DisruptionTarget", "status": "True", "reason": reason}
    victim = asking("victim", "4", nodeName="n1", priority=0)
    victim["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    victim["status"] = {"phase": "Running", "conditions": [condition]}
    waiting = {**asking("nominee", "4", priority=10), "status": {"phase": "Pending", "nominatedNodeName": "n1"}}
    snapshot = Snapshot.from_objects([node("n1"), victim, waiting])

    (found,) = findings_of(snapshot, CONFIGURATION, [waiting])

    assert (found.cause, found.node, found.is_leaving) == (Cause(Kind.NOMINATED), "n1", is_leaving)


def test_pod_whose_volume_is_being_made_waits_for_it() -> None:
    storage_class = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "fast"},
        "provisioner": "csi.example",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": "data",
            "namespace": "shop",
            "uid": "claim",
            "annotations": {"volume.kubernetes.io/selected-node": "n1"},
        },
        "spec": {"storageClassName": "fast", "resources": {"requests": {"storage": "1Gi"}}},
        "status": {"phase": "Pending"},
    }
    waiting = asking("db", "1", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])
    snapshot = Snapshot.from_objects([node("n1"), node("n2"), storage_class, claim, waiting])

    (found,) = findings_of(snapshot, CONFIGURATION, [waiting])

    assert (found.cause, found.node) == (Cause(Kind.VOLUME), "n1")


@pytest.mark.django_db
def test_oldest_come_first_and_pods_with_a_node_are_left_out(tmp_path: Path) -> None:
    def born(document: dict[str, Any], minute: int) -> dict[str, Any]:
        return {**document, "metadata": {**document["metadata"], "creationTimestamp": f"2026-01-01T00:{minute:02}:00Z"}}

    creating = {**pod("creating", on="n1"), "status": {"phase": "Pending"}}
    waiting = [born(asking("b", "9"), 5), born(asking("c", "1"), 3), born(asking("a", "8"), 1), asking("ageless", "7")]
    pending = pending_of(cluster=load(tmp_path, "shop", [node("n1"), creating, *waiting]))

    names = [[each.name for each in group.pods] for group in pending.groups.values()]
    assert names == [["a", "b", "ageless"], ["c"]]
    assert pending.total == 4
    assert pending.as_of == datetime(2026, 1, 1, 0, 5, tzinfo=UTC)


@pytest.mark.django_db
def test_back_off_of_the_clusters_own_configuration_is_kept(tmp_path: Path) -> None:
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "podInitialBackoffSeconds": 2,
        "podMaxBackoffSeconds": 60,
    }
    cluster = load(tmp_path, "shop", [node(), configuration])
    cluster.refresh_from_db()

    assert pending_of(cluster=cluster).backoff == Backoff(2, 60)


# -- attempts ----------------------------------------------------------------------------------------------------------


def failed(cluster: Cluster, number: int, *, count: int, uid: str = "u1", **fields: Any) -> None:
    Event.objects.create(
        cluster=cluster,
        uid=f"event-{number}",
        name=f"event-{number}",
        namespace="shop",
        digest="",
        object={},
        **{
            "involved_kind": "Pod",
            "involved_namespace": "shop",
            "involved_name": "web",
            "involved_uid": uid,
            "reason": "FailedScheduling",
            "message": f"message {number}",
            "count": count,
            "last_seen": datetime(2026, 1, 1, 0, number, tzinfo=UTC),
            **fields,
        },
    )


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="shop")


WAITING = WaitingPod("u1", "shop", "web", Workload("shop", "", ""), None, "", PendingFinding(Cause(Kind.FITS)))


def test_attempts_are_those_of_all_series_of_this_very_pod(cluster: Cluster) -> None:
    failed(cluster, 1, count=3)
    failed(cluster, 2, count=4)
    failed(cluster, 3, count=50, uid="an earlier pod")
    failed(cluster, 4, count=60, reason="Scheduled")
    failed(cluster, 5, count=70, involved_namespace="other")

    (found,) = attempts_of(cluster=cluster, pods=[WAITING]).values()

    assert (found.count, found.last_at, found.message) == (7, datetime(2026, 1, 1, 0, 2, tzinfo=UTC), "message 2")


def test_journal_knows_attempts_whose_events_are_gone(cluster: Cluster) -> None:
    failed(cluster, 1, count=2)
    heard = datetime(2026, 1, 1, 2, tzinfo=UTC)
    for kind, version, attempts in (("unschedulable", "1", 9), ("unschedulable", "2", 2), ("bound", "3", 100)):
        Decision.objects.create(
            cluster=cluster,
            kind=kind,
            pod_uid="u1",
            namespace="shop",
            name="web",
            resource_version=version,
            attempts=attempts,
            heard_at=heard,
            last_heard_at=heard,
        )

    (found,) = attempts_of(cluster=cluster, pods=[WAITING]).values()

    assert (found.count, found.last_at, found.message) == (11, heard, "message 1")


def test_pod_of_which_no_attempt_is_known_has_none(cluster: Cluster) -> None:
    assert attempts_of(cluster=cluster, pods=[WAITING]) == {}


def way_of(*changes: tuple[SuggestedChange, ...]) -> tuple[Hashable, int, bool]:
    """Return what would free most of a group whose pods have these changes each, for how many, and whether alike."""
    pods = [
        WaitingPod(
            str(number), "shop", str(number), Workload("shop", "", ""), None, "", PendingFinding(CPU, changes=each)
        )
        for number, each in enumerate(changes)
    ]
    (group,) = grouped_by_cause(pods)
    assert group.way is not None
    return group.way.change.key, group.way.frees, group.way.is_alike


def test_way_is_the_one_change_that_is_enough_for_most_pods() -> None:
    easy = SuggestedChange(0, lifted=(Constraint("NodeAffinity", SelectorSubject("a", "b")),), gained=1)
    hard = SuggestedChange(2, lifted=(Constraint("NodeName"),), gained=9)

    assert way_of((easy, hard), (hard,), ()) == (hard.key, 2, True)
    assert way_of((easy, hard), (hard, easy)) == (easy.key, 2, True)
    assert way_of((hard,), (replace(hard, gained=3),)) == (hard.key, 2, False)


def test_the_most_realistic_way_is_told_of_those_that_free_at_least_half_as_many() -> None:
    gpu = TaintSubject(Taint("gpu", "", "NoSchedule"))
    taint = SuggestedChange(0, lifted=(Constraint("TaintToleration", gpu),), gained=9)
    pods_limit = SuggestedChange(1, lifted=(Constraint("NodeResourcesFit", ResourceSubject("pods")),), gained=1)
    nothing = SuggestedChange(4, lifted=(Constraint("NodeResourcesFit", ResourceSubject("cpu")),), gained=9)

    assert way_of((pods_limit, taint)) == (taint.key, 1, True)
    assert way_of((taint, nothing), (nothing,), (nothing,)) == (taint.key, 1, True)
    assert way_of((taint, pods_limit), (pods_limit,)) == (taint.key, 1, True)
    assert way_of((taint, pods_limit), (pods_limit,), (pods_limit,)) == (pods_limit.key, 3, True)


def test_of_equally_realistic_ways_one_to_the_cause_itself_is_told() -> None:
    port = SuggestedChange(0, lifted=(Constraint("NodePorts"),), gained=9)
    request = SuggestedChange(0, lifted=(Constraint("NodeResourcesFit", ResourceSubject("pods")),), gained=1)
    selector = SuggestedChange(0, lifted=(Constraint("NodeAffinity", SelectorSubject("a", "b")),), gained=1)

    assert way_of((port, selector)) == (port.key, 1, True)
    assert way_of((selector, request)) == (request.key, 1, True)


def test_one_more_node_is_told_with_as_many_pods_as_are_really_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = [asking("a", "2"), asking("b", "2"), asking("c", "2")]
    snapshot = Snapshot.from_objects([node("n1"), asking("web", "4", nodeName="n1")])
    more = MoreNodes(snapshot, [NodeLikeness(node("n1"))])
    documents = {pod["metadata"]["name"]: pod for pod in waiting}
    pods = [
        WaitingPod(name, "shop", name, Workload("shop", "", ""), None, "", found)
        for name, found in zip(documents, findings_of(snapshot, CONFIGURATION, waiting, more), strict=True)
    ]

    def placed(like: OneMoreNode, pods: Sequence[WaitingPod]) -> frozenset[str]:
        return more.freed(like, [documents[pod.name] for pod in pods], CONFIGURATION)

    (group,) = grouped_by_cause(pods, placed)
    assert group.way is not None
    assert (group.way.change.more, group.way.frees) == (OneMoreNode("n1"), 2)
    assert {key.partition("/")[2] for key in group.way.placed} == {"a", "b"}
    (without,) = grouped_by_cause(pods)
    assert without.way is None or without.way.change.more is None
    monkeypatch.setattr(node_counts, "MOST_PODS", 1)
    (cut,) = grouped_by_cause(pods, placed)
    assert way(group) != way(cut)


def test_asking_for_less_is_found_as_a_way() -> None:
    waiting = [asking("a", "3"), asking("b", "3500m")]
    snapshot = Snapshot.from_objects([node("n1"), asking("web", "2", nodeName="n1")])
    findings = findings_of(snapshot, CONFIGURATION, waiting)

    assert [found.cause for found in findings] == [CPU, CPU]
    assert way_of(*(found.changes for found in findings)) == (("cpu",), 2, False)


@pytest.mark.django_db
def test_one_more_node_is_offered_with_the_pods_of_daemon_sets_that_run_on_its_likeness(tmp_path: Path) -> None:
    agent = asking("agent", "1", nodeName="n1")
    agent["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "a", "controller": True}
    ]
    waiting = [asking("a", "2"), asking("b", "1500m"), asking("c", "1")]
    cluster = load(tmp_path, "shop", [node("n1"), agent, asking("web", "3", nodeName="n1"), *waiting])

    (group,) = pending_of(cluster=cluster).groups.values()

    assert group.way is not None
    assert group.way.change.more == OneMoreNode("n1")
    assert sorted(group.way.placed) == ["shop/a", "shop/c"]
    assert group.way.frees == 2

"""Groups of pods under one spread constraint, worked out by hand on a few nodes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.objects import Pod
from clusters.engine.owners import Workload
from clusters.engine.plugin import Context
from clusters.engine.plugins.pod_topology_spread import PodTopologySpread
from clusters.engine.spreading import Exclusion, NamedBy, SpreadGroup, counted_pods, spreading_of, workload_matrix
from clusters.engine.spreading.constraints import constraints_of
from clusters.engine.spreading.groups import Count, Spreading
from tests.engine.builders import HOSTNAME, REGION, ZONE, Document, a_node, a_pod
from tests.engine.strategies import changes, nodes, pods

if TYPE_CHECKING:
    from clusters.engine.spreading import SpreadGroup


WEB: Document = {"matchLabels": {"app": "web"}}

GOLD: Document = {"key": "class", "value": "gold", "effect": "NoSchedule"}


def by_zone(**fields: Any) -> Document:
    return {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": WEB,
        **fields,
    }


def controlled(pod: Document, kind: str, name: str, version: str = "apps/v1") -> Document:
    owner = {"apiVersion": version, "kind": kind, "name": name, "uid": f"uid-{name}", "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}}


def web_pods(*nodes: str, **spec: Any) -> list[Document]:
    spec = {"topologySpreadConstraints": [by_zone()], **spec}
    return [a_pod(f"web-{number}", node=node, labels={"app": "web"}, **spec) for number, node in enumerate(nodes)]


def spreading(*objects: Document, pending: list[Document] | None = None, **configuration: Any) -> Spreading:
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **configuration}
    profiles = SchedulerConfiguration.from_dict(versioned).profiles
    return spreading_of(Snapshot.from_objects(objects), profiles, pending or [])


def the_group(*objects: Document, pending: list[Document] | None = None, **configuration: Any) -> SpreadGroup:
    (group,) = spreading(*objects, pending=pending, **configuration).groups
    return group


def counts_of(group: SpreadGroup) -> dict[str, int]:
    return dict(zip(group.values, group.counts.tolist(), strict=True))


def admitted(group: SpreadGroup) -> set[str]:
    return {value for value, admits in zip(group.values, group.admits, strict=True) if admits}


ZONES = (a_node("a1", zone="a"), a_node("a2", zone="a"), a_node("b1", zone="b"), a_node("c1", zone="c"))


def test_counts_skew_and_where_the_next_pod_may_go() -> None:
    group = the_group(*ZONES, *web_pods("a1", "a1", "a2", "b1", "c1", "c1"))

    assert counts_of(group) == {"a": 3, "b": 1, "c": 2}
    assert (group.minimum, group.domain_count, group.itself, group.violation) == (1, 3, 1, 1)
    assert admitted(group) == {"b"}
    assert [(each.value, each.pods, each.skew, each.excess, each.admits) for each in group.domains()] == [
        ("a", 3, 2, 1, False),
        ("c", 2, 1, 0, False),
        ("b", 1, 0, 0, True),
    ]
    assert group.members == Count(placed=6)
    assert group.blocks


def test_fewer_domains_than_min_domains_make_the_minimum_zero() -> None:
    group = the_group(*ZONES, *web_pods("a1", "b1", "c1", topologySpreadConstraints=[by_zone(minDomains=4)]))

    assert (group.minimum, group.missing_domains, group.violation) == (0, 1, 0)
    assert admitted(group) == set()


def test_why_nodes_do_not_count() -> None:
    nodes = (
        a_node("a1", zone="a", labels={"disk": "ssd"}),
        a_node("a2", zone="a", labels={"disk": "ssd"}, taints=[GOLD]),
        a_node("b1", zone="b", labels={"disk": "hdd"}),
        a_node("c1", zone="c", labels={"disk": "ssd"}, taints=[GOLD]),
        a_node("nowhere", labels={"disk": "ssd"}),
    )
    pods = web_pods(
        "a1",
        "b1",
        "b1",
        "nowhere",
        nodeSelector={"disk": "ssd"},
        topologySpreadConstraints=[by_zone(nodeTaintsPolicy="Honor")],
    )
    group = the_group(*nodes, *pods)
    found = {each.value: each for each in group.domains()}

    assert {value: each.excluded for value, each in found.items()} == {
        "a": {Exclusion.TAINTS: 1},
        "b": {Exclusion.AFFINITY: 1},
        "c": {Exclusion.TAINTS: 1},
    }
    assert [value for value, each in found.items() if each.is_eligible] == ["a"]
    assert (group.minimum, group.uncounted, group.eligibility.without_key) == (1, 3, 1)
    assert not found["b"].admits


def test_pending_pods_belong_once_wherever_they_are_told_of() -> None:
    waiting, nominated = (
        a_pod(name, labels={"app": "web"}, topologySpreadConstraints=[by_zone()], nominated=nominated)
        for name, nominated in (("waiting", None), ("nominated", "a1"))
    )
    finished = a_pod("done", labels={"app": "web"}, topologySpreadConstraints=[by_zone()])
    finished["status"]["phase"] = "Succeeded"
    group = the_group(*ZONES, *web_pods("a1"), nominated, pending=[waiting, nominated, finished])

    assert group.members == Count(placed=1, pending=2)


def test_match_label_keys_separate_the_revisions_of_a_workload() -> None:
    constraint = by_zone(matchLabelKeys=["pod-template-hash"])
    pods = [
        controlled(
            a_pod(
                f"web-{template}-{node}",
                node=node,
                labels={"app": "web", "pod-template-hash": template},
                topologySpreadConstraints=[constraint],
            ),
            "ReplicaSet",
            f"web-{template}",
        )
        for template, node in (("old", "a1"), ("old", "b1"), ("new", "c1"))
    ]
    groups = spreading(*ZONES, *pods).groups

    assert [(each.members.placed, counts_of(each)) for each in groups] == [
        (2, {"a": 1, "b": 1, "c": 0}),
        (1, {"a": 0, "b": 0, "c": 1}),
    ]
    assert {each.workloads for each in groups} == {(Workload("default", "Deployment", "web"),)}


def apps(*groups: list[Document]) -> list[str]:
    found = spreading(*ZONES, *(pod for group in groups for pod in group)).groups
    return [each.template.constraints[0]["labelSelector"]["matchLabels"]["app"] for each in found]


@pytest.mark.parametrize(
    "broken",
    [{"labelSelector": {"matchExpressions": [{"key": "app", "operator": "Near"}]}}, {"labelSelector": "app=web"}],
)
def test_constraints_that_kubernetes_would_refuse_are_set_apart(broken: Document) -> None:
    found = spreading(
        *ZONES, *web_pods("a1", "b1", topologySpreadConstraints=[by_zone(**broken)]), a_pod("p", node="a1")
    )

    assert found.groups == ()
    (unreadable,) = found.unreadable
    assert unreadable.members == Count(placed=2)
    assert unreadable.message


DRIVER = "topology.ebs.csi.aws.com/zone"

NODES = [a_node(f"{zone}1", zone=zone, labels={DRIVER: zone}) for zone in "ab"]


def volume(key: str, *values: str, operator: str = "In") -> Document:
    terms = [{"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}]
    return {
        "kind": "PersistentVolume",
        "metadata": {"name": f"v-{key}"},
        "spec": {"nodeAffinity": {"required": {"nodeSelectorTerms": terms}}},
    }


def labelled_volume(key: str, value: str) -> Document:
    return {"kind": "PersistentVolume", "metadata": {"name": "old", "labels": {key: value}}, "spec": {}}


def storage_class(key: str, *values: str) -> Document:
    topologies = [{"matchLabelExpressions": [{"key": key, "values": list(values)}]}]
    return {"kind": "StorageClass", "metadata": {"name": "zonal"}, "allowedTopologies": topologies}


def required(*terms: list[Document]) -> Document:
    selector = {"nodeSelectorTerms": [{"matchExpressions": each} for each in terms]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": selector}}


def nodeless(*objects: Document, constraint: Document | None = None, **spec: Any) -> dict[str, tuple[NamedBy, ...]]:
    pods = web_pods("a1", "b1", topologySpreadConstraints=[constraint or by_zone()], **spec)
    return {each.value: each.named_by for each in the_group(*NODES, *objects, *pods).nodeless}


@pytest.mark.parametrize(
    ("named", "by"),
    [
        (volume(ZONE, "a", "c"), NamedBy.VOLUMES),
        (volume(DRIVER, "c"), NamedBy.VOLUMES),
        (volume("failure-domain.beta.kubernetes.io/zone", "c"), NamedBy.VOLUMES),
        (labelled_volume(ZONE, "a__c"), NamedBy.VOLUMES),
        (storage_class(ZONE, "a", "b", "c"), NamedBy.CLASSES),
    ],
)
def test_a_zone_that_volumes_or_their_classes_name_has_no_node(named: Document, by: NamedBy) -> None:
    assert nodeless(named) == {"c": (by,)}


@pytest.mark.parametrize(
    "named",
    [
        volume(ZONE, "a", "b"),
        volume(ZONE, "c", operator="NotIn"),
        volume(REGION, "c"),
        volume("rack", "c"),
        volume(HOSTNAME, "c"),
    ],
)
def test_what_names_no_zone_or_one_with_nodes_adds_none(named: Document) -> None:
    assert nodeless(named) == {}


def test_the_pods_own_affinity_names_domains_and_rules_others_out() -> None:
    zones = {"key": ZONE, "operator": "In", "values": ["a", "b", "d"]}
    affinity = required([zones])
    seen = volume(ZONE, "c", "d")

    assert nodeless(seen, affinity=affinity) == {"d": (NamedBy.VOLUMES, NamedBy.PODS)}
    assert nodeless(seen, affinity=required([zones], [{"key": ZONE, "operator": "Exists"}])) == {
        "c": (NamedBy.VOLUMES,),
        "d": (NamedBy.VOLUMES, NamedBy.PODS),
    }
    assert nodeless(seen, constraint=by_zone(nodeAffinityPolicy="Ignore"), affinity=affinity) == {
        "c": (NamedBy.VOLUMES,),
        "d": (NamedBy.VOLUMES,),
    }


def other_pod(*constraints: Document, name: str = "other", app: str = "web", **labels: str) -> Document:
    made = a_pod(name, node="b1", labels={"app": app, **labels}, topologySpreadConstraints=list(constraints))
    return controlled(made, "StatefulSet", name)


def unlike(*pods: Document) -> list[tuple[str, bool, int]]:
    """Return what the group of the pods named web-… finds."""
    groups = spreading(*ZONES, *pods).groups
    return [
        (each.workload.name, each.has_another, each.pods) for group in groups if _is_web(group) for each in group.unlike
    ]


def _is_web(group: SpreadGroup) -> bool:
    return Workload("default", "", "") in group.workloads


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ([by_zone()], []),
        ([by_zone(), by_zone(maxSkew=5, whenUnsatisfiable="ScheduleAnyway")], []),
        ([by_zone(maxSkew=2)], [("other", True, 1)]),
        ([by_zone(whenUnsatisfiable="ScheduleAnyway")], [("other", True, 1)]),
        ([by_zone(labelSelector={"matchLabels": {"app": "else"}})], [("other", True, 1)]),
        ([by_zone(topologyKey=HOSTNAME)], [("other", False, 1)]),
        ([], [("other", False, 1)]),
        ([by_zone(labelSelector="broken")], [("other", True, 1)]),
    ],
)
def test_counted_pods_that_have_another_constraint_or_none(
    theirs: list[Document], expected: list[tuple[str, bool, int]]
) -> None:
    assert unlike(*web_pods("a1", "c1"), other_pod(*theirs)) == expected


def test_pods_of_a_daemon_set_and_default_constraints_are_left_out() -> None:
    daemon = controlled(a_pod("agent", node="b1", labels={"app": "web"}), "DaemonSet", "agent")
    service = {
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"app": "web"}},
    }
    groups = spreading(*ZONES, service, *web_pods("a1"), daemon, other_pod(name="plain")).groups

    assert unlike(*web_pods("a1"), daemon) == []
    assert [(group.source, len(group.unlike)) for group in groups if not _is_web(group)] == [("System", 0)] * 2


OWNERS = {
    "web": ("apps/v1", "ReplicaSet", "web-7d9", {"pod-template-hash": "7d9"}, ("Deployment", "web")),
    "rollout": ("apps/v1", "ReplicaSet", "rollout-5f", {}, ("ReplicaSet", "rollout-5f")),
    "other": ("apps/v1", "ReplicaSet", "other", {"pod-template-hash": "x1"}, ("ReplicaSet", "other")),
    "db": ("apps/v1", "StatefulSet", "db", {}, ("StatefulSet", "db")),
    "agent": ("apps/v1", "DaemonSet", "agent", {}, ("DaemonSet", "agent")),
    "pi": ("batch/v1", "Job", "pi", {}, ("Job", "pi")),
    "kept": ("v1", "ReplicationController", "kept", {}, ("ReplicationController", "kept")),
}


def owned(name: str, owner: str, node: str | None = None) -> Document:
    version, kind, controller, labels, _ = OWNERS[owner]
    pod = a_pod(name, node=node, labels=labels)
    reference = {"apiVersion": version, "kind": kind, "name": controller, "uid": controller, "controller": True}
    pod["metadata"]["ownerReferences"] = [{"kind": "Noise", "name": "noise", "uid": "noise"}, reference]
    return pod


@pytest.mark.parametrize("owner", OWNERS)
def test_what_a_workload_is_called(owner: str) -> None:
    snapshot = Snapshot.from_objects([a_node("n", zone="a"), owned("p", owner, "n")])

    assert workload_matrix(snapshot).workloads == (Workload("default", *OWNERS[owner][-1]),)


def test_pods_by_zone_the_largest_skew_first_and_daemon_sets_last() -> None:
    snapshot = Snapshot.from_objects(
        [
            a_node("b1", zone="b"),
            a_node("a1", zone="a"),
            a_node("nowhere"),
            a_node("blank", zone=""),
            owned("web-1", "web", "a1"),
            owned("web-2", "web", "b1"),
            owned("web-3", "web", "b1"),
            owned("web-5", "web", "b1"),
            *(owned(f"pi-{number}", "pi", "a1") for number in (2, 3)),
            owned("db-0", "db", "nowhere"),
            owned("db-1", "db", "blank"),
            a_pod("bare", node="a1"),
            owned("lost", "web", "no-such-node"),
            *(owned(f"agent-{number}", "agent", "b1") for number in range(3)),
        ]
    )
    matrix = workload_matrix(snapshot, [owned("web-4", "web"), owned("pi-1", "pi")])

    assert matrix.zones == ("a", "b", "")
    assert matrix.workloads == (
        Workload("default", "Job", "pi"),
        Workload("default", "Deployment", "web"),
        Workload("default", "", ""),
        Workload("default", "StatefulSet", "db"),
        Workload("default", "DaemonSet", "agent"),
    )
    assert matrix.placed.tolist() == [[2, 0, 0], [1, 3, 0], [1, 0, 0], [0, 0, 2], [0, 3, 0]]
    assert matrix.pending.tolist() == [1, 1, 0, 0, 0]


def objects() -> list[dict[str, Any]]:
    constraint = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "nodeTaintsPolicy": "Honor",
    }
    tolerations = [{"key": key, "operator": "Exists"} for key in ("one", "two", "three")]
    nodes = [
        {"kind": "Node", "metadata": {"name": name, "labels": {ZONE: zone}}, "spec": {"taints": taints}}
        for name, zone, taints in (
            ("ash", "north", []),
            ("birch", "south", []),
            ("cedar", "west", [{"key": "x", "effect": "NoSchedule"}]),
        )
    ]
    pods = [
        {
            "kind": "Pod",
            "metadata": {"name": f"web-{number}", "namespace": "shop", "uid": f"{number}", "labels": {"app": "web"}},
            "spec": {
                "nodeName": on,
                "tolerations": tolerations,
                "topologySpreadConstraints": [{**constraint, "labelSelector": {"matchLabels": {"app": "web"}}}],
            },
        }
        for number, on in enumerate(("birch", "ash", "birch", "cedar"))
    ]
    return [*nodes, *pods]


def found() -> tuple[Snapshot, SpreadGroup]:
    snapshot = Snapshot.from_objects(objects())
    (group,) = spreading_of(snapshot, SchedulerConfiguration.default().profiles).groups
    return snapshot, group


def test_counted_pods_are_those_on_nodes_that_count() -> None:
    snapshot, group = found()

    assert counted_pods(snapshot, group) == ["shop/web-0", "shop/web-1", "shop/web-2"]
    assert counted_pods(snapshot, group, "south") == ["shop/web-0", "shop/web-2"]
    assert counted_pods(snapshot, group, "west") == counted_pods(snapshot, group, "elsewhere") == []


def test_identity_is_the_same_in_every_process() -> None:
    program = "from tests.engine.spread_groups.test_groups import found; print(found()[1].identity)"

    said = {
        subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, check=True).stdout
        for env in [{**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path.cwd())} for seed in ("1", "2")]
    }

    assert said == {f"{found()[1].identity}\n".encode()}


PROFILES = SchedulerConfiguration.default().profiles
clusters = st.lists(st.one_of(nodes(), pods(placed=True), pods(placed=True)), max_size=30)
ACTIONS = ("DoNotSchedule", "ScheduleAnyway")


def unique(cluster: list[Document]) -> list[Document]:
    return list({(document["kind"], document["metadata"]["name"]): document for document in cluster}.values())


def plain(group: SpreadGroup) -> tuple[Any, ...]:
    """What a group says, independent of the order in which nodes and pods came."""
    domains = sorted((each.value, each.pods, each.skew, each.nodes, each.admits) for each in group.domains())
    return group.namespace, group.constraint, group.action, group.itself, group.members, group.workloads, domains


def is_pinned(document: Document) -> bool:
    return any(owner["kind"] == "DaemonSet" for owner in document["metadata"].get("ownerReferences", ()))


@settings(max_examples=60, deadline=None)
@given(cluster=clusters, incoming=pods(placed=False))
def test_a_group_says_what_the_filter_says(cluster: list[Document], incoming: Document) -> None:
    incoming["metadata"].pop("ownerReferences", None)
    snapshot = Snapshot.from_objects(unique(cluster))
    plugin = PodTopologySpread(Context(snapshot, Pod(incoming), PROFILES[0].args))
    groups = [each for each in spreading_of(snapshot, PROFILES, [incoming]).groups if each.members.pending]
    plugin.pre_filter()
    rejected = plugin.filter()

    for domains in plugin.domains:
        (group,) = (
            each
            for each in groups
            if each.blocks
            and each.constraint == domains.constraint
            and each.itself == domains.itself
            and (each.eligibility.mask == domains.eligible).all()
            and _belongs(each, incoming)
        )
        assert group.counts.tolist() == domains.counts.tolist()
        assert group.minimum == domains.minimum
        assert group.eligibility.exists.tolist() == domains.exists.tolist()
        if len(plugin.domains) == 1:
            for row in group.eligibility.mask.nonzero()[0]:
                assert rejected.at(int(row)).ok == bool(group.admits[domains.column.codes[row]])


def _belongs(group: SpreadGroup, incoming: Document) -> bool:
    """Whether the group honours the tolerations and affinity that the pod has, not those of a nominated one."""
    template, spec = group.template, incoming["spec"]
    honours = group.constraint
    affinity = spec["affinity"].get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution")
    same_affinity = (template.node_selector, template.node_affinity) == (spec.get("nodeSelector", {}), affinity)
    same_tolerations = template.tolerations == tuple(spec.get("tolerations", ()))
    same_keys = len({each["topologyKey"] for each in template.constraints if each["whenUnsatisfiable"] == group.action})
    own_keys = {
        each["topologyKey"] for each in spec["topologySpreadConstraints"] if each["whenUnsatisfiable"] == group.action
    }
    return (
        (same_affinity or not honours.honours_affinity)
        and (same_tolerations or not honours.honours_taints)
        and same_keys == len(own_keys)
    )


@settings(max_examples=60, deadline=None)
@given(cluster=clusters)
def test_counts_sum_to_pods(cluster: list[Document]) -> None:
    snapshot = Snapshot.from_objects(unique(cluster))
    table = snapshot.pods
    held = [slot for slot in table.slot_of.values() if table.node[slot] >= 0]
    labels = (node.labels.get(ZONE) for node in snapshot.nodes.nodes)
    zones = {row: zone for row, zone in enumerate(labels) if zone}

    for group in spreading_of(snapshot, PROFILES).groups:
        matching = [
            slot
            for slot in held
            if not table.terminating[slot] and group.constraint.selector.matches(table.labels(slot))
        ]
        assert int(group.counts.sum()) + group.uncounted == len(matching) == group.zone_loss.of
        by_zone = Counter(zones.get(table.node[slot], table.node[slot]) for slot in matching)
        assert group.zone_loss.pods == max(by_zone.values(), default=0)
        assert group.eligibility.eligible.sum() == group.eligibility.mask.sum()
        assert group.eligibility.nodes.sum() + group.eligibility.without_key == len(snapshot.nodes)
        excluded = sum(nodes.sum() for nodes in group.eligibility.excluded.values())
        assert excluded + group.eligibility.eligible.sum() == group.eligibility.nodes.sum()
        assert group.violation == max((each.excess for each in group.domains()), default=0)


@settings(max_examples=60, deadline=None)
@given(cluster=clusters, waiting=st.lists(pods(placed=False), max_size=3))
def test_every_pod_belongs_to_a_group_for_each_constraint(cluster: list[Document], waiting: list[Document]) -> None:
    for number, document in enumerate(waiting):
        document["metadata"] = {**document["metadata"], "name": f"waiting-{number}"}
    objects = unique(cluster)
    snapshot = Snapshot.from_objects(objects)
    expected = 0
    for document in [*objects, *waiting]:
        if document["kind"] != "Pod" or is_pinned(document):
            continue
        slot = snapshot.pods.slot_of.get(f"shop/{document['metadata']['name']}")
        lies = slot is not None and snapshot.pods.node[slot] >= 0
        waits = slot is None if document in waiting else slot in snapshot.pods.nominees
        if lies or (waits and not document["metadata"].get("deletionTimestamp")):
            for action in ACTIONS:
                expected += len(set(constraints_of(snapshot, Pod(document), PodTopologySpreadArgs(), action)))

    groups = spreading_of(snapshot, PROFILES, waiting).groups
    assert sum(each.members.placed + each.members.pending for each in groups) == expected


@settings(max_examples=40, deadline=None)
@given(cluster=clusters, incoming=pods(placed=False), data=st.data())
def test_a_domain_that_admits_a_pod_stays_within_max_skew(
    cluster: list[Document], incoming: Document, data: st.DataObject
) -> None:
    snapshot = Snapshot.from_objects(unique(cluster))
    for group in spreading_of(snapshot, PROFILES, [incoming]).groups:
        if not (group.members.pending and group.blocks and group.admits.any()):
            continue
        domain = data.draw(st.sampled_from(group.admits.nonzero()[0].tolist()))
        row = int((group.eligibility.mask & (group.eligibility.column.codes == domain)).nonzero()[0][0])
        labels = {**incoming, "metadata": {**incoming["metadata"], "labels": {"app": "web"}}}
        if bool(group.itself) != group.constraint.selector.matches(labels["metadata"]["labels"]):
            continue
        after = snapshot.copy().assume(labels, snapshot.nodes.names[row])
        moved = [
            each
            for each in spreading_of(after, PROFILES).groups
            if (each.constraint, each.namespace) == (group.constraint, group.namespace)
            and (each.eligibility.mask == group.eligibility.mask).all()
        ]
        for each in moved:
            assert each.counts[domain] == group.counts[domain] + group.itself
            assert each.skew[domain] <= each.constraint.max_skew


@settings(max_examples=40, deadline=None)
@given(steps=st.lists(changes(), max_size=30))
def test_groups_and_matrix_follow_changes(steps: list[tuple[str, Document]]) -> None:
    snapshot = Snapshot()
    left: dict[tuple[str, str], Document] = {}
    for action, document in steps:
        getattr(snapshot, action)(document)
        left.pop((document["kind"], document["metadata"]["name"]), None)
        if action == "upsert":
            left[document["kind"], document["metadata"]["name"]] = document
    afresh = Snapshot.from_objects(left.values())

    found, expected = (spreading_of(each, PROFILES).groups for each in (snapshot, afresh))
    assert sorted(map(repr, map(plain, found))) == sorted(map(repr, map(plain, expected)))
    matrix, fresh = workload_matrix(snapshot), workload_matrix(afresh)
    assert (matrix.zones, matrix.workloads) == (fresh.zones, fresh.workloads)
    assert matrix.placed.tolist() == fresh.placed.tolist()
    assert matrix.placed.sum() == (snapshot.pods.node >= 0).sum()
    table = snapshot.pods
    assert matrix.pending.sum() == sum(not table.terminating[slot] for slot in table.nominees)

"""Groups of pods under one spread constraint, worked out by hand on a few nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.owners import Workload
from clusters.engine.spreading import Exclusion, NamedBy, Source, SpreadGroup, spreading_of, workload_matrix
from clusters.engine.spreading.groups import Count, NodelessDomain, Spreading, ZoneLoss
from tests.engine.builders import HOSTNAME, REGION, ZONE, Document, a_node, a_pod, with_arguments

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


def test_a_constraint_that_only_prefers_admits_to_every_domain() -> None:
    constraint = by_zone(whenUnsatisfiable="ScheduleAnyway")
    group = the_group(*ZONES, *web_pods("a1", "a1", "b1", "c1", topologySpreadConstraints=[constraint]))

    assert not group.blocks
    assert admitted(group) == {"a", "b", "c"}
    assert [value for value, within in zip(group.values, group.within, strict=True) if within] == ["b", "c"]


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


def test_policies_may_let_every_node_count() -> None:
    nodes = (a_node("a1", zone="a"), a_node("b1", zone="b", taints=[GOLD]))
    constraint = by_zone(nodeAffinityPolicy="Ignore")
    group = the_group(*nodes, *web_pods("a1", nodeSelector={ZONE: "a"}, topologySpreadConstraints=[constraint]))

    assert group.domain_count == 2
    assert admitted(group) == {"b"}


def test_a_node_must_carry_the_keys_of_all_constraints_that_block() -> None:
    constraints = [by_zone(), by_zone(topologyKey=REGION), by_zone(topologyKey=HOSTNAME, maxSkew=2)]
    nodes = (a_node("a1", zone="a", labels={REGION: "r"}), a_node("b1", zone="b"))
    groups = {
        each.constraint.topology_key: each
        for each in spreading(*nodes, *web_pods("a1", topologySpreadConstraints=constraints)).groups
    }

    assert groups[ZONE].eligibility.why_not(groups[ZONE].values.index("b")) == {Exclusion.LABEL: 1}
    assert groups[REGION].eligibility.without_key == 1
    assert groups[HOSTNAME].domain_count == 1


def test_pods_that_are_being_deleted_belong_but_do_not_count() -> None:
    leaving = web_pods("a1", "a1")
    leaving[1]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    group = the_group(*ZONES, *leaving)

    assert counts_of(group)["a"] == 1
    assert group.members == Count(placed=2, terminating=1)


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


def test_a_pod_outside_its_own_selector_is_another_group() -> None:
    stranger = a_pod("cache", node="b1", labels={"app": "cache"}, topologySpreadConstraints=[by_zone()])
    own, other = sorted(
        spreading(*ZONES, *web_pods("a1", "b1", "c1"), stranger).groups, key=lambda group: -group.itself
    )

    assert (own.members.placed, other.members.placed) == (3, 1)
    assert counts_of(own) == counts_of(other) == {"a": 1, "b": 1, "c": 1}
    assert admitted(own) == admitted(other) == {"a", "b", "c"}


def test_kubernetes_spreads_what_a_service_selects() -> None:
    service = {
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": WEB["matchLabels"]},
    }
    plain = [a_pod(f"web-{node}", node=node, labels={"app": "web"}) for node in ("a1", "a2", "b1")]
    groups = spreading(*ZONES, service, *plain, a_pod("alone", node="c1")).groups

    assert [(each.source, each.action, each.constraint.topology_key, each.constraint.max_skew) for each in groups] == [
        (Source.SYSTEM, "ScheduleAnyway", ZONE, 5),
        (Source.SYSTEM, "ScheduleAnyway", HOSTNAME, 3),
    ]
    assert {each.members.placed for each in groups} == {3}
    assert counts_of(groups[0]) == {"a": 2, "b": 1, "c": 0}


def test_listed_defaults_take_the_selector_of_the_controller() -> None:
    replica_set = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "web-1", "namespace": "default", "uid": "uid-web-1"},
        "spec": {"selector": WEB},
    }
    default = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule"}
    listed = with_arguments("PodTopologySpread", defaultConstraints=[default], defaultingType="List")
    pods = [controlled(a_pod(f"web-{n}", node="a1", labels={"app": "web"}), "ReplicaSet", "web-1") for n in range(3)]
    group = the_group(*ZONES, replica_set, *pods, **listed)

    assert (group.source, group.violation) == (Source.LIST, 2)
    assert admitted(group) == {"b", "c"}


def test_another_scheduler_has_no_defaults_of_ours() -> None:
    service = {
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": WEB["matchLabels"]},
    }
    pod = a_pod("web", node="a1", labels={"app": "web"}, schedulerName="custom")
    own = a_pod("own", node="a1", labels={"app": "x"}, schedulerName="custom", topologySpreadConstraints=[by_zone()])

    assert [each.source for each in spreading(*ZONES, service, pod, own).groups] == [Source.POD]


def test_pods_of_a_daemon_set_are_counted_but_not_grouped() -> None:
    daemon = controlled(web_pods("b1")[0], "DaemonSet", "agent")
    daemon["metadata"]["name"] = "agent-b1"
    group = the_group(*ZONES, *web_pods("a1"), daemon)

    assert group.members == Count(placed=1)
    assert counts_of(group) == {"a": 1, "b": 1, "c": 0}


def group_of(app: str, nodes: tuple[str, ...], **fields: Any) -> list[Document]:
    constraint = by_zone(labelSelector={"matchLabels": {"app": app}}, **fields)
    return [
        a_pod(f"{app}-{n}", node=node, labels={"app": app}, topologySpreadConstraints=[constraint])
        for n, node in enumerate(nodes)
    ]


def apps(*groups: list[Document]) -> list[str]:
    found = spreading(*ZONES, *(pod for group in groups for pod in group)).groups
    return [each.template.constraints[0]["labelSelector"]["matchLabels"]["app"] for each in found]


def test_groups_with_most_of_their_pods_in_one_zone_come_first_whatever_the_constraint_allows() -> None:
    assert apps(
        group_of("alone", ("a1",)),
        group_of("over-nodes", ("a1", "a1", "a1", "b1", "b1", "c1", "c1"), topologyKey=HOSTNAME),
        group_of("kafka", ("a1", "a1", "a2", "b1", "b1"), maxSkew=5, whenUnsatisfiable="ScheduleAnyway"),
        group_of("together", ("c1", "c1"), maxSkew=5),
    ) == ["together", "kafka", "over-nodes", "alone"]


def test_among_equal_shares_the_most_violated_group_comes_first_and_one_that_blocks_before_others() -> None:
    assert apps(
        group_of("even", ("a1", "b1", "c1")),
        group_of("soft", ("a1",) * 3, whenUnsatisfiable="ScheduleAnyway"),
        group_of("hard", ("a1",) * 3),
        group_of("worst", ("a1",) * 5, whenUnsatisfiable="ScheduleAnyway"),
    ) == ["worst", "hard", "soft", "even"]


def test_the_loss_of_a_zone_counts_every_matching_pod_and_names_the_zone() -> None:
    group = the_group(*ZONES, *web_pods("a1", "a2", "b1", topologySpreadConstraints=[by_zone(topologyKey=HOSTNAME)]))
    # The pod's constraint counts no node, but the zone takes it all the same.
    aside = the_group(*ZONES, *web_pods("c1", "c1", "b1", nodeSelector={"disk": "none"}))

    assert group.zone_loss == ZoneLoss(zone="a", pods=2, of=3)
    assert (aside.uncounted, aside.zone_loss) == (3, ZoneLoss(zone="c", pods=2, of=3))


def test_a_node_without_a_zone_is_lost_by_itself() -> None:
    group = the_group(a_node("x"), a_node("y"), *web_pods("x", "y", "y"))

    assert group.zone_loss == ZoneLoss(node="y", pods=2, of=3)


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


def test_an_empty_cluster_has_no_groups() -> None:
    assert spreading() == Spreading((), ())


def test_a_group_may_have_no_domain_at_all() -> None:
    group = the_group(a_node("bare"), pending=[web_pods("x")[0] | {"spec": {"topologySpreadConstraints": [by_zone()]}}])

    assert (group.domain_count, group.minimum, group.violation, group.members) == (0, 0, 0, Count(pending=1))
    assert group.domains() == []


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


def test_hosts_that_are_gone_are_no_domains() -> None:
    assert nodeless(volume(HOSTNAME, "gone"), constraint=by_zone(topologyKey=HOSTNAME)) == {}


def test_a_domain_without_nodes_changes_no_count() -> None:
    group = the_group(*NODES, volume(ZONE, "c"), *web_pods("a1", "b1"))

    assert group.nodeless == (NodelessDomain("c", (NamedBy.VOLUMES,)),)
    assert (group.domain_count, group.minimum) == (2, 1)
    assert [each.value for each in group.domains()] == ["a", "b"]


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


def test_pods_that_the_selector_does_not_match_are_not_unlike() -> None:
    assert unlike(*web_pods("a1", "c1"), other_pod(by_zone(maxSkew=2), app="cache")) == []


def test_revisions_that_do_not_count_each_other_are_not_mixed() -> None:
    def revision(name: str, **fields: Any) -> Document:
        constraint = by_zone(matchLabelKeys=["revision"], **fields)
        return a_pod(name, node="a1", labels={"app": "web", "revision": name}, topologySpreadConstraints=[constraint])

    assert unlike(revision("one"), revision("two", maxSkew=3)) == []


def test_pods_of_a_daemon_set_and_default_constraints_are_left_out() -> None:
    daemon = controlled(a_pod("agent", node="b1", labels={"app": "web"}), "DaemonSet", "agent")
    service = {
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"app": "web"}},
    }
    plain = other_pod(name="plain")
    groups = spreading(*ZONES, service, *web_pods("a1"), daemon, plain).groups

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


def test_pods_by_zone_the_largest_workload_first() -> None:
    snapshot = Snapshot.from_objects(
        [
            a_node("b1", zone="b"),
            a_node("a1", zone="a"),
            a_node("nowhere"),
            a_node("blank", zone=""),
            owned("web-1", "web", "a1"),
            owned("web-2", "web", "b1"),
            owned("web-3", "web", "b1"),
            owned("db-0", "db", "nowhere"),
            owned("db-1", "db", "blank"),
            a_pod("bare", node="a1"),
            owned("lost", "web", "no-such-node"),
        ]
    )
    matrix = workload_matrix(snapshot, [owned("web-4", "web"), owned("pi-1", "pi")])

    assert matrix.zones == ("a", "b", "")
    assert matrix.workloads == (
        Workload("default", "Deployment", "web"),
        Workload("default", "StatefulSet", "db"),
        Workload("default", "", ""),
        Workload("default", "Job", "pi"),
    )
    assert matrix.placed.tolist() == [[1, 2, 0], [0, 0, 2], [1, 0, 0], [0, 0, 0]]
    assert matrix.pending.tolist() == [1, 0, 0, 1]


def test_an_empty_cluster_has_an_empty_matrix() -> None:
    matrix = workload_matrix(Snapshot())

    assert (matrix.zones, matrix.workloads, matrix.placed.shape) == (("",), (), (0, 1))

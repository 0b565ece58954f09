"""Properties of spread groups over random clusters, and their agreement with the plugin that filters."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.objects import Pod
from clusters.engine.plugin import Context
from clusters.engine.plugins.pod_topology_spread import PodTopologySpread
from clusters.engine.spreading import SpreadGroup, spreading_of, workload_matrix
from clusters.engine.spreading.constraints import constraints_of
from tests.engine.builders import ZONE
from tests.engine.strategies import Document, changes, nodes, pods

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


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=150, deadline=None)
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


@settings(max_examples=100, deadline=None)
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


@settings(max_examples=100, deadline=None)
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

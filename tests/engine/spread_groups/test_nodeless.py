"""Domains that no node is in, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.spreading import NamedBy
from clusters.engine.spreading.groups import NodelessDomain
from tests.engine.builders import HOSTNAME, REGION, ZONE, Document, a_node
from tests.engine.spread_groups.test_groups import by_zone, the_group, web_pods

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

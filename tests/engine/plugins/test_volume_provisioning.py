"""Claims for which a volume would have to be provisioned, and what is shown of any claim."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.evidence import NodeRequirement, NodeTerm
from clusters.engine.plugins.volume_binding import (
    BIND_CONFLICT,
    NO_SPACE,
    NODE_CONFLICT,
    VOLUME_MISSING,
    BoundClaimComparison,
    ProvisioningComparison,
    SelectedNodeComparison,
    VolumeBinding,
)
from clusters.engine.selectors import Operator
from tests.engine.builders import HOSTNAME, ZONE, Document, a_context, a_node, a_pod
from tests.engine.storage_builders import a_claim, a_class, a_volume, csi, on, rejections, uses

POD = a_pod(volumes=[uses("data")])
NODES = (a_node("n0", zone="a"), a_node("n1", zone="b"))
STATIC = a_class(provisioner="kubernetes.io/no-provisioner")


def binding(*objects: Document, pod: Document = POD, nodes: tuple[Document, ...] = NODES) -> VolumeBinding:
    return VolumeBinding(a_context(pod, *nodes, *objects))


def rejected(*reasons: str) -> tuple[str, ...]:
    return ("UnschedulableAndUnresolvable", *reasons)


# -- provisioning ------------------------------------------------------------------------------------------


def topology(**values: list[str]) -> Document:
    keys = {"zone": ZONE, "host": HOSTNAME}
    return {"matchLabelExpressions": [{"key": keys[name], "values": wanted} for name, wanted in values.items()]}


@pytest.mark.parametrize(
    ("topologies", "allowed"),
    [
        ([], {"n0", "n1"}),
        ([topology(zone=["a"])], {"n0"}),
        ([topology(zone=["a", "b"])], {"n0", "n1"}),
        ([topology(zone=["a"], host=["n1"])], set()),
        ([topology(zone=["a"]), topology(host=["n1"])], {"n0", "n1"}),
        ([{}], set()),
        ([topology(zone=[])], set()),
    ],
)
def test_class_provisions_only_in_its_allowed_topologies(topologies: list[Document], allowed: set[str]) -> None:
    plugin = binding(a_claim("data"), a_class(allowedTopologies=topologies))

    assert rejections(plugin) == {name: rejected(BIND_CONFLICT) for name in {"n0", "n1"} - allowed}


def driver(tells: bool | None = True) -> Document:
    spec = {} if tells is None else {"storageCapacity": tells}
    return {"kind": "CSIDriver", "metadata": {"name": "csi.example"}, "spec": spec}


def capacity(name: str = "cap", storage_class: str = "wait", **fields: Any) -> Document:
    return {
        "kind": "CSIStorageCapacity",
        "metadata": {"name": name, "namespace": "kube-system"},
        "storageClassName": storage_class,
        **fields,
    }


@pytest.mark.parametrize(
    ("objects", "short"),
    [
        ((), set()),
        ((driver(tells=False),), set()),
        ((driver(tells=None),), set()),
        ((driver(),), {"n0", "n1"}),
        ((driver(), capacity(capacity="5Gi", nodeTopology={})), set()),
        ((driver(), capacity(capacity="4Gi", nodeTopology={})), {"n0", "n1"}),
        ((driver(), capacity(capacity="9Gi", nodeTopology={"matchLabels": {ZONE: "a"}})), {"n1"}),
        # Without a topology nobody has access; the largest volume matters more than what is free.
        ((driver(), capacity(capacity="9Gi")), {"n0", "n1"}),
        ((driver(), capacity(capacity="9Gi", maximumVolumeSize="1Gi", nodeTopology={})), {"n0", "n1"}),
        ((driver(), capacity(nodeTopology={})), {"n0", "n1"}),
        ((driver(), capacity(storage_class="other", capacity="9Gi", nodeTopology={})), {"n0", "n1"}),
        (
            (
                driver(),
                capacity("one", capacity="9Gi", nodeTopology={"matchLabels": {ZONE: "a"}}),
                capacity("two", capacity="9Gi", nodeTopology={"matchLabels": {ZONE: "b"}}),
            ),
            set(),
        ),
    ],
)
def test_driver_that_tells_its_capacity_needs_enough_of_it(objects: tuple[Document, ...], short: set[str]) -> None:
    plugin = binding(a_claim("data", size="5Gi"), a_class(), *objects)

    assert rejections(plugin) == {name: rejected(NO_SPACE) for name in short}


def test_claim_without_a_size_needs_no_capacity() -> None:
    assert rejections(binding(a_claim("data", size=None), a_class(), driver())) == {}


def test_existing_volume_spares_provisioning() -> None:
    plugin = binding(a_claim("data"), a_class(), driver(), a_volume("pv", nodes=["n0"]))

    assert rejections(plugin) == {"n1": rejected(NO_SPACE)}


def test_selected_node_is_the_only_one_and_volumes_are_not_considered() -> None:
    selected = a_claim("data", annotations={"volume.kubernetes.io/selected-node": "n1"})

    assert rejections(binding(selected, a_class())) == {"n0": rejected(BIND_CONFLICT)}
    # The volume would fit, but provisioning has begun, for a class that cannot provision.
    assert rejections(binding(selected, STATIC, a_volume("pv"))) == dict.fromkeys(("n0", "n1"), rejected(BIND_CONFLICT))


def test_first_claim_that_cannot_be_provisioned_gives_the_reason() -> None:
    objects = (
        a_claim("small", size="1Gi"),
        a_claim("big", size="9Gi", storage_class="static"),
        a_class(),
        a_class("static", provisioner="kubernetes.io/no-provisioner"),
        driver(),
    )
    plugin = binding(*objects, pod=a_pod(volumes=[uses("big"), uses("small")]))

    # Claims are tried by size, whatever their order in the pod.
    assert rejections(plugin) == dict.fromkeys(("n0", "n1"), rejected(NO_SPACE))
    assert rejections(plugin, lifted=[1]) == dict.fromkeys(("n0", "n1"), rejected(BIND_CONFLICT))


def test_reasons_of_bound_and_waiting_claims_stand_together_in_upstreams_order() -> None:
    pod = a_pod(volumes=[uses("new"), uses("data")])
    conflict = (
        a_claim("data", volume="pv"),
        a_volume("pv", nodes=["n0"], claimRef={"namespace": "default", "name": "data"}),
        a_volume("free", nodes=["n0"]),
        a_claim("new"),
    )
    missing = (a_claim("data", volume="gone"), a_claim("new"), a_class(), driver())

    assert rejections(binding(*conflict, STATIC, pod=pod)) == {
        "n1": rejected(NODE_CONFLICT, BIND_CONFLICT),
    }
    assert rejections(binding(*missing, pod=pod)) == dict.fromkeys(("n0", "n1"), rejected(NO_SPACE, VOLUME_MISSING))


# -- evidence ----------------------------------------------------------------------------------------------


def test_evidence_shows_where_the_bound_volume_and_the_node_are() -> None:
    plugin = binding(a_claim("data", volume="pv"), a_volume("pv", affinity=on(ZONE, "a"), csi=csi("h")))

    for row, zone in enumerate("ab"):
        (found,) = plugin.evidence(row)
        meets = zone == "a"
        term = NodeTerm((NodeRequirement(ZONE, Operator.IN, ("a",), zone, matches=meets),), matches=meets)
        assert found == BoundClaimComparison("data", "pv", exists=True, terms=(term,))
        assert found.holds == meets


def test_evidence_shows_what_provisioning_lacks() -> None:
    access = {"matchLabels": {ZONE: "a"}}
    plugin = binding(a_claim("data"), a_class(), driver(), capacity(capacity="9Gi", nodeTopology=access))

    for row, largest in enumerate((9 << 30, 0)):
        (found,) = plugin.evidence(row)
        assert found == ProvisioningComparison(
            claim="data",
            requested_bytes=5 << 30,
            storage_class="wait",
            provisioner="csi.example",
            provisions=True,
            topologies=(),
            largest_bytes=largest,
            has_capacity=bool(largest),
        )
        assert found.holds == bool(largest)


def test_evidence_names_missing_volume_and_selected_node() -> None:
    selected = a_claim("data", annotations={"volume.kubernetes.io/selected-node": "n1"})

    (gone,) = binding(a_claim("data", volume="gone")).evidence(0)
    (elsewhere,) = binding(selected, a_class()).evidence(0)
    assert gone == BoundClaimComparison("data", "gone", exists=False, terms=None)
    assert elsewhere == SelectedNodeComparison("data", 5 << 30, "n1", "n0")
    assert not gone.holds
    assert not elsewhere.holds

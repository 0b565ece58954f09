"""Claims that the pods of a group share: whose they are, what the scheduler says of others, and how they are made."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.conclusion import Conclusion, UncomputedObject
from clusters.engine.devices.claims import claims_from_templates, consumer_of, release, reserved_for
from clusters.engine.objects import Pod
from clusters.engine.scheduling import GroupVerdict
from clusters.engine.simulation import PodAdmission
from clusters.engine.versions import RELEASES, Gate
from tests.engine.builders import Document, a_node
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice
from tests.engine.podgroups.groups import GROUPING, a_group, a_member
from tests.engine.quotas.quotas import a_quota

ENTRY = {"name": "gpu", "resourceClaimTemplateName": "gpu"}
NOT_CREATED_FOR = "ResourceClaim default/train-gpu was not created for Pod default/a"
TEMPLATE: Document = {
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "gpu", "namespace": "default"},
    "spec": {"spec": {"devices": {"requests": [a_request()]}}},
}


def owned_by_group(name: str = "train-gpu", group: str = "train", **fields: Any) -> Document:
    owner = {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "name": group, "controller": True}
    return a_resource_claim(a_request(), name=name, ownerReferences=[owner], **fields)


def sharing(name: str, claim: str = "train-gpu") -> Document:
    pod = a_member(name, resourceClaims=[ENTRY])
    return {**pod, "status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": claim}]}}


def offers() -> list[Document]:
    slices = [a_slice(a_device(), node=name) for name in ("n0", "n1")]
    return [a_class(), a_node("n0"), a_node("n1"), *slices, TEMPLATE]


def a_state(*objects: Document, minor: str = "1.37", is_on: bool | None = True) -> Snapshot:
    gates = {} if is_on is None else {Gate.DRA_WORKLOAD_CLAIMS: is_on}
    group = a_group(least=2, minor=minor, resourceClaims=[ENTRY])
    return Snapshot.from_objects([*offers(), group, *objects], GROUPING[minor].with_gates(gates))


def explained(snapshot: Snapshot, pod: Document) -> Any:
    return explain(snapshot, pod, SchedulerConfiguration.default(snapshot.release).profiles[0])


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_pods_of_a_group_share_the_devices_of_its_claim(minor: str) -> None:
    pods = [sharing("a"), sharing("b")]

    found = explained(a_state(owned_by_group(), *pods, minor=minor), pods[0])

    assert found.conclusion is Conclusion.FITS
    assert found.group.verdict is GroupVerdict.SCHEDULED
    # Each node has one device: the second pod goes to where the claim has got it.
    assert len({each.node for each in found.group.members}) == 1


def test_pods_with_claims_of_their_own_need_a_device_each() -> None:
    def own(name: str) -> Document:
        owner = {"kind": "Pod", "name": name, "uid": f"uid-{name}", "controller": True}
        return a_resource_claim(a_request(), name=f"{name}-gpu", ownerReferences=[owner])

    pods = [sharing(name, f"{name}-gpu") for name in ("a", "b")]
    for pod in pods:
        pod["metadata"]["uid"] = f"uid-{pod['metadata']['name']}"
    found = explained(a_state(own("a"), own("b"), *pods), pods[0])

    assert len({each.node for each in found.group.members}) == 2


@pytest.mark.parametrize(
    ("minor", "is_on", "said"),
    [
        ("1.36", False, f"{NOT_CREATED_FOR} (Pod is not owner)"),
        ("1.37", False, f"{NOT_CREATED_FOR} (Pod is not owner)"),
        (
            "1.37",
            True,
            f"{NOT_CREATED_FOR} (neither Pod nor PodGroup train is the owner)",
        ),
    ],
)
def test_a_claim_of_another_group_is_refused_as_each_release_says_it(minor: str, is_on: bool, said: str) -> None:
    pod = sharing("a")
    claim = owned_by_group(group="other" if is_on else "train")

    assert explained(a_state(claim, pod, sharing("b"), minor=minor, is_on=is_on), pod).gates.reasons == (said,)


def test_it_is_uncertain_whether_a_claim_of_a_group_is_accepted_where_nobody_set_the_gate() -> None:
    pods = [sharing("a"), sharing("b")]

    found = explained(a_state(owned_by_group(), *pods, is_on=None), pods[0])

    assert found.conclusion is Conclusion.UNCERTAIN
    assert UncomputedObject("DynamicResources", "PodGroup", "default", "train") in found.uncertainties
    settled = explained(a_state(owned_by_group(), *pods, is_on=True), pods[0])
    assert settled.uncertainties == ()


def test_a_pod_without_a_group_is_told_of_its_own_ownership() -> None:
    pod = sharing("a")
    del pod["spec"]["schedulingGroup"]
    gates = {Gate.GENERIC_WORKLOAD: True, Gate.DRA_WORKLOAD_CLAIMS: True}
    snapshot = Snapshot.from_objects([*offers(), owned_by_group(), pod], RELEASES["1.37"].with_gates(gates))

    assert explained(snapshot, pod).cycle.stopped_by.status.reasons == (f"{NOT_CREATED_FOR} (Pod is not owner)",)


def test_the_group_reserves_the_claim_and_keeps_it_when_a_pod_goes() -> None:
    claim, document = owned_by_group(), sharing("train")
    pod, snapshot = Pod(document), a_state(claim, document)

    consumer = consumer_of(snapshot, pod, claim)
    reserved = reserved_for(claim, pod, (), "n0", consumer)
    snapshot.upsert(reserved_for(reserved, pod, None, "n0", consumer))
    release(snapshot, pod)

    (held,) = snapshot.objects("ResourceClaim")
    assert [(each["resource"], each["name"]) for each in held["status"]["reservedFor"]] == [("podgroups", "train")]
    assert "allocation" in held["status"]
    assert consumer_of(a_state(claim, document, is_on=False), pod, claim) is None


def test_a_claim_is_made_for_a_group_once_and_charged_once() -> None:
    quota = a_quota("few", hard={"count/resourceclaims.resource.k8s.io": "1"}, used={})
    snapshot = a_state(quota)
    pods = [{**sharing(name), "status": {}} for name in ("a", "b")]
    admission = PodAdmission(snapshot)

    names, (made,) = claims_from_templates(snapshot, pods[0])
    assert names == {"gpu": "train-gpu"}
    assert made["metadata"]["ownerReferences"][0]["kind"] == "PodGroup"
    assert [admission.admit(pod) for pod in pods] == [None, None]
    snapshot.upsert(made)
    assert claims_from_templates(snapshot, pods[1]) == (names, ())
    assert PodAdmission(a_state(quota, is_on=False)).admit(pods[0]) is None
    separate = PodAdmission(a_state(quota, is_on=False))
    assert [separate.admit(pod) is None for pod in pods] == [True, False]

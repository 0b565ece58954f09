"""Devices are taken by pods that are placed, tie claims to nodes, and are free again once their pods are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.devices.claims import held_devices
from clusters.engine.quotas import QuotaExceeded
from clusters.engine.simulation import Case, PodAdmission, Simulation, Step, Wanted
from clusters.engine.simulation.controllers import settle_quotas
from clusters.engine.versions import RELEASES
from clusters.engine.workloads import copy_of
from tests.engine.builders import Document, a_node, a_pod
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice, claiming
from tests.engine.quotas.quotas import a_quota
from tests.engine.simulation.changing import a_workload, after

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


DEFAULT = SchedulerConfiguration.default()
TEMPLATED = [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]


def a_template(**request: Any) -> Document:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu", "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": [a_request(**request)]}}},
    }


def offers(nodes: int = 2, devices: int = 1) -> list[Document]:
    """Nodes with devices, and the class of these."""
    found: list[Document] = [a_class()]
    for number in range(nodes):
        name = f"n{number}"
        found += [a_node(name), a_slice(*(a_device(f"gpu-{place}") for place in range(devices)), node=name)]
    return found


def brief(case: Case) -> list[tuple[str, str, str]]:
    return [(step.outcome.value, step.pod.removeprefix("default/"), step.node) for step in Simulation(case)]


def claimed(name: str, claim: str) -> Document:
    return a_pod(name, resourceClaims=claiming(claim))


def test_pods_of_a_template_that_is_not_held_cannot_be_judged() -> None:
    workload = a_workload("ReplicaSet", replicas=1, pod={"resourceClaims": TEMPLATED})
    steps = list(Simulation(after(offers(), {"change": "add-workload", "manifest": workload}).case))

    assert [step.outcome.value for step in steps] == ["unschedulable"]
    assert "ResourceClaim not created yet" in steps[0].message


def test_pods_that_share_a_claim_go_to_its_node() -> None:
    snapshot = Snapshot.from_objects([*offers(nodes=3), a_resource_claim(a_request())])
    wanted = [Wanted(claimed(name, "claim"), at=number) for number, name in enumerate(("a", "b", "c"))]

    nodes = {node for _, _, node in brief(Case(snapshot, DEFAULT, wanted))}
    assert len(nodes) == 1
    assert nodes != {""}


def test_a_drained_node_gives_its_devices_back_and_replacements_take_others() -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "uid-web", "controller": True}
    pod = a_pod("web-1", node="n0", resourceClaims=TEMPLATED)
    pod["metadata"]["ownerReferences"] = [owner]
    pod["status"] = {
        "phase": "Running",
        "conditions": [{"type": "Ready", "status": "True"}],
        "resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "web-1-gpu"}],
    }
    claim = a_resource_claim(
        a_request(),
        name="web-1-gpu",
        ownerReferences=[{"kind": "Pod", "name": "web-1", "uid": "uid-web-1", "controller": True}],
        allocated=["gpu-0"],
        status={"reservedFor": [{"resource": "pods", "name": "web-1", "uid": "uid-web-1"}]},
    )
    made = after([*offers(), a_template(), claim, pod], {"change": "drain-nodes", "nodes": ["n0"]})
    simulation = Simulation(made.case)

    assert [step.node for step in simulation if step.outcome.value == "placed"] == ["n1"]
    assert {str(device) for device in held_devices(simulation.snapshot).whole} == {"gpu.example.com/n1/gpu-0"}


DEVICES = "gpu.deviceclass.resource.k8s.io/devices"


def few_devices(hard: int, used: int = 0) -> Document:
    return a_quota("devices", hard={DEVICES: str(hard)}, used={DEVICES: str(used)})


def test_quotas_of_devices_refuse_the_claims_of_further_pods() -> None:
    workload = a_workload("ReplicaSet", replicas=3, pod={"resourceClaims": TEMPLATED})
    added = {"change": "add-workload", "manifest": workload}
    steps = list(Simulation(after([*offers(nodes=3), a_template(), few_devices(3, used=1)], added).case))

    assert [step.outcome.value for step in steps] == ["forbidden", "placed", "placed"]
    problem = steps[0].problem
    assert isinstance(problem, QuotaExceeded)
    assert problem.message == (
        f'resourceclaims.resource.k8s.io "{steps[0].pod.partition("/")[2]}-gpu" is forbidden: exceeded quota: devices, '
        f"requested: {DEVICES}=1, used: {DEVICES}=3, limited: {DEVICES}=3"
    )


def test_claims_that_go_with_their_pod_let_the_next_one_in() -> None:
    snapshot = Snapshot.from_objects([*offers(nodes=1, devices=2), a_template(), few_devices(1)])
    pods = []
    for name in ("a", "b"):
        owned = a_pod(name, resourceClaims=TEMPLATED)
        owned["metadata"]["ownerReferences"] = [{"kind": "ReplicaSet", "name": "web", "controller": True}]
        copy = copy_of(snapshot, owned, name)
        for claim in copy.claims:
            snapshot.upsert(claim)
        pods.append(copy.pod)

    assert brief(Case(snapshot, DEFAULT, [Wanted(pods[0], until=5), Wanted(pods[1], at=1)], admits_pods=True)) == [
        ("placed", "a", "n0"),
        ("forbidden", "b", ""),
        ("completed", "a", "n0"),
        ("placed", "b", "n0"),
    ]


def test_a_pod_that_is_put_in_the_place_of_one_has_what_its_claim_used() -> None:
    owner = {"kind": "Pod", "name": "web", "uid": "u", "controller": True}
    made = a_resource_claim(a_request(), name="web-gpu", ownerReferences=[owner])
    pod = {
        **a_pod("web", node="n0", resourceClaims=TEMPLATED),
        "status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "web-gpu"}]},
    }
    admission = PodAdmission(Snapshot.from_objects([*offers(), a_template(), made, few_devices(1, used=1)]))
    again = {**a_pod("web", resourceClaims=TEMPLATED), "status": {}}

    admission.release(pod)
    assert admission.admit(again) is None
    assert admission.admit({**a_pod("other", resourceClaims=TEMPLATED), "status": {}}) is not None


def test_devices_of_pods_that_are_taken_away_are_free_and_claims_are_counted_where_no_status_says() -> None:
    owned = {"kind": "Pod", "name": "web-0", "uid": "u", "controller": True}
    made = a_resource_claim(a_request(), name="web-0-gpu", ownerReferences=[owned])
    counted = a_quota("counted", hard={DEVICES: "9"})
    pod = a_pod("web-0", node="n0", resourceClaims=TEMPLATED)
    snapshot = after([*offers(), a_template(), made, few_devices(9, used=4), counted, pod]).case.snapshot
    used = {each["metadata"]["name"]: each["status"]["used"][DEVICES] for each in snapshot.objects("ResourceQuota")}

    assert used == {"devices": "4", "counted": "1"}
    gone = Snapshot.from_objects([*offers(), a_template(), few_devices(9, used=4)])
    settle_quotas(gone, (), [pod])
    (quota,) = gone.objects("ResourceQuota")
    assert quota["status"]["used"][DEVICES] == "3"


# -- claims that the scheduler makes -----------------------------------------------------------------------------------

CLAIMS = "count/resourceclaims.resource.k8s.io"


def offers_as_resource(nodes: int = 3) -> list[Document]:
    named = a_class()
    named["spec"]["extendedResourceName"] = "example.com/gpu"
    return [each for each in offers(nodes=nodes) if each["kind"] != "DeviceClass"] + [named]


def requesting(name: str) -> Document:
    pod = a_pod(name, requests={"example.com/gpu": "1"})
    pod["metadata"]["uid"] = f"imagined:pod/{name}"
    return pod


def happened(steps: Iterable[Step]) -> list[str]:
    return [f"{step.outcome.value} {step.pod.removeprefix('default/')}" for step in steps]


def charged(hard: dict[str, str], *wanted: Wanted, recorded: Sequence[Step] = ()) -> Simulation:
    release = RELEASES["1.36"]
    quota = a_quota("devices", hard=hard, used=dict.fromkeys(hard, "0"))
    snapshot = Snapshot.from_objects([*offers_as_resource(), quota], release)
    case = Case(snapshot, SchedulerConfiguration.default(release), list(wanted), admits_pods=True)
    return Simulation(case, recorded)


def test_a_run_with_refused_claims_goes_on_from_wherever_its_recorded_steps_end() -> None:
    wanted = [
        Wanted(requesting("a"), until=9),
        Wanted(requesting("b"), at=1),
        # What goes wakes nobody but pods whose claims were refused.
        Wanted(a_pod("c"), at=1, until=3),
        Wanted(a_pod("d"), at=4, until=7),
    ]
    steps = list(charged({CLAIMS: "1"}, *wanted))

    assert happened(steps).count("unschedulable b") == 3
    for known in range(len(steps) + 1):
        assert list(charged({CLAIMS: "1"}, *wanted, recorded=steps[:known])) == steps

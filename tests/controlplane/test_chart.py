"""A real control plane takes what the chart renders, schedules its pods, and Berth explains them."""

from __future__ import annotations

import io
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING

import orjson
import pytest
from django.core.management import call_command

from tests.controlplane.test_agreement import message_of, mirrored
from tests.deploy.programs import VALUES, objects, template
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.controlplane.api import Api, Object
    from tests.controlplane.plane import ControlPlane

pytestmark = [pytest.mark.controlplane, pytest.mark.helm]

# Of KEDA, whose kinds a bare control plane does not serve: rendered, and applied nowhere.
NOT_SERVED = {"keda.sh/v1alpha1"}
# In the order in which they have to be there.
FIRST = ("ServiceAccount", "PersistentVolumeClaim")


@pytest.fixture
def restricted(control_plane: ControlPlane) -> Iterator[str]:
    """Return a namespace in which pods have to keep to the restricted Pod Security Standard."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    labels = {"pod-security.kubernetes.io/enforce": "restricted"}
    control_plane.api.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}})
    control_plane.wait_for_service_account(name)
    yield name
    control_plane.delete_namespace(name)


def rendered(values: Path, namespace: str, *arguments: str) -> list[Object]:
    found = objects(template(values, *arguments, namespace=namespace))
    return sorted(found, key=lambda each: each["kind"] not in FIRST)


def a_volume(namespace: str) -> Object:
    """Return a volume for the claim of uploads, which would hold up the pods that mount it."""
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": f"{namespace}-uploads"},
        "spec": {
            "capacity": {"storage": "20Gi"},
            "accessModes": ["ReadWriteMany"],
            "hostPath": {"path": "/uploads"},
            "claimRef": {"namespace": namespace, "name": "berth-uploads"},
        },
    }


@pytest.mark.parametrize("values", sorted(VALUES.glob("*.yaml")), ids=lambda path: path.stem)
def test_all_that_the_chart_renders_is_taken(api: Api, restricted: str, values: Path) -> None:
    skipped = set()
    for each in rendered(values, restricted):
        if each["apiVersion"] in NOT_SERVED:
            skipped.add(each["kind"])
            continue
        # Pods name their account, which has to be there for them to be taken.
        api.apply(each, dry_run=each["kind"] != "ServiceAccount")
        if each["kind"] in {"Deployment", "Job"}:
            pod = each["spec"]["template"]
            metadata = {**pod["metadata"], "name": each["metadata"]["name"], "namespace": restricted}
            api.apply({"apiVersion": "v1", "kind": "Pod", **pod, "metadata": metadata}, dry_run=True)

    assert skipped == ({"ScaledObject", "TriggerAuthentication"} if values.stem == "everything" else set())


def test_berth_explains_the_pods_of_its_own_chart(
    api: Api, namespace: str, create_nodes: Callable[[int], list[str]], tmp_path: Path
) -> None:
    """One of the three web pods would have to go to the zone in which no node takes any."""
    for name in create_nodes(6)[2::3]:
        api.patch("v1", "Node", name, {"spec": {"unschedulable": True}})
    api.create(a_volume(namespace))
    for each in rendered(
        VALUES / "production.yaml", namespace, "--set", "web.replicas=3,topologySpread.zone=DoNotSchedule"
    ):
        api.apply(each)

    def pods() -> list[Object]:
        return api.objects("v1", "Pod", namespace=namespace, labelSelector="app.kubernetes.io/name=berth")

    # web 3, questions 2, simulations, ingests, beat, watchers 2, and the migration.
    wait_until(
        lambda: len(found := pods()) == 11 and all("nodeName" in pod["spec"] or message_of(pod) for pod in found),
        seconds=120,
        otherwise="the scheduler has not decided on all pods of the chart",
    )
    dump = tmp_path / "dump.json"
    volumes = [
        {**each, "apiVersion": "v1", "kind": "PersistentVolume"} for each in api.objects("v1", "PersistentVolume")
    ]
    dump.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": [*mirrored(api), *volumes]}))
    pending = []
    for pod in pods():
        written = io.StringIO()
        # Which says by its status that a pod fits nowhere.
        with suppress(SystemExit):
            call_command("explain", dump, "--pod", f"{namespace}/{pod['metadata']['name']}", stdout=written)
        said = " ".join(written.getvalue().split())
        if node := pod["spec"].get("nodeName"):
            assert "Fits on " in said
            assert f"It runs on {node}." in said
        else:
            assert str(message_of(pod)).partition(". ")[0] in said
            pending.append(pod["metadata"]["labels"]["app.kubernetes.io/component"])
    assert pending == ["web"]

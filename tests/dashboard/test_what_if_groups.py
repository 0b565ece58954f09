"""What-ifs of pods that belong to a group: the group's answer on each side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from clusters.models import Pod
from clusters.services.decisions.explain import editable
from tests.support.decision_cluster import text
from tests.support.mirrored import load
from tests.support.training import training_objects

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LINK = 'href="/clusters/shop/pod-groups/ml/llama/"'


def edited(client: Client, name: str, cpu: str, **spec: object) -> Response:
    """Ask for a pod that requests another amount of CPU, and has other fields of its spec, None for none."""
    pod = Pod.objects.select_related("cluster").get(namespace="ml", name=name)
    document = yaml.safe_load(editable(pod))
    document["spec"]["containers"][0]["resources"]["requests"]["cpu"] = cpu
    document["spec"] = {key: part for key, part in {**document["spec"], **spec}.items() if part is not None}
    given = {"pod": yaml.safe_dump(document), "configuration": ""}
    return client.post(f"/clusters/shop/pods/ml/{name}/what-if/", given, follow=True)


def test_the_group_is_answered_with_the_pod_as_it_is_and_as_it_is_changed(
    signed_in_client: Client, tmp_path: Path
) -> None:
    load(tmp_path, "shop", training_objects())

    # By itself it would take room that others of the group need.
    found = edited(signed_in_client, "llama-0", "1", nodeSelector={"kubernetes.io/hostname": "gpu-a-1"})

    html, said = found.content.decode(), text(found)
    assert html.count(LINK) == 2
    assert "2 of minCount 4 pods have or find a node, so no pending one is scheduled." in said
    assert "3 of minCount 4 pods have or find a node, so no pending one is scheduled." in said
    assert "minCount (4) cannot be satisfied: 3 scheduled, 0 remaining" in said


def test_a_pod_that_leaves_its_group_is_scheduled_by_itself(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "shop", training_objects())

    found = edited(signed_in_client, "llama-0", "1", schedulingGroup=None)

    assert found.content.decode().count(LINK) == 1
    assert "scheduled by itself" in text(found)


def test_what_becomes_of_a_group_that_preempts_is_what_is_said_first(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "shop", training_objects())

    fewer, none = (edited(signed_in_client, "urgent-0", cpu) for cpu in ("5", "9"))

    # What it is now and what it would be follow.
    assert text(fewer).partition("Now Fits by preemption")[0].endswith("scheduled once 4 pods are removed. ")
    assert "It is still unschedulable, and preemption is no longer helpful." in text(none)

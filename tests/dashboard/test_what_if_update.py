"""Whether the pod that exists may be changed as somebody edits it, or has to be recreated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from clusters.models import Pod
from clusters.services.decisions.explain import editable
from tests.clusters.dumps import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OWNER = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
TAKEN = "The API server accepts this update of the pod."


@pytest.fixture
def gated(tmp_path: Path) -> str:
    made = pod("db-0", schedulingGates=[{"name": "example.com/foo"}], nodeSelector={"disk": "ssd"})
    made["metadata"]["ownerReferences"] = [OWNER]
    load(tmp_path, "prod", [node("n1"), made, pod("bare"), pod("runs", on="n1")])
    return "db-0"


def edited(client: Client, name: str, **spec: Any) -> str:
    document = yaml.safe_load(editable(Pod.objects.select_related("cluster").get(name=name)))
    document["spec"] = {key: part for key, part in {**document["spec"], **spec}.items() if part is not None}
    address = f"/clusters/prod/pods/shop/{name}/what-if/"
    sent = client.post(address, {"pod": yaml.safe_dump(document), "configuration": ""})
    return text(client, sent["Location"])


def test_what_the_api_server_takes_is_said(gated: str, signed_in_client: Client) -> None:
    assert TAKEN in edited(signed_in_client, gated, nodeSelector={"disk": "ssd", "zone": "a"})
    assert TAKEN in edited(signed_in_client, gated, schedulingGates=None)

    said = edited(signed_in_client, "runs", tolerations=[{"key": "gpu", "operator": "Exists"}])
    assert "accepts this update, but the pod keeps its node." in said

    assert "The API server" not in text(signed_in_client, f"/clusters/prod/pods/shop/{gated}/what-if/")


def test_what_the_api_server_refuses_needs_another_template_or_pod(gated: str, signed_in_client: Client) -> None:
    said = edited(signed_in_client, gated, nodeSelector={"zone": "a"})
    assert "change the template of StatefulSet/db." in said
    assert "spec.nodeSelector: only additions to spec.nodeSelector are allowed (no mutations or deletions)" in said

    said = edited(signed_in_client, "bare", nodeSelector={"zone": "a"})
    assert "recreate the pod." in said
    assert "spec.nodeSelector: pod updates may not change fields other than" in said

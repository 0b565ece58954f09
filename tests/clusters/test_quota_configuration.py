"""What the API server limits by default, as a dump tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.models import KubeObject
from tests.clusters.dumps import node
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

KIND = "ResourceQuotaConfiguration"
CONFIGURATION_API = "apiserver.config.k8s.io/v1"
OF_CLASS = {"scopeName": "PriorityClass", "operator": "In", "values": ["cluster-services"]}
LIMITED = {"limitedResources": [{"resource": "pods", "matchScopes": [OF_CLASS]}]}


def within(*plugins: Any) -> dict[str, Any]:
    return {"apiVersion": CONFIGURATION_API, "kind": "AdmissionConfiguration", "plugins": list(plugins)}


@pytest.mark.parametrize(
    "document",
    [
        {"apiVersion": CONFIGURATION_API, "kind": KIND, **LIMITED},
        {"apiVersion": "resourcequota.admission.k8s.io/v1beta1", "kind": "Configuration", **LIMITED},
        within(
            {"name": "ImagePolicyWebhook", "configuration": {"imagePolicy": {"kubeConfigFile": "/secret"}}},
            {"name": "ResourceQuota", "configuration": {"apiVersion": CONFIGURATION_API, "kind": KIND, **LIMITED}},
        ),
    ],
)
def test_it_is_kept_by_itself_or_within_an_admission_configuration(tmp_path: Path, document: dict[str, Any]) -> None:
    load(tmp_path, "prod", [node(), document])

    kept = KubeObject.objects.get(kind=KIND)
    assert (kept.name, kept.object["limitedResources"]) == ("kube-apiserver", LIMITED["limitedResources"])
    assert "secret" not in str(kept.object)

    load(tmp_path, "prod", [node()])
    assert not KubeObject.objects.filter(kind=KIND).exists()


@pytest.mark.parametrize("plugin", [{"name": "ResourceQuota", "path": "quota.yaml"}, None, "text", {"name": ["x"]}])
def test_an_admission_configuration_that_says_nothing_of_quotas_is_left_out(tmp_path: Path, plugin: Any) -> None:
    load(tmp_path, "prod", [node(), within(plugin), {**within(), "plugins": 1}])

    assert not KubeObject.objects.filter(kind=KIND).exists()

"""What is wrong with a manifest is said in the learner's language, wherever a lesson takes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from tests.dashboard.lessons.learners import address
from tests.support.untranslated import readable, untranslated

if TYPE_CHECKING:
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "shop"},
    "spec": {"containers": [{"name": "main", "image": "registry.example/main:1"}]},
}


def pod(**spec: object) -> str:
    """A pod with more in its spec, as YAML."""
    return yaml.safe_dump({**POD, "spec": {**POD["spec"], **spec}})  # type: ignore[dict-item]


def other(kind: str, version: str = "v1", **fields: object) -> str:
    """Another object, as YAML."""
    metadata = {"name": "x", "namespace": "shop"}
    return yaml.safe_dump({"apiVersion": version, "kind": kind, "metadata": metadata, **fields})


WRONG = {
    "no-kind": "a: 1",
    "no-name": "apiVersion: v1\nkind: Pod\nmetadata: {}\nspec: {containers: []}",
    "version": other("Pod", "v9"),
    "group": other("Deployment", "app/v1"),
    "kind": other("Pods"),
    "unread": other("Widget", "example.com/v1"),
    "field": pod(tolerationss=[]),
    "type": pod(tolerations="none"),
    "item": pod(tolerations=[None]),
    "text": pod(nodeName=5),
    "number": pod(priority="high"),
    "truth": pod(hostNetwork="yes"),
    "labels": yaml.safe_dump({**POD, "metadata": {"name": "p", "labels": {"a b": "c d"}}}),
    "name": yaml.safe_dump({**POD, "metadata": {"name": "P_"}}),
    "containers": pod(containers=[]),
    "amount": pod(containers=[{"name": "m", "image": "i", "resources": {"requests": {"cpu": "1 CPU"}}}]),
    "suffix": pod(containers=[{"name": "m", "image": "i", "resources": {"requests": {"memory": "1GB"}}}]),
    "above": pod(
        containers=[{"name": "m", "image": "i", "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}}]
    ),
    "operator": pod(tolerations=[{"key": "a", "operator": "Exist"}]),
    "seconds": pod(tolerations=[{"key": "a", "operator": "Exists", "tolerationSeconds": 5}]),
    "exists": pod(tolerations=[{"key": "a", "operator": "Exists", "value": "b"}]),
    "class": pod(priorityClassName="none"),
    "skew": pod(topologySpreadConstraints=[{"maxSkew": 0, "topologyKey": "", "whenUnsatisfiable": "Never"}]),
    "terms": pod(
        affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}}
    ),
    "budget": other("PodDisruptionBudget", "policy/v1", spec={"minAvailable": 1, "maxUnavailable": "150%"}),
    "selector": other(
        "Deployment",
        "apps/v1",
        spec={
            "selector": {"matchLabels": {"a": "b"}},
            "template": {"metadata": {"labels": {"a": "c"}}, "spec": POD["spec"]},
        },
    ),
    "priorities": other("PriorityClass", "scheduling.k8s.io/v1", value=2_000_000_000),
    "schedule": other("CronJob", "batch/v1", spec={"schedule": "often", "jobTemplate": {"spec": {}}}),
    "several": f"{pod()}---\n{pod()}",
}


@pytest.mark.parametrize("language", ["id", "uk"])
@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_manifest_that_cannot_be_is_refused_in_the_learners_language(
    signed_in_client: Client, text: str, language: str
) -> None:
    headers = {"Accept-Language": language}
    experiment = address("filters", "experiment/")
    change = {"act": "apply", "object": "new", "text": text}
    with untranslated(language) as found:
        refused = signed_in_client.post(experiment, change, headers=headers)
        if refused.status_code == 302:
            assert signed_in_client.get(experiment, headers=headers).status_code == 200
        else:
            assert refused.status_code == 400
        here = address("dedicated", lesson="taints")
        assert signed_in_client.post(here, {"act": "answer", "answer": text}, headers=headers).status_code == 400

    assert readable(found.messages) == []

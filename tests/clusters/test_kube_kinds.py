"""What Berth asks a live cluster for, what its ClusterRole allows, and that it never asks for anything else."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import yaml
from django.conf import settings

from clusters.adapters.kube import API_KINDS
from clusters.adapters.prune import KINDS, kind_of
from clusters.adapters.state import USES, gaps_of
from clusters.adapters.usage import METRICS_GROUP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERBS = {"get", "list", "watch"}
HTTP_METHODS = {"get", "head", "options", "post", "put", "patch", "delete", "request", "stream"}


def sources() -> Iterator[Path]:
    """The files that may hold a request to an API server: all that import what can send one."""
    for path in sorted((settings.BASE_DIR / "clusters").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "httpx2" in text or "lightkube" in text:
            yield path


def calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))


def test_every_kind_of_the_mirror_is_followed() -> None:
    assert set(API_KINDS) == set(KINDS)


def test_every_version_is_one_that_the_mirror_reads() -> None:
    for kind in API_KINDS.values():
        for version in kind.versions:
            assert kind_of(kind.api_version(version), kind.name) is KINDS[kind.name]


def test_devices_are_read_in_each_of_their_versions() -> None:
    for name in ("ResourceSlice", "ResourceClaim", "ResourceClaimTemplate", "DeviceClass"):
        assert API_KINDS[name].versions == ("v1", "v1beta2", "v1beta1")


def test_groups_of_pods_are_read_in_the_newest_version_that_is_served() -> None:
    versions = {name: API_KINDS[name].versions for name in ("Workload", "PodGroup", "CompositePodGroup")}

    assert versions == {
        "Workload": ("v1beta1", "v1alpha3", "v1alpha2", "v1alpha1"),
        "PodGroup": ("v1beta1", "v1alpha3", "v1alpha2"),
        "CompositePodGroup": ("v1alpha3",),
    }


def test_cluster_role_allows_exactly_what_is_read() -> None:
    role = yaml.safe_load((settings.BASE_DIR / "deploy/clusterrole.yaml").read_text(encoding="utf-8"))
    allowed = [(group, name) for rule in role["rules"] for group in rule["apiGroups"] for name in rule["resources"]]

    assert role["kind"] == "ClusterRole"
    assert sorted(allowed) == sorted((kind.group, kind.plural) for kind in API_KINDS.values())
    assert all(set(rule["verbs"]) == VERBS for rule in role["rules"])
    assert all(set(rule) == {"apiGroups", "resources", "verbs"} for rule in role["rules"])


def test_usage_is_an_option_of_the_cluster_role() -> None:
    text = (settings.BASE_DIR / "deploy/clusterrole.yaml").read_text(encoding="utf-8")
    head, optional, option = text.partition("#- apiGroups: [metrics.k8s.io]")

    allowed = yaml.safe_load(head + (optional + option).replace("#", ""))

    assert allowed["rules"][-1] == {
        "apiGroups": [METRICS_GROUP], "resources": ["nodes", "pods"], "verbs": ["get", "list"],
    }  # fmt: skip
    assert len(allowed["rules"]) == len(yaml.safe_load(text)["rules"]) + 1


def test_one_place_in_the_code_sends_requests_and_it_sends_get() -> None:
    built = [
        (path.name, ast.unparse(call.args[0]))
        for path in sources()
        for call in calls(path)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "build_request"
    ]

    # Beside the API server only a Prometheus is asked, at an address that the administrator lists.
    assert built == [("kube.py", "'GET'"), ("kube.py", "'GET'")]


def test_an_extender_alone_is_sent_something_at_a_host_that_the_administrator_lists() -> None:
    streamed = [
        (path.name, ast.unparse(call.args[0]))
        for path in sources()
        for call in calls(path)
        if ast.unparse(call.func) == "client.stream"
    ]

    assert streamed == [("extenders.py", "'POST'")]


def test_nothing_goes_around_that_place() -> None:
    """Clients are opened in two modules, and no method that sends by itself is called on anything in the first."""
    for path in sources():
        if path.match("adapters/kube.py") or path.match("adapters/extenders.py"):
            continue
        for call in calls(path):
            name = ast.unparse(call.func)
            assert not name.endswith(("AsyncClient", "Client")), f"{path.name} opens {name}"
    reader = settings.BASE_DIR / "clusters/adapters/kube.py"
    used = {ast.unparse(call.func) for call in calls(reader) if isinstance(call.func, ast.Attribute)}
    assert {name for name in used if name.startswith(("client.", "self._client."))} == {
        "client.build_request",
        "client.send",
        "client.aclose",
        "client.event_hooks['request'].append",
    }
    assert not {name for name in used if name.split(".")[0] == "httpx2" and name.split(".")[-1] in HTTP_METHODS}


def test_a_forbidden_kind_names_the_same_answers_as_a_dump_without_it() -> None:
    for gap in gaps_of(present=(), uses=USES, missing_nodes={}):
        assert gap.kind in API_KINDS

"""The Helm chart and what kustomize has of it: what they render fits Berth, and what cannot work is refused."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands, load_command_class

import dashboard
from scripts import release
from tests.deploy import programs
from tests.deploy.programs import CHART, KUSTOMIZE, MANIFESTS, VALUES, objects, run, template
from tests.test_repository import variables_read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

needs_helm = pytest.mark.helm
each_values = pytest.mark.parametrize("values", sorted(VALUES.glob("*.yaml")), ids=lambda path: path.stem)


def pods(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return the templates of pods of Deployments and Jobs."""
    return (each["spec"]["template"] for each in found if each["kind"] in {"Deployment", "Job"})


def containers(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (container for pod in pods(found) for container in pod["spec"]["containers"])


def component(pod: dict[str, Any]) -> str:
    return str(pod["metadata"]["labels"]["app.kubernetes.io/component"])


def of_kind(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [each for each in found if each["kind"] == kind]


def refused(values: Path, value: str) -> str:
    """Return why helm does not render the chart with another value."""
    with pytest.raises(subprocess.CalledProcessError) as caught:
        template(values, "--set", value)
    return str(caught.value.stderr)


def test_chart_is_of_this_version() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))

    assert chart["version"] == chart["appVersion"] == dashboard.__version__


def test_schema_names_every_value_and_no_other() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    schema = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
    # For whoever has the chart as a part of another one.
    assert set(schema["properties"]) - {"global"} == set(values)
    for name, value in values.items():
        named = schema["properties"][name]
        if isinstance(value, dict) and named.get("additionalProperties") is False:
            assert set(named["properties"]) == set(value), name


@needs_helm
@each_values
def test_helm_finds_nothing_wrong(values: Path) -> None:
    assert "0 chart(s) failed" in run("helm", "lint", "--strict", CHART, "--values", values)


@needs_helm
@each_values
def test_every_argument_and_setting_is_one_of_berth(values: Path) -> None:
    known = variables_read()
    for container in containers(objects(template(values))):
        name, *arguments = container["args"]
        parser = load_command_class(get_commands()[name], name).create_parser("berth", name)
        parser.parse_args(arguments)
        assert {variable["name"] for variable in container["env"]} <= known


@needs_helm
@each_values
def test_every_pod_is_confined(values: Path) -> None:
    found = objects(template(values))
    for pod in pods(found):
        assert pod["spec"]["enableServiceLinks"] is False
        assert pod["spec"]["securityContext"]["runAsUser"] == 10001
    for container in containers(found):
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert {mount["mountPath"] for mount in container["volumeMounts"]} >= {"/var/lib/berth", "/tmp"}
        assert {"cpu", "memory"} == set(container["resources"]["requests"])


@needs_helm
def test_uploads_are_named_where_they_are_mounted_alone() -> None:
    named, mounted = set(), set()
    for pod in pods(objects(template(VALUES / "production.yaml"))):
        (container,) = pod["spec"]["containers"]
        if any(each["name"] == "BERTH_UPLOADS_DIR" for each in container["env"]):
            named.add(component(pod))
        if any(each["name"] == "uploads" for each in container["volumeMounts"]):
            mounted.add(component(pod))

    assert named == mounted == {"web", "worker-ingests", "worker-questions"}


@needs_helm
def test_credentials_of_clusters_are_where_clusters_are_read_alone() -> None:
    found = list(pods(objects(template(VALUES / "everything.yaml"))))
    token = {component(pod) for pod in found if pod["spec"]["automountServiceAccountToken"]}
    kubeconfig = {
        component(pod) for pod in found if any(volume["name"] == "kubeconfigs" for volume in pod["spec"]["volumes"])
    }

    assert token == kubeconfig == {"watch-here", "watch-there", "worker-questions"}


@needs_helm
def test_role_is_that_of_the_repository() -> None:
    role = yaml.safe_load((settings.BASE_DIR / "deploy/clusterrole.yaml").read_text(encoding="utf-8"))
    (plain,) = of_kind(objects(template(VALUES / "production.yaml")), "ClusterRole")
    (with_metrics,) = of_kind(objects(template(VALUES / "everything.yaml")), "ClusterRole")

    assert plain["rules"] == role["rules"]
    assert with_metrics["rules"][:-1] == role["rules"]
    assert with_metrics["rules"][-1]["apiGroups"] == ["metrics.k8s.io"]


@needs_helm
def test_what_keda_scales_has_no_replicas_of_its_own() -> None:
    found = objects(template(VALUES / "everything.yaml"))
    scaled = {each["spec"]["scaleTargetRef"]["name"] for each in of_kind(found, "ScaledObject")}
    without = {each["metadata"]["name"] for each in of_kind(found, "Deployment") if "replicas" not in each["spec"]}

    assert scaled == without == {"berth-explain-worker-simulations", "berth-explain-worker-ingests"}


@needs_helm
def test_budgets_and_constraints_select_the_pods_that_they_are_for() -> None:
    found = objects(template(VALUES / "production.yaml"))
    labels = {component(pod): pod["metadata"]["labels"] for pod in pods(found)}
    budgets = {
        each["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"]
        for each in of_kind(found, "PodDisruptionBudget")
    }

    # One beat at a time, and a migration, are not to be held up.
    assert budgets == set(labels) - {"beat", "migrate"}
    for deployment in of_kind(found, "Deployment"):
        pod = deployment["spec"]["template"]
        for constraint in pod["spec"]["topologySpreadConstraints"]:
            assert constraint["labelSelector"] == deployment["spec"]["selector"]
            assert constraint["labelSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()


@needs_helm
@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("workers.ingests=null", "No worker serves the queue ingests"),
        ("workers.simulations.queues={reviews}", "value must be one of 'celery'"),
        ("mode=both", "value must be one of 'distributed', 'single'"),
        ("replicas=3", "additional properties 'replicas' not allowed"),
        ("settings.REDIS_URL=redis://redis", "does not match pattern"),
        ("baseUrl=", "ingress.enabled needs baseUrl"),
        ("image.digest=latest", "does not match pattern"),
    ],
)
def test_what_cannot_work_is_refused(value: str, told: str) -> None:
    assert told in refused(VALUES / "production.yaml", value)


@needs_helm
def test_processes_that_share_nothing_are_refused() -> None:
    told = refused(VALUES / "small.yaml", "mode=distributed")

    assert "mode: distributed needs secrets.DATABASE_URL: {name: SECRET, key: KEY}" in told


@needs_helm
def test_manifests_of_kustomize_are_those_of_the_chart() -> None:
    assert MANIFESTS.read_text(encoding="utf-8") == template(KUSTOMIZE / "values.yaml"), "run make manifests"


@needs_helm
def test_kustomize_builds_them() -> None:
    rendered = objects(MANIFESTS.read_text(encoding="utf-8"))
    built = objects(run("kustomize", "build", KUSTOMIZE))

    def named(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
        return sorted((each["kind"], each["metadata"]["name"]) for each in found)

    assert named(built) == named(rendered)
    assert {each["metadata"]["labels"]["app.kubernetes.io/managed-by"] for each in built} == {"kustomize"}


def test_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(programs, "_CACHE", tmp_path)

    assert programs.missing() == ["helm", "kustomize", "cmd"]


@needs_helm
def test_chart_of_a_release_is_the_chart(tmp_path: Path) -> None:
    packed = tmp_path / "berth.tgz"
    release.chart(CHART, packed, seconds=1_800_000_000)

    installed = run("helm", "template", "berth", packed, "--namespace", "berth", "--values", VALUES / "everything.yaml")
    assert installed == template(VALUES / "everything.yaml")

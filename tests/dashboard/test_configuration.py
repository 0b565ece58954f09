"""A cluster is explained and judged by the configuration that its operator gives, and the page says which that is."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from clusters.engine import SchedulerConfiguration
from clusters.engine.configuration import plugins_at
from clusters.engine.versions import ASSUMED, ExtensionPoint
from clusters.models import Cluster
from clusters.services.mirror.snapshots import configuration_of
from clusters.wording import configuration as configuration_words
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PACKING = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: packing
    pluginConfig:
      - name: NodeResourcesFit
        args:
          scoringStrategy:
            type: MostAllocated
            resources: [{name: cpu, weight: 1}]
    plugins:
      score:
        enabled: [{name: TaintToleration, weight: 9}]
        disabled: [{name: ImageLocality}]
"""
BROUGHT = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "from-the-dump"}],
}


@pytest.fixture
def cluster() -> Cluster:
    return Cluster.objects.create(name="prod", source=Cluster.Source.LIVE, kubeconfig="/nowhere", context="here")


def address(name: str = "prod") -> str:
    return reverse("cluster-configuration", kwargs={"cluster": name})


def schedulers(cluster: Cluster) -> list[str]:
    cluster.refresh_from_db()
    return [profile.scheduler_name for profile in configuration_of(cluster).profiles]


def cells(page: str) -> dict[str, dict[str, str]]:
    """Return what the matrix reads out, by plugin and extension point."""
    table = page.partition('<tbody class="matrix">')[2].partition("</tbody>")[0]
    found = {}
    for row in table.split("<tr>")[1:]:
        plugin = re.search(r'<th scope="row"><span>(\w+)', row)
        assert plugin
        read = re.findall(r'data-column="(\w+)"><span class="matrix-cell [^"]*" title="([^"]*)"', row)
        found[plugin[1]] = dict(read)
    return found


def test_the_assumed_defaults_are_shown_as_the_engine_has_them(cluster: Cluster, admin_client: Client) -> None:
    words = text(admin_client, address())
    assert str(configuration_words.DEFAULTS_OF_LIVE) in words
    assert "Equal to the default profile of Kubernetes 1.34." in words

    shown = cells(admin_client.get(address()).text)
    profile = SchedulerConfiguration.default().profiles[0]
    assert {plugin: set(found) for plugin, found in shown.items()} == {
        plugin: {point.value for point in points} for plugin, points in ASSUMED.points.items()
    }
    for point in ExtensionPoint:
        for turn, plugin in enumerate(plugins_at(profile, point), start=1):
            said = f"weight {profile.weights[plugin]}" if point is ExtensionPoint.SCORE else f"number {turn}"
            assert shown[plugin][point.value] == said


def test_changes_are_told_from_defaults(cluster: Cluster, admin_client: Client) -> None:
    admin_client.post(address(), {"text": PACKING, "use": "1"})

    response = admin_client.get(address())
    words, shown = text(admin_client, address()), cells(response.text)

    assert shown["ImageLocality"]["score"] == "disabled, weight 1 by default"
    assert shown["TaintToleration"]["score"] == "weight 9 instead of 3"
    assert shown["NodeResourcesFit"]["score"] == "weight 1"
    assert "ImageLocality enabled at score (weight 1) not enabled" in words
    assert "NodeResourcesFit, scoringStrategy.resources cpu × 1, memory × 1 cpu × 1" in words


def test_what_would_change_is_shown_before_it_is_kept(cluster: Cluster, admin_client: Client) -> None:
    response = admin_client.post(address(), {"text": PACKING})

    assert response.status_code == 200
    words = html.unescape(" ".join(re.sub("<[^>]*>", " ", response.text).split()))
    assert "Proposed changes Nothing is saved yet." in words
    assert "packing Profile absent present, for 0 pods packing TaintToleration, weight 3, by default 9" in words
    assert "packing ImageLocality enabled at score (weight 1), by default not enabled" in words
    assert "default-scheduler Profile present absent: 0 pods are left to another scheduler" in words
    assert schedulers(cluster) == ["default-scheduler"]

    kept = re.search(r'<textarea name="text" hidden>(.*?)</textarea>', response.text, re.DOTALL)
    assert kept
    assert kept[1].lstrip("\n") == PACKING
    assert admin_client.post(address(), {"text": PACKING, "use": "1"}).status_code == 302
    assert schedulers(cluster) == ["packing"]
    assert "equivalent to the present" in admin_client.post(address(), {"text": PACKING}).text


def test_names_that_no_plugin_has_are_remarked(cluster: Cluster, admin_client: Client) -> None:
    disabled = "[{name: ImageLocality}, {name: ImageLocalty}, {name: '*'}, {name: Ours}]"
    plugins = f"{{score: {{disabled: {disabled}}}, multiPoint: {{enabled: [{{name: Ours}}]}}}}"
    given = PACKING[: PACKING.index("profiles:")] + f"profiles:\n  - plugins: {plugins}\n"

    said = admin_client.post(address(), {"text": given}).text

    assert "ignores “disabled” for ImageLocalty, which is not a plugin of Kubernetes 1.34." in said
    assert "not a plugin of" not in admin_client.post(address(), {"text": PACKING}).text


def test_a_file_counts_instead_of_the_text(cluster: Cluster, admin_client: Client) -> None:
    file = SimpleUploadedFile("scheduler.yaml", PACKING.encode())

    response = admin_client.post(address(), {"text": "kind: Pod", "file": file})

    assert "Proposed changes" in response.text
    assert "schedulerName: packing" in response.text


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (PACKING.replace("type: Most", "type: [Most"), ["It is not YAML at line 10"]),
        ("", ["Paste the configuration, choose a file"]),
        ("a: 1\n---\nb: 2", ["It holds 2 documents."]),
        ("apiVersion: v1\nkind: Pod", ["line 2", "kind"]),
        (PACKING.replace("MostAllocated", "Densest"), ["line 9", "scoringStrategy.type"]),
        (PACKING.replace("weight: 9", "wait: 9"), ["line 13", "profiles[0].plugins.score.enabled[0].wait"]),
        ("x" * 2_000_000, ["at most"]),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_nothing_changes(
    cluster: Cluster, admin_client: Client, written: str, said: list[str]
) -> None:
    response = admin_client.post(address(), {"text": written, "use": "1"})

    assert response.status_code == 400
    for each in said:
        assert each in response.text
    assert schedulers(cluster) == ["default-scheduler"]


def test_who_may_not_add_clusters_may_look_only(cluster: Cluster, client: Client, django_user_model: type) -> None:
    client.force_login(django_user_model.objects.create_user("reader", password="x"))  # type: ignore[attr-defined]

    assert "Users who may add clusters may change it." in text(client, address())
    for button in ("check", "use", "default"):
        assert client.post(address(), {"text": PACKING, button: "1"}).status_code == 403
    assert schedulers(cluster) == ["default-scheduler"]
    assert client.get(f"{address()}scheduler.yaml").status_code == 200


def test_a_dump_brings_its_own_which_can_be_put_aside(tmp_path: Path, admin_client: Client) -> None:
    objects = [node("ash", "north"), pod("web-1")]
    cluster = load(tmp_path, "shop", [*objects, BROUGHT])
    assert str(configuration_words.OF_DUMP) in text(admin_client, address("shop"))
    assert "Go back to" not in admin_client.get(address("shop")).text

    admin_client.post(address("shop"), {"text": PACKING, "use": "1"})

    assert schedulers(cluster) == ["packing"]
    assert str(configuration_words.GIVEN_TO_DUMP) in text(admin_client, address("shop"))
    load(tmp_path, "shop", [*objects, {**BROUGHT, "profiles": [{"schedulerName": "newer"}]}])
    assert schedulers(cluster) == ["packing"]
    admin_client.post(address("shop"), {"default": "1"})
    assert schedulers(cluster) == ["newer"]


def test_profiles_have_addresses_and_counts_of_their_pods(tmp_path: Path, admin_client: Client) -> None:
    two = {**BROUGHT, "profiles": [{"schedulerName": "default-scheduler"}, {"schedulerName": "unused"}]}
    pods = [pod("a", nodeName="ash"), pod("b"), pod("c", schedulerName="elsewhere")]
    load(tmp_path, "shop", [node("ash", "north"), *pods, two])

    words = text(admin_client, f"{address('shop')}?profile=unused")

    assert "unused compared with the defaults" in words
    assert "default-scheduler Pods of default-scheduler: 2 Pending pods of default-scheduler: 1" in words
    assert "elsewhere Not a profile Pods of elsewhere: 1" in words
    link = re.search(r'href="([^"]*scheduler=elsewhere)"', admin_client.get(address("shop")).text)
    assert link
    listed = text(admin_client, link[1])
    assert "shop/ c " in listed
    assert "shop/ a " not in listed


def test_files_hold_what_is_in_force(cluster: Cluster, admin_client: Client) -> None:
    file = f"{address()}scheduler.yaml"
    full = yaml.safe_load(admin_client.get(file).text)
    assert SchedulerConfiguration.from_dict(full) == SchedulerConfiguration.default()
    admin_client.post(address(), {"text": PACKING, "use": "1"})

    given, full = (yaml.safe_load(admin_client.get(f"{file}{query}").text) for query in ("", "?full=1"))

    assert given == yaml.safe_load(PACKING)
    assert len(full["profiles"][0]["pluginConfig"]) == 8
    cluster.refresh_from_db()
    assert SchedulerConfiguration.from_dict(full) == configuration_of(cluster)


def test_what_cannot_be_read_any_more_can_still_be_put_right(cluster: Cluster, admin_client: Client) -> None:
    Cluster.objects.update(chosen_configuration={**BROUGHT, "apiVersion": "v0"})

    assert "cannot be read" in admin_client.get(address()).text
    assert admin_client.get(f"{address()}scheduler.yaml").status_code == 404
    assert "they are not compared" in admin_client.post(address(), {"text": PACKING}).text
    admin_client.post(address(), {"text": PACKING, "use": "1"})
    assert schedulers(cluster) == ["packing"]


def test_the_terminal_does_the_same(cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scheduler.yaml"
    path.write_text(PACKING)
    call_command("configure", "prod", str(path))
    assert schedulers(cluster) == ["packing"]
    assert "the profile packing of" in capsys.readouterr().out

    path.write_text(PACKING.replace("MostAllocated", "Densest"))
    with pytest.raises(SystemExit) as ended:
        call_command("configure", "prod", str(path))
    assert ended.value.code == 2
    assert "scheduler.yaml" in capsys.readouterr().err
    assert schedulers(cluster) == ["packing"]

    call_command("configure", "prod", "--default")
    assert schedulers(cluster) == ["default-scheduler"]
    Cluster.objects.update(source=Cluster.Source.DUMP, scheduler_configuration=BROUGHT)
    call_command("configure", "prod", "--default")
    assert "the configuration of its dump" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no cluster other"):
        call_command("configure", "other", "--default")


POLICY = """\
{"kind": "Policy", "apiVersion": "v1",
 "predicates": [{"name": "PodFitsResources"}, {"name": "MaxEBSVolumeCount"}],
 "priorities": [{"name": "MostRequestedPriority", "weight": 3}, {"name": "NodePreferAvoidPodsPriority", "weight": 2}],
 "extenders": [{"urlPrefix": "http://extender.example", "filterVerb": "filter", "httpTimeout": 2000000000}]}
"""


def test_a_policy_is_translated_before_it_is_kept(cluster: Cluster, admin_client: Client) -> None:
    response = admin_client.post(address(), {"text": POLICY})
    words = html.unescape(" ".join(re.sub("<[^>]*>", " ", response.text).split()))

    assert "Policy v1, translated to v1" in words
    assert "1 entry has no equivalent." in words
    assert "PodFitsResources predicates[0] NodeResourcesFit (preFilter, filter)" in words
    assert "NodePreferAvoidPodsPriority priorities[1] removed: no equivalent" in words
    shown = re.search(r'<pre class="said" tabindex="0">(.*?)</pre>', response.text, re.DOTALL)
    assert shown
    copied = yaml.safe_load(html.unescape(shown[1]))
    assert SchedulerConfiguration.from_dict(copied) == SchedulerConfiguration.from_dict(yaml.safe_load(POLICY))
    assert schedulers(cluster) == ["default-scheduler"]

    assert admin_client.post(address(), {"text": POLICY, "use": "1"}).status_code == 302
    cluster.refresh_from_db()
    assert (cluster.chosen_configuration or {})["apiVersion"] == "kubescheduler.config.k8s.io/v1"
    assert configuration_of(cluster).profiles[0].weights == {"NodeResourcesFit": 3}


def test_a_former_version_in_a_dump_counts_as_what_it_is_in_v1(tmp_path: Path) -> None:
    former = {**BROUGHT, "apiVersion": "kubescheduler.config.k8s.io/v1beta2"}
    cluster = load(tmp_path, "brought", [node("n", "zone-a"), former])

    assert (cluster.scheduler_configuration or {})["apiVersion"] == "kubescheduler.config.k8s.io/v1"
    assert configuration_of(cluster).profiles[0].weights["TaintToleration"] == 1


@pytest.mark.parametrize(("version", "status"), [("v1.34.1", 400), ("v1.37.2", 200)])
def test_a_text_is_checked_as_the_minor_of_the_cluster_reads_it(
    version: str, status: int, cluster: Cluster, admin_client: Client
) -> None:
    Cluster.objects.update(kube_version=version)
    waits = "profiles: [{pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 90s}}]}]"
    head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

    answer = admin_client.post(address(), {"text": head + waits})

    assert answer.status_code == status
    assert ("profiles[0].pluginConfig[0].args.bindingTimeout" in answer.text) == (status == 400)


def test_the_terminal_says_what_a_policy_became(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "policy.json"
    path.write_text(POLICY)

    call_command("configure", "prod", str(path))

    said = capsys.readouterr().out
    assert "NodePreferAvoidPodsPriority (priorities[1])\n    removed: no equivalent\n" in said
    document = yaml.safe_load(said.split("---\n")[1])
    assert SchedulerConfiguration.from_dict(document) == SchedulerConfiguration.from_dict(yaml.safe_load(POLICY))
    assert configuration_of(Cluster.objects.get(name="prod")).profiles[0].weights == {"NodeResourcesFit": 3}

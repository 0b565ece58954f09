"""A pod edited and re-evaluated: the page against the engine's own answers, and texts that cannot be taken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from django.core.cache import cache
from django.test import Client

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.admission import admit
from clusters.models import Cluster, Pod
from clusters.services.decisions.explain import MOST_BYTES, configuration_text, editable, parsed, read_pod, what_if
from clusters.services.ingest.configurations import configure_from_text
from clusters.services.mirror.snapshots import snapshot_of
from clusters.wording.decisions.what_if import headline
from dashboard.forms.what_if import BadAddress, WhatIfState, packed, unpacked
from dashboard.presenters.runs.listing import LONGEST
from tests.support.decision_cluster import ZONE, ingested, node, objects, pod, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def fresh_counts() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def address(name: str, query: str = "") -> str:
    return f"/clusters/shop/pods/shop/{name}/what-if/{query}"


def of(name: str) -> Pod:
    return Pod.objects.select_related("cluster").get(namespace="shop", name=name)


def written(name: str, **spec: Any) -> str:
    """Return a pod's text with some fields of its spec otherwise, None for none."""
    document = yaml.safe_load(editable(of(name)))
    document["spec"] = {key: part for key, part in {**document["spec"], **spec}.items() if part is not None}
    return yaml.safe_dump(document, sort_keys=False)


def asked(client: Client, name: str, pod_text: str, configuration: str = "") -> str:
    """Ask for a what-if as the form does, and read the page that comes of it."""
    response = client.post(address(name), {"pod": pod_text, "configuration": configuration}, follow=True)
    sent_on = bool(response.redirect_chain)
    assert response.status_code == (200 if sent_on else 400)
    return text(response)


def test_the_page_offers_the_pod_as_it_is_and_judges_nothing(signed_in_client: Client, cluster: Cluster) -> None:
    page = text(signed_in_client.get(address("choosy")))
    assert "Remove the node selector" in page
    assert "nodeSelector:" in page
    assert "With this change" not in page
    assert "uid" not in yaml.safe_load(editable(of("choosy")))["metadata"]


def test_an_edit_is_judged_beside_the_pod_as_it_is_by_the_engines_own_answer(
    signed_in_client: Client, cluster: Cluster
) -> None:
    page = asked(signed_in_client, "choosy", written("choosy", nodeSelector=None))
    snapshot = Snapshot.from_objects(objects())
    profile = SchedulerConfiguration.default().profiles[0]
    before = next(each for each in objects() if each["metadata"]["name"] == "choosy")
    spec = {key: part for key, part in before["spec"].items() if key != "nodeSelector"}
    left = explain(snapshot, before, profile)
    right = explain(snapshot, admit({**before, "spec": spec}, snapshot).pod, profile)
    assert not left.fits
    assert right.fits
    assert headline(left, right) in page
    assert right.feasible == ["birch"]
    assert "1 node gained birch" in page
    assert f"{right.total_of(snapshot.nodes.index['birch'])} points, rank 1" in page


def test_the_address_reproduces_the_page(signed_in_client: Client, cluster: Cluster) -> None:
    response = signed_in_client.post(address("choosy"), {"pod": written("choosy", nodeSelector=None)})
    assert response.status_code == 302
    assert "instead of 0" in text(signed_in_client.get(response["Location"]))
    assert Pod.objects.get(name="choosy").object["spec"]["nodeSelector"] == {ZONE: "north"}, "nothing is stored"


def test_the_configuration_chosen_for_the_cluster_is_what_is_edited(signed_in_client: Client, cluster: Cluster) -> None:
    """One line is changed; a second profile and the weight that were chosen stay."""
    chosen = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 50
profiles:
- schedulerName: default-scheduler
  plugins: {score: {disabled: [{name: ImageLocality}], enabled: [{name: NodeResourcesFit, weight: 7}]}}
- schedulerName: second
"""
    configure_from_text(cluster=cluster, text=chosen)
    # As pages show it: PostgreSQL keeps an order of keys of its own.
    cluster.refresh_from_db()
    shown = configuration_text(cluster)
    assert parsed(shown) == yaml.safe_load(chosen)
    assert "weight: 7" in text(signed_in_client.get(address("choosy")))

    edited = shown.replace("percentageOfNodesToScore: 50", "percentageOfNodesToScore: 60")
    response = signed_in_client.post(
        address("choosy"), {"pod": written("choosy", schedulerName="second"), "configuration": edited}, follow=True
    )

    page = text(response)
    assert response.status_code == 200
    assert "No profile has the name" not in page
    assert "weight: 7" in page
    assert "percentageOfNodesToScore: 60" in page


def test_a_change_without_yaml_is_an_address(signed_in_client: Client, cluster: Cluster) -> None:
    page = text(signed_in_client.get(address("choosy", "?change=no-node-selector")))
    assert "instead of 0" in page
    assert "Changed so far Remove the node selector Undo" in page
    both = text(signed_in_client.get(address("huge", "?change=halve-requests&change=halve-requests")))
    assert "cpu: 2250m" in both
    assert "It fits on" in both


def test_admission_is_shown_and_applied(signed_in_client: Client, tmp_path: Path) -> None:
    runtime = {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "vm", "uid": "vm"},
        "overhead": {"podFixed": {"cpu": "4"}},
    }
    ingested(tmp_path, [*objects(), runtime])
    page = asked(signed_in_client, "plain", written("plain", runtimeClassName="vm"))
    assert "spec.overhead {cpu: '4'} RuntimeClass from RuntimeClass vm" in page
    assert "spec.priority 0 Priority from no PriorityClass" in page
    assert "instead of 4. " in page, "the overhead takes room"
    refused = asked(signed_in_client, "plain", written("plain", priorityClassName="none-such"))
    assert "The API server would reject this pod" in refused
    assert "There is no PriorityClass none-such." in refused


def test_what_a_node_gave_the_pod_does_not_count_for_the_changed_one(tmp_path: Path) -> None:
    amounts = {"cpu": "2", "memory": "1Gi"}
    status = {"phase": "Running", "containerStatuses": [{"name": "main", "resources": {"requests": amounts}}]}
    ingested(tmp_path, [*objects(), pod("running", nodeName="birch", **amounts, status=status)])
    running = of("running")
    assert running.object["status"]["containerStatuses"]
    less = pod("running", cpu="500m", memory="1Gi")
    document = read_pod(yaml.safe_dump({key: less[key] for key in ("apiVersion", "kind", "metadata", "spec")}), running)
    configuration, snapshot = SchedulerConfiguration.default(), snapshot_of(running.cluster)
    found = what_if(cluster=running.cluster, document=document, configuration=configuration, snapshot=snapshot)
    new = explain(snapshot, admit(less, snapshot).pod, configuration.profiles[0])
    row = snapshot.nodes.index["birch"]
    assert found.explanation.cells_of(row) == new.cells_of(row)


def test_another_configuration_is_judged(signed_in_client: Client, cluster: Cluster) -> None:
    configuration = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"plugins": {"multiPoint": {"disabled": [{"name": "NodeAffinity"}]}}}],
    }
    page = asked(signed_in_client, "choosy", editable(of("choosy")), json.dumps(configuration))
    assert "instead of 0" in page


def test_a_pod_of_another_scheduler_is_judged_once_a_profile_has_its_name(
    signed_in_client: Client, cluster: Cluster
) -> None:
    assert "Another scheduler decides." in text(signed_in_client.get(address("foreign")))
    page = asked(signed_in_client, "foreign", written("foreign", schedulerName="default-scheduler"))
    assert "Fits on 4 of 6 nodes" in page
    wrong = asked(signed_in_client, "plain", written("plain", schedulerName="nobody"))
    assert "Another scheduler, 'nobody', places this pod" in wrong


def test_two_what_ifs_can_be_compared(signed_in_client: Client, cluster: Cluster) -> None:
    onwards = signed_in_client.get(address("choosy", "?change=no-node-selector")).context["onwards"]
    page = text(signed_in_client.get(f"{onwards}&change=halve-requests"))
    assert "Earlier what if" in page
    assert "instead of 0" not in page
    form = {"pod": written("choosy", nodeSelector=None, priority=7)}
    again = signed_in_client.post(onwards, form, follow=True)
    assert "Earlier what if" in text(again), "the form keeps the left side"


def test_a_text_that_cannot_be_taken_says_where_and_is_kept(signed_in_client: Client, cluster: Cluster) -> None:
    for pod_text, said in [
        (
            "kind: Pod\nspec: {nodeSelektor: {}}",
            "line 2 spec.nodeSelektor : There is no field 'nodeSelektor'. Did you",
        ),
        ("kind: Pod\nspec:\n  containers: {}", "line 3 spec.containers : {} is not a list."),
        ("kind: Pod\nspec:\n  containers: [", "It is not YAML at line 4"),
        (
            "spec: {containers: []}\nmetadata: {name: other}",
            "line 2 metadata.name : It must be plain, not",
        ),
        ("a: 1\n---\nb: 1", "It holds 2 documents. Write one Pod."),
        ("- 1", "[1] is not a map."),
        ("a: !!python/object/apply:os.system [ls]", "is not read here"),
        ("x" * (MOST_BYTES + 1), "Shorten or split it."),
        ("[" * 60_000, "nested too deeply"),
        ('{"a":' * 900 + "1" + "}" * 900, "nested too deeply"),
        ('{"a":' * 8000, "It is not JSON at line"),
        ('{"kind": "Pod",\n"spec": {"containers": 1}}', "line 2 spec.containers : 1 is not a list."),
        (
            "a: &a [x,x,x,x,x,x,x,x,x]\n"
            + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)),
            "BERTH_YAML_EXPANSION_LIMIT",
        ),
        ("kind: Pod\nspec: {containers: []}\nkind: Pod", "is there twice"),
    ]:
        assert said in asked(signed_in_client, "plain", pod_text)
        response = signed_in_client.post(address("plain"), {"pod": pod_text}, follow=True)
        assert response.context["side"].pod_text == pod_text


def test_a_configuration_that_cannot_be_taken_names_its_field_and_line(
    signed_in_client: Client, cluster: Cluster
) -> None:
    wrong = configuration_text(cluster) + "  percentageOfNodesToScore: 101\n"
    page = asked(signed_in_client, "plain", editable(of("plain")), wrong)
    assert "line 5 profiles[0].percentageOfNodesToScore" in page


def test_damaged_and_hostile_addresses_are_refused(signed_in_client: Client, cluster: Cluster) -> None:
    for query in ("?pod=%00", "?pod=AAAA", f"?pod={packed('x' * (MOST_BYTES + 1))}", "?change=rm", "?change=a&" * 20):
        response = signed_in_client.get(address("plain", query))
        assert response.status_code == 400, query
        assert "This cannot be evaluated" in text(response)


def test_a_change_that_finds_nothing_to_change_is_told_and_changes_nothing_else(
    signed_in_client: Client, cluster: Cluster
) -> None:
    for name in ("no-selector:disk=ssd", "no-spread:0123456789ab", "no-node-requirement:0123456789ab", "ask:cpu=9999m"):
        page = text(signed_in_client.get(address("choosy", f"?change={name}")))
        assert "changes nothing about the pod as it is now." in page, name
        assert "With this change" not in page
        assert "Undo" in page
    for name in ("tolerate", "tolerate:", "tolerate::NoSchedule", "no-spread:0", "no-spread:²", "ask:cpu=1e99"):
        response = signed_in_client.get(address("choosy", f"?change={name}"))
        assert response.status_code == 400
        assert f"There is no change “{name}”." in text(response)


def test_a_text_too_long_for_an_address_is_judged_all_the_same(signed_in_client: Client, cluster: Cluster) -> None:
    noise = [{"key": f"k{number * 7919 % 100_003:x}{number:x}", "operator": "Exists"} for number in range(900)]
    long = written("choosy", tolerations=noise)
    assert len(WhatIfState(pod=long).query()) > LONGEST
    response = signed_in_client.post(address("choosy"), {"pod": long})
    assert response.status_code == 200
    assert "Too long for an address" in text(response)


def test_work_is_bounded(signed_in_client: Client, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.views.what_if.RUNS_PER_MINUTE", 3)
    for _ in range(3):
        assert signed_in_client.get(address("plain", "?change=halve-requests")).status_code == 200
    response = signed_in_client.get(address("plain", "?change=halve-requests"))
    assert response.status_code == 429
    assert "At most 3 a minute. Ask again in" in text(response)
    assert signed_in_client.get(address("plain")).status_code == 200


def test_a_page_asks_as_few_questions_with_many_nodes(
    signed_in_client: Client, tmp_path: Path, django_assert_max_num_queries: Any
) -> None:
    ingested(tmp_path, [*(node(f"n{number}", "north") for number in range(60)), pod("plain", cpu="9")])
    signed_in_client.get(address("plain"))
    with django_assert_max_num_queries(12):
        response = signed_in_client.get(address("plain", "?change=halve-requests&change=halve-requests"))
    page = text(response)
    assert "It fits on 60 nodes instead of 0. It would get one of" in page


def test_packing_undoes_itself() -> None:
    for each in ("", "a", "spec:\n  ä: 1\n" * 50):
        assert unpacked(packed(each)) == each
    with pytest.raises(BadAddress):
        unpacked("x")


def test_more_changes_than_are_made_are_neither_offered_nor_taken(signed_in_client: Client, cluster: Cluster) -> None:
    most = "&".join(["change=halve-requests"] * 12)
    response = signed_in_client.get(address("plain", f"?{most}"))
    assert response.status_code == 200
    assert not response.context["usual"]
    refused = signed_in_client.get(address("plain", f"?{most}&change=halve-requests"))
    assert "13 changes are too many: at most 12. Start over" in text(refused)


# -- what is offered ---------------------------------------------------------------------------------------------------


def test_to_tolerate_what_a_node_says_of_itself_is_not_offered(signed_in_client: Client, tmp_path: Path) -> None:
    tainted = {
        "cordoned": {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"},
        "dead": {"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"},
        "kept": {"key": "dedicated", "value": "batch", "effect": "NoSchedule"},
    }
    nodes = [{**node(name, "north"), "spec": {"taints": [taint]}} for name, taint in tainted.items()]
    nodes[0]["spec"]["unschedulable"] = True
    ingested(tmp_path, [*nodes, pod("waiting")])

    labels = [
        label for _, label, _ in signed_in_client.get("/clusters/shop/pods/shop/waiting/what-if/").context["helpful"]
    ]

    assert labels == ["Tolerate dedicated=batch:NoSchedule"]


# -- other versions of Kubernetes --------------------------------------------------------------------------------------


TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


@pytest.fixture
def tainted(tmp_path: Path) -> Cluster:
    one = node("n1", "north", taints=[TAINT])
    version = {"nodeInfo": {"kubeletVersion": "v1.34.1"}}
    return ingested(tmp_path, [{**one, "status": {**one["status"], **version}}, pod("alone")])


def test_a_version_alone_is_judged_and_the_clusters_own_is_no_change(
    signed_in_client: Client, tainted: Cluster
) -> None:
    response = signed_in_client.post(address("alone"), {"kubernetes": "v1.37"}, follow=True)
    assert response.redirect_chain == [(address("alone", "?kubernetes=v1.37"), 302)]
    page = text(response)
    assert "Left: Kubernetes 1.34; right: 1.37." in page
    assert "had untolerated taint {dedicated: gpu}" in page
    assert "had untolerated taint(s)" in page

    response = signed_in_client.post(address("alone"), {"kubernetes": "v1.34"}, follow=True)
    assert response.redirect_chain == [(address("alone"), 302)]


def test_two_what_ifs_can_differ_in_the_version_alone(signed_in_client: Client, tainted: Cluster) -> None:
    query = "?change=halve-requests&kubernetes=v1.37&left-change=halve-requests&left-kubernetes=v1.35"
    page = text(signed_in_client.get(address("alone", query)))
    assert "Left: Kubernetes 1.35; right: 1.37." in page

    page = text(signed_in_client.get(address("alone", query)))
    assert "Left: Kubernetes 1.35; right: 1.37." in page


def test_a_configuration_is_read_as_the_version_that_is_chosen(signed_in_client: Client, tainted: Cluster) -> None:
    waits = "profiles: [{pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 90s}}]}]"
    head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    sent = {"configuration": head + waits}

    refused = signed_in_client.post(address("alone"), sent, follow=True)
    taken = signed_in_client.post(address("alone"), {**sent, "kubernetes": "v1.37"}, follow=True)

    assert "profiles[0].pluginConfig[0].args.bindingTimeout" in text(refused)
    assert "profiles[0].pluginConfig[0].args.bindingTimeout" not in text(taken)


def test_a_version_that_is_not_known_is_refused(signed_in_client: Client, tainted: Cluster) -> None:
    response = signed_in_client.get(address("alone", "?kubernetes=v1.99"))

    assert response.status_code == 400
    assert "Kubernetes “v1.99” is not known" in text(response)

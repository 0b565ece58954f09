"""The page about an upgrade: headline, picture, and differences with links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from celery import current_app

from clusters import tasks
from clusters.engine.upgrading import AmendmentKind
from clusters.engine.versions import RELEASES
from clusters.management.terminal.upgrade import upgrade_lines
from clusters.services import evaluation as questions, upgrading as asking
from clusters.services.ingest.configurations import set_feature_gates
from clusters.services.mirror.snapshots import forget_snapshots
from clusters.services.upgrading import upgrade_of
from clusters.wording.upgrades.differences import rule_sentence
from dashboard.live.rendering import render
from dashboard.live.topics import topic_of
from tests.clusters.dumps import node, pod
from tests.clusters.live_batches import apply, followed_cluster
from tests.clusters.test_drains import EVENT
from tests.clusters.test_upgrade_command import drained
from tests.support.answers import known
from tests.support.gangs import gang_that_preempts
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster


pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGE = "/clusters/upgrade-page/upgrade/"
# Where nothing else is asked for, a page is about the newest minor.
NEWEST = list(RELEASES)[-1]
TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


def objects(version: str = "v1.34.1", *taints: dict[str, str]) -> list[dict[str, Any]]:
    one = node("n1")
    info = {**one["status"], "nodeInfo": {"kubeletVersion": version}}
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "controller": True}
    second = pod("db-0", on="n1")
    owned = {**second, "metadata": {**second["metadata"], "ownerReferences": [owner]}}
    metadata = {"name": "db", "namespace": "shop", "uid": "db"}
    maker = {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata, "spec": {"replicas": 1}}
    return [{**one, "spec": {"taints": list(taints)}, "status": info}, pod("web"), owned, maker]


@pytest.fixture
def tainted(tmp_path: Path) -> Cluster:
    return load(tmp_path, "upgrade-page", objects("v1.34.1", TAINT))


def test_the_page_says_what_changes_draws_it_and_links_pods_and_workloads(
    tainted: Cluster, signed_in_client: Client
) -> None:
    said = text(signed_in_client, PAGE)
    answer = signed_in_client.get(PAGE).content.decode()

    assert "with another message, of 1 workload and 1 pending pod." in said
    assert rule_sentence(AmendmentKind.RULE, "names_taints") in said
    assert "1 node(s) had untolerated taint {dedicated: gpu}" in said
    assert 'href="/clusters/upgrade-page/pods/shop/web/"' in answer
    assert 'href="/clusters/upgrade-page/workloads/StatefulSet/shop/db/"' in answer


def test_the_drain_of_each_pool_is_drawn_before_its_table(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "upgrade-page", drained())

    said = text(signed_in_client, PAGE)
    answer = signed_in_client.get(PAGE).content.decode()

    assert "Drain: 1 of 2 nodes in 2 node pools would meet something else." in said
    assert 'href="/clusters/upgrade-page/drain/?node=n1&amp;after=uncordon"' in answer
    assert "general 1 of 1 node evaluated" in said


def test_groups_that_are_placed_otherwise_are_named_on_the_page_in_the_api_and_in_the_terminal(
    tmp_path: Path, signed_in_client: Client
) -> None:
    cluster = load(tmp_path, "upgrade-page", gang_that_preempts())
    set_feature_gates(cluster=cluster, settings="GenericWorkload=true,GangScheduling=true,WorkloadAwarePreemption=true")

    said = text(signed_in_client, PAGE)
    answer = signed_in_client.get(PAGE).content.decode()
    found = signed_in_client.get("/api/v1/clusters/upgrade-page/upgrade?to=1.37").json()["upgrade"]

    assert "1 of 1 pod group with pending pods would be placed otherwise." in said
    assert 'href="/clusters/upgrade-page/pod-groups/shop/train/"' in answer
    assert "Uncertain: it is not computed." in said
    assert "Fits by preemption of shop/low-0 and shop/low-1." in said
    assert "for its whole group, victims: shop/low-0 and shop/low-1" in said
    (group,) = found["podGroups"]
    assert (group["group"], group["release"], found["podGroupCount"]) == ("shop/train", "1.37", 1)
    assert (group["before"]["verdict"], group["after"]["verdict"]) == ("uncertain", "preempts")
    assert group["rules"][0]["name"] == "evaluates_groups_first"
    assert group["rules"][0]["sentence"]
    kept = known(upgrade_of(cluster=cluster, target=RELEASES[NEWEST]).made)
    assert kept.document is not None
    lines = [" ".join(line.split()) for line in upgrade_lines(kept.document, 200)]
    assert "Pod group shop/train" in lines
    assert lines[lines.index("Pod group shop/train") + 2].startswith("After Fits by preemption of ")


def test_pods_with_several_best_nodes_are_counted(tmp_path: Path, signed_in_client: Client) -> None:
    one, web, *_ = objects()
    other = {**one, "metadata": {**one["metadata"], "name": "n2", "uid": "n2"}}
    load(tmp_path, "upgrade-page", [one, other, web])

    assert "0 workloads and 1 pending pod have some." in text(signed_in_client, f"{PAGE}?to=1.35")
    found = signed_in_client.get("/api/v1/clusters/upgrade-page/upgrade?to=1.35").json()["upgrade"]
    assert (found["tiedWorkloads"], found["tiedPendingPods"]) == (0, 1)


def test_a_long_table_can_be_shown_whole(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "upgrade-page", [*objects("v1.34.1", TAINT), *(pod(f"more-{index}") for index in range(20))])

    first = text(signed_in_client, f"{PAGE}?to=1.35")
    whole = text(signed_in_client, f"{PAGE}?to=1.35&rows=1000")

    assert "and 2 more Show all" in first
    assert 'href="?to=1.35&amp;rows=1000"' in signed_in_client.get(f"{PAGE}?to=1.35").content.decode()
    named = [*(f"shop/more-{index} " for index in range(20)), "shop/web ", "next pod of StatefulSet shop/db"]
    assert all(each in whole for each in named)
    assert sum(each in first for each in named) == 20
    assert "more Show all" not in whole
    assert signed_in_client.get(f"{PAGE}?rows=1001").status_code == 400


def test_where_nothing_changes_the_page_says_so(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "upgrade-page", objects())

    said = text(signed_in_client, PAGE)

    assert f"Upgrade to {NEWEST}: nothing changes for 1 workload and 1 pending pod." in said


def test_a_cluster_of_the_newest_minor_has_nothing_to_preview(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "upgrade-page", objects(RELEASES[NEWEST].compared, TAINT))

    assert "No later Kubernetes minor is known" in text(signed_in_client, PAGE)


Sent = list[tuple[str, int, str, list[str]]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Return what pages ask workers."""
    asked: Sent = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args: asked.append((name, *args)))
    return asked


def work(asked: Sent) -> None:
    """Do what workers were asked, in a process that knows nothing yet."""
    forget_snapshots()
    for _, cluster, question, subject in asked:
        tasks.evaluate.run(cluster, question, subject)
    asked.clear()
    forget_snapshots()


def test_a_large_cluster_is_evaluated_by_a_worker_once(
    tainted: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, sent: Sent
) -> None:
    monkeypatch.setattr(asking, "MOST_AT_ONCE", 1)
    target = RELEASES[NEWEST]

    assert "A worker evaluates the cluster under each minor" in text(signed_in_client, PAGE)
    assert upgrade_of(cluster=tainted, target=target).made is None
    assert sent == [("clusters.tasks.evaluate", tainted.pk, "upgrade", [NEWEST])]

    work(sent)
    made = upgrade_of(cluster=tainted, target=target)
    assert made.made is not None
    assert made.made.document is not None
    assert not made.is_evaluating
    assert f"Upgrade to {NEWEST}: " in text(signed_in_client, PAGE)
    assert not sent


def test_what_takes_too_long_for_a_page_a_worker_makes_whole(
    tainted: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, sent: Sent
) -> None:
    monkeypatch.setattr(questions, "MOST_SECONDS", 0.0)

    for _ in range(2):
        assert "A worker evaluates the cluster under each minor" in text(signed_in_client, PAGE)
    assert len(sent) == 1
    topic = topic_of("upgrade.answer", tainted.pk, PAGE)
    assert "A worker evaluates" in render(topic).html
    assert topic.part.is_concerned_by([questions.NOTICE])
    assert not topic.part.is_concerned_by(["Pod"]), "what is shown stays until somebody asks again"
    shown = signed_in_client.get(PAGE).text
    assert 'data-live="upgrade.answer"' in shown
    work(sent)

    assert "with another message, of 1 workload and 1 pending pod." in render(topic).html
    said = text(signed_in_client, PAGE)
    assert "with another message, of 1 workload and 1 pending pod." in said
    assert not sent


def test_an_old_preview_stays_until_a_worker_has_made_the_next(
    tainted: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, sent: Sent
) -> None:
    monkeypatch.setattr(asking, "MOST_AT_ONCE", 1)
    signed_in_client.get(PAGE)
    work(sent)
    tainted.revision += 1
    tainted.save(update_fields=["revision"])

    old = text(signed_in_client, PAGE)
    assert "As of revision 1, 20" in old
    assert " UTC ; the cluster has changed since. Evaluate again" in old
    assert not sent
    assert 'data-live="upgrade.answer"' in signed_in_client.get(f"{PAGE}?again=1").text
    assert len(sent) == 1
    # As the live part, which does not ask again, and as whoever comes meanwhile.
    for said in (text(signed_in_client, f"{PAGE}?again=1"), text(signed_in_client, PAGE)):
        assert f"Upgrade to {NEWEST}: " in said
        assert "the cluster has changed since. A worker evaluates the cluster under each minor" in said
    assert len(sent) == 1
    work(sent)

    assert "As of revision 2, the present one." in text(signed_in_client, PAGE)


@pytest.mark.parametrize("most_at_once", [1, 100_000])
def test_a_preview_that_another_release_kept_is_made_anew(
    most_at_once: int, tainted: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, sent: Sent
) -> None:
    name = asking.QUESTION.key(tainted, NEWEST)
    upgrade_of(cluster=tainted, target=RELEASES[NEWEST])
    whole = known(questions.find(name))
    document = dict(whole.answers[b""]["document"])
    del document["differences"]
    questions.keep(name, whole._replace(answers={b"": {**whole.answers[b""], "document": document}}))
    forget_snapshots()
    monkeypatch.setattr(asking, "MOST_AT_ONCE", most_at_once)

    first = text(signed_in_client, PAGE)
    assert ("A worker evaluates the cluster under each minor" in first) is (most_at_once == 1)
    work(sent)

    assert "with another message, of 1 workload and 1 pending pod." in text(signed_in_client, PAGE)
    again = known(questions.find(name))
    assert again.answers == whole.answers
    assert not sent


def test_a_long_preview_is_the_present_one_although_an_event_came(
    signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, sent: Sent
) -> None:
    monkeypatch.setattr(asking, "MOST_AT_ONCE", 0)
    _, lease = followed_cluster("upgrade-page")
    apply(lease, put=tuple(objects("v1.34.1", TAINT)))
    signed_in_client.get(PAGE)
    work(sent)

    apply(lease, put=(EVENT,))
    assert "As of revision 2, the present one." in text(signed_in_client, PAGE)

    apply(lease, put=(pod("more"),))
    assert "As of revision 1, 20" in text(signed_in_client, PAGE)
    assert "the cluster has changed since. Evaluate again" in text(signed_in_client, PAGE)
    assert not sent


def test_an_answer_is_kept_for_the_feature_gates_that_it_was_made_with(tmp_path: Path) -> None:
    cluster = load(tmp_path, "upgrade-page", objects("v1.35.4"))

    assert _brings(cluster, "NodeDeclaredFeatures")
    set_feature_gates(cluster=cluster, settings="NodeDeclaredFeatures=true")
    assert not _brings(cluster, "NodeDeclaredFeatures")


def _brings(cluster: Cluster, plugin: str) -> bool:
    """Whether a plugin takes part from a later minor on."""
    made = known(upgrade_of(cluster=cluster, target=RELEASES[NEWEST]).made)
    assert made.document is not None
    return any(each.plugin == plugin and not each.before for each in made.document.defaults)


def test_a_configuration_that_the_running_minor_refuses_is_named(tainted: Cluster, signed_in_client: Client) -> None:
    tainted.chosen_configuration = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "Other"}
    tainted.save()

    said = text(signed_in_client, PAGE)

    assert "The upgrade cannot be evaluated." in said
    assert "kind" in said

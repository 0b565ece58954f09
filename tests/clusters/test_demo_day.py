"""The demo's simulated day: made by the engine, ending in the demo as it is, and kept as its journal."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.utils import timezone

from clusters.demo import day as simulated_day, demo_objects
from clusters.demo.day import Day, DayError, Incident, recorded_day
from clusters.demo.usage import HOURS
from clusters.engine.journal import judge_nomination, judge_placement, judge_refusal
from clusters.engine.usage import Sizing
from clusters.models import Cluster, Decision, Ingest, NodeChange, Pod, UsageHour
from clusters.services.journal.timeline import agreement
from clusters.services.journal.writing import prune
from clusters.services.usage.history import newest_pods, sizing_of
from tests.support.answers import known

if TYPE_CHECKING:
    from clusters.demo.identity import Document
    from clusters.engine import Explanation


@cache
def objects() -> tuple[Document, ...]:
    return tuple(demo_objects())


@cache
def day() -> Day[tuple[str, bool, str]]:
    """The day, keeping of each explanation its message and whether its best nodes hold the one that was chosen."""
    return recorded_day(objects(), answers)


def answers(explanation: Explanation, node: str | None) -> tuple[str, bool, str]:
    is_right = (
        judge_refusal(explanation, explanation.message or "").holds
        if node is None
        else (judge_placement if explanation.fits else judge_nomination)(explanation, node).holds
    )
    return explanation.message or "", is_right, node or ""


# The day is measured where it is kept.
@pytest.mark.unmeasured
def test_every_decision_is_what_its_explanation_says() -> None:
    # The simulation decides in a quicker way of its own.
    explained = [each for each in day().decisions if each.kept is not None]

    assert {each.kind for each in explained} == {"bound", "unschedulable", "nominated"}
    for each in explained:
        assert each.kept is not None
        message, is_right, node = each.kept
        assert is_right, each.pod["metadata"]["name"]
        if each.kind == "unschedulable":
            assert message == each.message
        else:
            assert node == each.node


def test_shows_arrivals_preemptions_a_drain_and_a_lost_node() -> None:
    kinds = Counter(each.kind for each in day().decisions)

    assert kinds["bound"] >= 100
    assert kinds["preempted"] >= 10
    assert kinds["preempted"] == kinds["nominated"]
    assert kinds["gated"] == 1
    left = {each.node for each in day().decisions if each.kind == "evicted"}
    assert left == {"general-a-10", "spot-c-02"}
    assert {each.incident for each in day().happenings} == set(Incident)


def test_the_last_word_about_a_pending_pod_is_what_its_condition_says() -> None:
    pods = {each["metadata"]["uid"]: each for each in objects() if each["kind"] == "Pod"}
    last = {each.pod["metadata"]["uid"]: each for each in day().decisions}
    said = {
        uid: condition["message"]
        for uid, pod in pods.items()
        for condition in pod["status"].get("conditions", ())
        if condition.get("reason") == "Unschedulable"
    }

    assert len(said) >= 25
    assert {uid: last[uid].message for uid in said} == said
    # Among them those whose message changed as nodes were cordoned, got short of memory and stopped reporting.
    several = Counter(each.pod["metadata"]["uid"] for each in day().decisions if each.pod["metadata"]["uid"] in said)
    assert max(several.values()) >= 4


def test_a_day_that_does_not_lead_to_the_present_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_day, "_THERE_BEFORE", frozenset())

    with pytest.raises(DayError, match="backoffice"):
        recorded_day(objects(), lambda explanation, node: None)


@pytest.mark.django_db
def test_the_journal_holds_the_day_and_the_state_stays_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("demo")

    cluster = Cluster.objects.get()
    printed = capsys.readouterr().out
    assert "60 nodes" in printed
    assert f"{len(day().decisions)} decisions" in printed
    assert (cluster.revision, cluster.kube_version) == (1, "v1.34.1")
    # The only thing that the cluster lacks is the node that a pod was pinned to.
    assert [gap["kind"] for gap in cluster.gaps] == ["missing-node"]
    assert cluster.ingests.get().skipped == []
    assert (Pod.objects.count(), Pod.objects.filter(is_pending=True).count()) == (907, 36)
    rows = Decision.objects.filter(cluster=cluster)
    told = [(each.kind, each.pod["metadata"]["name"], each.node, each.attempts) for each in day().decisions]
    assert list(rows.order_by("pk").values_list("kind", "name", "node_name", "attempts")) == told
    assert set(rows.values_list("verdict", "reason")) == {("unjudged", "simulated")}
    for row in rows.filter(kind="bound"):
        document = known(row.explanation)
        assert document.nodes[row.node_name].rank == 1
    victim = known(rows.filter(kind="preempted").first())
    assert rows.filter(pod_uid=victim.preemptor_uid, name=victim.preemptor_name, kind="nominated").exists()
    assert [*NodeChange.objects.order_by("heard_at").values_list("kind", "node_name")[:3]] == [
        ("added", "general-a-10"),
        ("cordoned", "general-a-10"),
        ("removed", "general-a-10"),
    ]
    check_that_it_is_in_no_rate(cluster)
    check_that_there_is_a_day_of_usage(cluster)
    check_that_it_is_made_once_and_stays()
    assert "loaded already" in capsys.readouterr().out


def check_that_it_is_in_no_rate(cluster: Cluster) -> None:
    found = agreement([cluster.pk], now=timezone.now(), since=None)

    assert (found.judged, found.value) == (0, None)
    assert found.unjudged_reasons["simulated"] > 100


def check_that_there_is_a_day_of_usage(cluster: Cluster) -> None:
    sizing = known(sizing_of(cluster=cluster))

    assert UsageHour.objects.filter(cluster=cluster).count() == HOURS
    for state in (Sizing.OVER, Sizing.UNDER, Sizing.FITTING):
        assert any(each.has(state) for each in sizing.workloads)
    # Requests of the shop leave a third of what they ask for unused.
    assert sizing.freed.cpu_milli > sizing.requested.cpu_milli // 4
    assert len(newest_pods(cluster=cluster)) > 800


def check_that_it_is_made_once_and_stays() -> None:
    newest = Decision.objects.latest("pk").pk
    UsageHour.objects.all().delete()

    call_command("demo")
    prune(keep=timedelta(days=1))

    assert (Cluster.objects.get().revision, Ingest.objects.count()) == (1, 1)
    assert Decision.objects.latest("pk").pk == newest
    assert NodeChange.objects.count() == 9
    assert UsageHour.objects.count() == HOURS

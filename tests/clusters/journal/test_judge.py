"""Decisions are judged by the state just before them, or by one nearby that the scheduler may have had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError

from clusters.models import Cluster, Decision
from clusters.services.journal import judge as judging
from clusters.services.journal.judge import judge
from clusters.services.journal.states import steps_of
from clusters.services.journal.writing import Judgement, write_judgements
from tests.clusters.dumps import node, pod
from tests.clusters.journal.pods import Object, bound, refused
from tests.clusters.live_batches import row
from tests.support.answers import known
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.services.journal.ledger import PodFact
    from tests.clusters.journal.followed import Followed

pytestmark = pytest.mark.django_db(transaction=True)

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason


def large(name: str, cpu: str = "1", **spec: Any) -> Object:
    document = pod(name, **spec)
    document["spec"]["containers"][0]["resources"]["requests"]["cpu"] = cpu
    return document


@pytest.fixture
def two_nodes(follow: Callable[..., Followed]) -> Followed:
    return follow()


def test_a_placement_among_the_best_agrees(two_nodes: Followed) -> None:
    two_nodes.hear(large("a"), bound(large("a"), "n1"), large("b"), bound(large("b"), "n2"))

    second = two_nodes.judged("b")
    assert (second.verdict, second.reason, second.basis) == (
        Verdict.AGREES,
        "",
        {"state": "before", "ahead": 0, "behind": 0, "milliseconds": 0},
    )
    assert second.judged_at is not None
    document = known(second.explanation)
    # Computed with the first pod in place, and without the second.
    assert document.choice is not None
    assert (document.choice.count, document.choice.examples) == (1, ("n2",))
    assert document.choice.total == document.nodes["n2"].total
    either = two_nodes.judged("a")
    assert (either.verdict, either.reason) == (Verdict.AGREES, Reason.TIE)
    first = known(either.explanation)
    assert first.choice is not None
    assert first.choice.count == 2


def test_a_placement_that_scores_lower_disagrees(follow: Callable[..., Followed]) -> None:
    followed = follow(large("a", on="n1"))
    followed.hear(large("b"), bound(large("b"), "n1"))

    decision = followed.judged("b")
    assert (decision.verdict, decision.reason) == (Verdict.DISAGREES, Reason.LOWER_SCORE)
    document = known(decision.explanation)
    assert document.choice is not None
    assert (document.nodes["n1"].total or 0) < document.choice.total


def test_a_placement_where_nothing_fits_disagrees(two_nodes: Followed) -> None:
    two_nodes.hear(large("a", "9"), bound(large("a", "9"), "n1"))

    assert two_nodes.judged("a").reason == Reason.INFEASIBLE


def test_a_binding_that_failed_does_not_say_which_node_was_chosen(two_nodes: Followed) -> None:
    failed = 'running Bind plugin "DefaultBinder": pod %s is being deleted, cannot be assigned to a host'
    two_nodes.hear(
        large("a"), refused(large("a"), failed % "a"), large("b", "9"), refused(large("b", "9"), failed % "b")
    )

    # It was chosen among nodes that take it, as there are some, and where there is none none can have been.
    first, second = (two_nodes.judged(name, Kind.UNSCHEDULABLE) for name in "ab")
    assert (first.verdict, first.reason) == (Verdict.UNJUDGED, Reason.NO_DECISION)
    assert (second.verdict, second.reason) == (Verdict.DISAGREES, Reason.OTHER_MESSAGE)


def test_a_binding_that_overtook_another_agrees(two_nodes: Followed) -> None:
    """The scheduler put a on n1 and, knowing that, b on n2; b was written first."""
    two_nodes.hear(large("x", on="n1"), large("y", "2", on="n2"), large("a"), large("b"))
    two_nodes.hear(bound(large("b"), "n2"), bound(large("a", "3"), "n1"))

    decision = two_nodes.judged("b")
    assert decision.verdict == Verdict.AGREES
    assert decision.basis is not None
    assert (decision.basis["state"], decision.basis["ahead"], decision.basis["behind"]) == ("nearby", 1, 0)


def test_news_that_came_after_the_decision_is_left_out(two_nodes: Followed) -> None:
    cordoned = node("n1", spec={"unschedulable": True})
    two_nodes.hear(large("x", on="n2"), large("a"), cordoned, bound(large("a"), "n1"))

    decision = two_nodes.judged("a")
    assert decision.verdict == Verdict.AGREES
    assert decision.basis is not None
    assert (decision.basis["state"], decision.basis["behind"]) == ("nearby", 1)


def test_kinds_that_were_heard_of_apart_fall_into_place(two_nodes: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The node's watch was slower than the pods', but its version tells when it was."""
    # Three batches are written within these seconds.
    monkeypatch.setattr(judging, "_SETTLING", 1.5)
    two_nodes.hear(large("x", on="n2"), large("a"))
    two_nodes.write()
    two_nodes._version += 1
    two_nodes.hear(bound(large("a"), "n1"))
    two_nodes.write()
    two_nodes._version = 2
    two_nodes.hear(node("n1", status={"allocatable": {"cpu": "64", "memory": "64Gi", "pods": "110"}}))
    two_nodes._version = 4

    decision = two_nodes.judged("a")
    assert decision.basis is not None
    assert (decision.verdict, decision.basis["state"]) == (Verdict.AGREES, "before")
    assert decision.explanation is not None
    assert decision.explanation.choice is not None
    assert decision.explanation.choice.examples == ("n1",)


def test_a_refusal_is_compared_to_the_letter(two_nodes: Followed) -> None:
    said = (
        "0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, "
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )
    two_nodes.hear(large("a", "9"), refused(large("a", "9"), said))
    two_nodes.hear(large("b", "9"), refused(large("b", "9"), said.replace("cpu", "memory")))
    two_nodes.hear(large("c"), refused(large("c"), said))

    assert two_nodes.judged("a", Kind.UNSCHEDULABLE).verdict == Verdict.AGREES
    other = two_nodes.judged("b", Kind.UNSCHEDULABLE)
    assert (other.verdict, other.reason) == (Verdict.DISAGREES, Reason.OTHER_MESSAGE)
    assert other.explanation is not None
    assert other.explanation.message == said
    assert two_nodes.judged("c", Kind.UNSCHEDULABLE).reason == Reason.FITS


def test_a_preemptor_is_judged_by_its_nomination(two_nodes: Followed) -> None:
    for name, on in (("x", "n1"), ("y", "n2")):
        two_nodes.hear(large(name, "4", on=on, priority=5 if on == "n1" else 7))
    preemptor = large("a", "4", priority=10)
    two_nodes.hear(
        preemptor, refused(preemptor, "0/2 nodes are available: 2 Insufficient cpu.", nominatedNodeName="n1")
    )

    assert two_nodes.judged("a", Kind.NOMINATED).verdict == Verdict.AGREES
    assert two_nodes.judged("a", Kind.UNSCHEDULABLE).verdict == Verdict.AGREES


def test_an_extender_may_have_chosen_whom_a_pod_preempts(two_nodes: Followed) -> None:
    extender = {"urlPrefix": "", "preemptVerb": "preempt"}
    versioned = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    Cluster.objects.update(scheduler_configuration={**versioned, "extenders": [extender]})
    for name, on in (("x", "n1"), ("y", "n2")):
        two_nodes.hear(large(name, "4", on=on, priority=5 if on == "n1" else 7))
    preemptor = large("a", "4", priority=10)
    two_nodes.hear(
        preemptor, refused(preemptor, "0/2 nodes are available: 2 Insufficient cpu.", nominatedNodeName="n2")
    )

    decision = two_nodes.judged("a", Kind.NOMINATED)
    assert (decision.verdict, decision.reason) == (Verdict.UNJUDGED, Reason.EXTENDER)


def test_another_schedulers_pods_are_not_judged(two_nodes: Followed) -> None:
    theirs = large("a", schedulerName="volcano")
    two_nodes.hear(theirs, bound(theirs, "n1"))

    decision = two_nodes.judged("a")
    assert (decision.verdict, decision.reason) == (Verdict.UNJUDGED, Reason.OTHER_SCHEDULER)


def test_a_configuration_that_cannot_be_read_is_said(two_nodes: Followed) -> None:
    Cluster.objects.update(scheduler_configuration={"apiVersion": "kubescheduler.config.k8s.io/v9"})
    two_nodes.hear(large("a"), bound(large("a"), "n1"))

    assert two_nodes.judged("a").reason == Reason.CONFIGURATION


def test_after_a_list_judging_begins_anew(two_nodes: Followed) -> None:
    two_nodes._pending.replace("Node", {f"node-{name}": row(node(name)) for name in ("n1", "n2", "n3")}, {})
    two_nodes.hear(large("a"), bound(large("a"), "n1"))
    assert two_nodes.judged("a").reason == Reason.GAP

    wait_until(lambda: two_nodes.judge.is_ready, seconds=10, otherwise="the judge did not begin anew")
    two_nodes.hear(large("b"), bound(large("b"), "n3"))
    assert two_nodes.judged("b").verdict == Verdict.AGREES


def test_a_list_that_brings_nothing_new_is_no_gap(two_nodes: Followed) -> None:
    """As every list of a kind that is asked for again after a while, or that no rule reads."""
    job = {"kind": "Job", "metadata": {"name": "import", "namespace": "shop", "uid": "job"}}
    two_nodes._pending.replace("Node", {f"node-{name}": row(node(name)) for name in ("n1", "n2")}, {})
    two_nodes._pending.replace("ResourceClaim", {}, {})
    two_nodes._pending.replace("Job", {"job": row(job)}, {})
    two_nodes.hear(large("a"), bound(large("a"), "n1"))

    assert two_nodes.judged("a").verdict == Verdict.AGREES


def test_judgements_wait_for_the_database(two_nodes: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The edge is the database that does not answer; real ones are restarted in the watcher's tests."""
    answers = iter([OperationalError("locked"), OperationalError("locked")])

    def sometimes(**judgements: Any) -> None:
        for failure in answers:
            raise failure
        write_judgements(**judgements)

    monkeypatch.setattr("clusters.services.journal.judge.write_judgements", sometimes)
    two_nodes.hear(large("a"), bound(large("a"), "n1"))

    assert two_nodes.judged("a").verdict == Verdict.AGREES


def test_a_decision_that_cannot_be_judged_costs_no_other(
    two_nodes: Followed, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A defect that nobody knows of yet."""

    def broken(fact: PodFact, *rest: Any, **more: Any) -> Judgement:
        if fact.name == "a":
            raise ZeroDivisionError
        return judge(fact, *rest, **more)

    monkeypatch.setattr("clusters.services.journal.judge.judge", broken)
    two_nodes.hear(large("a"), bound(large("a"), "n1"), large("b"), bound(large("b"), "n2"))

    assert (two_nodes.judged("a").verdict, two_nodes.judged("a").reason) == (Verdict.UNJUDGED, Reason.ERROR)
    assert two_nodes.judged("b").verdict == Verdict.AGREES
    assert "The judgement of shop/a (bound) could not be computed" in caplog.text


def test_judging_that_failed_begins_anew(two_nodes: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    failures = iter([ZeroDivisionError()])

    def broken(*heard: Any, **more: Any) -> Any:
        for failure in failures:
            raise failure
        return steps_of(*heard, **more)

    monkeypatch.setattr("clusters.services.journal.judge.steps_of", broken)
    two_nodes.hear(large("a"), bound(large("a"), "n1"))
    assert two_nodes.judged("a").reason == Reason.GAP

    wait_until(lambda: two_nodes.judge.is_ready, seconds=10, otherwise="the judge did not begin anew")
    two_nodes.hear(large("b"), bound(large("b"), "n2"))
    assert two_nodes.judged("b").verdict == Verdict.AGREES


def test_a_disagreement_with_another_release_says_so(two_nodes: Followed) -> None:
    Cluster.objects.filter(pk=two_nodes.cluster.pk).update(kube_version="v1.40.1")
    two_nodes.hear(large("a"), bound(large("a"), "n1"))
    assert (two_nodes.judged("a").verdict, two_nodes.judged("a").reason) == (Verdict.AGREES, Reason.TIE)

    refused = {**large("b"), "spec": {**large("b")["spec"], "nodeSelector": {"none": "such"}}}
    two_nodes.hear(refused, bound(refused, "n2"))
    assert (two_nodes.judged("b").verdict, two_nodes.judged("b").reason) == (Verdict.DISAGREES, Reason.OTHER_RELEASE)


def test_what_is_not_computed_may_have_decided(two_nodes: Followed) -> None:
    claims = [{"name": "gpu", "resourceClaimName": "gpu"}]
    said = "0/2 nodes are available: 2 cannot allocate all claims."
    two_nodes.hear(large("a", resourceClaims=claims), refused(large("a", resourceClaims=claims), said))
    two_nodes.hear(large("b", "9", resourceClaims=claims), bound(large("b", "9", resourceClaims=claims), "n1"))

    refusal, placement = two_nodes.judged("a", Kind.UNSCHEDULABLE), two_nodes.judged("b")

    assert (refusal.verdict, refusal.reason) == (Verdict.UNJUDGED, Reason.UNKNOWN_PLUGIN)
    # No plugin opens a node that another rejects.
    assert (placement.verdict, placement.reason) == (Verdict.DISAGREES, Reason.UNKNOWN_PLUGIN)

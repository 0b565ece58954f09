"""What pages of simulations say, beside what their other tests read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.documents.stored_problems import encoded
from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.problems import Quoted
from clusters.engine.simulation.case import Outcome, Step, VictimsWait
from clusters.engine.simulation.problems import AwaitsOrdinal
from clusters.models import SimulationRun, Study
from clusters.wording.runs.progress import STEP_NODE
from dashboard.forms.runs.settings import packed
from dashboard.limits import computing as ordering
from dashboard.pictures.specs import TrendSpec
from dashboard.pictures.verdict_map.spec import MapMark
from dashboard.presenters.runs.compare import sentence, verdict_sentence
from dashboard.presenters.runs.steps import figures, kept_rooms, neighbours, step_marks, step_sentence, step_verdict
from dashboard.presenters.runs.summary import fragmentation
from dashboard.views import run
from tests.dashboard.test_runs import LOST, MORE, done, ordered
from tests.engine.builders import a_node, a_pod
from tests.support.mirrored import words_of

if TYPE_CHECKING:
    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NOWHERE = "shop/a fits on 0 of 3 nodes."
NOT_BOUND = 'running PreBind plugin "DynamicResources": create claim for extended resources shop/: exceeded quota'


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step(0, 0, Outcome.EVICTED, "shop/a", "n", by="m"), "shop/a is evicted from n for the drain of m."),
        (Step(0, 0, Outcome.EVICTED, "shop/a", "n", by="x/k:NoExecute"), "shop/a is evicted from n by the taint x/k:"),
        (Step(0, 0, Outcome.EVICTED, "shop/a", "n", by="shop/b"), "shop/a is moved from n for shop/b."),
        (
            Step(0, 0, Outcome.EVICTED, "shop/a", "n", 250),
            "shop/a is moved from n (250 points) to a node with over 100 more.",
        ),
        (
            Step(0, 0, Outcome.UNSCHEDULABLE, "shop/a", "n", looked_at=3, waits=VictimsWait(30, 2)),
            f"{NOWHERE} Preemption nominates it to n. 2 victims terminate within 30 s.",
        ),
        (
            Step(0, 0, Outcome.UNSCHEDULABLE, "shop/a", plugins=("DynamicResources",), message=NOT_BOUND),
            "shop/a is not bound: a quota refuses its ResourceClaim.",
        ),
        (Step(0, 0, Outcome.DELETED, "shop/a", "n"), "shop/a is deleted from n, as its Job has failed."),
        (
            Step(0, 0, Outcome.PREEMPTED, "shop/a", "n", by="shop/b", grace=30),
            "shop/a is preempted on n by shop/b. It terminates for 30 s.",
        ),
        (Step(0, 0, Outcome.TERMINATED, "shop/a", "n"), "shop/a is gone from n."),
        (Step(0, 0, Outcome.DELETED, "shop/a"), "shop/a is deleted, as its Job has failed."),
        (Step(0, 0, Outcome.FORBIDDEN, "shop/a-1", problem=AwaitsOrdinal("shop/a", "a-0")), "shop/a-1 is not created."),
        (
            Step(0, 0, Outcome.UNSCHEDULABLE, "shop/a", "n", looked_at=3, waits=VictimsWait(0, 1)),
            f"{NOWHERE} Preemption nominates it to n. 1 victim terminates at once.",
        ),
    ],
)
def test_why_a_pod_leaves_its_node_or_waits_for_others_to_do_so_is_said(step: Step, said: str) -> None:
    assert step_sentence(step).startswith(said)


def test_failures_are_pods_without_a_node_and_refusals() -> None:
    outcomes = [
        Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.PREEMPTED, Outcome.PLACED, Outcome.EVICTED, Outcome.FORBIDDEN,
        Outcome.REFUSED, Outcome.COMPLETED,
    ]  # fmt: skip
    steps = [Step(number, 0, outcome, "shop/a") for number, outcome in enumerate(outcomes)]

    assert [neighbours(steps, number) for number in range(len(steps))] == [
        (None, 1), (None, 5), (1, 5), (1, 5), (1, 5), (1, 6), (5, None), (6, None),
    ]  # fmt: skip


def test_the_node_of_a_step_stands_out() -> None:
    placed, nominated = (Step(0, 0, each, "shop/a", "n") for each in (Outcome.PLACED, Outcome.UNSCHEDULABLE))

    assert step_marks(placed, ("m", "n")) == (MapMark("own", str(STEP_NODE), 1),)
    assert step_marks(nominated, ("m", "n")) == (MapMark("nominated", str(STEP_NODE), 1),)
    assert step_marks(placed, ("m",)) == step_marks(Step(0, 0, Outcome.PLACED, "shop/a"), ("m",)) == ()


def test_an_order_that_fails_is_to_be_changed_and_not_to_go_on(shop: Cluster, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, MORE)
    failed = SimulationRun.objects.filter(pk=run.pk)
    wrong = {"field": "changes[0].name", "problem": encoded(Quoted("It is gone.", "Name another one."))}
    failed.update(state=SimulationRun.State.FAILED, error=wrong)
    of_order = signed_in_client.get(f"/simulations/{run.pk}/").text
    failed.update(error={**wrong, "field": ""})
    of_workers = signed_in_client.get(f"/simulations/{run.pk}/").text

    assert ("changes[0].name" in of_order, ">Resume<" in of_order) == (True, False)
    assert ">Resume<" in of_workers
    assert "Change and run again" in of_order


def test_large_simulations_are_compared_after_their_page_stands(
    shop: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = (done(signed_in_client, *changes, title="Mine") for changes in ((MORE,), (MORE, LOST)))
    # Of one title, they are told apart by their numbers.
    names = f"run {left.pk}: Mine", f"run {right.pk}: Mine"
    page = f"/simulations/compare/?left={left.pk}&right={right.pk}"
    monkeypatch.setattr(run, "_MOST_AT_ONCE", 1)

    first = signed_in_client.get(page)
    rest = signed_in_client.get(page, headers={"HX-Request": "true", "HX-Target": "compared"})

    reason = "Right: there is no node b1."
    assert (reason in first.text, reason in rest.text) == (False, True)
    assert f"10 with “{names[0]}”, 18 with “{names[1]}”" in first.text
    verdict = verdict_sentence(left, right, names)
    assert verdict == f"{sentence(left, right, names)} Empty nodes: ±0."
    assert verdict in words_of(first.text).partition("Different inputs")[0]
    assert right.summary is not None
    right.summary["after"]["cluster"]["empty"] += 2
    assert verdict_sentence(left, right, names).endswith(" Empty nodes: +2.")


def test_nobody_queues_without_end(shop: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ordered(signed_in_client, MORE)
    monkeypatch.setattr(ordering, "MOST_WAITING", 1)
    more = {"changes": packed([MORE]), "seed": "0", "start": "1"}
    room = {"ask": "headroom", "headroom-sizes": "500m 1Gi"}

    answers = [
        signed_in_client.post("/clusters/shop/simulations/new", more),
        signed_in_client.post(f"/simulations/{run.pk}/again/", {"seed": "5"}, follow=True),
        signed_in_client.post(f"/simulations/{run.pk}/sweep/", {"sweep-built_in": ["as-is"]}),
        signed_in_client.post("/clusters/shop/headroom/", room),
    ]

    refused = "Your unfinished simulations, parts of studies and reviews: 1."
    assert [refused in each.text for each in answers] == [True] * 4
    assert (SimulationRun.objects.count(), Study.objects.count()) == (1, 0)


def test_charts_tell_of_the_peak_between_two_ends() -> None:
    points = [
        {"at": 0, "step": number, "pending": 0, "requested": {"cpu": requested}, "zones": {}}
        for number, requested in enumerate((0, 340, 0))
    ]
    series = {"resources": ["cpu"], "allocatable": {"cpu": 1000}, "zones": {}, "points": points}

    (figure,) = figures({"series": series}, "/{}".format)

    assert figure.summary == "Requested: CPU 0 % to 0 % (peak 34 %)."
    assert isinstance(figure.spec, TrendSpec)
    assert list(figure.spec.series[0].values) == [0, 34, 0]
    assert figure.address == "/requested"
    assert list(figure.rows) == [("1", "0\u00a0%"), ("2", "34\u00a0%"), ("3", "0\u00a0%")]


def test_room_that_is_kept_for_a_nominated_pod_is_told() -> None:
    snapshot = Snapshot.from_objects(
        [
            {"kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "1", "pods": "9"}}},
            {**_pod("high", priority=9), "status": {"nominatedNodeName": "a"}},
        ]
    )
    profiles = SchedulerConfiguration.default()
    low, highest = _pod("low", priority=1), _pod("highest", priority=10)

    told = [kept_rooms(explain(snapshot, pod, profiles.profile_for(pod))) for pod in (low, highest)]

    assert told == [["Capacity on a counts as used for the nominated shop/high."], []]


def _pod(name: str, *, priority: int) -> dict[str, Any]:
    container = {"name": "main", "resources": {"requests": {"cpu": "1"}}}
    spec = {"containers": [container], "priority": priority, "schedulerName": "default-scheduler"}
    return {"kind": "Pod", "metadata": {"name": name, "namespace": "shop"}, "spec": spec}


def test_a_pod_that_was_not_bound_is_unschedulable_although_it_fits() -> None:
    explanation = explain(Snapshot.from_objects([a_node("n")]), a_pod(), SchedulerConfiguration.default().profiles[0])

    assert step_verdict(Step(0, 0, Outcome.PLACED, "shop/a", "n"), explanation) == ("fits", "Fits", None)
    failed = Step(0, 0, Outcome.UNSCHEDULABLE, "shop/a", message=NOT_BOUND)
    assert step_verdict(failed, explanation) == ("rejected", "Unschedulable", NOT_BOUND)


@pytest.mark.parametrize(
    ("is_whole", "said"),
    [
        (True, "20 more on 7 nodes."),
        (False, "At least 20 more."),
    ],
)
def test_pods_that_were_counted_up_to_a_bound_are_at_least_as_many(*, is_whole: bool, said: str) -> None:
    room = {"requests": {"cpu": 1000}, "pods": 20, "nodes": 7, "free": {"cpu": 1}, "unusable": {"cpu": 0}}

    (found,) = fragmentation({"after": {"cluster": {"fragmentation": [{**room, "is_whole": is_whole}]}}})

    assert found[1] == said

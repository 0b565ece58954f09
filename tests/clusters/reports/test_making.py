"""The life of a review: ordered, written, given up, kept and removed; and the weekly ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django.db.models.signals import post_save
from django.utils import timezone

from clusters import tasks
from clusters.models import CapacitySample, Cluster, Report, ReportSchedule, SimulationRun
from clusters.models.run import Lane
from clusters.services import reports, runs
from clusters.services.lanes import TASK, resume, send_all
from clusters.services.reports import making, making as writing
from clusters.services.reports.making import KeptError, next_time, refuse_kept, runs_of
from clusters.services.reports.order import DEFAULT_SHAPES, SECTIONS, OrderError, Shape, read_order
from clusters.services.runs import keeping
from clusters.services.runs.starting import stored_run
from dashboard.celery import app
from tests.clusters.dumps import node
from tests.clusters.reports.review_cluster import review_cluster, section
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.contrib.auth.models import User


pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")
ORDER = {"cluster": "harbour", "title": "Spring", "sections": ["utilisation", "recommendations"]}


@pytest.fixture
def harbour(tmp_path: Path) -> Cluster:
    return review_cluster(tmp_path)


def done_run(cluster: Cluster) -> SimulationRun:
    cluster.refresh_from_db()
    gone = {"change": "remove-nodes", "nodes": ["n2"]}
    spec = runs.read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [gone]})
    run = stored_run(cluster=cluster, spec=spec, title="Without n2", user=None)
    runs.work(run.pk)
    run.refresh_from_db()
    return run


def prune_runs_of_others() -> int:
    return keeping.prune(spared=reports.linked_runs())


def test_review_is_written_and_goes_with_its_simulations(harbour: Cluster, user: User) -> None:
    report = reports.stored_report(order=ORDER, user=user)
    reports.write(report.pk)

    report.refresh_from_db()
    assert (report.state, report.title, report.cluster, report.error) == (Report.State.DONE, "Spring", harbour, None)
    document = report.document
    assert document is not None
    assert document["made_by"] == user.get_username()
    assert section(document, "recommendations")["facts"]["made"]
    made = SimulationRun.objects.filter(created_by=user, is_of_review=True)
    titles = set(made.values_list("title", flat=True))
    assert f"Review {report.pk} of harbour: shop/web allows one eviction" in titles

    # However old they are, they stay as long as the review links to them.
    SimulationRun.objects.update(finished_at=timezone.now() - timedelta(days=4000))
    assert prune_runs_of_others() == 0
    reports.delete_report(report)
    assert not SimulationRun.objects.exists()


def test_simulations_that_no_review_refers_to_go_after_a_day(harbour: Cluster) -> None:
    reports.write(reports.stored_report(order=ORDER, user=None).pk)
    # As a worker leaves behind that dies over a review, and as one has that still writes.
    lost, fresh = done_run(harbour), done_run(harbour)
    SimulationRun.objects.filter(pk__in=(lost.pk, fresh.pk)).update(is_of_review=True)
    SimulationRun.objects.exclude(pk=fresh.pk).update(finished_at=timezone.now() - timedelta(days=2))

    assert prune_runs_of_others() == 1

    left = frozenset(SimulationRun.objects.values_list("pk", flat=True))
    assert left == reports.linked_runs() | {fresh.pk}


def test_it_is_recorded_how_many_sections_are_written(harbour: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    report = reports.stored_report(order=ORDER, user=None)
    # What a worker that died left.
    Report.objects.filter(pk=report.pk).update(sections_done=2)
    seen = []

    def written(key: str) -> Callable[..., dict[str, object]]:
        def section(*_: object) -> dict[str, object]:
            seen.append(Report.objects.get(pk=report.pk).sections_done)
            return {"key": key, "facts": {"made": []}, "tables": []}

        return section

    for key in ("utilisation", "recommendations"):
        monkeypatch.setattr(writing, key, written(key))
    reports.write(report.pk)

    assert seen == [0, 1]
    report.refresh_from_db()
    assert report.sections_done == 2


def test_review_that_is_removed_while_it_is_written_leaves_nothing(
    harbour: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = reports.stored_report(order=ORDER, user=None)
    monkeypatch.setattr(making, "_SECONDS_BETWEEN_LOOKS", 0.0)

    def remove(sender: object, **_: object) -> None:
        Report.objects.filter(pk=report.pk).delete()

    # As soon as there is a simulation.
    post_save.connect(remove, sender=SimulationRun)
    try:
        reports.write(report.pk)
    finally:
        post_save.disconnect(remove, sender=SimulationRun)

    assert not Report.objects.exists()
    assert not SimulationRun.objects.exists()


def test_review_of_a_run_is_about_its_end(harbour: Cluster) -> None:
    run = done_run(harbour)
    report = reports.stored_report(order={"run": run.pk}, user=None)
    reports.write(report.pk)

    report.refresh_from_db()
    assert report.state == Report.State.DONE, report.error
    document = report.document
    assert document is not None
    assert document["run"] == {"id": run.pk, "title": "Without n2"}
    keys = [each["key"] for each in document["sections"]]
    assert keys == ["run", "utilisation", "stranded", "headroom", "spread", "maintenance", "pending"]
    assert section(document, "utilisation")["facts"]["nodes"]["total"] == 3
    # The run itself was not made for the review.
    reports.delete_report(report)
    assert SimulationRun.objects.filter(pk=run.pk).exists()


@pytest.mark.parametrize(
    ("order", "field"),
    [({"cluster": "nowhere"}, "cluster"), ({"cluster": "unread"}, "cluster"), ({"run": 99}, "run")],
)
def test_order_about_nothing_is_refused(order: dict[str, object], field: str) -> None:
    Cluster.objects.create(name="unread")
    with pytest.raises(OrderError) as raised:
        reports.stored_report(order=order, user=None)
    assert raised.value.field == field


def test_run_that_is_not_done_is_refused(harbour: Cluster) -> None:
    harbour.refresh_from_db()
    spec = runs.read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": []})
    run = stored_run(cluster=harbour, spec=spec, title="Later", user=None)
    with pytest.raises(OrderError, match="SimulationUnfinished"):
        reports.stored_report(order={"run": run.pk}, user=None)


def test_run_that_was_deleted_meanwhile_is_told(harbour: Cluster) -> None:
    run = done_run(harbour)
    report = reports.stored_report(order={"run": run.pk}, user=None)
    runs.delete(run)
    reports.write(report.pk)
    report.refresh_from_db()
    assert report.state == Report.State.FAILED
    assert report.error == {
        "problem": {"kind": "NoSuchName", "found": str(run_number(report)), "known": [], "total": 0},
        "field": "run",
    }


def run_number(report: Report) -> int:
    return int(report.order["run"])


@pytest.mark.parametrize(
    "more",
    [
        {"notes": "a\0b\ud800"},
        {"shapes": [{"name": "web", "like": {"kind": "Deployment\0", "namespace": "a", "name": "b"}}]},
        {"shapes": [{"name": "web", "resources": {"a.io/b\0": 1}}]},
    ],
)
def test_what_no_database_takes_is_left_out_of_a_kept_order(harbour: Cluster, more: dict[str, object]) -> None:
    report = reports.stored_report(order={"cluster": "harbour", "sections": ["spread"], **more}, user=None)
    reports.write(report.pk)
    report.refresh_from_db()
    assert report.state == Report.State.DONE, report.error
    assert "\0" not in str(report.order)


def test_only_one_worker_writes(harbour: Cluster) -> None:
    report = reports.stored_report(order=ORDER, user=None)
    Report.objects.update(state=Report.State.RUNNING, heartbeat_at=timezone.now())
    reports.write(report.pk)
    report.refresh_from_db()
    assert report.document is None


def test_configuration_that_cannot_be_read_is_told(harbour: Cluster) -> None:
    Cluster.objects.update(chosen_configuration={"profiles": 3})
    report = reports.stored_report(order=ORDER, user=None)
    reports.write(report.pk)
    report.refresh_from_db()
    assert report.state == Report.State.FAILED
    assert report.error is not None
    assert report.error["problem"]["kind"] == "Missing"
    assert report.error["field"] == "configuration.apiVersion"


def test_abandoned_reviews_are_written_by_another_worker(harbour: Cluster) -> None:
    long_ago = timezone.now() - timedelta(hours=1)
    order = {"cluster": "harbour", "sections": ["spread"]}
    dead, killer = (reports.stored_report(order=order, user=None) for _ in range(2))
    Report.objects.filter(pk=dead.pk).update(state=Report.State.RUNNING, begun=1, heartbeat_at=long_ago)
    Report.objects.filter(pk=killer.pk).update(state=Report.State.RUNNING, begun=3, heartbeat_at=long_ago)

    assert resume() == 1
    reports.write(dead.pk)

    dead.refresh_from_db()
    killer.refresh_from_db()
    assert (dead.state, dead.begun) == (Report.State.DONE, 2)
    assert (killer.state, bool(killer.finished_at)) == (Report.State.FAILED, True)
    assert killer.error is not None
    assert killer.error["problem"] == {"kind": "WorkersEnded", "workers": 3}


def test_review_that_was_taken_over_leaves_the_simulations_of_the_second_alone(
    harbour: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one is taken for dead after its first simulation, and wakes up when the second is done."""
    report = reports.stored_report(order=ORDER, user=None)
    monkeypatch.setattr(making, "_SECONDS_BETWEEN_LOOKS", 0.0)

    def take_over(sender: object, **_: object) -> None:
        post_save.disconnect(take_over, sender=SimulationRun)
        Report.objects.filter(pk=report.pk).update(state=Report.State.QUEUED, worker="")
        reports.write(report.pk)

    post_save.connect(take_over, sender=SimulationRun)
    reports.write(report.pk)

    report.refresh_from_db()
    assert (report.state, report.begun) == (Report.State.DONE, 2)
    assert frozenset(SimulationRun.objects.values_list("pk", flat=True)) == reports.linked_runs()


def test_who_orders_many_reviews_loses_only_the_own_oldest(harbour: Cluster, user: User) -> None:
    many = [Report(cluster=harbour, title="old", order={}, created_by=user) for _ in range(making.MOST_KEPT)]
    others = Report.objects.create(cluster=harbour, title="another's", order={}, created_by=None)
    Report.objects.bulk_create(many)

    reports.stored_report(order={"cluster": "harbour"}, user=user)

    assert Report.objects.filter(pk=others.pk).exists()
    assert Report.objects.filter(created_by=user).count() == making.MOST_KEPT


def test_what_has_expired_is_removed(harbour: Cluster) -> None:
    now = timezone.now()
    for expires_at in (None, now - timedelta(seconds=1), now + timedelta(days=1)):
        reports.stored_report(order=ORDER, user=None, expires_at=expires_at)
    assert reports.prune() == 1
    assert Report.objects.count() == 2


@pytest.mark.parametrize(
    ("weekday", "hour", "after", "expected"),
    [
        # A Thursday; the next Monday at 8, in winter.
        (0, 8, "2026-03-05T12:00:00Z", "2026-03-09T07:00:00Z"),
        # Clocks go forward on Sunday, 29 March: the same hour is an hour earlier.
        (0, 8, "2026-03-26T12:00:00Z", "2026-03-30T06:00:00Z"),
        # 02:00 does not exist that Sunday.
        (6, 2, "2026-03-27T12:00:00Z", "2026-03-29T01:00:00Z"),
        # 02:00 comes twice on 25 October: the first time counts, and once it is over, the next week.
        (6, 2, "2026-10-24T12:00:00Z", "2026-10-25T00:00:00Z"),
        (6, 2, "2026-10-25T00:00:00Z", "2026-11-01T01:00:00Z"),
        # It is that hour now: the next one is in a week.
        (3, 13, "2026-03-05T12:00:00Z", "2026-03-12T12:00:00Z"),
        # Later today, which is another day in UTC.
        (5, 0, "2026-07-03T21:59:59Z", "2026-07-03T22:00:00Z"),
    ],
)
def test_next_time_keeps_the_hour_of_the_zone(weekday: int, hour: int, after: str, expected: str) -> None:
    found = next_time(weekday, hour, datetime.fromisoformat(after), BERLIN)
    assert found == datetime.fromisoformat(expected)
    assert found.tzinfo is UTC


def test_schedule_orders_what_is_due_once(harbour: Cluster, user: User) -> None:
    schedule = reports.create_schedule(
        cluster=harbour, order={"title": "Weekly"}, weekday=0, hour=8, keep_days=30, user=user
    )
    assert reports.make_due() == 0
    # Berth slept for three weeks.
    ReportSchedule.objects.update(next_at=timezone.now() - timedelta(weeks=3))

    assert (reports.make_due(), reports.make_due()) == (1, 0)
    report = Report.objects.get()
    assert (report.schedule, report.title, report.created_by) == (schedule, "Weekly", user)
    assert report.expires_at is not None
    assert timedelta(days=29) < report.expires_at - timezone.now() < timedelta(days=31)
    schedule.refresh_from_db()
    assert schedule.next_at > timezone.now()
    reports.delete_schedule(schedule)
    assert Report.objects.get().schedule is None


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"weekday": 7}, "weekday"),
        ({"hour": -1}, "hour"),
        ({"keep_days": 0}, "keep_days"),
        ({"order": {"period": {"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"}}}, "period"),
        ({"order": {"colour": "red"}}, "colour"),
    ],
)
def test_schedule_that_makes_no_sense_is_refused(harbour: Cluster, changed: dict[str, object], field: str) -> None:
    given = {"order": {}, "weekday": 0, "hour": 8, "keep_days": 30, **changed}
    with pytest.raises(OrderError) as raised:
        reports.create_schedule(cluster=harbour, user=None, **given)  # type: ignore[arg-type]
    assert raised.value.field == field


def test_tasks_write_tend_and_sample(harbour: Cluster) -> None:
    report = reports.stored_report(order={"cluster": "harbour", "sections": ["spread"]}, user=None)
    send_all(Report, [report.pk])
    tasks.take_turn(Lane.SIMULATIONS.value)
    report.refresh_from_db()
    assert report.state == Report.State.DONE

    Report.objects.update(expires_at=timezone.now())
    tasks.tend_reports()
    assert not Report.objects.exists()

    CapacitySample.objects.all().delete()
    tasks.sample_capacity()
    assert CapacitySample.objects.filter(cluster=harbour).exists()


def test_beat_knows_the_tasks() -> None:
    planned = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert {tasks.tend_reports.name, tasks.sample_capacity.name} <= planned
    assert tasks.take_turn.name == TASK


def test_a_run_is_kept_as_long_as_the_review_that_it_is_of_or_that_links_to_it(harbour: Cluster) -> None:
    run = done_run(harbour)
    # Whenever it was simulated, it tells of what it began with.
    SimulationRun.objects.update(finished_at=timezone.now() + timedelta(days=3))
    of_run = reports.stored_report(order={"run": run.pk, "sections": ["run"]}, user=None)
    of_cluster = reports.stored_report(order=ORDER, user=None)
    for report in (of_run, of_cluster):
        reports.write(report.pk)
        report.refresh_from_db()
    assert of_run.document is not None
    assert of_cluster.document is not None
    assert of_run.title == of_run.document["title"] == "Capacity review of harbour: Without n2"
    assert of_run.document["as_of"] == of_run.document["period"]["to"] == of_cluster.document["as_of"]

    for kept_by, number in ((of_run, run.pk), (of_cluster, runs_of(of_cluster.document)[0])):
        kept = SimulationRun.objects.get(pk=number)
        with pytest.raises(KeptError, match=f"“{kept_by.title}” .{kept_by.pk}"):
            refuse_kept(kept)
    reports.delete_report(of_run)
    refuse_kept(run)


def test_review_of_a_run_counts_what_nodes_keep_for_the_system(tmp_path: Path) -> None:
    reserving = node("n1")
    reserving["status"] = {**reserving["status"], "capacity": {"cpu": "5", "memory": "10Gi", "pods": "110"}}
    cluster = load(tmp_path, "reserving", [reserving])
    more = {"change": "add-nodes", "count": 2, "like": "n1"}
    spec = runs.read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [more]})
    run = stored_run(cluster=cluster, spec=spec, title="Two more", user=None)
    runs.work(run.pk)
    report = reports.stored_report(order={"run": run.pk}, user=None)

    reports.write(report.pk)

    report.refresh_from_db()
    assert report.document is not None
    cpu = section(report.document, "utilisation")["facts"]["resources"]["cpu"]
    assert (cpu["capacity"], cpu["allocatable"]) == (15_000, 12_000)


AS_OF = datetime(2026, 3, 2, tzinfo=UTC)


def test_everything_has_a_default() -> None:
    order = read_order({"cluster": "demo"})

    assert (order.title, order.sections, order.shapes) == ("", SECTIONS, DEFAULT_SHAPES)
    assert order.period(AS_OF) == (datetime(2026, 2, 2, tzinfo=UTC), AS_OF)


def test_everything_can_be_said() -> None:
    order = read_order(
        {
            "version": 1,
            "run": 7,
            "title": "  Spring ",
            "period": {"from": "2026-01-01T00:00:00+01:00", "to": "2026-02-01T00:00:00Z"},
            "notes": "One\r\ntwo\x00\tthree",
            "sections": ["spread", "utilisation"],
            "shapes": [
                {"name": "gpu", "cpu": "500m", "memory": "1Gi", "resources": {"nvidia.com/gpu": 1}},
                {"name": "web", "like": {"kind": "Deployment", "namespace": "shop", "name": "web"}},
            ],
            "prices": {"currency": "eur", "cpu_hour": "0.031", "memory_gib_hour": 0.004},
        }
    )

    assert (order.run, order.cluster, order.title, order.notes) == (7, None, "Spring", "One\ntwo\ufffd    three")
    assert order.sections == ("utilisation", "spread")
    assert order.shapes[0].requests == {"cpu": 500, "memory": 1024**3, "nvidia.com/gpu": 1}
    assert order.shapes[1] == Shape("web", like=("Deployment", "shop", "web"))
    assert order.prices is not None
    assert (order.prices.currency, order.prices.memory_gib_hour) == ("EUR", Decimal("0.004"))
    assert order.period(AS_OF)[0] == datetime(2025, 12, 31, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("order", "field"),
    [
        ([], ""),
        ({}, "cluster"),
        ({"cluster": "a", "run": 1}, "cluster"),
        ({"cluster": 3}, "cluster"),
        ({"run": True}, "run"),
        ({"run": 2**80}, "run"),
        ({"cluster": "a", "colour": "red"}, "colour"),
        ({"cluster": "a", "version": 2}, "version"),
        ({"cluster": "a", "title": "x" * 201}, "title"),
        ({"cluster": "a", "title": "a\nb"}, "title"),
        ({"cluster": "a", "notes": "é" * 10_001}, "notes"),
        ({"cluster": "a", "period": {"days": 0}}, "period.days"),
        ({"cluster": "a", "period": {"days": 3, "to": "x"}}, "period"),
        ({"cluster": "a", "period": {"from": "2026-01-01T00:00:00Z"}}, "period.to"),
        ({"cluster": "a", "period": {"from": "2026-01-01T00:00:00", "to": "2026-01-02T00:00:00Z"}}, "period.from"),
        ({"cluster": "a", "period": {"from": "2026-01-02T00:00:00Z", "to": "2026-01-02T00:00:00Z"}}, "period.to"),
        ({"cluster": "a", "sections": []}, "sections"),
        ({"cluster": "a", "sections": ["run", "cost"]}, "sections"),
        ({"run": 1, "sections": ["trend", "agreement"]}, "sections"),
        ({"cluster": "a", "sections": ["spread", {}]}, "sections[1]"),
        ({"cluster": "a", "shapes": [{"name": "a", "cpu": "1"}] * 2}, "shapes[1].name"),
        ({"cluster": "a", "shapes": [{"name": "a"}]}, "shapes[0]"),
        ({"cluster": "a", "shapes": [{"name": "a", "cpu": "1K"}]}, "shapes[0].cpu"),
        ({"cluster": "a", "shapes": [{"name": "a", "cpu": "-1"}]}, "shapes[0].cpu"),
        ({"cluster": "a", "shapes": [{"name": "a", "resources": {"gpu": 1}}]}, "shapes[0].resources.gpu"),
        ({"cluster": "a", "shapes": [{"name": "a", "like": {"kind": "Job"}}]}, "shapes[0].like"),
        ({"cluster": "a", "prices": {"currency": "€"}}, "prices.currency"),
        ({"cluster": "a", "prices": {"currency": "EUR", "cpu_hour": "NaN"}}, "prices.cpu_hour"),
        (
            {"cluster": "a", "prices": {"currency": "EUR", "cpu_hour": 1, "memory_gib_hour": -1}},
            "prices.memory_gib_hour",
        ),
    ],
)
def test_what_is_wrong_is_named(order: Any, field: str) -> None:
    with pytest.raises(OrderError) as raised:
        read_order(order)

    assert raised.value.field == field

"""None"""

from __future__ import annotations

import json
import zipfile
from datetime import timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from clusters.models import Cluster, Report, ReportSchedule, SimulationRun
from dashboard.limits import computing as ordering
from dashboard.reports.data_files import schema
from dashboard.reports.markdown import markdown_of
from tests.clusters.reports.review_cluster import review_cluster
from tests.dashboard.reports.documents import HOSTILE, a_document
from tests.dashboard.rows import a_cluster, allow_changes
from tests.support.mirrored import text

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from pytest_django import DjangoAssertNumQueries


NEW = "/clusters/prod/reviews/new"
FORM = {
    "about": "cluster",
    "title": "November",
    "period": "28",
    "sections": ["utilisation", "headroom"],
    "shapes": "web: cpu=500m memory=1Gi\n\nlike it: like Deployment shop/web",
    "notes": "Look at zone a.",
    "weekday": "2",
    "hour": "7",
    "keep_days": "90",
}


@pytest.fixture
def cluster(db: None) -> Cluster:
    return a_cluster("prod")


def a_review(cluster: Cluster, user: User | None, state: Report.State = Report.State.DONE, **fields: Any) -> Report:
    report = Report(cluster=cluster, title="November", order={"period": {"days": 28}}, state=state, created_by=user)
    for name, value in fields.items():
        setattr(report, name, value)
    if state == Report.State.DONE:
        report.document = fields.get("document") or a_document()
    report.save()
    return report


def a_schedule(cluster: Cluster, user: User) -> ReportSchedule:
    return ReportSchedule.objects.create(
        cluster=cluster,
        title="Weekly",
        order={},
        weekday=0,
        hour=6,
        created_by=user,
        next_at=timezone.now() + timedelta(days=2),
    )


@pytest.fixture
def ordered(
    signed_in_client: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> Callable[..., list[int]]:
    """Return what sends the form, with changes, and returns the reviews that a worker is told of."""
    sent: list[int] = []
    monkeypatch.setattr("clusters.services.reports.making.send_all", lambda model, keys: sent.extend(keys))

    def order(**changes: Any) -> list[int]:
        with django_capture_on_commit_callbacks(execute=True):
            signed_in_client.post(NEW, {**FORM, **changes})
        return sent

    return order


def somebody_else() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("visitor"))
    return client


# -- the list ----------------------------------------------------------------------------------------------------------


def test_reviews_and_schedules_are_listed(signed_in_client: Client, user: User, cluster: Cluster) -> None:
    a_schedule(cluster, user)
    done = a_review(cluster, user)
    a_review(cluster, None, Report.State.RUNNING)
    said = text(signed_in_client, "/clusters/prod/reviews/")
    html = signed_in_client.get("/clusters/prod/reviews/").content.decode()

    assert "2 reviews are kept. Next: " in said
    assert "every Monday at 06:00" in said
    assert "Running" in said
    assert "terminal or removed user" in said
    for form in ("pdf", "html", "markdown", "csv", "json"):
        assert html.count(f'href="/reviews/{done.pk}/{form}"') == 1
    assert html.count("/pdf") == 1


def test_longer_lists_ask_no_more_of_the_database(
    signed_in_client: Client, user: User, cluster: Cluster, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    run = SimulationRun.objects.create(cluster=cluster, title="A run", spec={}, state="done")
    for _ in range(2):
        a_review(cluster, user, run=run)
        a_schedule(cluster, user)
    with django_assert_num_queries(7) as few:
        signed_in_client.get("/clusters/prod/reviews/")
    for _ in range(8):
        a_review(cluster, user, run=run)
        a_schedule(cluster, user)
    with django_assert_num_queries(len(few)):
        signed_in_client.get("/clusters/prod/reviews/")


# -- ordering ----------------------------------------------------------------------------------------------------------


def test_the_form_offers_defaults_and_the_runs_that_are_done(signed_in_client: Client, cluster: Cluster) -> None:
    run = SimulationRun.objects.create(cluster=cluster, title="50 more", spec={}, state="done")
    going = SimulationRun.objects.create(cluster=cluster, title="Going on", spec={}, state="running")
    html = signed_in_client.get(f"{NEW}?run={run.pk}").content.decode()

    assert f'<option value="run-{run.pk}" selected>' in html
    assert f"run-{going.pk}" not in html
    assert "medium: cpu=2 memory=4Gi" in html
    assert "Capacity review of prod" in html
    refused = signed_in_client.get(f"{NEW}?run=abc")
    assert refused.status_code == 400
    assert "run" in refused.text


def test_an_order_becomes_a_review_that_waits(user: User, cluster: Cluster, ordered: Callable[..., list[int]]) -> None:
    sent = ordered()
    report = Report.objects.get()

    assert (report.title, report.created_by, report.cluster) == ("November", user, cluster)
    assert report.order["sections"] == ["run", "utilisation", "headroom"]
    assert report.order["period"] == {"days": 28}
    assert report.order["shapes"] == [
        {"name": "web", "cpu": "500m", "memory": "1Gi"},
        {"name": "like it", "like": {"kind": "Deployment", "namespace": "shop", "name": "web"}},
    ]
    assert ReportSchedule.objects.count() == 0
    assert sent == [report.pk]


def test_a_weekly_review_is_made_now_and_planned(cluster: Cluster, ordered: Callable[..., list[int]]) -> None:
    sent = ordered(weekly="on")
    schedule = ReportSchedule.objects.get()

    assert (schedule.weekday, schedule.hour, schedule.keep_days) == (2, 7, 90)
    assert schedule.next_at > timezone.now()
    assert len(sent) == 1


def test_nobody_queues_without_end(
    cluster: Cluster, ordered: Callable[..., list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ordering, "MOST_WAITING", 1)

    assert len(ordered()) == 1
    assert len(ordered()) == 1
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"title": ""}, "title", "This field is required."),
        ({"sections": []}, "sections", "Choose at least one section."),
        ({"shapes": "web: cpu=500m\nodd: cpu=abc"}, "shapes", "Line 2:"),
        ({"shapes": "web: cpu=500m\nodd"}, "shapes", "Line 2: write name: requests."),
        ({"shapes": "web: cpu"}, "shapes", "Line 1: “cpu” is not like cpu=500m."),
        ({"shapes": "\n\nweb: nosuch=1"}, "shapes", "Line 3:"),
        ({"start": "2026-11-01"}, "end", "Give both days, or neither."),
        ({"start": "2026-11-09", "end": "2026-11-01"}, "end", "The period ends before it begins."),
        ({"currency": "EU", "cpu_hour": "1", "memory_gib_hour": "1"}, "currency", "is not valid here."),
        ({"currency": "EUR", "cpu_hour": "x", "memory_gib_hour": "1"}, "cpu_hour", "is not valid here."),
        ({"notes": "n" * 20_001}, "notes", "It has more than 19.5 KiB."),
        ({"about": "run-999"}, "about", "Select a valid choice."),
        ({"weekly": "on", "keep_days": ""}, "keep_days", "Give the days each is kept."),
        ({"weekly": "on", "start": "2026-11-01", "end": "2026-11-02"}, "start", "must end with the review"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    signed_in_client: Client, cluster: Cluster, change: dict[str, Any], field: str, said: str
) -> None:
    response = signed_in_client.post(NEW, {**FORM, **change})
    errors = response.context["form"].errors

    assert response.status_code == 400
    assert list(errors) == [field]
    assert said in errors[field][0]
    assert Report.objects.count() + ReportSchedule.objects.count() == 0


# -- one review --------------------------------------------------------------------------------------------------------


def test_a_review_is_read_in_the_frame_of_its_cluster(signed_in_client: Client, cluster: Cluster) -> None:
    report = a_review(cluster, None, document=a_document(zones=HOSTILE))
    html = signed_in_client.get(f"/reviews/{report.pk}/").content.decode()

    assert 'aria-current="true"' in html
    assert ">Reviews<" in html
    assert '<section id="section-headroom"' in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "<script>alert" not in html
    assert "<style" not in html
    assert f'href="/simulations/{12}/"' in html
    assert f'href="/reviews/{report.pk}/delete/"' not in html


def test_a_run_that_a_review_refers_to_is_not_deleted(signed_in_client: Client, user: User, cluster: Cluster) -> None:
    run = SimulationRun.objects.create(cluster=cluster, title="Out", spec={}, state="done", created_by=user)
    report = a_review(cluster, user, run=run)
    said = f"“November” ({report.pk})"
    refused = signed_in_client.delete(f"/api/v1/runs/{run.pk}")

    assert (refused.status_code, said in refused.json()["error"]["what"]) == (409, True)
    assert signed_in_client.post(f"/simulations/{run.pk}/delete/").status_code == 302
    assert said in text(signed_in_client, "/clusters/prod/reviews/")
    assert SimulationRun.objects.filter(pk=run.pk).exists()


def test_a_review_that_is_written_is_followed_until_it_is_over(
    signed_in_client: Client, user: User, cluster: Cluster
) -> None:
    report = a_review(cluster, user, Report.State.QUEUED, expires_at=timezone.now() + timedelta(days=90))
    days = [f"{at.day} {at:%b %Y}." for at in map(timezone.localtime, (report.created_at, report.expires_at))]
    page = signed_in_client.get(f"/reviews/{report.pk}/").content.decode()
    fragment = signed_in_client.get(f"/reviews/{report.pk}/progress/")
    report.document, report.state = a_document(), Report.State.DONE
    report.save()
    over = signed_in_client.get(f"/reviews/{report.pk}/progress/")
    done = signed_in_client.get(f"/reviews/{report.pk}/").content.decode()

    assert all(f"on {days[0]}" in each and f"until {days[1]}" in each for each in (page, done))
    assert "It waits for a worker." in page
    assert f'data-socket="/ws/reviews/{report.pk}/"' in page
    assert "Without JavaScript this page does not update automatically." in page
    assert "hx-get" not in page.split('<main id="main"')[1]
    assert "data-socket" not in done
    assert "<html" not in fragment.content.decode()
    assert "HX-Refresh" not in fragment
    assert over["HX-Refresh"] == "true"


@pytest.mark.parametrize(
    ("form", "content_type", "ending", "begins"),
    [
        ("pdf", "application/pdf", "pdf", b"%PDF-"),
        ("html", "text/html; charset=utf-8", "html", b"<!doctype html>"),
        ("markdown", "text/markdown; charset=utf-8", "md", b"# Review"),
        ("csv", "application/zip", "zip", b"PK"),
        ("json", "application/json", "json", b"{"),
    ],
)
def test_each_file_is_a_download(
    signed_in_client: Client, cluster: Cluster, form: str, content_type: str, ending: str, begins: bytes
) -> None:
    report = a_review(cluster, None)
    response = signed_in_client.get(f"/reviews/{report.pk}/{form}")

    assert response["Content-Type"] == content_type
    assert response["Content-Disposition"].startswith('attachment; filename="capacity-review-prod-')
    assert response["Content-Disposition"].endswith(f'-{report.pk}.{ending}"')
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in response["Cache-Control"]
    assert response.content.startswith(begins)
    if form == "csv":
        assert any("zones" in name for name in zipfile.ZipFile(BytesIO(response.content)).namelist())


def test_there_is_no_file_of_what_is_not_done_or_not_known(signed_in_client: Client, cluster: Cluster) -> None:
    done, going = a_review(cluster, None), a_review(cluster, None, Report.State.RUNNING)

    for address in (f"/reviews/{going.pk}/pdf", f"/reviews/{done.pk}/docx", "/reviews/999/pdf", "/reviews/999/"):
        assert signed_in_client.get(address).status_code == 404


# -- who may -----------------------------------------------------------------------------------------------------------


def test_everybody_signed_in_may_read_and_only_its_maker_and_who_changes_clusters_may_delete(
    signed_in_client: Client, user: User, cluster: Cluster, admin_client: Client
) -> None:
    own, staffs, operators, kept = (a_review(cluster, user) for _ in range(4))
    visitor, operator = somebody_else(), Client()
    changer = User.objects.create_user("operates")
    allow_changes(changer)
    operator.force_login(changer)

    assert Client().get(f"/reviews/{kept.pk}/").status_code == 302
    assert Client().get(f"/reviews/{kept.pk}/pdf").status_code == 302
    assert visitor.get(f"/reviews/{kept.pk}/").status_code == 200
    assert visitor.post(f"/reviews/{kept.pk}/delete/").status_code == 403
    assert signed_in_client.get(f"/reviews/{own.pk}/delete/").status_code == 200
    assert signed_in_client.post(f"/reviews/{own.pk}/delete/")["Location"] == "/clusters/prod/reviews/"
    assert admin_client.post(f"/reviews/{staffs.pk}/delete/").status_code == 302
    assert operator.post(f"/reviews/{operators.pk}/delete/").status_code == 302
    assert list(Report.objects.all()) == [kept]


def test_only_its_maker_may_stop_a_schedule(signed_in_client: Client, user: User, cluster: Cluster) -> None:
    address = f"/clusters/prod/reviews/schedules/{a_schedule(cluster, user).pk}/delete/"
    visitor = somebody_else()

    assert address not in visitor.get("/clusters/prod/reviews/").content.decode()
    assert visitor.post(address).status_code == 403
    assert signed_in_client.get(address).status_code == 200
    assert signed_in_client.post(address).status_code == 302
    assert ReportSchedule.objects.count() == 0


pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(tmp_path: Path) -> Cluster:
    return review_cluster(tmp_path)


def run(*arguments: str | Path) -> int:
    """Return the exit status."""
    try:
        call_command("report", *map(str, arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize(
    ("form", "start"), [("html", b"<!doctype html>"), ("pdf", b"%PDF-"), ("md", b"# Harbour in spring"), ("csv", b"PK")]
)
def test_review_is_written_in_every_form(harbour: Cluster, tmp_path: Path, form: str, start: bytes) -> None:
    target = tmp_path / "review"
    order = tmp_path / "order.json"
    order.write_text(json.dumps({"cluster": "other", "title": "Harbour in spring", "sections": ["spread"]}))

    assert run("--order", order, "--cluster", harbour.name, "--format", form, "--output", target) == 0

    assert target.read_bytes().lower().startswith(start.lower())
    assert Report.objects.get().title == "Harbour in spring"


def test_options_are_the_order(harbour: Cluster, tmp_path: Path) -> None:
    target, notes = tmp_path / "review.json", tmp_path / "notes.txt"
    notes.write_text("Mind the gap.")
    options = ("--title", "Short", "--days", "7", "--section", "utilisation", "--notes", notes, "--discard")

    assert run("--cluster", harbour.name, *options, "--format", "json", "--output", target) == 0

    document = json.loads(target.read_text())
    assert (document["title"], document["notes"]) == ("Short", "Mind the gap.")
    assert [section["key"] for section in document["sections"]] == ["utilisation"]
    assert not Report.objects.exists()


def test_discarded_review_leaves_no_simulation(harbour: Cluster, tmp_path: Path) -> None:
    target = tmp_path / "review.json"
    arguments = ("--section", "recommendations", "--discard", "--format", "json", "--output", target)
    assert run("--cluster", harbour.name, *arguments) == 0
    assert not SimulationRun.objects.exists()
    document = json.loads(target.read_text())
    (section,) = document["sections"]
    assert {(made["run"], made["base_run"]) for made in section["facts"]["made"]} == {(None, None)}
    assert "in Berth" not in markdown_of(document)
    assert "Remove the taint" in markdown_of(document)
    assert jsonschema_rs.validator_for(json.loads(schema())).is_valid(document)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--cluster", "nowhere"), "There is no nowhere."),
        ((), "It needs exactly one of cluster or run."),
        (("--run", "12"), "There is no 12."),
        (("--order", "/nowhere.json"), "/nowhere.json cannot be read"),
        (("--cluster", "harbour", "--days", "0"), "0 is not a whole number from 1 to 3\u202f650."),
        (("--cluster", "harbour", "--section", "spread", "--output", "/nowhere/x"), "/nowhere/x cannot be written"),
    ],
)
def test_input_at_fault_ends_with_2(
    harbour: Cluster, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert run(*arguments) == 2
    assert said in capsys.readouterr().err


def test_order_that_is_no_json_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = tmp_path / "order.json"
    for content, said in (("{", "is not JSON"), ("[]", "is not a map")):
        order.write_text(content)
        assert run("--order", order) == 2
        assert said in capsys.readouterr().err


def test_review_that_cannot_be_made_ends_with_1(harbour: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    Cluster.objects.filter(pk=harbour.pk).update(chosen_configuration={"profiles": 3})
    assert run("--cluster", "harbour") == 1
    assert "configuration.apiVersion: It is missing. Write kubescheduler.config.k8s.io/v1.\n" in capsys.readouterr().err

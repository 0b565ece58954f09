"""Something of everything that pages show: the demo cluster, and what people order and keep about it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from clusters.models import Cluster, Ingest, Pod, Report, ReportSchedule, SimulationRun, StudyPart, WatchLease
from clusters.services.decisions.explain import explain_pod
from clusters.services.ingest.demo import DEMO_CLUSTER, load_demo
from clusters.services.ingest.ingest import ingest_path
from clusters.services.journal.timeline import decision_document
from clusters.services.runs.working import work
from clusters.services.studies.asking import work_on_part
from dashboard.access.tokens import make_token
from dashboard.classrooms import seats
from dashboard.forms.runs.settings import packed
from dashboard.lessons import progress
from dashboard.lessons.learners import Learner
from dashboard.models import Classroom
from tests.clusters.journal.decisions import a_decision
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.classrooms.rooms import open_room
from tests.dashboard.reports.documents import a_document
from tests.dashboard.rows import a_cluster, a_node, a_pod
from tests.support.decision_cluster import decision_cluster
from tests.support.mirrored import load
from tests.support.recorded import log_lines

if TYPE_CHECKING:
    from pathlib import Path

# Where a reader begins, and some pages that only a picture or a script leads to.
STARTS = (
    # The small ones first: most rounds ask about what is found first.
    *("/clusters/small/", "/clusters/shop/", "/clusters/live/"),
    *("/classrooms/", "/classrooms/1/", "/classrooms/2/", "/classrooms/1/live/", "/classrooms/1/projector/live/"),
    *("/", "/simulations/", "/studies/", "/clusters/", "/account/tokens/", "/sign-in/", "/sign-in/link/", "/metrics"),
    *("/clusters/demo/journal/", "/clusters/live/", "/clusters/live/journal/", "/clusters/shop/pods/shop/plain/"),
    *("/clusters/shop/pods/shop/urgent/", "/clusters/demo/pending-cards/", "/api/v1/clusters/", "/api/v1/agreement"),
    "/live/stale/?cluster=1&page=%2Fclusters%2Fdemo%2Fspread%2F",
    "/live/spread.groups/?cluster=1&page=%2Fclusters%2Fdemo%2Fspread%2F%3Fq%3Dweb",
    "/clusters/demo/drain/plan.csv?node=compute-a-01",
    "/clusters/demo/drain/map/lines/?node=compute-a-01&first=0",
    "/clusters/demo/drain/map/node/?node=compute-a-01&of=compute-a-01",
    "/simulations/compare.csv?left=1&right=2",
    "/simulations/compare/moves/?left=1&right=2",
)
_SMALL = "small"
_MORE = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "web", "by": 40}
_LOST = {"change": "lose-zone", "zone": "b", "how": "gone"}


def build(folder: Path) -> Client:
    """Fill the database, and return somebody who is signed in and may do everything."""
    user = User.objects.create_user("operator", password="correct horse battery", is_staff=True)
    client = Client()
    client.force_login(user)
    load_demo()
    demo = Cluster.objects.get(name=DEMO_CLUSTER)
    load(folder, _SMALL, [*zones(), *deployed({"a1": 2})])
    _classrooms(user)
    _simulations(client)
    _reviews(demo, user)
    _observations(folder)
    _live(demo)
    Ingest.objects.create(cluster=demo, file_name="d.json", state=Ingest.State.READING, bytes_total=9, bytes_read=1)
    make_token(user=user, name="reads", may_write=False, days=None)
    return client


def _classrooms(user: User) -> None:
    for pace in Classroom.Pace.values:
        room = open_room(user, pace=pace)
        seats.join(room, "Ada")
        learner = Learner(participant=room.participants.get())
        progress.answered(learner, room.lesson, room.step, ["worker-1"], is_right=False)


def _simulations(client: Client) -> None:
    ordered: tuple[list[dict[str, Any]], ...] = ([_MORE], [_MORE, _LOST])
    new = f"/clusters/{_SMALL}/simulations/new"
    for changes in ordered:
        response = client.post(new, {"changes": packed(changes), "seed": "0", "start": "1", "base": "cluster"})
        assert response.status_code == 302
        work(SimulationRun.objects.latest("pk").pk)
    run = SimulationRun.objects.latest("pk").pk
    room = f"/clusters/{_SMALL}/headroom/"
    client.post(room, {"ask": "headroom", "headroom-sizes": "1 1Gi"})
    client.post(
        room,
        {
            "ask": "needed",
            "needed-workload": "Deployment shop/web",
            "needed-count": "2",
            "needed-cpu": "4",
            "needed-memory": "8Gi",
        },
    )
    client.post(room, {"ask": "removable"})
    client.post(f"/simulations/{run}/sweep/", {"sweep-built_in": ["as-is", "most-allocated"]})
    for part in StudyPart.objects.all():
        work_on_part(part.pk)
    # One that goes on.
    client.post(new, {"changes": packed([_MORE]), "seed": "1", "start": "1", "base": "cluster"})


def _reviews(cluster: Cluster, user: User) -> None:
    period = {"period": {"days": 28}}
    done = Report(cluster=cluster, title="November", order=period, state=Report.State.DONE, created_by=user)
    done.document = a_document()
    done.save()
    Report.objects.create(cluster=cluster, title="Queued", order=period, created_by=user)
    ReportSchedule.objects.create(
        cluster=cluster,
        title="Weekly",
        order={},
        weekday=0,
        hour=6,
        created_by=user,
        next_at=timezone.now() + timedelta(days=2),
    )


def _observations(folder: Path) -> None:
    cluster = decision_cluster(folder)
    explanation = explain_pod(cluster=cluster, namespace="shop", name="plain")
    path = folder / "scheduler.log"
    path.write_text("\n".join(log_lines(explanation.as_recorded(), explanation)))
    ingest_path(cluster=cluster, path=path)


def _live(demo: Cluster) -> None:
    live = a_cluster("live", source=Cluster.Source.LIVE, kubeconfig="/nowhere", context="c")
    a_node(live, "n1")
    a_pod(live, "web-1", on="n1")
    now = timezone.now()
    WatchLease.objects.create(cluster=live, holder="test", token=1, acquired_at=now, expires_at=now, heartbeat_at=now)
    for number in range(60):
        a_decision(live, f"web-{number}", ago=timedelta(minutes=number))
    pod = Pod.objects.filter(cluster=demo, node_name="").order_by("pk").first()
    assert pod is not None
    document = decision_document(explain_pod(cluster=demo, namespace=pod.namespace, name=pod.name), None)
    a_decision(
        demo,
        pod.name,
        namespace=pod.namespace,
        pod_uid=pod.uid,
        node_name="",
        kind="unschedulable",
        explanation=document,
    )

"""What pages say of live clusters, and how one is added and renamed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from clusters.documents.stored_problems import text_of_problem
from clusters.engine.problems import Quoted
from clusters.models import Cluster, WatchedKind, WatchLease
from clusters.problems.live import MayNotList
from dashboard.presenters.clusters import live_status
from tests.dashboard.rows import a_cluster
from tests.support.fake_apiserver import kubeconfig

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings

pytestmark = pytest.mark.django_db

State = WatchedKind.State


def a_live_cluster(*, heartbeat: float = 1, lag_ms: int = 120, **states: State) -> Cluster:
    """Return a cluster whose watcher was heard of `heartbeat` seconds ago, with a state for each kind."""
    now = timezone.now()
    cluster = a_cluster(source=Cluster.Source.LIVE, kubeconfig="/somewhere", context="here")
    beat = now - timedelta(seconds=heartbeat)
    WatchLease.objects.create(
        cluster=cluster, holder="here", token=1, acquired_at=beat, heartbeat_at=beat, expires_at=beat, lag_ms=lag_ms
    )
    for kind, state in states.items():
        is_well = state == State.OK
        WatchedKind.objects.create(
            cluster=cluster,
            kind=kind,
            state=state,
            state_since=now - timedelta(minutes=5),
            problem=text_of_problem(None if is_well else Quoted(f"{kind} is {state}.", "Mend it.")),
            last_contact_at=now - timedelta(seconds=2 if is_well else 300),
            last_event_at=now - timedelta(seconds=3),
        )
    return cluster


def status_of(cluster: Cluster) -> Any:
    lease = WatchLease.objects.filter(cluster=cluster).first()
    return live_status(lease, list(cluster.watched_kinds.order_by("kind")), now=timezone.now())


@pytest.mark.parametrize(
    ("arrangement", "word", "badge", "part"),
    [
        ({"Pod": State.OK, "DeviceTaintRule": State.UNSERVED}, "live", "good", "Following every kind"),
        ({"Pod": State.OK, "lag_ms": 9000}, "behind", "warn", "the database is slow"),
        ({"Pod": State.OK, "Node": State.FORBIDDEN}, "behind", "warn", "all kinds but 1"),
        ({"Pod": State.SILENT, "Node": State.SILENT}, "silent", "bad", "API server does not respond"),
        ({"Pod": State.OK, "Node": State.RELISTING}, "listing", "info", "1 of 2 kinds are complete"),
        ({}, "listing", "info", "no kind is complete yet"),
        ({"Pod": State.OK, "heartbeat": 60}, "no watcher", "bad", "The watcher does not respond"),
    ],
)
def test_the_verdict_on_following(arrangement: dict[str, Any], word: str, badge: str, part: str) -> None:
    status = status_of(a_live_cluster(**arrangement))

    assert (status.word, status.badge) == (word, badge)
    assert part in status.sentence
    assert status.is_old == (badge == "bad")


def test_without_a_watcher_nothing_is_called_live() -> None:
    status = status_of(a_cluster(source=Cluster.Source.LIVE))

    assert (status.word, status.is_old) == ("no watcher", True)
    assert "manage.py watch" in status.remedy


def test_a_problem_is_worded_where_it_is_shown() -> None:
    cluster = a_live_cluster(Pod=State.OK, Service=State.FORBIDDEN)
    stored = text_of_problem(MayNotList("Service", "no role"))
    cluster.watched_kinds.filter(kind="Service").update(problem=stored)
    (behind,) = status_of(cluster).behind

    assert behind.problem == "Berth may not list and watch Service (403): no role"
    assert "deploy/clusterrole.yaml" in behind.remedy


def test_overview_names_the_kinds_that_are_behind(signed_in_client: Client) -> None:
    cluster = a_live_cluster(Pod=State.OK, Service=State.FORBIDDEN)
    html = signed_in_client.get("/clusters/prod/").text

    assert "Service is forbidden. Mend it." in html
    assert f'data-live="cluster.status" data-live-cluster="{cluster.pk}"' in html
    assert "Upload a newer dump" not in html


def part(client: Client, name: str, cluster: int | str, page: str) -> Any:
    query: dict[str, str | int] = {"cluster": cluster, "page": page}
    return client.get(f"/live/{name}/", query)


def test_a_part_renders_alone(signed_in_client: Client) -> None:
    cluster = a_live_cluster(Pod=State.OK)
    response = part(signed_in_client, "cluster.status", cluster.pk, "/clusters/prod/")

    assert "<html" not in response.text
    assert "Following every kind." in response.text
    assert "no-store" in response["Cache-Control"]


def test_a_part_that_its_page_does_not_have_is_not_found(signed_in_client: Client) -> None:
    own, other = a_live_cluster(Pod=State.OK), a_cluster("other")

    for name, cluster, page in [
        ("cluster.status", "other", "/clusters/prod/"),
        ("cluster.status", "own", "/clusters/prod/pods/"),
        ("cluster.status", "own", "/nowhere/"),
        ("cluster.status", "own", ""),
        ("nothing", "own", "/clusters/prod/"),
        ("spread.detail", "own", "/clusters/prod/spread/groups/gone/?" + "x" * 2_000),
    ]:
        wanted = {"own": own.pk, "other": other.pk}[cluster]
        assert part(signed_in_client, name, wanted, page).status_code == 404


def test_a_part_of_a_deleted_cluster_is_gone(signed_in_client: Client) -> None:
    cluster = a_live_cluster(Pod=State.OK)
    key = cluster.pk
    cluster.delete()

    response = part(signed_in_client, "cluster.status", key, "/clusters/prod/")
    assert (response.status_code, "no-store" in response["Cache-Control"]) == (410, True)


def test_a_part_of_what_is_no_cluster_is_refused(signed_in_client: Client) -> None:
    a_live_cluster(Pod=State.OK)

    assert part(signed_in_client, "cluster.status", "text", "/clusters/prod/").status_code == 400


def test_strangers_get_no_part(client: Client) -> None:
    response = part(client, "cluster.status", a_live_cluster(Pod=State.OK).pk, "/clusters/prod/")

    assert (response.status_code, "Following" in response.text) == (302, False)


def test_what_is_gone_is_said_in_the_place_of_the_part(signed_in_client: Client) -> None:
    cluster = a_cluster()
    response = part(signed_in_client, "budgets.detail", cluster.pk, "/clusters/prod/budgets/shop/web/")

    assert "prod has no PodDisruptionBudget shop/web." in response.text


def test_every_page_says_that_what_it_shows_is_old(signed_in_client: Client) -> None:
    cluster = a_live_cluster(Pod=State.SILENT)
    addresses = ("/clusters/prod/pods/", "/clusters/prod/nodes/")
    assert all("The API server does not respond" in signed_in_client.get(address).text for address in addresses)

    cluster.watched_kinds.update(state=State.OK)

    assert not any("has been silent" in signed_in_client.get(address).text for address in addresses)


# -- adding ----------------------------------------------------------------------------------------------


@pytest.fixture
def offered(tmp_path: Path, settings: Settings) -> Path:
    path = kubeconfig(tmp_path / "config", port=1)
    (tmp_path / "notes.txt").write_text("token: secret-word", encoding="utf-8")
    settings.BERTH_KUBECONFIGS = [tmp_path, Path("/nowhere/at/all")]
    return path


def test_contexts_are_offered_and_other_files_named(operator_client: Client, offered: Path) -> None:
    html = operator_client.get("/follow/").text

    assert f'value="fake@{offered}"' in html
    assert "notes.txt is not a kubeconfig" in html
    assert "secret-word" not in html


def test_a_cluster_is_added_by_its_context(operator_client: Client, offered: Path) -> None:
    response = operator_client.post("/follow/", {"name": "prod", "connection": f"fake@{offered}"})

    assert response["Location"] == "/clusters/prod/"
    cluster = Cluster.objects.get()
    assert (cluster.source, cluster.kubeconfig, cluster.context) == ("live", str(offered), "fake")
    assert "No watcher has followed this cluster yet." in operator_client.get("/clusters/prod/").text


def test_a_path_that_is_not_offered_is_refused(operator_client: Client, offered: Path, tmp_path: Path) -> None:
    """Kubeconfigs can name programs to run, so which are read is not for the browser to say."""
    elsewhere = kubeconfig(tmp_path.parent / "elsewhere", port=1)
    response = operator_client.post("/follow/", {"name": "prod", "connection": f"fake@{elsewhere}"})

    assert response.status_code == 400
    assert "This context is gone" in response.text
    assert not Cluster.objects.exists()


@pytest.mark.parametrize("address", ["/follow/", "/clusters/prod/rename/"])
def test_viewer_may_not(signed_in_client: Client, address: str) -> None:
    a_cluster()

    assert signed_in_client.get(address).status_code == 403
    assert signed_in_client.post(address, {"name": "other"}).status_code == 403
    assert Cluster.objects.get().name == "prod"


def test_a_dump_is_not_taken_for_a_live_cluster(operator_client: Client, tmp_path: Path) -> None:
    a_live_cluster()
    dump = tmp_path / "dump.json"
    dump.write_text("{}", encoding="utf-8")
    with dump.open("rb") as file:
        response = operator_client.post("/clusters/prod/upload/", {"file": file})

    assert response.status_code == 400
    assert "followed live" in response.text


# -- renaming --------------------------------------------------------------------------------------------


def test_a_cluster_gets_another_name(operator_client: Client) -> None:
    a_cluster()
    response = operator_client.post("/clusters/prod/rename/", {"name": "staging"}, follow=True)

    assert Cluster.objects.get().name == "staging"
    assert "prod is called staging now" in response.text
    assert operator_client.get("/clusters/prod/").status_code == 404


def test_a_bad_name_is_refused(operator_client: Client) -> None:
    a_cluster()
    a_cluster("other")

    for name, word in [
        ("other", "other exists. Take another name"),
        ("No Name", "lower-case"),
        ("", "Give the cluster a name"),
    ]:
        response = operator_client.post("/clusters/prod/rename/", {"name": name})
        assert response.status_code == 400
        assert word in response.text
        assert Cluster.objects.filter(name="prod").exists()

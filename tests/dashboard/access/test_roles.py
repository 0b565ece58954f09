"""Roles: who sees which cluster and may do what there, at every address, operation of the API and live part."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import Http404
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from clusters.models import Cluster, Report, SimulationRun, Study
from dashboard.access import rules
from dashboard.access.rights import EVERY, Rights, rights_of, visible
from dashboard.access.rules import Need, rule_of
from dashboard.live.topics import RefusedError, check, topic_of
from dashboard.models import RoleGrant
from tests.support.addresses import every_address

if TYPE_CHECKING:
    from django.urls import ResolverMatch
    from pytest_django.fixtures import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Role = RoleGrant.Role
# They ask for no user, or for a participant of a classroom.
OPEN = ("sign-in/", "join/", "seat/", "livez", "readyz", "metrics")
ADDRESSES = [each for each in every_address() if not each.startswith(OPEN)]
BEGINNINGS = {"simulations/": "run", "api/v1/runs/": "run", "lessons/_take/step/": "run", "studies/": "study"}
BEGINNINGS |= {"api/v1/studies/": "study", "reviews/": "review", "api/v1/reports/": "review"}


class World(NamedTuple):
    """Two clusters, and what was ordered for each: by name of the cluster."""

    clusters: dict[str, Cluster]
    ordered: dict[str, dict[str, int]]


@pytest.fixture(autouse=True)
def _roles(settings: Settings) -> None:
    settings.BERTH_ROLES = True


@pytest.fixture
def world() -> World:
    clusters = {name: Cluster.objects.create(name=name, last_sync=timezone.now()) for name in ("own", "foreign")}
    ordered = {}
    for name, cluster in clusters.items():
        run = SimulationRun.objects.create(cluster=cluster, title=name, spec={})
        study = Study.objects.create(cluster=cluster, title=name, spec={}, kind=Study.Kind.SWEEP)
        review = Report.objects.create(cluster=cluster, title=name, order={})
        ordered[name] = {"run": run.pk, "study": study.pk, "review": review.pk}
    return World(clusters, ordered)


def somebody(*grants: tuple[str, Cluster | None], name: str = "ada") -> User:
    user = User.objects.create_user(name)
    for role, cluster in grants:
        RoleGrant.objects.create(user=user, role=role, cluster=cluster)
    return user


def address_in(world: World, address: str, cluster: str) -> str:
    """Return an address with a cluster, or the number of what was ordered for it."""
    for beginning, what in BEGINNINGS.items():
        if address.startswith(f"{beginning}1"):
            number = str(world.ordered[cluster][what])
            return "/" + address.replace(f"{beginning}1", beginning + number).replace("compare/1", f"compare/{number}")
    for beginning in ("clusters/", "lessons/_take/pod/", "lessons/_take/decision/", "api/v1/clusters/"):
        address = address.replace(f"{beginning}x/", f"{beginning}{cluster}/")
    return f"/{address}"


def may(match: ResolverMatch, user: User, *, acts: bool) -> str:
    """Say what becomes of somebody at an address."""
    try:
        rules.check(match, user, acts=acts)
    except Http404:
        return "unknown"
    except PermissionDenied:
        return "refused"
    return "open"


# -- every address -----------------------------------------------------------------------------------------------------


def test_every_address_has_a_rule() -> None:
    assert [each for each in ADDRESSES if rule_of(resolve(f"/{each}")) is None] == []


def test_every_rule_has_an_address() -> None:
    known = {resolve(f"/{each}").view_name for each in ADDRESSES}

    assert sorted(set(rules._RULES) - known) == []


def expected(need: Need, role: str, *, is_own: bool, of_cluster: bool) -> str:
    """What the table promises, written once more from the roles' side."""
    if role == Role.ADMINISTRATOR:
        return "open"
    knows, operates = (is_own and role in (Role.VIEWER, Role.OPERATOR)), is_own and role == Role.OPERATOR
    if Need.VIEW in need and not knows:
        return "unknown"
    if Need.ORDER in need and not operates:
        return "refused"
    if Need.CHANGE in need and not (operates and of_cluster):
        return "refused"
    if Need.ADMINISTER in need:
        return "refused"
    return "refused" if need & (Need.TEACH | Need.WRITE_LESSONS) and role != Role.TRAINER else "open"


@pytest.mark.parametrize("role", ["nobody", *Role.values])
@pytest.mark.parametrize("name", ["own", "foreign"])
def test_roles_at_every_address(world: World, role: str, name: str) -> None:
    whole = role in (Role.TRAINER, Role.ADMINISTRATOR)
    user = somebody(*[] if role == "nobody" else [(role, None if whole else world.clusters["own"])])
    found, wanted = {}, {}

    for address in ADDRESSES:
        match = resolve(address_in(world, address, name))
        rule = rule_of(match)
        assert rule is not None
        is_of_cluster = "cluster" in match.kwargs
        for acts, need in ((False, rule.look), (True, rule.act)):
            found[address, acts] = may(match, user, acts=acts)
            wanted[address, acts] = expected(need, role, is_own=name == "own", of_cluster=is_of_cluster)

    assert found == wanted


def test_foreign_clusters_are_unknown_to_whoever_asks(world: World) -> None:
    user = somebody((Role.OPERATOR, world.clusters["own"]))
    client = Client(raise_request_exception=False)
    client.force_login(user)
    answers = {}

    for address in ADDRESSES:
        match = resolve(address_in(world, address, "foreign"))
        if "cluster" not in match.kwargs and not any(address.startswith(f"{each}1") for each in BEGINNINGS):
            continue
        for method in ("get", "post", "delete"):
            response = getattr(client, method)(address_in(world, address, "foreign"))
            answers[address, method] = response.status_code
            # The address is the asker's own word.
            text = response.content.decode().replace(response.request["PATH_INFO"], "")
            assert "foreign" not in text, (address, method)

    unknown = {key for key, status in answers.items() if status == 404}
    # Of a new cluster, dumps are taken from whoever may change all.
    assert {key: answers[key] for key in answers.keys() - unknown} == {
        ("api/v1/clusters/x/dumps/", method): 403 for method in ("get", "post", "delete")
    }


def test_lists_hold_what_is_seen(world: World) -> None:
    client = Client()
    client.force_login(somebody((Role.VIEWER, world.clusters["own"])))

    for address in ("/clusters/", "/simulations/", "/studies/", "/simulations/compare/", "/agreement/"):
        text = client.get(address).content.decode()
        assert "foreign" not in text, address
    assert [each["name"] for each in client.get("/api/v1/clusters/").json()["clusters"]] == ["own"]
    assert [each["cluster"] for each in client.get("/api/v1/runs/").json()["runs"]] == ["own"]
    assert client.get("/", follow=True).redirect_chain[0][0] == "/clusters/own/"


def test_foreign_runs_are_no_bases(world: World) -> None:
    foreign = world.ordered["foreign"]["run"]
    client = Client()
    client.force_login(somebody((Role.OPERATOR, world.clusters["own"])))

    assert client.get(f"/clusters/own/simulations/new?run={foreign}").status_code == 404
    text = client.get(f"/simulations/compare/?left={foreign}&right={foreign}").content.decode()
    assert "foreign" not in text
    for field, value, nothing in (("cluster", "foreign", "nowhere"), ("run", foreign, 10**6)):
        found, missing = (
            client.post("/api/v1/reports/", {field: each}, content_type="application/json") for each in (value, nothing)
        )
        assert found.status_code == missing.status_code == 400
        assert found.json()["error"]["code"] == missing.json()["error"]["code"] == "NoSuchName"
    order = {"cluster": "foreign", "spec": {"base": {"kind": "cluster"}, "changes": []}}
    assert client.post("/api/v1/runs/", order, content_type="application/json").status_code == 404


def test_viewers_order_nothing(world: World) -> None:
    client = Client()
    client.force_login(somebody((Role.VIEWER, world.clusters["own"])))

    order = {"cluster": "own", "spec": {"base": {"kind": "cluster"}, "changes": []}}
    assert client.post("/api/v1/runs/", order, content_type="application/json").status_code == 403
    assert client.post("/api/v1/reports/", {"cluster": "own"}, content_type="application/json").status_code == 403
    answer = client.post("/clusters/own/simulations/new")
    assert answer.status_code == 403
    assert "Your role only views this cluster." in answer.content.decode()


def test_what_is_of_no_cluster_is_its_owners(world: World) -> None:
    ada, eve = somebody(), somebody(name="eve")
    run = SimulationRun.objects.create(title="alone", spec={}, created_by=ada)
    match = resolve(f"/simulations/{run.pk}/")

    assert may(match, ada, acts=True) == "open"
    assert may(match, eve, acts=False) == "unknown"
    assert list(visible(SimulationRun.objects.all(), ada)) == [run]


# -- live parts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "page"),
    [
        ("overview.summary", "/clusters/{}/"),
        ("stale", "/clusters/{}/pods/"),
        ("spread.workloads", "/clusters/{}/spread/workloads/"),
    ],
)
def test_live_parts_are_for_whom_their_page_is(world: World, part: str, page: str) -> None:
    user = somebody((Role.VIEWER, world.clusters["own"]))

    check(topic_of(part, world.clusters["own"].pk, page.format("own")), user)
    with pytest.raises(RefusedError):
        check(topic_of(part, world.clusters["foreign"].pk, page.format("foreign")), user)


def test_a_part_of_every_page_does_not_lead_to_foreign_clusters(world: World) -> None:
    user = somebody((Role.VIEWER, world.clusters["own"]))

    with pytest.raises(RefusedError):
        check(topic_of("stale", world.clusters["foreign"].pk, "/clusters/own/"), user)


# -- rights ------------------------------------------------------------------------------------------------------------


def test_groups_give_their_members_roles(world: World) -> None:
    user, group = somebody(), Group.objects.create(name="oidc:team-a")
    RoleGrant.objects.create(group=group, role=Role.VIEWER, cluster=world.clusters["own"])
    assert rights_of(User.objects.get(pk=user.pk)) == Rights()

    user.groups.add(group)

    assert rights_of(User.objects.get(pk=user.pk)).views == {world.clusters["own"].pk}


def test_roles_of_every_cluster_hold_for_new_ones() -> None:
    user = somebody((Role.VIEWER, None))

    new = Cluster.objects.create(name="new")

    assert may(resolve("/clusters/new/"), user, acts=False) == "open"
    assert rights_of(user).views == {EVERY}
    assert list(visible(Cluster.objects.all(), user)) == [new]


def test_superusers_administer() -> None:
    assert rights_of(User.objects.create_superuser("root")).administers


def test_disabled_users_may_nothing() -> None:
    user = somebody((Role.ADMINISTRATOR, None))
    user.is_active = False

    assert rights_of(user) == Rights()


@pytest.mark.parametrize("role", [Role.TRAINER, Role.ADMINISTRATOR])
def test_some_roles_are_of_the_whole_installation(world: World, role: str) -> None:
    with pytest.raises(IntegrityError):
        somebody((role, world.clusters["own"]))


def test_a_role_is_of_a_user_or_a_group() -> None:
    with pytest.raises(IntegrityError):
        RoleGrant.objects.create(role=Role.VIEWER)


def test_without_roles_everybody_looks(settings: Settings, world: World) -> None:
    settings.BERTH_ROLES = False
    user = somebody()

    assert {
        may(resolve(address_in(world, each, "own")), user, acts=False) for each in ("clusters/x/", "simulations/1/")
    } == {"open"}
    assert may(resolve("/clusters/own/delete/"), user, acts=True) == "refused"

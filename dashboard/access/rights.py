"""What somebody may do: by roles where they are on, by Django's permissions in an installation without them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Model, Q, QuerySet
from msgspec import Struct

from clusters.models import Cluster, SimulationRun, Study
from dashboard.models import RoleGrant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.models import Report, ReportSchedule

Reader = AbstractBaseUser | AnonymousUser
# Of clusters by primary key: every one of them, also those to come.
EVERY: Final = None
_EVERYWHERE: Final[frozenset[int | None]] = frozenset({EVERY})
_NOWHERE: Final[frozenset[int | None]] = frozenset()

CHANGE_CLUSTERS = "clusters.add_cluster"
TEACH = "dashboard.teach"
WRITE_LESSONS = "clusters.add_storedlesson"

# What may be ordered without a cluster.
_OF_NO_CLUSTER: Final = (SimulationRun, Study)
Row = TypeVar("Row", bound=Model)


class Rights(Struct, frozen=True):
    """What somebody may do.

    The clusters, by primary key or `EVERY`, that somebody ``views``, for which somebody ``orders`` simulations and
    reviews, and which somebody ``changes``: dumps, configuration, name.
    """

    views: frozenset[int | None] = _NOWHERE
    orders: frozenset[int | None] = _NOWHERE
    changes: frozenset[int | None] = _NOWHERE
    teaches: bool = False
    writes_lessons: bool = False
    administers: bool = False


class Permissions:
    """What a user may do where there are no roles: look at and order everything, and what Django's permissions add.

    They are asked for one by one, since most pages need none of them.
    """

    views = orders = _EVERYWHERE

    def __init__(self, user: User) -> None:
        self._user = user

    @property
    def changes(self) -> frozenset[int | None]:
        """Every cluster, or none."""
        return _EVERYWHERE if self._has(CHANGE_CLUSTERS) else _NOWHERE

    @property
    def teaches(self) -> bool:
        """Whether the user opens classrooms."""
        return self._has(TEACH)

    @property
    def writes_lessons(self) -> bool:
        """Whether the user uploads and takes lessons."""
        return self._has(WRITE_LESSONS)

    @property
    def administers(self) -> bool:
        """Whether the user manages accounts."""
        return self._user.is_superuser

    def _has(self, permission: str) -> bool:
        return self._user.is_staff or self._user.has_perm(permission)


_NONE: Final = Rights()
_ALL: Final = Rights(_EVERYWHERE, _EVERYWHERE, _EVERYWHERE, teaches=True, writes_lessons=True, administers=True)


def covers(clusters: frozenset[int | None], cluster: int | None) -> bool:
    """Tell whether a right for some clusters is one for this cluster, or for all where it is `EVERY`."""
    return EVERY in clusters or cluster in clusters


def rights_of(user: Reader) -> Rights | Permissions:
    """Return what a user may do, looked up once for each request or websocket."""
    known: Rights | Permissions | None = user.__dict__.get("_rights")
    if known is None:
        known = user.__dict__["_rights"] = _read(user)
    return known


def _read(user: Reader) -> Rights | Permissions:
    if not isinstance(user, User) or not user.is_active:
        return _NONE
    return rights_of_users([user])[user.pk] if settings.BERTH_ROLES else Permissions(user)


def limit(user: User, clusters: Iterable[int]) -> None:
    """Let a user, as this object, do what they may with these clusters, and nothing else."""
    rights, among = rights_of(user), frozenset[int | None](clusters)
    views, orders, changes = (
        among if EVERY in each else among & each for each in (rights.views, rights.orders, rights.changes)
    )
    user.__dict__["_rights"] = Rights(views, orders, changes)


def rights_of_users(users: Iterable[User]) -> dict[int, Rights]:
    """Return by primary key what users may do by their own grants and those of their groups, in two queries."""
    by_key = {user.pk: user for user in users}
    held: dict[int, list[RoleGrant]] = {key: [] for key in by_key}
    groups: dict[int, list[int]] = {}
    for user, group in User.groups.through.objects.filter(user__in=by_key).values_list("user_id", "group_id"):
        groups.setdefault(group, []).append(user)
    for grant in RoleGrant.objects.filter(Q(user__in=by_key) | Q(group__in=groups)):
        for key in [grant.user_id] if grant.user_id is not None else groups[grant.group_id or 0]:
            held[key].append(grant)
    return {key: _granted(by_key[key], grants) for key, grants in held.items()}


def _granted(user: User, grants: Iterable[RoleGrant]) -> Rights:
    role = RoleGrant.Role
    of = {each: frozenset(grant.cluster_id for grant in grants if grant.role == each) for each in role}
    if user.is_superuser or of[role.ADMINISTRATOR]:
        return _ALL
    operates = of[role.OPERATOR]
    return Rights(
        of[role.VIEWER] | operates,
        operates,
        operates,
        teaches=bool(of[role.TRAINER]),
        writes_lessons=bool(of[role.TRAINER]),
    )


def may_change_clusters(user: Reader, cluster: int | None = EVERY) -> bool:
    """Tell whether the user may upload dumps and delete clusters: this one, or any, also new ones."""
    return covers(rights_of(user).changes, cluster)


def may_order(user: Reader, cluster: int | None) -> bool:
    """Tell whether the user may order simulations and reviews of a cluster, or of none where one may of any."""
    orders = rights_of(user).orders
    return bool(orders) if cluster is None else covers(orders, cluster)


def viewed(user: Reader) -> set[int] | None:
    """Return the clusters that a user views, by primary key; None for all."""
    views = rights_of(user).views
    return None if EVERY in views else {each for each in views if each is not None}


def may_end(user: User, ordered: SimulationRun | Study | Report | ReportSchedule) -> bool:
    """Tell whether the user may cancel or remove what somebody ordered: one's own, or whose cluster one changes."""
    return ordered.created_by_id == user.pk or may_change_clusters(user, ordered.cluster_id)


def visible(rows: QuerySet[Row], user: Reader) -> QuerySet[Row]:
    """Keep the rows of clusters that the user may view; of what belongs to no cluster one's own."""
    views = viewed(user)
    if views is None:
        return rows
    if issubclass(rows.model, Cluster):
        return rows.filter(pk__in=views)
    of_nobody = Q(cluster=None, created_by=user.pk) if rows.model in _OF_NO_CLUSTER else Q()
    return rows.filter(Q(cluster__in=views) | of_nobody)

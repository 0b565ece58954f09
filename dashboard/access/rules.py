"""What each address needs of whoever opens it: one table for pages, the API and live parts, and the gate that asks it.

An address of a cluster, or of what was ordered for one, needs the right to view that cluster, and to order what changes
something. What needs more, or belongs to no cluster, is named here; an address that has no rule opens to nobody.
"""

from __future__ import annotations

from enum import Flag, auto
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404

from clusters.models import Cluster, Report, SimulationRun, Study
from clusters.wording.access import sign_in as words
from clusters.wording.lessons.teaching import MAY_NOT_TEACH
from clusters.wording.lessons.upload import MAY_NOT_WRITE
from dashboard.access.rights import EVERY, Permissions, Reader, Rights, rights_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.models import Model
    from django.urls import ResolverMatch

# The namespace of the API's operations.
API: Final = "api-v1"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Need(Flag):
    """Rights that an address needs; none of them but to be signed in."""

    NOTHING = 0
    VIEW = auto()
    ORDER = auto()
    CHANGE = auto()
    TEACH = auto()
    WRITE_LESSONS = auto()
    ADMINISTER = auto()


class Rule(NamedTuple):
    """What it takes to look at an address, and to send something there that is to change something."""

    look: Need
    act: Need


_OF_CLUSTER: Final = Rule(Need.VIEW, Need.VIEW | Need.ORDER)
_BY_NAME: Final[Mapping[Rule, str]] = {
    Rule(Need.NOTHING, Need.NOTHING): """
        home clusters help agreement tokens token-rotate token-revoke sign-out live-part tour tour-end
        runs runs-compare runs-compare-moves runs-compare-csv runs-compare-json studies
        lessons lesson-schema player:lessons-language player:lesson player:lesson-step
        player:lesson-experiment player:lesson-decision-map player:lesson-decision-map-lines
        player:lesson-decision-nodes player:lesson-decision-node player:lesson-decision-why-not
        player:lesson-decision-compare player:lesson-decision-scores player:lesson-decision-cell
        sandbox sandbox-node sandbox-file sandbox-shared sandbox-decision-map sandbox-decision-map-lines
        sandbox-decision-nodes sandbox-decision-node sandbox-decision-why-not sandbox-decision-compare
        sandbox-decision-scores sandbox-decision-cell
        api-reference api-unknown api-v1:api-root api-v1:openapi-json api-v1:clusters api-v1:agreement
        api-v1:create
    """,
    # Of one's own it is for everybody, of others' the view asks for more.
    Rule(Need.VIEW, Need.VIEW): """
        run-cancel run-delete study-delete report-delete schedule-delete api-v1:cancel api-v1:read
        api-v1:posted_explanation
    """,
    Rule(Need.VIEW, Need.VIEW | Need.CHANGE): "cluster-configuration ingest-cancel api-v1:cancel_dump",
    Rule(Need.CHANGE, Need.CHANGE): "upload follow api-v1:send_dump",
    Rule(Need.VIEW | Need.CHANGE, Need.VIEW | Need.CHANGE): "cluster-upload cluster-rename cluster-delete",
    Rule(Need.WRITE_LESSONS, Need.WRITE_LESSONS): "lessons-upload lesson-download lesson-remove",
    Rule(Need.VIEW | Need.WRITE_LESSONS, Need.VIEW | Need.WRITE_LESSONS): """
        lesson-of-pod lesson-of-step lesson-of-decision
    """,
    Rule(Need.TEACH, Need.TEACH): """
        classrooms classroom-new classroom classroom-live classroom-lead classroom-projector classroom-projected
        classroom-summary classroom-results classroom-change classroom-remove
    """,
    Rule(Need.ADMINISTER, Need.ADMINISTER): """
        accounts account-new account account-role account-link account-enable account-sign-out account-token-revoke
        group-new group group-role role-take audit audit-lines
    """,
}
_RULES: Final[Mapping[str, Rule]] = {name: rule for rule, names in _BY_NAME.items() for name in names.split()}
# By how the address begins, whose number it holds: that of what was ordered for a cluster.
_ORDERED: Final[Mapping[str, type[Model]]] = {
    "simulations/": SimulationRun,
    "lessons/_take/step/": SimulationRun,
    "api/v1/runs/": SimulationRun,
    "studies/": Study,
    "api/v1/studies/": Study,
    "reviews/": Report,
    "api/v1/reports/": Report,
}
_NUMBERS: Final = ("pk", "left", "right")
_REFUSED: Final[Mapping[Need, object]] = {Need.ORDER: words.MAY_NOT_ORDER, Need.CHANGE: words.MAY_NOT_CHANGE}
_OF_CLUSTERS: Final[Mapping[Need, Callable[[Rights | Permissions], frozenset[int | None]]]] = {
    Need.VIEW: attrgetter("views"),
    Need.ORDER: attrgetter("orders"),
    Need.CHANGE: attrgetter("changes"),
}


def rule_of(match: ResolverMatch) -> Rule | None:
    """Return the rule of an address; None where it has none."""
    if (named := _RULES.get(match.view_name)) is not None:
        return named
    is_of_cluster = "cluster" in match.kwargs or _ordered(match) is not None
    return _OF_CLUSTER if is_of_cluster else None


def _ordered(match: ResolverMatch) -> type[Model] | None:
    if not any(each in match.kwargs for each in _NUMBERS):
        return None
    return next((model for beginning, model in _ORDERED.items() if match.route.startswith(beginning)), None)


def check(match: ResolverMatch, user: Reader, *, acts: bool) -> None:
    """Let a user open an address, or act on it.

    Raises PermissionDenied, with what to do about it, and Http404 where the cluster is not one that the user knows of.
    """
    rule = rule_of(match)
    if rule is None:
        raise PermissionDenied
    needed, rights = rule.act if acts else rule.look, rights_of(user)
    limited = {
        need: clusters
        for need, clusters_of in _OF_CLUSTERS.items()
        if need in needed and EVERY not in (clusters := clusters_of(rights))
    }
    for cluster in _clusters(match, user) if limited else ():
        for need, clusters in limited.items():
            if cluster not in clusters:
                raise Http404 if need is Need.VIEW else PermissionDenied(_REFUSED[need])
    if Need.TEACH in needed and not rights.teaches:
        raise PermissionDenied(MAY_NOT_TEACH)
    if Need.WRITE_LESSONS in needed and not rights.writes_lessons:
        raise PermissionDenied(MAY_NOT_WRITE)
    if Need.ADMINISTER in needed and not rights.administers:
        raise PermissionDenied(words.MAY_NOT_ADMINISTER)


def _clusters(match: ResolverMatch, user: Reader) -> list[int | None]:
    """The clusters that an address is about, `EVERY` where it is about none that there is.

    What was ordered for no cluster is the business of whoever ordered it, and has none.
    """
    if "cluster" in match.kwargs:
        name = match.kwargs["cluster"]
        return [Cluster.objects.filter(name=name).values_list("pk", flat=True).first()]
    model = _ordered(match)
    if model is None:
        return [EVERY]
    numbers = [match.kwargs[each] for each in _NUMBERS if each in match.kwargs]
    rows = model._default_manager.filter(pk__in=numbers).values_list("cluster_id", "created_by_id")
    return [cluster for cluster, owner in rows if cluster is not None or owner != user.pk]

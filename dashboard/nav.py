"""Navigation as data: the sections of a cluster, and the switch to the same section of another cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.urls import ResolverMatch, reverse
from django.utils import timezone
from msgspec import Struct

from clusters.models import Cluster
from clusters.services.mirror.snapshots import READ_FOR_RELEASE, release_of
from clusters.services.watching.connections import watch_states
from clusters.wording import sections as words
from clusters.wording.access.administration import ACCOUNTS
from clusters.wording.releases import changed_count, release_notice, version_words
from dashboard.access.rights import rights_of, visible
from dashboard.live.parts import live_part
from dashboard.moments import recorded
from dashboard.presenters.clusters import LiveStatus, live_status
from dashboard.presenters.shared.page import SECTION_KEYS, ConnectionView, connection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
    from django.http import QueryDict

    from dashboard.moments import Recorded

DECISION_PARTS = (
    "groups", "group", "nodes", "node", "cell", "scores", "relaxation", "observed", "preemption", "compare", "why-not",
    "search-order", "map", "map-lines",
)  # fmt: skip

RUN_DECISION_PARTS = ("nodes", "node", "cell", "scores", "why-not", "map", "map-lines")

# Most stand outside of the cluster's addresses; their views name the cluster whose frame they stand in.
SIMULATION_PAGES = (
    "run-new", "run", "run-delete", "run-state", "run-decision", "runs-compare", "sweep-new",
    *(f"run-decision-{part}" for part in RUN_DECISION_PARTS),
)  # fmt: skip

LESSON_PAGES = frozenset(
    {
        *("lesson-step", "lesson-experiment", "sandbox", "sandbox-shared"),
        *(f"{of}-decision-{part}" for of in ("lesson", "sandbox") for part in RUN_DECISION_PARTS),
    }
)

CLASSROOM_PAGES = frozenset({"classroom-new", "classroom", "classroom-remove", "classroom-summary"})

ADMINISTRATION_PAGES = frozenset({"account-new", "account", "account-link", "group", "audit"})

NODE_PARTS = ("pending", "drain", "faults", "usage", "pressure", "oom", "shutdown")

# By group the name of each section's first page, and the names of the pages below it: how things are, what is there,
# what may go wrong, and what may be done.
GROUPS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "now": {
        "cluster": frozenset({"cluster-upload", "cluster-delete", "cluster-rename", "ingest"}),
        "pending": frozenset({"queue", "preemption"}),
        "journal": frozenset({"journaled", "journaled-node", "journal-changes", "journal-replay"}),
    },
    "objects": {
        "pods": frozenset({"decision", "what-if", "pod-removal", *(f"decision-{part}" for part in DECISION_PARTS)}),
        "workloads": frozenset({"workload"}),
        "nodes": frozenset({"node", "free-capacity", *(f"node-{part}" for part in NODE_PARTS)}),
        "devices": frozenset({"device-pool", "resource-claims", "resource-claim"}),
        "pod-groups": frozenset({"pod-group"}),
    },
    "risk": {
        "spread": frozenset({"spread-workloads", "spread-group"}),
        "budgets": frozenset({"budget", "blocked-drains"}),
        "drain": frozenset(),
        "zones": frozenset(),
        "quotas": frozenset(),
    },
    "plan": {
        "cluster-runs": frozenset(SIMULATION_PAGES),
        "headroom": frozenset({"study", "study-delete"}),
        "upgrade": frozenset(),
        "usage": frozenset(),
        "reports": frozenset({"report-new", "report", "report-delete", "schedule-delete"}),
        "cluster-configuration": frozenset({"other-configuration"}),
    },
}

_READ = ("name", "source", "last_sync", "created_at", "revision", "departures_since")
# The switcher is a short menu; the list of clusters holds the rest.
SWITCHER_LENGTH = 20


class NavigationItem(Struct, frozen=True):
    """A link of the main navigation; `current` is its aria-current value, empty elsewhere, `key` is pressed after g."""

    label: str
    url: str
    current: str
    key: str = ""


class NavigationGroup(Struct, frozen=True):
    """A menu of the main navigation; ``here`` is the section of it that the page belongs to, if any."""

    label: str
    items: tuple[NavigationItem, ...]
    here: str


class ClusterChoice(Struct, frozen=True):
    """A cluster of the switcher, with the address of the current section there."""

    name: str
    url: str
    current: bool


class Site(Struct, frozen=True):
    """What the page frame shows around the content; `cluster` is empty outside of a cluster."""

    cluster: str
    items: tuple[NavigationItem, ...]
    switcher: tuple[ClusterChoice, ...]
    # The sections of a cluster; empty outside of one.
    groups: tuple[NavigationGroup, ...] = ()
    # To what a cluster's help leads; outside of one the items do.
    lessons: NavigationItem | None = None
    # None outside of a cluster.
    primary_key: int | None = None
    # How a live cluster is doing where what the page shows may be old.
    stale: LiveStatus | None = None
    # The primary key of a live cluster on pages that do not tell in full how it is followed, otherwise 0.
    watched_id: int = 0
    # What live parts say of their connection; None outside of a cluster.
    connection: ConnectionView | None = None
    # Of which moments of the cluster it is known what ran; None where of none.
    recorded: Recorded | None = None
    # Which Kubernetes the cluster runs; empty outside of a cluster.
    version: str = ""
    # How many feature gates differ from the minor's defaults; empty where none does.
    gates: str = ""
    # That the cluster runs another Kubernetes than the answers are of; empty where it does not.
    release_notice: str = ""


def _current(page: str, section: str, below: frozenset[str]) -> str:
    if page == section:
        return "page"
    return "true" if page in below else ""


def site_of(
    match: ResolverMatch | None,
    framed: str = "",
    section: str = "",
    user: AbstractBaseUser | AnonymousUser | None = None,
) -> Site:
    """Build the frame for the page that the address resolved to, or of the cluster and section that its view named.

    One query inside of a cluster, three inside of a live one; outside those for what the user may do.
    """
    page = section or (match.url_name if match else None) or ""
    named = framed or (str(match.kwargs.get("cluster", "")) if match else "")
    rows = Cluster.objects.only(*_READ, *READ_FOR_RELEASE)
    known = {cluster.name: cluster for cluster in visible(rows, user)} if named and user is not None else {}
    names = list(known)
    clusters = NavigationItem(
        str(words.CLUSTERS), reverse("clusters"), _current(page, "clusters", frozenset({"upload", "follow"}))
    )
    lessons = NavigationItem(str(words.LESSONS), reverse("lessons"), _current(page, "lessons", LESSON_PAGES))
    if named not in names:
        simulations = NavigationItem(
            str(words.SIMULATIONS),
            reverse("runs"),
            _current(page, "runs", frozenset({*SIMULATION_PAGES, "study", "study-delete", "studies"})),
        )
        agreement = NavigationItem(str(words.AGREEMENT), reverse("agreement"), _current(page, "agreement", frozenset()))
        items = [clusters, simulations, agreement, lessons]
        if user is not None and rights_of(user).teaches:
            current = _current(page, "classrooms", CLASSROOM_PAGES)
            items.append(NavigationItem(str(words.CLASSROOMS), reverse("classrooms"), current))
        if settings.BERTH_ROLES and user is not None and rights_of(user).administers:
            current = _current(page, "accounts", ADMINISTRATION_PAGES)
            items.append(NavigationItem(str(ACCOUNTS), reverse("accounts"), current))
        return Site(cluster="", items=tuple(items), switcher=())
    groups = tuple(_group(str(words.GROUPS[group]), sections, named, page) for group, sections in GROUPS.items())
    here = next((first for each in GROUPS.values() for first, below in each.items() if page in {first, *below}), "")
    return Site(
        cluster=named,
        items=(clusters,),
        groups=groups,
        lessons=lessons,
        primary_key=known[named].pk,
        switcher=tuple(
            ClusterChoice(name, reverse(here or "cluster", kwargs={"cluster": name}), name == named)
            for name in names[:SWITCHER_LENGTH]
        ),
        # The overview says it itself, and in full.
        stale=None if page == "cluster" else stale_status(known[named]),
        watched_id=known[named].pk if known[named].is_live and page != "cluster" else 0,
        connection=connection(None if known[named].is_live else known[named].last_sync),
        recorded=recorded(known[named]),
        version=version_words(known[named].kube_version),
        gates=changed_count(len(release_of(known[named]).changed_gates)),
        release_notice=release_notice(known[named].kube_version),
    )


def _group(label: str, sections: Mapping[str, frozenset[str]], cluster: str, page: str) -> NavigationGroup:
    items = tuple(
        NavigationItem(
            str(words.SECTIONS[first]),
            reverse(first, kwargs={"cluster": cluster}),
            _current(page, first, below),
            SECTION_KEYS[first],
        )
        for first, below in sections.items()
    )
    return NavigationGroup(label, items, next((item.label for item in items if item.current), ""))


def stale_status(cluster: Cluster) -> LiveStatus | None:
    """Return how a live cluster is doing where what the pages show may be old, otherwise None."""
    state = watch_states([cluster]).get(cluster.pk)
    status = live_status(state.lease, state.kinds, now=timezone.now()) if state else None
    return status if status is not None and status.is_old else None


# Seconds: it tells how long ago things were, and has to notice by itself that nothing is heard any more.
@live_part("stale", template="live/_stale.html", kinds=(), ages=2.0)
def stale_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Present how a live cluster is followed where what pages show of it may be old."""
    return {"live": stale_status(cluster)}

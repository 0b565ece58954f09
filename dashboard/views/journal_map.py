"""A cluster's map over time: what ran where at a moment of the journal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from clusters.models import Cluster, Decision
from clusters.services.journal.past import (
    UnknownPastError,
    known_since,
    latest,
    neighbours,
    nodes_that_come_and_go,
    state_at,
)
from clusters.services.journal.timeline import marks_of
from clusters.services.mirror.snapshots import last_moment
from clusters.services.mirror.state import utilisation_in
from clusters.wording import nodes as nodes_words
from clusters.wording.journal import decisions as words
from clusters.wording.journal.decisions import NODE_OF_ITS_TIME
from clusters.wording.overview import SHADES
from dashboard.filters.journal import TimeSpan
from dashboard.forms.parameters import MomentField, Parameters, whole_number
from dashboard.http import PageRequest, render_page
from dashboard.pictures import cluster as cluster_picture
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.presenters.journal import decision as detail
from dashboard.presenters.journal.timeline import decision_row, happened_view, slider_marks
from dashboard.presenters.journal.verdict_map import kept_attempt, kept_map
from dashboard.presenters.overview import capacity_sentence
from dashboard.presenters.runs.steps import zone_rows
from dashboard.presenters.shared.maps import Scrubber
from dashboard.views.journal_marks import USUAL, timeline_context
from dashboard.views.of_cluster import of_cluster

if TYPE_CHECKING:
    from clusters.documents.explanation import ExplanationDocument


# Seconds of a slider from end to end are so many at most.
_MOST_PLACES = 1_440
_MOST_SECONDS = 10**10
_MICROSECOND = timedelta(microseconds=1)


class MapParameters(Parameters):
    """The moment, exactly, or in seconds of the stretch of time."""

    at = MomentField(required=False)
    second = whole_number(most=_MOST_SECONDS)


class _Stretch:
    """The stretch of time that is looked through, as far as the journal knows it, and its addresses."""

    def __init__(self, request: PageRequest, cluster: Cluster, since: datetime) -> None:
        asked, until = TimeSpan(request.GET).span()
        self.cluster = cluster
        self.end = max(until or last_moment(cluster) or timezone.now(), since + timedelta(seconds=1))
        self.start = max(since, asked or self.end - USUAL)
        if self.start >= self.end:
            self.start = max(since, self.end - USUAL)
        self.kept = tuple((name, request.GET[name]) for name in ("since", "until") if request.GET.get(name))
        if cluster.is_live:
            # Now moves on, and what the slider counts from must not.
            self.kept = (("since", self.start.isoformat()), ("until", self.end.isoformat()))

    def clamped(self, at: datetime) -> datetime:
        return min(self.end, max(self.start, at))

    def address(self, at: datetime | None, name: str = "journal-map") -> str:
        """Return where a moment is shown; empty for none."""
        if at is None:
            return ""
        query = urlencode([("at", at.astimezone(UTC).isoformat()), *self.kept])
        return f"{reverse(name, kwargs={'cluster': self.cluster.name})}?{query}"

    def replay(self) -> str:
        """Return where the stretch is replayed under another configuration."""
        query = urlencode({"since": self.start.isoformat(), "until": self.end.isoformat()})
        return f"{reverse('journal-replay', kwargs={'cluster': self.cluster.name})}?{query}"

    def seconds(self, at: datetime) -> int:
        return int((at - self.start).total_seconds())


@require_safe
@of_cluster
def journal_map(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Show the cluster at a moment: what happened last, and which pods ran where."""
    since = known_since(cluster)
    if since is None:
        return render_page(
            request,
            "journal/map.html",
            "journal/_moment.html",
            {"cluster": cluster, "known": None, "never": str(words.NEVER_RECORDED)},
        )
    stretch = _Stretch(request, cluster, since)
    asked = MapParameters.read(request.GET)
    if asked["second"] is not None:
        # A whole second has what happened within it.
        at = stretch.clamped(stretch.start + timedelta(seconds=asked["second"] + 1) - _MICROSECOND)
        return redirect(stretch.address(at))
    at = stretch.clamped(asked["at"] or stretch.end)
    decisions = Decision.objects.filter(cluster=cluster)
    state = state_at(cluster=cluster, at=at)
    used = utilisation_in(state.snapshot)
    last = latest(cluster, stretch.start, at)
    context: dict[str, Any] = {
        "cluster": cluster,
        "known": since,
        "as_of": last_moment(cluster),
        "at": at,
        "zone": timezone.get_current_timezone_name(),
        "event": None if last is None else happened_view(last, cluster.name),
        "nothing": words.NOTHING,
        "late": words.LATE(pods=state.late) if state.late else "",
        "unknown_before": words.UNKNOWN_BEFORE(since=_written(since)),
        "capacity": capacity_sentence(used),
        "zones": zone_rows(used),
        "scrubber": _scrubber(stretch, at),
        "replay": stretch.replay(),
        "start": stretch.start,
        "end": stretch.end,
        "is_cut": stretch.start == since,
        "shades": SHADES.items(),
        "shade": next(iter(SHADES)),
        **timeline_context(request, cluster, decisions, narrowing={}),
    }
    return render_page(request, "journal/map.html", "journal/_moment_shown.html", context)


def _scrubber(stretch: _Stretch, at: datetime) -> Scrubber:
    around = neighbours(stretch.cluster, at, stretch.start, stretch.end)
    decisions = Decision.objects.filter(cluster=stretch.cluster)
    found = marks_of(decisions, cluster=stretch.cluster, nodes=(), start=stretch.start, end=stretch.end)
    most = stretch.seconds(stretch.end)
    return Scrubber(
        action=reverse("journal-map", kwargs={"cluster": stretch.cluster.name}),
        field="second",
        least=0,
        most=most,
        stride=max(1, most // _MOST_PLACES),
        value=stretch.seconds(at),
        picture=stretch.address(at, "journal-picture"),
        revision=_revision(at),
        first=stretch.address(stretch.start),
        before=stretch.address(around.before),
        previous=stretch.address(around.previous),
        next=stretch.address(around.next),
        following=stretch.address(around.following),
        marks=slider_marks(found),
        kept=stretch.kept,
    )


def _revision(at: datetime) -> int:
    """Return a number that tells moments apart."""
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // _MICROSECOND


@require_safe
@of_cluster
def picture(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return what the picture of the cluster at a moment is drawn from."""
    at = MapParameters.read(request.GET)["at"] or last_moment(cluster) or timezone.now()
    try:
        state = state_at(cluster=cluster, at=at)
    except UnknownPastError as error:
        since = error.since
        said = str(words.NEVER_RECORDED) if since is None else words.UNKNOWN_BEFORE(since=_written(since))
        raise Http404(said) from None
    stretch = _Stretch(request, cluster, known_since(cluster) or at)
    last = latest(cluster, stretch.start, at)
    highlight = None if last is None else happened_view(last, cluster.name).highlight
    changing = nodes_that_come_and_go(cluster, stretch.start, stretch.end)
    content = cluster_picture.picture_of(utilisation_in(state.snapshot), _revision(at), highlight, changing)
    return HttpResponse(content, content_type="application/json", headers={"Cache-Control": "private, max-age=60"})


def _written(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M:%S")


def kept_map_context(decision: Decision, cluster: str, document: ExplanationDocument) -> dict[str, Any]:
    """Return the map and the attempt by whose steps it is played; without nodes there is no map."""
    attempt = kept_attempt(document)
    found = kept_map(document, attempt, decision.node_name)
    address = reverse("journaled-node", kwargs={"cluster": cluster, "pk": decision.pk})
    drawn = None if found is None else DrawnMap(id="map", found=found, node_address=f"{address}?node=")
    return {"strip": attempt, "map": drawn}


@require_safe
@of_cluster
def kept_node(request: PageRequest, cluster: Cluster, pk: int) -> HttpResponse:
    """Show what the journal keeps of one node at the time of a decision."""
    decision = get_object_or_404(Decision, cluster=cluster, pk=pk)
    asked = request.GET.get("node", "")
    document = decision.explanation
    node = None if document is None else detail.kept_node(document, asked)
    if node is None:
        raise Http404(nodes_words.MISSING(cluster=cluster.name, node=asked))
    context = {
        "cluster": cluster,
        "decision": decision,
        "row": decision_row(decision),
        "node": node,
        "title": NODE_OF_ITS_TIME(node=node.name),
    }
    return render_page(request, "journal/node.html", "journal/_node.html", context)

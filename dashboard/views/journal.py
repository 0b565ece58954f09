"""The decisions of a cluster as they came, and one of them as it was then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from clusters.models import Cluster, Decision, Pod
from clusters.services.journal.timeline import decisions_of, timeline
from clusters.services.mirror.snapshots import last_moment
from clusters.services.taken_lessons import can_be_taken
from clusters.wording import counts, figures as figures_words
from dashboard.charts.of_pictures import document_of
from dashboard.filters.journal import JournalFilter
from dashboard.http import PageRequest, render_page
from dashboard.lists.files import streamed_csv_file
from dashboard.lists.keyset import chunks, page_of
from dashboard.live.parts import live_part
from dashboard.presenters.journal import decision as detail, timeline as tables
from dashboard.presenters.journal.decision import answer
from dashboard.presenters.journal.timeline import COLUMNS, FILE_COLUMNS, decision_row, decision_rows, figure_of
from dashboard.presenters.shared.page import count_line, node_links
from dashboard.views.journal_marks import timeline_context as happened_context
from dashboard.views.kept_map import kept_map_context
from dashboard.views.of_cluster import at_any_moment, of_cluster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http.response import HttpResponseBase

    from clusters.documents.explanation import ExplanationDocument
    from dashboard.pictures.figure import Figure

ROWS_PER_PAGE = 50
# So many other decisions about a pod, and victims, are listed on the page of one.
MOST_RELATED = 50
_SHOWN_HOURS = 24
# Seconds after which the list tells again how long ago its decisions were.
_AGES = 20.0
_BEFORE_VICTIMS, _AFTER_VICTIMS = timedelta(minutes=1), timedelta(hours=1)


@live_part(
    "journal.list",
    template="journal/_timeline.html",
    pages=["journal"],
    kinds=["Decision"],
    parameters=[*JournalFilter.base_fields, "older", "newer"],
    ages=_AGES,
)
def timeline_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present one page of the decisions that the filter lets through."""
    form = JournalFilter(query)
    every = decisions_of(cluster)
    matching, conditions = form.apply(every), form.conditions()
    total = every.count()
    shown = matching.count() if conditions else total
    page = page_of(matching.only(*COLUMNS, "event"), query, ROWS_PER_PAGE)
    return {
        "cluster": cluster,
        "as_of": last_moment(cluster),
        "page": page,
        "rows": decision_rows(cluster, page.rows),
        "total": total,
        "counted": count_line(shown=shown, total=total, noun=counts.DECISIONS, conditions=conditions),
    }


@require_safe
@at_any_moment
def journal(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the decisions that the filter lets through, newest first."""
    form = JournalFilter(request.GET)
    given = {name: str(request.GET[name]) for name in form.fields if request.GET.get(name)}
    matching = form.apply(decisions_of(cluster))
    context = {
        **timeline_context(cluster, request.GET),
        **happened_context(request, cluster, matching, narrowing=given),
        "form": form,
        "zone": timezone.get_current_timezone_name(),
        "figure": _figure(cluster, request.GET),
    }
    return render_page(request, "journal/list.html", "journal/_results.html", context)


@require_safe
@of_cluster
def chart(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the decisions that the filter lets through over time, as a chart to explore."""
    figure = _figure(cluster, request.GET)
    return HttpResponse(document_of(figure.spec, figure.id), content_type="application/json")


def _figure(cluster: Cluster, query: QueryDict) -> Figure:
    """Draw the stretch of time that is asked for, or its last day where its beginning is open.

    What is recorded of a dump ends with it.
    """
    form = JournalFilter(query)
    decisions = form.apply(decisions_of(cluster))
    since, until = form.span()
    end = until or last_moment(cluster) or timezone.now()
    address = f"{reverse('journal-chart', kwargs={'cluster': cluster.name})}?{query.urlencode()}"

    def summary(count: int, by_verdict: Sequence[str]) -> str:
        # The picture is drawn once and the list below moves on, so it says until when it counts.
        told = None if since is not None or until else timezone.localtime(end)
        return figures_words.decisions_until(count=count, hours=_SHOWN_HOURS, end=told, by_verdict=by_verdict)

    start = since if since is not None else end - timedelta(hours=_SHOWN_HOURS)
    return figure_of(timeline(decisions, start, end), summary, address)


@require_safe
@of_cluster
def journal_csv(request: PageRequest, cluster: Cluster) -> HttpResponseBase:
    """Return the decisions that the filter lets through as a file, however many they are."""
    matching = JournalFilter(request.GET).apply(Decision.objects.filter(cluster=cluster)).only(*COLUMNS)
    rows = ([tables.cells(decision) for decision in some] for some in chunks(matching))
    return streamed_csv_file(request, f"{cluster.name}-journal", FILE_COLUMNS, rows)


@live_part("journal.decision", template="journal/_detail.html", pages=["journaled"], kinds=["Decision"])
def journaled_context(cluster: Cluster, query: QueryDict, pk: int) -> dict[str, Any]:
    """Present one decision: what the cluster said, what was computed then, and how the two compare. Raises Http404."""
    decision = get_object_or_404(Decision, cluster=cluster, pk=pk)
    document = decision.explanation
    context = {
        "cluster": cluster,
        "as_of": last_moment(cluster),
        "decision": decision,
        "row": decision_row(decision),
        "can_be_taken": can_be_taken(decision),
        "answer": answer(decision, document),
        "document": document,
        "event_at": _event_time(decision),
        **_messages(decision, document),
        **_related(decision),
    }
    if document is not None:
        nodes = node_links(cluster, detail.nodes_of(document))
        context |= {
            "groups": detail.groups(document, nodes),
            "other_groups": detail.other_groups(document),
            **kept_map_context(decision, cluster.name, document),
            "ranking": detail.ranking(document, decision.node_name, nodes),
            "preemption": detail.preemption(document),
            "dropped": detail.dropped(document),
            "unknown_plugins": document.unknown_plugins,
        }
    return context


@require_safe
@of_cluster
def journaled(request: PageRequest, cluster: Cluster, pk: int) -> HttpResponse:
    """Show one decision; its page moves until it is judged."""
    context = journaled_context(cluster, request.GET, pk)
    request.own_moment = context["decision"].heard_at
    return render(request, "journal/detail.html", context)


def _event_time(decision: Decision) -> datetime | None:
    """Return when the event that came with a decision says that it was, if one came and says it."""
    written = (decision.event or {}).get("time")
    return parse_datetime(written) if written else None


def _messages(decision: Decision, document: ExplanationDocument | None) -> dict[str, Any]:
    """Return both messages, marked where they differ; a message of Berth's own only where it refuses too."""
    ours = None if document is None else document.message
    if decision.kind != Decision.Kind.UNSCHEDULABLE or not ours:
        return {"theirs": decision.message}
    if decision.message == ours:
        return {"theirs": decision.message, "is_same": True}
    theirs_marked, ours_marked = detail.side_by_side(decision.message, ours)
    return {"theirs_marked": theirs_marked, "ours_marked": ours_marked}


def _related(decision: Decision) -> dict[str, Any]:
    """Return the pod as it is now, its other decisions in their order, and who had to leave for it."""
    same_cluster = Decision.objects.filter(cluster=decision.cluster_id).only(*COLUMNS, "event")
    of_pod = same_cluster.filter(namespace=decision.namespace, name=decision.name, pod_uid=decision.pod_uid)
    latest = list(of_pod.order_by("-heard_at", "-pk")[: MOST_RELATED + 1])
    victims = same_cluster.filter(
        Q(preemptor_uid=decision.pod_uid),
        heard_at__gt=decision.heard_at - _BEFORE_VICTIMS,
        heard_at__lt=decision.last_heard_at + _AFTER_VICTIMS,
    ).order_by("heard_at", "pk")
    names = {"namespace": decision.namespace, "name": decision.name}
    uid = Pod.objects.filter(cluster=decision.cluster_id, **names).values_list("uid", flat=True).first()
    preemptor = same_cluster.filter(
        namespace=decision.preemptor_namespace, name=decision.preemptor_name, pod_uid=decision.preemptor_uid
    )
    return {
        "pod_state": "gone" if uid is None else "here" if uid == decision.pod_uid else "replaced",
        "attempts": [decision_row(each) for each in reversed(latest[:MOST_RELATED])],
        "has_earlier_attempts": len(latest) > MOST_RELATED,
        "victims": [decision_row(each) for each in victims[:MOST_RELATED]],
        "preemptor": preemptor.order_by("-heard_at", "-pk").first() if decision.preemptor_uid else None,
    }

"""The pods of a cluster, pending ones first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError
from clusters.engine.analysis import Cause, Kind
from clusters.models import Cluster, Pod
from clusters.services.evaluation import NOTICE
from clusters.services.mirror.past import all_pods, with_objects
from clusters.services.mirror.snapshots import ChangingTooFastError, last_moment, release_of
from clusters.services.mirror.state import pod_counts
from clusters.services.pending.pods import pending_of
from clusters.services.workloads.owners import makers_of
from clusters.wording import counts
from dashboard.filters.base import holds
from dashboard.filters.pods import PodFilter
from dashboard.http import PageRequest, render_page
from dashboard.lists.columns import COLUMNS_PARAMETER, MergedRows, Sorting, address_of_choice, rows_in_order
from dashboard.lists.keyset import CountedPaginator
from dashboard.live.parts import live_part
from dashboard.presenters.pods import COLUMNS, FILE_FIELDS, pod_row
from dashboard.presenters.shared.page import count_line
from dashboard.tables.pods import PODS
from dashboard.views.of_cluster import at_any_moment, in_scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.http import HttpResponse, QueryDict
    from django.http.response import HttpResponseBase


ROWS_PER_PAGE = 50
# So many rows of a file are read at once.
_CHUNK = 1_000


def _causes(cluster: Cluster, pods: Iterable[Pod]) -> dict[str, Cause]:
    """Return what keeps the pending ones pending, by UID; nothing where that cannot be computed."""
    if not any(pod.is_pending for pod in pods):
        return {}
    try:
        pending = pending_of(cluster=cluster)
    except (ConfigurationError, ChangingTooFastError):
        return {}
    return {pod.uid: group.cause for group in pending.groups.values() for pod in group.pods}


def _matching(
    cluster: Cluster, query: Mapping[str, str], sorting: Sorting
) -> tuple[PodFilter, QuerySet[Pod] | MergedRows[Pod]]:
    """Return the filter that the address gives, and the pods that it lets through: of now, or of the past in order."""
    form = PodFilter(query, namespaces=pod_counts(cluster).namespaces)
    condition = form.condition()
    if cluster.past is not None:
        same, others = all_pods(cluster)
        return form, sorting.merged(same.filter(condition), (pod for pod in others if holds(condition, pod)))
    return form, Pod.objects.filter(condition, cluster=cluster)


@live_part(
    "pods.list",
    template="pods/_results.html",
    pages=["pods"],
    kinds=[NOTICE],
    parameters=[*PodFilter.base_fields, "page", "sort", COLUMNS_PARAMETER],
)
def list_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose and present the pods that the filter lets through; shown anew once a worker has evaluated the rest."""
    sorting = PODS.sorting(query)
    form, matching = _matching(cluster, query, sorting)
    total = pod_counts(cluster).pods
    conditions = form.conditions()
    rows: Any = matching
    if isinstance(matching, QuerySet):
        rows = matching.order_by(*sorting.order()).values_list("pk", flat=True)
    paginator = Paginator(rows, ROWS_PER_PAGE) if conditions else CountedPaginator(rows, ROWS_PER_PAGE, count=total)
    page = paginator.get_page(query.get("page"))
    listed = (
        with_objects(list(page)) if cluster.past else rows_in_order(Pod.objects.only(*COLUMNS, "object"), list(page))
    )
    causes, counting = _causes(cluster, listed), release_of(cluster).counting
    return {
        "cluster": cluster,
        "as_of": last_moment(cluster),
        "evaluating": any(cause.kind is Kind.EVALUATING for cause in causes.values()),
        "form": form,
        "page": page,
        "pods": PODS.of((pod_row(pod, counting, causes.get(pod.uid)) for pod in listed), sorting, PODS.choice(query)),
        "total": total,
        "counted": count_line(shown=paginator.count, total=total, noun=counts.PODS, conditions=conditions),
    }


@require_safe
@at_any_moment
@in_scope
def pods(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the pods that the filter lets through."""
    if (chosen := address_of_choice(request, PODS.columns)) is not None:
        return chosen
    return render_page(request, "pods/list.html", "pods/_results.html", list_context(cluster, request.GET))


@require_safe
@at_any_moment
def pods_csv(request: PageRequest, cluster: Cluster) -> HttpResponseBase:
    """Return the pods that the filter lets through as a file, however many they are."""
    _, matching = _matching(cluster, request.GET, Sorting({}, (), usual=("namespace", "name")))
    counting = release_of(cluster).counting
    rows = (
        [pod_row(pod, counting, maker=maker) for pod, maker in zip(some, makers_of(cluster, some), strict=True)]
        for some in _chunks(matching)
    )
    return PODS.streamed_file(request, f"{cluster.name}-pods", rows)


def _chunks(pods: QuerySet[Pod] | MergedRows[Pod]) -> Iterator[list[Pod]]:
    """Yield all pods in the order of their names, some at a time, each time from where the last ended."""
    if isinstance(pods, MergedRows):
        every = pods[:]
        yield from (with_objects(every[start : start + _CHUNK]) for start in range(0, len(every), _CHUNK))
        return
    pods = pods.only(*FILE_FIELDS)
    rest = pods.order_by("namespace", "name")
    while some := list(rest[:_CHUNK]):
        yield some
        last = some[-1]
        after = Q(namespace=last.namespace, name__gt=last.name) | Q(namespace__gt=last.namespace)
        rest = pods.filter(after, namespace__gte=last.namespace).order_by("namespace", "name")

"""The workloads of a cluster, and one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from clusters.engine import UnknownScheduler, explain
from clusters.engine.objects import Document, key_of, name_of
from clusters.engine.owners import Controller, Workload
from clusters.engine.rollout import RolloutWay
from clusters.engine.scheduling import Failure
from clusters.engine.selectors import SelectorError
from clusters.models import Cluster, Pod
from clusters.services.decisions.explain import attempted
from clusters.services.evaluation import NOTICE
from clusters.services.journal.timeline import decisions_of
from clusters.services.mirror.snapshots import configuration_of, last_moment
from clusters.services.pending.pods import pending_of
from clusters.services.usage.history import sizing_of
from clusters.services.workloads import ClusterWorkloads, WorkloadState, workloads_of
from clusters.services.workloads.failing import killed_pods_of
from clusters.services.workloads.growth import (
    MOST_PODS,
    earlier_update,
    growth_of,
    next_pod,
    next_refusal,
    plan_for,
    update_of,
)
from clusters.services.workloads.listing import groups_of_workload, jobs_of
from clusters.services.workloads.owners import documents_of, sample_of
from clusters.wording import absent, counts, usage as usage_words
from clusters.wording.decisions.verdict import verdict_sentence
from clusters.wording.workloads import NO_SAMPLE
from dashboard.filters.workloads import MoreForm, WorkloadsFilter
from dashboard.http import PageRequest, wants_fragment
from dashboard.lists.columns import COLUMNS_PARAMETER, SORT_PARAMETER, Sorting, address_of_choice
from dashboard.live.parts import live_part
from dashboard.presenters.pod_groups import PodGroupRow
from dashboard.presenters.pods import as_yaml, computed_facts, pod_facts
from dashboard.presenters.shared import page as failures
from dashboard.presenters.shared.page import count_line, earlier_sentence
from dashboard.presenters.spread import worst_sentence
from dashboard.presenters.usage import workload_sizing_view
from dashboard.presenters.workloads import changes as updates, detail
from dashboard.presenters.workloads.changes import creation_refusal, growth_view
from dashboard.presenters.workloads.detail import JobView, budgets_of, cron_sentence, waiting_sentence
from dashboard.tables.workloads import WORKLOADS
from dashboard.views.journal_marks import timeline_context
from dashboard.views.of_cluster import at_any_moment, in_scope, render_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse, QueryDict

    from clusters.models import Cluster
    from dashboard.http import PageRequest

ROWS_PER_PAGE = 50

# What the pages show depends on these.
KINDS = (
    "Pod", "Node", "PodDisruptionBudget", "Service", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job",
    "CronJob", "ReplicationController", "Event",
)  # fmt: skip


def _sorted(found: ClusterWorkloads, form: WorkloadsFilter, sorting: Sorting) -> Sequence[WorkloadState]:
    """Return the workloads that the filter lets through, as the address sorts them."""
    states = form.apply()
    if not sorting.value:
        return states
    rows = (detail.WorkloadRow(found, state) for state in states)
    return [row.state for row in sorting.sort(rows, ties=lambda row: row.workload)]


@live_part(
    "workloads.list",
    template="workloads/_results.html",
    pages=["workloads"],
    kinds=KINDS,
    parameters=[*WorkloadsFilter.base_fields, "page", SORT_PARAMETER, COLUMNS_PARAMETER],
)
def workloads_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Choose, sort and present the workloads that the filter lets through."""
    found = workloads_of(cluster=cluster)
    form = WorkloadsFilter(query, found=found)
    sorting = WORKLOADS.sorting(query)
    passing = _sorted(found, form, sorting)
    page = Paginator(passing, ROWS_PER_PAGE).get_page(query.get("page"))
    total = len(found.states)
    return {
        "cluster": cluster,
        "form": form,
        "page": page,
        "workloads": WORKLOADS.of(
            [detail.WorkloadRow(found, state) for state in page], sorting, WORKLOADS.choice(query)
        ),
        "zone_keys": detail.zone_keys(found),
        "total": total,
        "counted": count_line(shown=len(passing), total=total, noun=counts.WORKLOADS, conditions=form.conditions()),
    }


@live_part("workloads.answer", template="workloads/_answer.html", pages=["workloads"], kinds=KINDS)
def answer_context(cluster: Cluster, query: QueryDict) -> dict[str, Any]:
    """Say how the workloads are, and which has the worst skew."""
    found = workloads_of(cluster=cluster)
    worst = found.summary.worst
    group = None if worst is None else found.worst_group(worst)
    return {
        "cluster": cluster,
        "sentence": detail.cluster_sentence(found),
        "worst": worst.workload if worst is not None and group is not None else None,
        "worst_sentence": worst_sentence(group) if worst is not None and group is not None else "",
        "inferred": found.inferred,
    }


@require_safe
@at_any_moment
@in_scope
def workloads(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """List the workloads that the filter lets through."""
    if (chosen := address_of_choice(request, WORKLOADS.columns)) is not None:
        return chosen
    parts = (workloads_context, answer_context)
    return render_parts(request, cluster, "workloads/list.html", "workloads/_results.html", *parts)


@require_safe
@at_any_moment
def workloads_csv(request: PageRequest, cluster: Cluster) -> HttpResponse:
    """Return the workloads that the filter lets through as a file."""
    found = workloads_of(cluster=cluster)
    states = _sorted(found, WorkloadsFilter(request.GET, found=found), WORKLOADS.sorting(request.GET))
    rows = (detail.WorkloadRow(found, state) for state in states)
    return WORKLOADS.file(f"{cluster.name}-workloads", rows)


NODES_PER_PAGE = 25
WAITING_SHOWN = 20
JOBS_SHOWN = 5
GROUPS_SHOWN = 20
# Seconds after which it is told anew when a CronJob starts its next Job.
_AGES = 30.0
USUAL_MORE = 20
# Kinds of which a simulation creates more pods, without one to copy from their templates.
_SCALED = ("Deployment", "Job", "ReplicaSet", "StatefulSet")
# Kinds without replicas: a pod for each node, and static pods of one.
_NOT_SCALED = ("DaemonSet", detail.STATIC)

# What htmx swaps, and the template that holds it.
_FRAGMENTS = {"nodes": "workloads/_nodes.html", "trials": "workloads/_trials.html", "most": "workloads/_most.html"}


def _state(cluster: Cluster, kind: str, namespace: str, name: str) -> tuple[ClusterWorkloads, WorkloadState]:
    found = workloads_of(cluster=cluster)
    state = found.states.get(Workload(namespace, kind, name))
    if state is None:
        raise Http404(absent.NO_PODS(cluster=cluster.name, workload=f"{kind} {namespace}/{name}"))
    return found, state


@live_part(
    "workload.head",
    template="workloads/_head.html",
    pages=["workload"],
    kinds=(*KINDS, "PodGroup", "Workload", NOTICE),
    ages=_AGES,
)
def head_context(cluster: Cluster, query: QueryDict, kind: str, namespace: str, name: str) -> dict[str, Any]:
    """Say how a workload is. Raises Http404."""
    found, state = _state(cluster, kind, namespace, name)
    group = found.worst_group(state)
    return {
        "cluster": cluster,
        "workload": state.workload,
        "kind_text": detail.kind_text(state.workload),
        "failures": detail.failure_views(found, state),
        "badges": detail.badges(state, group, budgets_of(found, state)),
        "waits": waiting_sentence(pending_of(cluster=cluster), state) if state.pending else "",
        "tiles": detail.tiles(state),
        "groups": [
            PodGroupRow(cluster, each)
            for each in groups_of_workload(cluster=cluster, found=found, workload=state.workload)[:GROUPS_SHOWN]
        ],
        "schedule": _schedule(cluster, found, state.workload),
        "jobs": [
            JobView(each) for each in jobs_of(cluster=cluster, found=found, workload=state.workload, most=JOBS_SHOWN)
        ],
    }


def _schedule(cluster: Cluster, found: ClusterWorkloads, workload: Workload) -> str:
    document = found.document(workload) if workload.kind == "CronJob" else None
    return "" if document is None else cron_sentence(document, last_moment(cluster) or timezone.now())


@live_part(
    "workload.body", template="workloads/_body.html", pages=["workload"], kinds=(*KINDS, NOTICE), parameters=["page"]
)
def body_context(cluster: Cluster, query: QueryDict, kind: str, namespace: str, name: str) -> dict[str, Any]:
    """Present where a workload's pods lie, what guards them, and which of them wait. Raises Http404."""
    found, state = _state(cluster, kind, namespace, name)
    page = Paginator(detail.node_order(found, state), NODES_PER_PAGE).get_page(query.get("page"))
    ready = detail.ready_pod(found, state)
    documents = documents_of(cluster, namespace, [ready]) if ready else {}
    waiting = found.pending.get(state.workload, ())
    causes = {}
    if waiting:
        groups = pending_of(cluster=cluster).groups.values()
        causes = {(pod.namespace, pod.name): group.cause for group in groups for pod in group.pods}
    return {
        "cluster": cluster,
        "workload": state.workload,
        "zones": detail.zone_views(found, state),
        "loss": updates.loss_figure(found, state),
        "page": page,
        "nodes": detail.node_views(found.snapshot, list(page)),
        "spread": detail.spread_views(found, state),
        "budgets": detail.budget_views(found, state),
        "eviction": detail.eviction_sentence(found.snapshot, documents.get(ready)),
        "waiting": detail.pending_views(waiting[:WAITING_SHOWN], causes),
        "waiting_more": max(0, len(waiting) - WAITING_SHOWN),
    }


def _template_context(
    cluster: Cluster, found: ClusterWorkloads, workload: Workload, sample: Document | None
) -> dict[str, Any]:
    """Present what the workload's newest pod requests, and whether one more like it is created and fits."""
    if sample is None:
        return {"facts": [], "one_more": "", "yaml": ""}
    namespace, name = sample["metadata"].get("namespace", "default"), name_of(sample)
    row = Pod.objects.filter(cluster=cluster, namespace=namespace, name=name).first()
    facts = pod_facts(row, sample) if row is not None else []
    one_more = ""
    snapshot, copied = next_pod(found, workload, sample)
    refusal = next_refusal(cluster=cluster, snapshot=snapshot, copy=copied)
    try:
        profile = configuration_of(cluster).profile_for(copied.pod)
    except UnknownScheduler as error:
        one_more = failures.unanswered(error)
    else:
        answer = attempted(key_of(copied.pod), lambda: explain(snapshot, copied.pod, profile))
        if isinstance(answer, Failure):
            one_more = failures.not_computed_sentence(answer.reference)
        else:
            facts = [*facts, *computed_facts(answer)]
            one_more = verdict_sentence(answer) if refusal is None else creation_refusal(refusal)
    return {"facts": [fact for fact in facts if fact[0] != "Owner"], "one_more": one_more, "yaml": as_yaml(sample)}


def _more_context(
    cluster: Cluster, found: ClusterWorkloads, state: WorkloadState, sample: Document | None, query: QueryDict
) -> dict[str, Any]:
    """Try out as many more pods as the address asks for."""
    has_replicas = state.workload.kind not in _NOT_SCALED
    form = MoreForm(query if "more" in query else {"more": str(USUAL_MORE)})
    asked = form.asked()
    context = {
        "more_form": form,
        "has_replicas": has_replicas,
        "no_more": str(NO_SAMPLE) if has_replicas and sample is None else "",
        "is_simulated": has_replicas and sample is None and state.workload.kind in _SCALED,
        "state": state,
        "growth": None,
    }
    if not has_replicas or sample is None or asked is None or "more" not in query:
        return context
    try:
        growth = growth_of(cluster=cluster, found=found, workload=state.workload, sample=sample, more=asked)
    except (UnknownScheduler, SelectorError) as error:
        return {**context, "no_more": failures.unanswered(error)}
    figure = None if growth.is_cut else updates.growth_figure(found, state, growth)
    view = growth_view(found, state, growth)
    shown = {"growth": view, "growth_figure": figure, "evaluating": growth.is_cut}
    return {**context, **shown, "earlier": earlier_sentence(growth.earlier)}


@live_part("workload.most", template="workloads/_most_sentence.html", pages=["workload"], kinds=[NOTICE])
def most_context(cluster: Cluster, query: QueryDict, kind: str, namespace: str, name: str) -> dict[str, Any]:
    """Say how many more pods fit, one after another, of as many as are tried. Raises Http404."""
    found, state = _state(cluster, kind, namespace, name)
    sample = None if kind in _NOT_SCALED else sample_of(cluster, found, state.workload)
    if sample is None:
        return {}
    try:
        growth = growth_of(cluster=cluster, found=found, workload=state.workload, sample=sample, more=MOST_PODS)
    except (UnknownScheduler, SelectorError) as error:
        return {"unanswered": failures.unanswered(error)}
    return {
        "cluster": cluster,
        "most": growth,
        "uncertain": updates.uncertain_of(growth),
        "where": updates.where(growth),
        "reasons": updates.reasons(growth),
        "next_number": len(growth.landings) + 1,
        "evaluating": growth.is_cut,
        "earlier": earlier_sentence(growth.earlier),
    }


def _update_context(
    cluster: Cluster, found: ClusterWorkloads, state: WorkloadState, sample: Document | None, query: QueryDict
) -> dict[str, Any]:
    """Say how the workload is updated, and simulate it where the address asks for that."""
    plan = plan_for(found, state.workload)
    context: dict[str, Any] = {
        "plan": plan,
        "can_update": plan is not None
        and plan.way is not RolloutWay.ON_DELETE
        and sample is not None
        and state.placed + state.pending > 0,
        "no_update": "",
        "update": None,
        "updating": False,
    }
    if plan is None or sample is None or not context["can_update"] or "update" not in query:
        return context
    try:
        found_update = update_of(cluster=cluster, found=found, workload=state.workload, sample=sample, plan=plan)
    except (UnknownScheduler, SelectorError) as error:
        return {**context, "no_update": failures.unanswered(error)}
    if found_update is None:
        context |= {"updating": True, "evaluating": True}
        earlier = earlier_update(cluster=cluster, workload=state.workload)
        if earlier is None:
            return context
        found_update, context["updated_at"] = earlier
    figure = updates.rollout_figure(found_update)
    return {**context, "update": updates.update_view(found_update), "rollout_figure": figure}


@live_part(
    "workload.trials",
    template="workloads/_both_trials.html",
    pages=["workload"],
    kinds=[NOTICE],
    parameters=["more", "update"],
)
def trials_context(cluster: Cluster, query: QueryDict, kind: str, namespace: str, name: str) -> dict[str, Any]:
    """Present what more pods and an update would meet. Raises Http404."""
    found, state = _state(cluster, kind, namespace, name)
    sample = sample_of(cluster, found, state.workload)
    more = _more_context(cluster, found, state, sample, query)
    update = _update_context(cluster, found, state, sample, query)
    return {
        "cluster": cluster,
        "workload": state.workload,
        "revision": cluster.revision,
        **_template_context(cluster, found, state.workload, sample),
        **more,
        **update,
        "evaluating": more.get("evaluating", False) or update.get("evaluating", False),
    }


@require_safe
@at_any_moment
def workload(request: PageRequest, cluster: Cluster, kind: str, namespace: str, name: str) -> HttpResponse:
    """Show one workload."""
    found = workloads_of(cluster=cluster)
    asked = Workload(namespace, kind, name)
    state = found.states.get(asked)
    if state is None:
        return _absent(request, cluster, found, asked)
    return _shown(request, cluster, found, state)


def _shown(request: PageRequest, cluster: Cluster, found: ClusterWorkloads, state: WorkloadState) -> HttpResponse:
    asked = request.htmx.target if wants_fragment(request) else None
    target = asked if asked in _FRAGMENTS else ""
    place = {"kind": state.workload.kind, "namespace": state.workload.namespace, "name": state.workload.name}
    context: dict[str, Any] = {"cluster": cluster, "workload": state.workload, "revision": cluster.revision}
    if target in ("", "nodes"):
        context |= body_context(cluster, request.GET, **place)
    # What would happen to more pods, and what is used, is of the present.
    is_present = cluster.past is None
    if target in ("", "trials") and is_present:
        context |= trials_context(cluster, request.GET, **place)
    if target == "most" and is_present:
        context |= most_context(cluster, request.GET, **place)
    if not target:
        context |= _usage_context(cluster, state.workload) if is_present else {}
        context |= _happened_context(request, cluster, found, state)
        context |= head_context(cluster, request.GET, **place)
    response = render(request, _FRAGMENTS.get(target, "workloads/detail.html"), context)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def _happened_context(
    request: PageRequest, cluster: Cluster, found: ClusterWorkloads, state: WorkloadState
) -> dict[str, Any]:
    """Present what happened to the workload's pods, and to the nodes that they were about."""
    workload = state.workload
    decisions = decisions_of(cluster).filter(
        namespace=workload.namespace, owner_kind=workload.kind, owner_name=workload.name
    )
    names = found.snapshot.nodes.names
    nodes = [names[row] for row, _, _ in detail.node_order(found, state)]
    narrowing = {"namespace": workload.namespace, "workload": f"{workload.kind}/{workload.name}"}
    return timeline_context(request, cluster, decisions, narrowing=narrowing, nodes=nodes)


def _usage_context(cluster: Cluster, workload: Workload) -> dict[str, Any]:
    """Present what the workload requests beside what it uses; nothing where there is no usage of it."""
    found, killed = sizing_of(cluster=cluster), killed_pods_of(cluster=cluster)[workload]
    sizing = None if found is None else found.of(workload)
    return {
        "sizing": None if sizing is None else workload_sizing_view(sizing, killed=killed),
        "has_usage": found is not None,
        "killed": usage_words.KILLED(pods=killed) if killed and sizing is None else "",
    }


def _absent(request: PageRequest, cluster: Cluster, found: ClusterWorkloads, asked: Workload) -> HttpResponse:
    """Lead to what owns the object of the address, or say that it has no pods."""
    document = found.document(asked)
    above = None if document is None else Controller.of(document)
    if above is not None:
        owner = Workload(asked.namespace, above.kind, above.name)
        if owner in found.states:
            return redirect("workload", cluster.name, owner.kind, owner.namespace, owner.name)
    context = {"cluster": cluster, "workload": asked, "is_known": document is not None}
    return render(request, "workloads/absent.html", context, status=200 if document is not None else 404)

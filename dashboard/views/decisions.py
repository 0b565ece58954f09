"""Why one pod lies where it lies, or why it cannot: the page, and each of its parts at an address of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError, UnknownScheduler
from clusters.models import Decision, Event
from clusters.services.journal.agreement import COUNTED_KINDS
from clusters.services.snapshots import ChangingTooFastError
from dashboard.cases import Case, explained, pod_of
from dashboard.charts.scores import scores as score_figure
from dashboard.http import render_page
from dashboard.presenters import clusters as cluster_presenter
from dashboard.presenters import decision as presenter
from dashboard.presenters import groups as group_presenter
from dashboard.presenters import preemption as preemption_presenter
from dashboard.presenters.arithmetic import arithmetic
from dashboard.presenters.journal import COLUMNS as JOURNAL_COLUMNS
from dashboard.presenters.journal import decision_row
from dashboard.presenters.node_verdict import MOST_MATCHES, matches, node_verdict
from dashboard.presenters.plugins import plugin_rows, sampling_sentence
from dashboard.presenters.pod_facts import as_yaml, computed_facts, pod_facts
from dashboard.presenters.relaxations import KINDS, gain, lifts, relaxations
from dashboard.presenters.reports import condition_report, event_reports
from dashboard.presenters.scores import TOP, score_table
from dashboard.views.observed import observed_context

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.core.paginator import Page
    from django.http import HttpResponse

    from clusters.models import Pod
    from dashboard.http import PageRequest
    from dashboard.presenters.journal import DecisionRow

NODES_PER_PAGE = 25
GROUPS_PER_PAGE = 12
CANDIDATES_PER_PAGE = 10
LATEST_EVENTS = 5


def _case(request: PageRequest, cluster: str, namespace: str, name: str) -> Case:
    """Explain the pod that a part's address names; a pod that cannot be explained has no parts."""
    try:
        return explained(pod_of(cluster, namespace, name), request.GET.get("profile", ""))
    except (UnknownScheduler, ConfigurationError, ChangingTooFastError) as error:
        raise Http404(str(error)) from None


def _page_of(request: PageRequest, items: Iterable[Any], size: int) -> Page[Any]:
    return Paginator(list(items), size).get_page(request.GET.get("page"))


def _part(request: PageRequest, fragment: str, title: str, case: Case, context: dict[str, Any]) -> HttpResponse:
    """Answer with the fragment to htmx, and with a page around it to everybody else."""
    return render_page(
        request,
        "decision/part.html",
        fragment,
        {"case": case, "cluster": case.cluster, "pod": case.pod, "title": title, "fragment": fragment, **context},
    )


# -- the page ----------------------------------------------------------------------------------------------------------


@require_safe
def decision(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Show the whole decision, each part as far as one glance needs."""
    pod = pod_of(cluster, namespace, name)
    try:
        case = explained(pod, request.GET.get("profile", ""))
    except UnknownScheduler as error:
        context = {"verdict": presenter.unknown_scheduler(pod, error), "profiles": error.known}
        return _undecided(request, pod, context)
    except (ConfigurationError, ChangingTooFastError) as error:
        status = 503 if isinstance(error, ChangingTooFastError) else 200
        return _undecided(request, pod, {"problem": str(error)}, status)
    explanation = case.explanation
    steps = group_presenter.funnel(explanation)
    events = Event.objects.filter(
        cluster=pod.cluster, involved_kind="Pod", involved_namespace=namespace, involved_name=name
    ).order_by("-last_seen", "-pk")[:LATEST_EVENTS]
    context = {
        "case": case,
        "cluster": case.cluster,
        "pod": pod,
        "journaled": _journaled(pod),
        "verdict": presenter.verdict(pod, explanation, case.configuration),
        "message": explanation.message,
        "condition": condition_report(pod, explanation),
        "events": event_reports(events, explanation),
        "gaps": presenter.gaps_that_matter(cluster_presenter.gaps(pod.cluster), explanation),
        "node_total": explanation.node_count,
        "steps": [step for step in steps if not step.skipped],
        "skipped": [step for step in steps if step.skipped],
        **_groups(request, case),
        "relaxations": relaxations(explanation),
        **_scores(request, case),
        **_preemption(request, case),
        **observed_context(request, case),
        "plugins": plugin_rows(explanation),
        "sampling": sampling_sentence(explanation),
        "facts": computed_facts(explanation) + pod_facts(pod, pod.object),
        "yaml": as_yaml(pod.object),
    }
    return render(request, "decision/page.html", context)


def _journaled(pod: Pod) -> DecisionRow | None:
    """Return the scheduler's latest decision about the pod that the journal holds."""
    decisions = Decision.objects.filter(
        cluster=pod.cluster, namespace=pod.namespace, name=pod.name, pod_uid=pod.uid, kind__in=COUNTED_KINDS
    )
    latest = decisions.only(*JOURNAL_COLUMNS, "event").order_by("-heard_at", "-pk").first()
    return decision_row(latest) if latest else None


def _undecided(request: PageRequest, pod: Pod, context: dict[str, Any], status: int = 200) -> HttpResponse:
    facts = {
        "cluster": pod.cluster,
        "pod": pod,
        "journaled": _journaled(pod),
        "facts": pod_facts(pod, pod.object),
        "yaml": as_yaml(pod.object),
    }
    return render(request, "decision/undecided.html", {**facts, **context}, status=status)


# -- nodes -------------------------------------------------------------------------------------------------------------


def _groups(request: PageRequest, case: Case) -> dict[str, Any]:
    every = group_presenter.groups(case.explanation)
    return {"group_page": _page_of(request, every, GROUPS_PER_PAGE)}


@require_safe
def groups(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Show the nodes by identical verdict, for a cluster with so many verdicts that they need pages."""
    case = _case(request, cluster, namespace, name)
    return _part(request, "decision/_groups.html", "Nodes by verdict", case, _groups(request, case))


@require_safe
def group(request: PageRequest, cluster: str, namespace: str, name: str, number: int) -> HttpResponse:
    """Show the nodes of one group."""
    case = _case(request, cluster, namespace, name)
    if number >= len(case.explanation.groups):
        raise Http404("There is no such group of nodes now.")
    page = _page_of(request, case.explanation.groups[number].rows.tolist(), NODES_PER_PAGE)
    view = group_presenter.group(case.explanation, number)
    lines = group_presenter.node_lines(case.explanation, page)
    context = {"group": view, "page": page, "lines": lines, "target": f"#group-{number}"}
    return _part(request, "decision/_group.html", f"{view.count}: {view.verdict_text}", case, context)


@require_safe
def nodes(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Answer why not a node whose name, or part of it, is asked for."""
    case = _case(request, cluster, namespace, name)
    asked = request.GET.get("node", "").strip()
    found = matches(case.explanation, asked) if asked else []
    if asked in case.explanation.snapshot.nodes.index:
        found = [asked]
    context: dict[str, Any] = {"asked": asked, "matches": found[:MOST_MATCHES], "more": len(found) > MOST_MATCHES}
    if len(found) == 1:
        context["node"] = node_verdict(case.explanation, case.row(found[0]))
    return _part(request, "decision/_nodes.html", "Why not this node?", case, context)


@require_safe
def node(request: PageRequest, cluster: str, namespace: str, name: str, node: str) -> HttpResponse:
    """Show what every filter compared on one node."""
    case = _case(request, cluster, namespace, name)
    view = node_verdict(case.explanation, case.row(node))
    return _part(request, "decision/_node.html", f"On {node}", case, {"node": view})


# -- scores ------------------------------------------------------------------------------------------------------------


def _scores(request: PageRequest, case: Case) -> dict[str, Any]:
    """Return one page of the ranking; none where nothing is scored."""
    if not case.explanation.scores:
        return {"table": None}
    page = _page_of(request, case.explanation.ranking().tolist(), TOP)
    table = score_table(case.explanation, page, case.pod.node_name)
    return {"table": table, "score_page": page, "figure": score_figure(table)}


@require_safe
def scores(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Show one page of the ranking of the feasible nodes."""
    case = _case(request, cluster, namespace, name)
    if not case.explanation.scores:
        raise Http404("Nothing is scored now.")
    return _part(request, "decision/_scores.html", "Scores", case, _scores(request, case))


@require_safe
def cell(request: PageRequest, cluster: str, namespace: str, name: str, node: str, plugin: str) -> HttpResponse:
    """Show the arithmetic behind one plugin's score of one node."""
    case = _case(request, cluster, namespace, name)
    try:
        view = arithmetic(case.explanation, case.row(node), plugin)
    except LookupError:
        raise Http404(f"{plugin} did not score {node}.") from None
    return _part(request, "decision/_cell.html", f"{plugin} on {node}", case, {"cell": view})


# -- what would help ---------------------------------------------------------------------------------------------------


@require_safe
def relaxation(request: PageRequest, cluster: str, namespace: str, name: str, kind: str, number: int) -> HttpResponse:
    """Show the nodes that lifting some requirements would gain."""
    case = _case(request, cluster, namespace, name)
    found = next((lifts(case.explanation, each) for each in KINDS if each == kind), ())
    if number >= len(found):
        raise Http404("There is no such way to gain nodes now.")
    page = _page_of(request, found[number].rows, NODES_PER_PAGE)
    context = {
        "sentence": gain(case.explanation, found[number]),
        "kind": kind,
        "number": number,
        "target": f"#lift-{kind}-{number}",
        "page": page,
        "lines": group_presenter.node_lines(case.explanation, page),
    }
    return _part(request, "decision/_relaxation.html", "What would make it fit", case, context)


def _preemption(request: PageRequest, case: Case) -> dict[str, Any]:
    found = case.explanation.preemption
    if found is None:
        return {"preemption": None}
    page = _page_of(request, preemption_presenter.ranked(found), CANDIDATES_PER_PAGE)
    return {
        "preemption": preemption_presenter.preemption(case.explanation),
        "candidate_page": page,
        "candidates": [preemption_presenter.candidate_view(candidate, found) for candidate in page],
    }


@require_safe
def preemption(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Show one page of the nodes where removing pods would make room."""
    case = _case(request, cluster, namespace, name)
    if case.explanation.preemption is None:
        raise Http404("Preemption is not asked now.")
    return _part(request, "decision/_preemption.html", "Preemption", case, _preemption(request, case))


# -- what others recorded ----------------------------------------------------------------------------------------------


@require_safe
def observed(
    request: PageRequest, cluster: str, namespace: str, name: str, observation: int, show: str
) -> HttpResponse:
    """Show one recorded attempt next to what is computed: the nodes that differ, or all."""
    case = _case(request, cluster, namespace, name)
    context = observed_context(request, case, observation, show)
    return _part(request, "decision/_observed.html", "Observed", case, context)

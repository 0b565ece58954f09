"""The decision page of one pod, and each of its parts at an address of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clusters.engine import ConfigurationError, UnknownScheduler
from clusters.engine.analysis import KINDS, lifts
from clusters.engine.configuration import spelled_out
from clusters.engine.kubelet import reported
from clusters.engine.resources import MEMORY
from clusters.engine.scheduling import search_chances
from clusters.services.computing import check
from clusters.services.decisions.explain import NotComputed
from clusters.services.mirror.past import node_named
from clusters.services.mirror.snapshots import ChangingTooFastError, last_moment
from clusters.services.observed import events_of
from clusters.services.pending.pods import Needs, tried_ways
from clusters.services.usage.history import newest_disks
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import doubts
from clusters.wording.decisions import attempt as words
from clusters.wording.decisions.attempt import sampling_sentence
from clusters.wording.decisions.verdict import ranked_first, rescored_sentence, table_sentence
from clusters.wording.lists import ON
from dashboard.explained import ExplainedPod, explained, pod_of
from dashboard.pictures.card import CardRow, card
from dashboard.presenters import clusters as cluster_presenter
from dashboard.presenters.decisions import page as group_presenter
from dashboard.presenters.decisions.landscape import landscape, weights
from dashboard.presenters.decisions.maps import rejecting_keys
from dashboard.presenters.decisions.nodes import arithmetic
from dashboard.presenters.decisions.observed import (
    autoscaler_sentences,
    condition_report,
    event_reports,
    unexplained_reports,
)
from dashboard.presenters.decisions.page import gain, relaxations
from dashboard.presenters.devices import evictions_of_pod
from dashboard.presenters.journal.timeline import decision_row
from dashboard.presenters.pod_groups import group_reports
from dashboard.presenters.pods import as_yaml, computed_facts, enforcement, lifecycle, pod_facts, pod_links, related
from dashboard.presenters.shared import page as failures
from dashboard.views import queue, removal  # noqa: F401 - registers the live parts of what the page loads later
from dashboard.views.decision_journal import (
    DECISION,
    NOW,
    PAST,
    attempts_context,
    happened_context,
    is_explained,
    journaled_decision,
    latest_decisions,
    then_context,
)
from dashboard.views.decision_parts import (
    answer,
    case_of,
    comparison_context,
    map_context,
    observed_context,
    rows_of_page,
)
from dashboard.views.of_cluster import at_any_moment

if TYPE_CHECKING:
    from clusters.models import Cluster, Pod
    from dashboard.explained import Case
    from dashboard.http import PageRequest

NODES_PER_PAGE = 25
GROUPS_PER_PAGE = 12
CANDIDATES_PER_PAGE = 10
LATEST_EVENTS = 5


# -- the page ----------------------------------------------------------------------------------------------------------


@require_safe
@at_any_moment
def decision(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show the whole decision, each part as far as one glance needs.

    A pod that was placed while the journal listened is explained as of its decision, unless it is asked for as of now.
    """
    pod = pod_of(cluster, namespace, name)
    latest = latest_decisions(pod.cluster, namespace, name, pod.uid)
    journaled = journaled_decision(pod, latest)
    profile, usual = request.GET.get("profile", ""), DECISION if pod.node_name else NOW
    asked = request.GET.get("at", usual) if cluster.past is None else PAST
    common = {
        "cluster": pod.cluster,
        "as_of": last_moment(pod.cluster),
        "pod": pod,
        "links": pod_links(pod),
        "group_reports": group_reports(pod),
        "states": lifecycle(pod),
        "device_evictions": evictions_of_pod(pod),
        "journaled": decision_row(journaled) if journaled else None,
        "is_explained_then": journaled is not None and is_explained(journaled),
        "enforced": _enforced(pod),
        **attempts_context(pod.cluster, namespace, name, latest),
        **(happened_context(request, pod) if latest else {}),
    }
    then = then_context(journaled) if journaled and asked == DECISION and not profile else None
    if then is not None:
        described = {
            "facts": pod_facts(pod, pod.object),
            "yaml": as_yaml(pod.object),
            "events": events_of(pod)[:LATEST_EVENTS],
        }
        return render(request, "decision/then.html", {**common, **then, **described, "at": DECISION})
    try:
        case = explained(pod, profile)
    except UnknownScheduler as error:
        context = {
            "verdict": group_presenter.unknown_scheduler(pod, error),
            "profiles": error.known,
            "recorded": unexplained_reports(pod, events_of(pod)[:LATEST_EVENTS]),
        }
        return _undecided(request, pod, {**common, **context})
    except NotComputed as error:
        return _undecided(request, pod, {**common, "problem": failures.failure_sentence(error.failure)})
    except (ConfigurationError, ChangingTooFastError) as error:
        status = 503 if isinstance(error, ChangingTooFastError) else 200
        return _undecided(request, pod, {**common, "problem": failures.unanswered(error)}, status)
    at = NOW if cluster.past is None else PAST
    return render(request, "decision/page.html", {**common, **_explained(request, case), "at": at})


def _enforced(pod: Pod) -> dict[str, Any] | None:
    """Present what is enforced for a pod that may still run."""
    if pod.phase in ("Succeeded", "Failed"):
        return None
    node = node_named(pod.cluster, pod.node_name)
    if node is None:
        return enforcement(pod.object, None)
    sample = newest_disks(cluster=pod.cluster, node=node.name)
    return enforcement(pod.object, reported(node.object, "capacity", MEMORY), sample)


def _explained(request: PageRequest, case: ExplainedPod) -> dict[str, Any]:
    """Present a pod as of now."""
    pod, explanation = case.pod, case.explanation
    is_pending = not (explanation.fits or pod.node_name)
    events = list(events_of(pod)[:LATEST_EVENTS])
    found = {
        "case": case,
        # As it was when its state was read, which may be later than the pod's row.
        "cluster": case.cluster,
        "verdict": group_presenter.verdict(pod, explanation),
        "message": explanation.message,
        "condition": condition_report(pod, explanation),
        "events": event_reports(events, explanation),
        "autoscaler": autoscaler_sentences(events_of(pod)) if is_pending else [],
        "gaps": group_presenter.gaps_that_matter(cluster_presenter.gaps(pod.cluster), explanation),
        "node_total": explanation.node_count,
        "sampling": sampling_sentence(explanation),
        "searches": search_chances(explanation) is not None,
        **map_context(case),
        **_groups(request, case),
        **scores_context(request, case),
        **_weights(case),
        **observed_context(request, case),
        "facts": computed_facts(explanation) + pod_facts(pod, pod.object),
        "yaml": as_yaml(pod.object),
        "related": related(pod, explanation.snapshot),
    }
    # The parts that may take longest, each looked at by itself.
    check()
    found |= _preemption(request, case)
    check()
    tried = tried_ways(cluster=case.cluster, explanation=explanation) if is_pending else ()
    ways = relaxations(explanation, tried, Needs(case.cluster).of(pod.object) if is_pending else {})
    # What a nominated pod waits for is the verdict itself.
    remedy = ways.summary if is_pending and ways.summary != found["verdict"].sentence else ""
    others = ways.others if remedy else ways.advice
    besides = others or ways.preempting or ways.circumstances or found["autoscaler"]
    has_ways = explanation.node_count and (besides or not remedy)
    return {**found, "relaxations": ways, "remedy": remedy, "ways": others, "has_ways": has_ways}


def _undecided(request: PageRequest, pod: Pod, context: dict[str, Any], status: int = 200) -> HttpResponse:
    at = NOW if pod.cluster.past is None else PAST
    facts = {"facts": pod_facts(pod, pod.object), "yaml": as_yaml(pod.object), "at": at}
    return render(request, "decision/undecided.html", {**facts, **context}, status=status)


# -- nodes -------------------------------------------------------------------------------------------------------------


def _groups(request: PageRequest, case: ExplainedPod) -> dict[str, Any]:
    every = group_presenter.groups(case.explanation)
    return {"group_page": rows_of_page(request, every, GROUPS_PER_PAGE)}


@require_safe
@at_any_moment
def groups(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show the nodes by identical verdict, for a cluster with so many verdicts that they need pages."""
    case = case_of(request, cluster, namespace, name)
    return answer(request, "decision/_groups.html", words.NODES_BY_VERDICT, case, _groups(request, case))


@require_safe
@at_any_moment
def group(request: PageRequest, cluster: Cluster, namespace: str, name: str, number: int) -> HttpResponse:
    """Show the nodes of one group."""
    case = case_of(request, cluster, namespace, name)
    if number >= len(case.explanation.groups):
        raise Http404(str(words.NO_PART))
    page = rows_of_page(request, case.explanation.groups[number].rows.tolist(), NODES_PER_PAGE)
    view = group_presenter.group(case.explanation, number)
    lines = group_presenter.node_lines(case.explanation, page)
    title = f"{view.count}: {view.verdict_text}"
    context = {"group": view, "page": page, "lines": lines, "target": f"#group-{number}"}
    return answer(request, "decision/_group.html", title, case, context)


# -- scores ------------------------------------------------------------------------------------------------------------


def scores_context(request: PageRequest, case: Case) -> dict[str, Any]:
    """Return the landscape of the nodes that are asked for, and two of them compared; none where nothing is scored."""
    if not case.explanation.scores:
        return {"landscape": None}
    try:
        first, last = (int(request.GET[name]) if request.GET.get(name) else None for name in ("first", "last"))
    except ValueError:
        raise Http404(str(words.NO_PART)) from None
    found = landscape(case.explanation, case.own_node, first or 0, last)
    return {"landscape": found, "sentence": table_sentence(case.explanation), **comparison_context(case)}


@require_safe
@at_any_moment
def scores(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show the landscape of the feasible nodes, with the weights that are asked for."""
    case = case_of(request, cluster, namespace, name)
    return scores_answer(request, case, **_weights(case))


def scores_answer(request: PageRequest, case: Case, **beside: object) -> HttpResponse:
    """Answer with the landscape of the feasible nodes, and what else its page shows."""
    if not case.explanation.scores:
        raise Http404(str(words.NO_PART))
    return answer(request, "decision/_scores.html", words.SCORES, case, {**scores_context(request, case), **beside})


def _weights(case: ExplainedPod) -> dict[str, Any]:
    """Return the weights as they are asked for; of others than the configured what follows, and the configuration."""
    configured = explained(case.pod, case.profile).explanation if case.rescoring.is_any else case.explanation
    context: dict[str, Any] = {"weights": weights(configured, case.rescoring)}
    if not case.rescoring.is_any:
        return context
    before, after = ranked_first(configured), ranked_first(case.explanation)
    context |= {"sentence": rescored_sentence(case.explanation), "doubts": doubts(case.explanation)}
    if before != after:
        context |= comparison_context(case, after, before)
    # Another profile that stands in says nothing about other pods, and they are simulated as they are now.
    if not case.profile and case.pod.cluster.past is None:
        context["configuration"] = yaml.safe_dump(spelled_out(case.configuration), sort_keys=False)
    return context


@require_safe
@at_any_moment
def picture(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Return the verdict and the nodes as a card for a chat or a ticket, with the weights that are asked for."""
    case = case_of(request, cluster, namespace, name)
    found = landscape(case.explanation, case.own_node) if case.explanation.scores else {"keys": [], "rows": []}
    drawn = card(
        " · ".join((cluster.name, f"{namespace}/{name}", *case.rescoring.words)),
        group_presenter.verdict(case.pod, case.explanation).sentence,
        found["keys"],
        [CardRow(row.node, row.bar, grouped(row.total)) for row in found["rows"]],
        rejecting_keys(case.explanation),
    )
    headers = {"Content-Disposition": f'inline; filename="{name}.svg"'}
    return HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8", headers=headers)


@require_safe
@at_any_moment
def cell(request: PageRequest, cluster: Cluster, namespace: str, name: str, node: str, plugin: str) -> HttpResponse:
    """Show the arithmetic behind one plugin's score of one node."""
    return cell_answer(request, case_of(request, cluster, namespace, name), node, plugin)


def cell_answer(request: PageRequest, case: Case, node: str, plugin: str) -> HttpResponse:
    """Answer with the arithmetic behind a score."""
    try:
        view = arithmetic(case.explanation, case.row(node), plugin)
    except LookupError:
        raise Http404(words.NOT_SCORED(plugin=plugin, node=node)) from None
    return answer(request, "decision/_cell.html", ON(what=plugin, where=node), case, {"cell": view})


# -- what would help ---------------------------------------------------------------------------------------------------


@require_safe
@at_any_moment
def relaxation(
    request: PageRequest, cluster: Cluster, namespace: str, name: str, kind: str, number: int
) -> HttpResponse:
    """Show the nodes that lifting some requirements would gain."""
    case = case_of(request, cluster, namespace, name)
    found = next((lifts(case.explanation, each) for each in KINDS if each == kind), ())
    if number >= len(found):
        raise Http404(str(words.NO_PART))
    page = rows_of_page(request, found[number].rows, NODES_PER_PAGE)
    context = {
        "sentence": gain(case.explanation, found[number]),
        "kind": kind,
        "number": number,
        "target": f"#lift-{kind}-{number}",
        "page": page,
        "lines": group_presenter.node_lines(case.explanation, page),
    }
    return answer(request, "decision/_relaxation.html", words.RELAXATIONS, case, context)


def _preemption(request: PageRequest, case: ExplainedPod) -> dict[str, Any]:
    found = case.explanation.preemption
    if found is None:
        return {"preemption": None}
    page = rows_of_page(request, group_presenter.ranked(found), CANDIDATES_PER_PAGE)
    return {
        "preemption": group_presenter.preemption(case.explanation),
        "candidate_page": page,
        "candidates": [group_presenter.candidate_view(each, found, case.explanation.snapshot) for each in page],
    }


@require_safe
@at_any_moment
def preemption(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Show one page of the nodes where removing pods would make room."""
    case = case_of(request, cluster, namespace, name)
    if case.explanation.preemption is None:
        raise Http404(str(words.NO_PART))
    return answer(request, "decision/_preemption.html", words.PREEMPTION, case, _preemption(request, case))


# -- what others recorded ----------------------------------------------------------------------------------------------


@require_safe
@at_any_moment
def observed(
    request: PageRequest, cluster: Cluster, namespace: str, name: str, observation: int, show: str
) -> HttpResponse:
    """Show one recorded attempt next to what is computed: the nodes that differ, or all."""
    case = case_of(request, cluster, namespace, name)
    context = observed_context(request, case, observation, show)
    return answer(request, "decision/_observed.html", words.OBSERVED, case, context)

"""Questions about nodes of one's choice: why not this one, and this one rather than that one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from clusters.wording.decisions import attempt as words
from dashboard.presenters.decisions.nodes import (
    MOST_MATCHES,
    compare as compared,
    default_pair,
    found,
    matches,
    miss,
    named_nodes,
    node_verdict,
    why_not,
)
from dashboard.presenters.decisions.page import search_order
from dashboard.presenters.journal.decision import search
from dashboard.views.decision_journal import journaled_decision, latest_decisions
from dashboard.views.decision_parts import answer, case_of

if TYPE_CHECKING:
    from dashboard.explained import Case, ExplainedPod
    from dashboard.http import PageRequest

# The names of the fields that ask for a node: one node, or two to be compared.
_ASKING = ("node", "a", "b")


@require_safe
def node_names(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Offer names of nodes that contain what somebody has written so far."""
    return names_answer(request, case_of(request, cluster, namespace, name))


def names_answer(request: PageRequest, case: Case) -> HttpResponse:
    """Answer with names of nodes."""
    asked = next((text for field in _ASKING if (text := request.GET.get(field, "").strip())), "")
    every = matches(case.explanation, asked)
    context = {"names": every[:MOST_MATCHES], "has_more": len(every) > MOST_MATCHES}
    return answer(request, "decision/_names.html", words.NODES, case, context)


@require_safe
def node(request: PageRequest, cluster: str, namespace: str, name: str, node: str) -> HttpResponse:
    """Show what every filter compared on one node."""
    return node_answer(request, case_of(request, cluster, namespace, name), node)


def node_answer(request: PageRequest, case: Case, node: str) -> HttpResponse:
    """Answer with everything about one node."""
    view = node_verdict(case.explanation, case.row(node))
    return answer(request, "decision/_node.html", words.NODE_TITLE(node=node), case, {"node": view})


# -- why not -----------------------------------------------------------------------------------------------------------


@require_safe
def why_not_node(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Say why the pod is not on a node whose name, or a part of it, is asked for."""
    return why_not_answer(request, case_of(request, cluster, namespace, name))


def why_not_answer(request: PageRequest, case: Case) -> HttpResponse:
    """Answer with why the pod is not on a node."""
    asked = request.GET.get("node", "").strip()
    context: dict[str, Any] = {"asked": asked}
    if asked:
        named = context["named"] = named_nodes(case.explanation, case.whole, asked)
        if len(named.names) == 1 and not named.is_near:
            context["why"] = why_not(case.explanation, case.row(named.names[0]), case.own_node)
    return answer(request, "decision/_why_not.html", words.WHY_NOT, case, context)


# -- comparing ---------------------------------------------------------------------------------------------------------


def comparison_context(case: ExplainedPod, first: str = "", second: str = "") -> dict[str, Any]:
    """Return the comparison of two nodes; of the two that matter most where none is asked for.

    A name that is none of a node's, nor a part of exactly one, comes back with those that are like it.
    """
    pair = default_pair(case.explanation, case.pod.node_name)
    names = case.explanation.snapshot.nodes.names
    asked = [first or (names[pair[0]] if pair else ""), second or (names[pair[1]] if pair else "")]
    misses = []
    for place, text in enumerate(asked):
        known = found(case.explanation, text) if text else []
        if len(known) == 1:
            asked[place] = known[0]
        elif text:
            misses.append(miss(case.explanation, text, "ab"[place], asked[1 - place]))
    context: dict[str, Any] = {"first": asked[0], "second": asked[1], "misses": misses, "comparison": None}
    if all(asked) and not misses:
        context["comparison"] = compared(case.explanation, case.row(asked[0]), case.row(asked[1]))
    return context


@require_safe
def compare(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Show which plugins make the difference between two nodes."""
    case = case_of(request, cluster, namespace, name)
    context = comparison_context(case, *(request.GET.get(field, "").strip() for field in ("a", "b")))
    return answer(request, "decision/_compare.html", words.COMPARISON, case, context)


# -- the search --------------------------------------------------------------------------------------------------------


@require_safe
def search_order_part(request: PageRequest, cluster: str, namespace: str, name: str) -> HttpResponse:
    """Show in which order nodes are searched, and with what chance each is looked at and taken."""
    case = case_of(request, cluster, namespace, name)
    found = search_order(case.explanation)
    if found is None:
        raise Http404(str(words.NO_PART))
    # Of a pod that has a node, the search that found it as well.
    journaled = journaled_decision(case.pod, latest_decisions(case.cluster, namespace, name, case.pod.uid))
    own = search(journaled) if journaled is not None and case.pod.node_name else ""
    context = {"search_order": found, "own_search": own}
    return answer(request, "decision/_search_order.html", words.TITLE, case, context)

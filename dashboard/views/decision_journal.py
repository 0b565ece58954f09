"""What the journal knows of a pod: its attempts over time, and its decision as it was explained then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.models import Cluster, Decision, Pod
from clusters.services.journal.timeline import COUNTED_KINDS, decisions_of
from clusters.services.mirror.snapshots import last_moment
from clusters.services.taken_lessons import can_be_taken
from dashboard.live.parts import live_part
from dashboard.presenters.decisions.nodes import then as compared_then
from dashboard.presenters.journal import decision as detail
from dashboard.presenters.journal.decision import answer
from dashboard.presenters.journal.timeline import COLUMNS, decision_row
from dashboard.presenters.shared.page import node_links
from dashboard.views.journal_marks import timeline_context
from dashboard.views.kept_map import kept_map_context

if TYPE_CHECKING:
    from django.http import QueryDict

    from dashboard.http import PageRequest

# So many of a pod's decisions are listed; the journal has the others.
MOST_ATTEMPTS = 20
# What a page shows: the decision as it was explained then, or the pod as it would be decided on now, or at a moment of
# the past.
DECISION, NOW, PAST = "decision", "now", "past"
_AGES = 20.0


@live_part("decision.attempts", template="decision/_attempts.html", pages=["decision"], kinds=["Decision"], ages=_AGES)
def attempts_part(cluster: Cluster, query: QueryDict, namespace: str, name: str) -> dict[str, Any]:
    """Present what the cluster decided about the pod that has this name now."""
    uid = Pod.objects.filter(cluster=cluster, namespace=namespace, name=name).values_list("uid", flat=True).first()
    return attempts_context(cluster, namespace, name, latest_decisions(cluster, namespace, name, uid or ""))


@live_part("decision.revision", template="decision/_revision.html", pages=["decision"], parameters=["profile"])
def revision_part(cluster: Cluster, query: QueryDict, namespace: str, name: str) -> dict[str, Any]:
    """Present where the cluster is by now, beside what was computed from an earlier revision."""
    return {"cluster": cluster}


def latest_decisions(cluster: Cluster, namespace: str, name: str, uid: str) -> list[Decision]:
    """Return the latest decisions about one pod, newest first, without explanations."""
    decisions = decisions_of(cluster).filter(namespace=namespace, name=name, pod_uid=uid)
    return list(decisions.only(*COLUMNS, "event", "basis").order_by("-heard_at", "-pk")[:MOST_ATTEMPTS])


def attempts_context(cluster: Cluster, namespace: str, name: str, latest: list[Decision]) -> dict[str, Any]:
    """Present a pod's decisions as its attempts."""
    return {
        "cluster": cluster,
        "as_of": last_moment(cluster),
        "namespace": namespace,
        "name": name,
        "attempts": [decision_row(each) for each in latest],
    }


def happened_context(request: PageRequest, pod: Pod) -> dict[str, Any]:
    """Present what happened to the pod and to the nodes of its decisions, from the first of them on.

    What keeps a pending pod pending may be any node.
    """
    decisions = Decision.objects.filter(cluster=pod.cluster, namespace=pod.namespace, name=pod.name, pod_uid=pod.uid)
    nodes = [pod.node_name] if pod.node_name else None
    narrowing = {"namespace": pod.namespace, "q": pod.name}
    return timeline_context(request, pod.cluster, decisions, narrowing=narrowing, nodes=nodes, is_whole=True)


def journaled_decision(pod: Pod, latest: list[Decision]) -> Decision | None:
    """Return the decision that made the pod what it is: its placement, or else the scheduler's latest about it."""
    bound = (each for each in latest if each.kind == Decision.Kind.BOUND and each.node_name == pod.node_name)
    counted = (each for each in latest if each.kind in COUNTED_KINDS)
    return next(bound, None) if pod.node_name else next(counted, None)


def is_explained(decision: Decision) -> bool:
    """Tell whether the journal holds the explanation of a decision, without reading it."""
    return Decision.objects.filter(pk=decision.pk, packed_explanation__isnull=False).exists()


def then_context(decision: Decision) -> dict[str, Any] | None:
    """Present a decision as it was explained when it was heard of; None where the journal holds no explanation."""
    document = decision.explanation
    if document is None:
        return None
    nodes = node_links(decision.cluster, detail.nodes_of(document))
    return {
        "decision": decision,
        "can_be_taken": can_be_taken(decision),
        "answer": answer(decision, document),
        "theirs": decision.message,
        "comparison": compared_then(document, decision.node_name),
        "groups": detail.groups(document, nodes),
        "other_groups": detail.other_groups(document),
        **kept_map_context(decision, decision.cluster.name, document),
        "ranking": detail.ranking(document, decision.node_name, nodes),
        "preemption": detail.preemption(document),
        "dropped": detail.dropped(document),
        "unknown_plugins": document.unknown_plugins,
    }

"""What removes a pod that runs: taints of its node, the failure of that node, other pods by preemption."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from clusters.models import Cluster, Node
from clusters.services.mirror.snapshots import snapshot_of
from clusters.services.pending.queue import preemptors_of
from clusters.wording import pods as words
from dashboard.explained import pod_of
from dashboard.http import PageRequest, render_page, wants_fragment
from dashboard.live.parts import live_part
from dashboard.presenters.pods import node_removal, pod_preemption
from dashboard.presenters.shared.page import earlier_sentence
from dashboard.views.of_cluster import of_cluster


@live_part("pod.preemption", template="pods/_preemption.html", pages=["decision", "pod-removal"])
def preemption_context(cluster: Cluster, query: QueryDict, namespace: str, name: str) -> dict[str, Any]:
    """Present which pending pods would preempt a running one. Raises Http404."""
    pod = pod_of(cluster, namespace, name)
    found = preemptors_of(cluster=cluster)
    try:
        preemption = pod_preemption(found, pod.object)
    except KeyError:
        raise Http404(words.DOES_NOT_RUN(pod=f"{namespace}/{name}")) from None
    return {
        "cluster": cluster,
        "preemption": preemption,
        "evaluating": found.evaluating,
        "earlier": earlier_sentence(found.earlier),
    }


@require_safe
@of_cluster
def removal(request: PageRequest, cluster: Cluster, namespace: str, name: str) -> HttpResponse:
    """Tell what would take a pod from its node."""
    pod = pod_of(cluster, namespace, name)
    if not pod.holds_node:
        raise Http404(words.DOES_NOT_RUN(pod=f"{namespace}/{name}"))
    fragment = "pods/_removal.html"
    level = 3 if wants_fragment(request) else 2
    context = {"cluster": pod.cluster, "pod": pod, "title": words.REMOVAL_TITLE, "fragment": fragment, "level": level}
    try:
        context |= preemption_context(pod.cluster, request.GET, namespace, name)
        node = get_object_or_404(Node, cluster=pod.cluster, name=pod.node_name)
        context["found"] = node_removal(snapshot_of(pod.cluster), pod.object, node.object, pod.cluster.kube_version)
    except KeyError:
        raise Http404(words.DOES_NOT_RUN(pod=f"{namespace}/{name}")) from None
    return render_page(request, "pods/removal.html", fragment, context)

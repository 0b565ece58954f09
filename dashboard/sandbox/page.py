"""Everything that the page of the sandbox shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.disruption import driven_out
from clusters.engine.nodes import READY
from clusters.engine.objects import key_of
from clusters.engine.owners import Controller
from clusters.engine.sandbox import SandboxCluster, last_message
from clusters.services import sandbox as files
from clusters.services.decisions.explain import MOST_BYTES
from clusters.services.lessons.reading import MOST_NODES, MOST_PODS
from clusters.services.sandbox import STARTS
from clusters.wording.amounts import size
from clusters.wording.counts import PENDING_PODS
from clusters.wording.decisions.verdict import pending_sentence, verdict_sentence
from clusters.wording.lessons import sandbox as words
from clusters.wording.states import SCHEDULED
from dashboard.lessons.languages import choices
from dashboard.lessons.page import neutral_map
from dashboard.lessons.presenters.situation import cluster_facts
from dashboard.presenters.decisions.page import judged, relaxations
from dashboard.sandbox.acts import NEW
from dashboard.sandbox.case import ExplainedSandboxPod, PodDecision, cluster_of, decision_of
from dashboard.sandbox.forms import SandboxNodeForm, SandboxWorkloadForm
from dashboard.sandbox.storing import StoredSandbox, links_of
from dashboard.views.decision_parts import map_context
from dashboard.views.decisions import scores_context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.taints import Taint
    from dashboard.http import PageRequest
    from dashboard.models import SharedSandbox
    from dashboard.pictures.verdict_map.drawing import DrawnMap

# So many attempts of those that were made last are listed.
_MOST_ATTEMPTS: Final = 30


class PendingPod(Struct, frozen=True):
    """A pod without a node: what kube-scheduler said when it tried it last, empty where it has not."""

    key: str
    message: str


class AttemptRow(Struct, frozen=True):
    """An attempt to schedule a pod, in words; `is_there` says whether the pod still is."""

    pod: str
    sentence: str
    verdict: str
    is_there: bool


class NodeState(Struct, frozen=True):
    """How a node is; `evicts` says whether its taints evict some of its pods."""

    is_cordoned: bool
    is_failing: bool
    evicts: bool


class StartChoice(Struct, frozen=True):
    """A cluster to begin with."""

    name: str
    title: str
    about: str


def sandbox_context(request: PageRequest, sandbox: StoredSandbox, pod: str, edited: str) -> dict[str, Any]:
    """Return what the page shows: the whole cluster, or the decision about a pod, and an object that is edited."""
    cluster = cluster_of(sandbox)
    acts = sandbox.history.acts
    pending, facts = list(_pending(cluster)), cluster_facts(cluster.situation)
    nodes = [(node, node_state(cluster, node.name)) for node in facts.nodes]
    context: dict[str, Any] = {
        "languages": choices(),
        "facts": facts,
        "nodes": nodes,
        "evicting": [node.name for node, state in nodes if state.evicts],
        "pending": pending,
        "pending_words": PENDING_PODS(number=len(pending)),
        "undoes": words.done(acts[-1].kind, acts[-1].subject) if acts else "",
        "attempts": list(_attempts(sandbox, cluster)),
        "others": [
            str(name)
            for name, each in cluster.objects.items()
            if name.kind not in {"Node", "Pod"} and Controller.of(each) is None
        ],
        "starts": [StartChoice(name, str(words.STARTS[name][0]), str(words.STARTS[name][1])) for name in STARTS],
        "links": [
            (link, words.described(nodes=link.nodes, pods=link.pods), _address(request, link))
            for link in links_of(request.user)
        ],
        "most_nodes": MOST_NODES,
        "most_pods": MOST_PODS,
        "file_limit": size(files.MOST_BYTES),
        "node_form": SandboxNodeForm(initial={"name": _new_name(cluster)}),
        "workload_form": SandboxWorkloadForm(taints=taints_of(cluster)),
    }
    decision = decision_of(sandbox, pod) if pod else None
    context |= _decided(request, pod, decision) if decision else {"map": _map(cluster)}
    return context | _editor(cluster, edited)


def _address(request: PageRequest, link: SharedSandbox) -> str:
    return request.build_absolute_uri(reverse("sandbox-shared", kwargs={"token": link.token}))


def taints_of(cluster: SandboxCluster) -> dict[str, Taint]:
    """Return the taints that the nodes of a cluster have, by how they are written."""
    nodes = cluster.situation.snapshot.nodes.nodes
    return {str(taint): taint for node in nodes for taint in node.taints}


def _map(cluster: SandboxCluster) -> DrawnMap | None:
    """Draw the cluster; more about a node opens beside the map."""
    drawn = neutral_map(cluster.situation)
    return replace(drawn, node_address=f"{reverse('sandbox-node')}?node=") if drawn else None


def _decided(request: PageRequest, pod: str, decision: PodDecision) -> dict[str, Any]:
    explanation, node, attempt = decision
    case = ExplainedSandboxPod(explanation, node)
    kind, word = ("chosen", str(SCHEDULED)) if node else judged(explanation)
    return {
        "pod": pod,
        "case": case,
        "kind": kind,
        "word": word,
        "node": node,
        "since": words.AT_THE_ATTEMPT if attempt else words.PLACED_BEFORE,
        "sentence": verdict_sentence(explanation) if node else pending_sentence(explanation),
        "message": "" if node else explanation.message,
        "remedy": "" if node or explanation.fits else relaxations(explanation).summary,
        **map_context(case),
        **scores_context(request, case),
    }


def _pending(cluster: SandboxCluster) -> Iterator[PendingPod]:
    for document in cluster.situation.pending:
        yield PendingPod(key_of(document), last_message(document))


def _attempts(sandbox: StoredSandbox, cluster: SandboxCluster) -> Iterator[AttemptRow]:
    """Yield the latest attempts, the last one first."""
    every = [attempt for act in sandbox.history.acts_since for attempt in act.attempts]
    for attempt in reversed(every[-_MOST_ATTEMPTS:]):
        verdict = "chosen" if attempt.outcome == "placed" else "preemptible" if attempt.node else "rejected"
        yield AttemptRow(attempt.pod, words.attempt_sentence(attempt), verdict, attempt.pod in cluster.pods)


def node_state(cluster: SandboxCluster, name: str) -> NodeState:
    """Return how a node is now, for the buttons that change it."""
    nodes = cluster.situation.snapshot.nodes
    node = nodes.nodes[nodes.index[name]]
    return NodeState(
        is_cordoned=node.unschedulable,
        is_failing=node.conditions.get(READY, "True") != "True",
        evicts=bool(driven_out(cluster.situation.snapshot, name)),
    )


def _editor(cluster: SandboxCluster, edited: str) -> dict[str, Any]:
    """Return the text of the object that is edited; nothing where none is."""
    if not edited:
        return {}
    text = next((files.object_text(each) for name, each in cluster.objects.items() if str(name) == edited), "")
    return {
        "object": edited if text else NEW,
        "is_new": not text,
        "text": text,
        "limit": size(MOST_BYTES),
    }


def _new_name(cluster: SandboxCluster) -> str:
    """Offer a name for the next node."""
    taken = {name.name for name in cluster.objects if name.kind == "Node"}
    number = len(taken) + 1
    while f"node-{number}" in taken:
        number += 1
    return f"node-{number}"

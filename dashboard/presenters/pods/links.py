"""What a pod's page leads to: its node, the workload and group that it belongs to, and its ResourceClaims."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from clusters.engine.devices import claim_names
from clusters.engine.objects import Pod as ReadPod
from clusters.engine.objects import labels_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.services.workloads.owners import BARE, makers_of
from clusters.wording.pods import listing as words
from dashboard.presenters.overview.cards import page
from dashboard.presenters.pod_groups.links import group_links

if TYPE_CHECKING:
    from clusters.models import Pod

# A pod has one or two as a rule.
MOST_CLAIMS = 8


@dataclass(frozen=True, slots=True)
class PodLink:
    """What something is to the pod, its name, and its page."""

    term: str
    name: str
    url: str


def pod_links(pod: Pod) -> list[PodLink]:
    """Return the node on which a pod runs, if it has one, its workload, and the groups and claims that it names.

    A bare pod is a workload by itself.
    """
    found = []
    if pod.node_name:
        found.append(PodLink(str(words.NODE), pod.node_name, page("node", pod.cluster, name=pod.node_name)))
    workload = _workload(pod)
    url = page("workload", pod.cluster, kind=workload.kind, namespace=workload.namespace, name=workload.name)
    is_bare = workload.kind == BARE
    name = str(words.NO_CONTROLLER) if is_bare else f"{workload.kind} {workload.name}"
    # One that has finished by itself is no workload any more.
    found.append(PodLink(str(words.WORKLOAD), name, "" if is_bare and pod.phase in ("Succeeded", "Failed") else url))
    found += [PodLink(str(words.POD_GROUP), group.name, group.url) for group in group_links(pod)]
    for claim, _ in islice(claim_names(ReadPod(pod.object)), MOST_CLAIMS):
        address = page("resource-claim", pod.cluster, namespace=pod.namespace, name=claim)
        found.append(PodLink(str(words.RESOURCE_CLAIM), claim, address))
    return found


def _workload(pod: Pod) -> Workload:
    if not pod.owner_kind:
        return Workload(pod.namespace, BARE, pod.name)
    (workload,) = makers_of(pod.cluster, [pod])
    if workload.kind != "ReplicaSet":
        return workload
    # One that the mirror lacks bears the name of its Deployment, as the list of workloads reads it.
    controller = Controller("", workload.kind, workload.name, "")
    return Workload.of(pod.namespace, controller, labels_of(pod.object).get(TEMPLATE_HASH, ""))

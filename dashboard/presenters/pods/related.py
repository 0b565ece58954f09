"""The objects around a pod: who makes and protects it, what selects it, what it uses, and where it runs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from clusters.engine.devices import claim_names
from clusters.engine.disruption import budgets_of
from clusters.engine.objects import Pod as ReadPod
from clusters.engine.objects import labels_of, name_of
from clusters.engine.owners import Controller
from clusters.engine.volumes import claim_uses, volume_name_of
from clusters.services.workloads.owners import makers_of
from clusters.wording.pods import related as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import RelatedObject, RelationsSpec
from dashboard.presenters.overview.cards import page
from dashboard.presenters.pod_groups.links import group_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Snapshot
    from clusters.models import Pod

# So many of each sort are drawn.
_MOST = 6

Chain = tuple[RelatedObject, ...]


@dataclass(frozen=True, slots=True)
class RelatedView:
    """The picture, the same as a list, and how many objects are left out, if any."""

    figure: Figure
    objects: tuple[RelatedObject, ...]
    more: str


def related(pod: Pod, snapshot: Snapshot) -> RelatedView | None:
    """Present what is around a pod; None where nothing is."""
    before = [*_makers(pod), *_groups(pod), *_budgets(pod, snapshot), *_services(pod, snapshot)]
    behind = [*_node(pod), *_claims(pod, snapshot), *_resource_claims(pod)]
    shown, hidden = (before[:_MOST], behind[:_MOST]), (before[_MOST:], behind[_MOST:])
    objects = [each for chains in shown for chain in chains for each in chain]
    if not objects:
        return None
    key = f"{pod.namespace}/{pod.name}"
    left_out = sum(len(chain) for chains in hidden for chain in chains)
    spec = RelationsSpec(RelatedObject(str(words.POD), pod.name), tuple(shown[0]), tuple(shown[1]))
    return RelatedView(
        figure=Figure(
            id="related-objects",
            title=str(words.TITLE),
            summary=words.summary(key, [each.kind for each in objects]),
            spec=spec,
        ),
        objects=tuple(objects),
        more=words.MORE(objects=left_out) if left_out else "",
    )


def _makers(pod: Pod) -> Iterator[Chain]:
    """Yield the controller, and who made that."""
    controller = Controller.of(pod.object)
    if controller is None:
        return
    chain = [(controller.kind, controller.name)]
    (above,) = makers_of(pod.cluster, [pod])
    if (above.kind, above.name) != chain[0]:
        chain.append((above.kind, above.name))
    yield tuple(
        RelatedObject(kind, name, page("workload", pod.cluster, kind=kind, namespace=pod.namespace, name=name))
        for kind, name in chain
    )


def _groups(pod: Pod) -> Iterator[Chain]:
    for group in group_links(pod):
        yield (RelatedObject(str(words.POD_GROUP), group.name, group.url),)


def _budgets(pod: Pod, snapshot: Snapshot) -> Iterator[Chain]:
    for budget in budgets_of(snapshot, pod.namespace, labels_of(pod.object)):
        address = page("budget", pod.cluster, namespace=budget.namespace, name=budget.name)
        yield (RelatedObject(str(words.BUDGET), budget.name, address),)


def _services(pod: Pod, snapshot: Snapshot) -> Iterator[Chain]:
    labels = labels_of(pod.object)
    for service in sorted(snapshot.objects("Service", pod.namespace), key=name_of):
        selector = (service.get("spec") or {}).get("selector") or {}
        if selector and all(labels.get(key) == value for key, value in selector.items()):
            yield (RelatedObject(str(words.SERVICE), name_of(service)),)


def _node(pod: Pod) -> Iterator[Chain]:
    name = pod.node_name or pod.nominated_node_name
    if name:
        kind = words.NODE if pod.node_name else words.NOMINATED
        yield (RelatedObject(str(kind), name, page("node", pod.cluster, name=name)),)


def _claims(pod: Pod, snapshot: Snapshot) -> Iterator[Chain]:
    volumes = (pod.object.get("spec") or {}).get("volumes") or ()
    for use in dict.fromkeys(claim_uses(volumes, pod.name)):
        claim = snapshot.object("PersistentVolumeClaim", use.claim, pod.namespace)
        volume = "" if claim is None else volume_name_of(claim)
        further = (RelatedObject(str(words.VOLUME), volume),) if volume else ()
        yield (RelatedObject(str(words.CLAIM), use.claim), *further)


def _resource_claims(pod: Pod) -> Iterator[Chain]:
    for claim, _ in islice(claim_names(ReadPod(pod.object)), _MOST + 1):
        address = page("resource-claim", pod.cluster, namespace=pod.namespace, name=claim)
        yield (RelatedObject(str(words.RESOURCE_CLAIM), claim, address),)

"""Devices that a pod has because it was placed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.claim_lifecycle import consumer_of, reserved_for
from clusters.engine.devices.extended_resources import claim_for_resources, served_resources, uses_devices
from clusters.engine.plugin import Context

# DynamicResources by name: it alone allocates devices in Reserve.
from clusters.engine.plugins.dynamic_resources import DynamicResources
from clusters.engine.plugins.dynamic_resources.node_resources import with_statuses

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot


class ReservedClaims(NamedTuple):
    """The claims of a pod as they were ``before`` it reserved them, and the one ``made`` for extended resources.

    ``statuses``: what the pod's status says from then on of what its devices take of the node's own resources.
    """

    before: tuple[Document, ...] = ()
    made: tuple[Document, ...] = ()
    statuses: tuple[Document, ...] = ()

    def counted(self, pod: Document) -> Document:
        """A pod that counts on its node with what its devices take."""
        return with_statuses(pod, self.statuses)


NONE_RESERVED = ReservedClaims()


def claim_made_on(snapshot: Snapshot, pod: Pod, profile: Profile, row: int) -> Document | None:
    """The claim for extended resources that the scheduler makes as it binds a pod to a row; None: it makes none."""
    if DynamicResources.name not in profile.filter or not served_resources(snapshot, pod):
        return None
    own = DynamicResources(Context(snapshot, pod, profile.args)).allocated_for_resources(row)
    return None if own is None else claim_for_resources(pod, own[0])


def reserve_devices(snapshot: Snapshot, pod: Pod, profile: Profile, row: int) -> ReservedClaims:
    """Allocate and reserve the claims of a pod that is placed on a row."""
    if DynamicResources.name not in profile.filter or not uses_devices(snapshot, pod):
        return NONE_RESERVED
    plugin = DynamicResources(Context(snapshot, pod, profile.args))
    if not plugin.pre_filter().status.ok:
        return NONE_RESERVED
    found = {id(claim): allocated for claim, allocated in plugin.allocations(row)}
    node = snapshot.nodes.names[row]
    own, statuses = plugin.allocated_for_resources(row), plugin.statuses_on(row)
    for claim in plugin.claims:
        consumer = consumer_of(snapshot, pod, claim.document)
        snapshot.upsert(reserved_for(claim.document, pod, found.get(id(claim)), node, consumer))
    made = () if own is None else (reserved_for(claim_for_resources(pod, own[0]), pod, own[1], node),)
    for document in made:
        snapshot.upsert(document)
    return ReservedClaims(tuple(claim.document for claim in plugin.claims), made, statuses)

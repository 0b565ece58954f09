"""How quotas of a release count devices: by class alone, or also as the extended resource that a class stands for.

Upstream: ``MatchingResources`` and ``addExtendedResourceQuota`` of ``resource_claims.go`` and
``isExtendedResourceNameForQuota`` of ``pods.go`` in ``pkg/quota/v1/evaluator/core``, v1.34.1, v1.35.4, v1.36.3 and
v1.37.2.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.devices.extended_resources import classes_by_resource, named_resource
from clusters.engine.devices.pod_claims import CLASS
from clusters.engine.objects import name_of
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.snapshot import Snapshot

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class DeviceQuotaRules(NamedTuple):
    """What of devices a release counts.

    ``counts_class_names``: pods are charged for extended resources that have the name of a DeviceClass (from 1.35).
    ``counts_resources``: ResourceClaims are charged for extended resources too, where classes stand for these.
    ``classes``: by extended resource the class that stands for it; ``resources``: the other way round, as far as the
    class itself says a name.
    """

    counts_class_names: bool = True
    counts_resources: bool = False
    classes: Mapping[str, str] = _NONE
    resources: Mapping[str, str] = _NONE


CLASSES_ALONE: Final = DeviceQuotaRules()


def device_quota_rules(snapshot: Snapshot) -> DeviceQuotaRules:
    """Return how the release of a snapshot counts devices; read once until a DeviceClass changes."""
    return snapshot.derived(_read, CLASS)


def _read(snapshot: Snapshot) -> DeviceQuotaRules:
    release = snapshot.release
    counts = release.device_rules.has_both_names_of_classes
    if not counts or not release.enables(Gate.DRA_EXTENDED_RESOURCE):
        return DeviceQuotaRules(counts_class_names=counts)
    named = {name_of(each): named_resource(each) for each in snapshot.objects(CLASS)}
    resources = {name: resource for name, resource in named.items() if resource}
    return DeviceQuotaRules(counts, counts_resources=True, classes=classes_by_resource(snapshot), resources=resources)

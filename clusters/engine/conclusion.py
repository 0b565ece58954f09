"""Whether a pod fits, as far as that can be known: three conclusions, and the reasons why one stays open.

Whatever is not computed can only take nodes away. A pod that computed filters reject everywhere does not fit, whatever
else would be asked; one that passes them is uncertain as long as something that could still reject it is not computed.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.configuration.plugin_sets import MULTI_POINT
from clusters.engine.configuration.releases import ExtensionPoint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.configuration import Extender, Profile
    from clusters.engine.cycle import Cycle
    from clusters.engine.objects import Pod

# Where a plugin may turn a pod down or keep it waiting; binding and what follows carries out what was decided.
_REJECTS: Final = frozenset(
    {
        MULTI_POINT,
        ExtensionPoint.PRE_ENQUEUE,
        ExtensionPoint.PRE_FILTER,
        ExtensionPoint.FILTER,
        ExtensionPoint.RESERVE,
        ExtensionPoint.PERMIT,
        ExtensionPoint.PRE_BIND,
    }
)
_SCORES: Final = frozenset({MULTI_POINT, ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE})


class Conclusion(enum.StrEnum):
    """Whether a pod fits; the values are the words of exports and of the API."""

    FITS = "fits"
    DOES_NOT_FIT = "does not fit"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class UncomputedField:
    """A plugin of Kubernetes decides by a field of the pod, such as ``spec.resourceClaims``, and is not computed."""

    plugin: str
    field: str


@dataclass(frozen=True, slots=True)
class ForeignPlugin:
    """The profile asks a plugin that Kubernetes does not bring, at a point where plugins may reject."""

    plugin: str


@dataclass(frozen=True, slots=True)
class FilteringExtender:
    """An extender filters the nodes of this pod.

    ``url_prefix``: empty where it was not kept. ``resources``: those of its managed resources that the pod requests;
    none where it is asked about every pod. ``ignorable``: scheduling goes on while it does not answer.
    """

    url_prefix: str
    resources: tuple[str, ...]
    ignorable: bool


@dataclass(frozen=True, slots=True)
class AppliedQuota:
    """A ResourceQuota would be charged for the pod, which may be refused before the scheduler sees it."""

    namespace: str
    name: str


Uncertainty = UncomputedField | ForeignPlugin | FilteringExtender | AppliedQuota


def conclude(*, fits: bool, uncertainties: Iterable[Uncertainty]) -> Conclusion:
    """The conclusion about a pod that passes all computed filters somewhere, or does not."""
    if not fits:
        return Conclusion.DOES_NOT_FIT
    return Conclusion.UNCERTAIN if any(True for _ in uncertainties) else Conclusion.FITS


def unknown_rejections(cycle: Cycle) -> tuple[Uncertainty, ...]:
    """What could still reject the pod of a cycle and is not computed: plugins, in-tree and foreign, and extenders."""
    profile, pod = cycle.profile, cycle.context.pod
    computed = ((name, plugin.uncomputed) for name, plugin in cycle.plugins.items())
    return (
        *(UncomputedField(name, field) for name, field in computed if field),
        *(ForeignPlugin(name) for name, points in profile.unknown_plugins.items() if not _REJECTS.isdisjoint(points)),
        *_filtering(profile, pod),
    )


def unknown_scorers(profile: Profile, pod: Pod) -> tuple[str, ...]:
    """Names of the foreign plugins and URL prefixes of the extenders that score the nodes, so that another may be best.

    An extender whose address was not kept has an empty name.
    """
    return (
        *(name for name, points in profile.unknown_plugins.items() if not _SCORES.isdisjoint(points)),
        *(each.url_prefix for each in profile.extenders if each.prioritize_verb and is_interested(each, pod)),
    )


def is_interested(extender: Extender, pod: Pod) -> bool:
    """Whether an extender is asked about a pod: it manages no resources, or one that a container names.

    Upstream: ``IsInterested`` in ``pkg/scheduler/extender.go`` v1.34.1.
    """
    return not extender.managed_resources or any(_managed(extender, pod))


def _filtering(profile: Profile, pod: Pod) -> Iterator[FilteringExtender]:
    for extender in profile.extenders:
        if extender.filter_verb and is_interested(extender, pod):
            yield FilteringExtender(extender.url_prefix, tuple(_managed(extender, pod)), extender.ignorable)


def _managed(extender: Extender, pod: Pod) -> Iterator[str]:
    """The extender's resources that containers of a pod request or limit, in the extender's order."""
    named = {
        name
        for kind in ("containers", "initContainers")
        for container in pod.spec.get(kind) or ()
        for amounts in ("requests", "limits")
        for name in (container.get("resources") or {}).get(amounts) or {}
    }
    return (resource.name for resource in extender.managed_resources if resource.name in named)

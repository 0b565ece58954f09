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
from clusters.engine.registry import PLUGINS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.configuration import Extender, Profile
    from clusters.engine.objects import Pod
    from clusters.engine.plugin import Context

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


def unknown_rejections(context: Context, profile: Profile) -> tuple[Uncertainty, ...]:
    """What could still reject the pod of a cycle and is not computed: plugins, in-tree and foreign, and extenders."""
    points = (
        profile.pre_enqueue,
        profile.pre_filter,
        profile.filter,
        profile.reserve,
        profile.permit,
        profile.pre_bind,
    )
    asked = dict.fromkeys(name for names in points for name in names if name in PLUGINS)
    fields = ((name, PLUGINS[name](context).uncomputed) for name in asked)
    return (
        *(UncomputedField(name, field) for name, field in fields if field),
        *(ForeignPlugin(name) for name, points in profile.unknown_plugins.items() if not _REJECTS.isdisjoint(points)),
        *_filtering(profile, context.pod),
    )


def foreign_scorers(profile: Profile) -> tuple[str, ...]:
    """The foreign plugins that score nodes, so that another node than the computed one may be best."""
    return tuple(name for name, points in profile.unknown_plugins.items() if not _SCORES.isdisjoint(points))


def scoring_extenders(profile: Profile, pod: Pod) -> tuple[str, ...]:
    """URL prefixes of the extenders that score the nodes of a pod; empty ones where they were not kept."""
    extenders = (each for each in profile.extenders if each.prioritize_verb and _is_interested(each, pod))
    return tuple(_without_credentials(each.url_prefix) for each in extenders)


def preempting_extenders(profile: Profile, pod: Pod) -> tuple[str, ...]:
    """URL prefixes of the extenders that have a say in which pods are preempted for a pod."""
    extenders = (each for each in profile.extenders if each.preempt_verb and _is_interested(each, pod))
    return tuple(_without_credentials(each.url_prefix) for each in extenders)


def _is_interested(extender: Extender, pod: Pod) -> bool:
    """Whether an extender is asked about a pod: it manages no resources, or one that a container names.

    Upstream: ``IsInterested`` in ``pkg/scheduler/extender.go`` v1.34.1.
    """
    return not extender.managed_resources or any(_managed(extender, pod))


def _filtering(profile: Profile, pod: Pod) -> Iterator[FilteringExtender]:
    for extender in profile.extenders:
        if extender.filter_verb and _is_interested(extender, pod):
            address = _without_credentials(extender.url_prefix)
            yield FilteringExtender(address, tuple(_managed(extender, pod)), extender.ignorable)


def _without_credentials(url: str) -> str:
    """An address that may be shown: without the user and password that it may name."""
    scheme, separator, rest = url.partition("//")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"


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

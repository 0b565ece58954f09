"""What could reject a pod and is not computed.

Whatever the filters say about a pod, it is the same for all pods of one making, and asks no node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.conclusion import FilteringExtender, ForeignPlugin, UncomputedField, UncomputedObject
from clusters.engine.configuration.interest import interested_extenders, managed_by
from clusters.engine.configuration.plugin_sets import MULTI_POINT
from clusters.engine.devices.group_claims import open_group_of
from clusters.engine.group_attempt import GroupVerdict
from clusters.engine.plugin import Context
from clusters.engine.podgroups.held import held_groups
from clusters.engine.podgroups.objects import DisruptionMode
from clusters.engine.podgroups.reference import COMPOSITE, POD_GROUP, field_of
from clusters.engine.quotas.applied import applied_quotas
from clusters.engine.registry import PLUGINS
from clusters.engine.versions import ExtensionPoint, Gate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from clusters.engine.candidates import Candidate
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.configuration import Extender, Profile
    from clusters.engine.explanation import Explanation
    from clusters.engine.group_attempt import GroupAttempt
    from clusters.engine.objects import Pod
    from clusters.engine.plugin import Plugin
    from clusters.engine.snapshot import Snapshot

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


def uncertainties(
    snapshot: Snapshot,
    pod: Pod,
    profile: Profile,
    *,
    is_created: bool,
    plugins: Mapping[str, Plugin] | None = None,
    knows_group: bool = False,
) -> tuple[Uncertainty, ...]:
    """What could reject a pod and is not computed; of one that would be created also what admission would ask.

    ``plugins`` are those of a cycle of this pod that was run, which know what they could not compute. ``knows_group``:
    somebody else computes what becomes of its group.
    """
    charged = applied_quotas(snapshot, pod) if is_created else ()
    context = Context(snapshot, pod, profile.args)
    return (*_unknown_rejections(context, profile, plugins or {}, knows_group=knows_group), *charged)


def _unknown_rejections(
    context: Context, profile: Profile, plugins: Mapping[str, Plugin], *, knows_group: bool
) -> tuple[Uncertainty, ...]:
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
    fields = ((name, (plugins.get(name) or PLUGINS[name](context)).uncomputed) for name in asked)
    # GangScheduling by name: an API server keeps the group of a pod only where it knows groups, so that its scheduler
    # may too, whatever is known of its gates.
    is_read = "GangScheduling" in asked or context.snapshot.release.enables(Gate.GENERIC_WORKLOAD)
    unknown = "" if is_read and knows_group else field_of(context.pod, context.snapshot.release)
    # DynamicResources by name: it alone decides whose claims a pod may use.
    owning = open_group_of(context.snapshot, context.pod) if "DynamicResources" in asked else ""
    shared = (UncomputedObject("DynamicResources", POD_GROUP, context.pod.namespace, owning),) if owning else ()
    return (
        *(UncomputedField(name, field) for name, field in fields if field),
        *shared,
        *((UncomputedField("GangScheduling", unknown),) if unknown else ()),
        *(ForeignPlugin(name) for name, points in profile.unknown_plugins.items() if not _REJECTS.isdisjoint(points)),
        *_filtering(profile, context.pod),
    )


def open_group(group: GroupAttempt | None, pod: Pod, profile: Profile) -> tuple[Uncertainty, ...]:
    """Why it is not known what becomes of the group of a pod; nothing where it is, and for a pod without a group."""
    if group is None or group.verdict is not GroupVerdict.UNCERTAIN:
        return ()
    by = "".join(name for name in profile.permit if name in PLUGINS and PLUGINS[name].asks_for_group)
    if group.composite:
        return (UncomputedObject(by, COMPOSITE, pod.namespace, group.composite),)
    return (UncomputedField(by, field_of(pod, group.snapshot.release)),)


def scoring_extenders(profile: Profile, pod: Pod) -> tuple[str, ...]:
    """URL prefixes of the extenders that score the nodes of a pod; empty ones where they were not kept."""
    return tuple(each.address for each in interested_extenders(profile, pod) if each.prioritize_verb)


def preempting_extenders(profile: Profile, pod: Pod) -> tuple[str, ...]:
    """URL prefixes of the extenders that have a say in which pods are preempted for a pod."""
    return tuple(each.address for each in interested_extenders(profile, pod) if each.preempt_verb)


def unknown_preempting(explanation: Explanation) -> tuple[str, ...]:
    """URL prefixes of the extenders that have a say in a pod's preemption, and whose answer is not known."""
    found = explanation.preemption
    if found is None or not (found.candidates or found.calls):
        return ()
    if not found.calls:
        return preempting_extenders(explanation.profile, explanation.pod)
    return tuple(call.extender.address for call in found.calls if not call.is_answered)


def is_preemption_uncertain(explanation: Explanation) -> bool:
    """Whether a pod that preemption makes room for may still be rejected, or other pods be removed for it.

    Whether what an extender has removed makes room is not computed, nor who goes with a pod whose group is disrupted as
    a whole.
    """
    found = explanation.preemption
    selected = None if found is None else found.selected
    is_changed = found is not None and selected is not None and bool(found.changed_by(selected.node))
    is_open = is_changed or (found is not None and _removes_groups(explanation.snapshot, found.candidates))
    return is_open or bool(explanation.uncertainties or unknown_preempting(explanation))


def _removes_groups(snapshot: Snapshot, candidates: Iterable[Candidate]) -> bool:
    """Whether a victim takes its whole group with it."""
    groups = snapshot.release.enables(Gate.WORKLOAD_AWARE_PREEMPTION) or snapshot.release.rules.evaluates_groups_first
    if not groups or not snapshot.release.enables(Gate.GENERIC_WORKLOAD):
        return False
    held, victims = held_groups(snapshot), {victim for candidate in candidates for victim in candidate.victims}
    for key in snapshot.groups.known():
        terms = held.terms_of(key)
        is_whole = terms is not None and terms.disruption is DisruptionMode.ALL
        if is_whole and not victims.isdisjoint(snapshot.groups.of(key)):
            return True
    return False


def filtering_extender(extender: Extender, pod: Pod) -> FilteringExtender:
    """What stays open while it is not known which nodes an extender keeps."""
    return FilteringExtender(extender.address, tuple(managed_by(extender, pod)), extender.ignorable)


def _filtering(profile: Profile, pod: Pod) -> Iterator[FilteringExtender]:
    return (filtering_extender(each, pod) for each in interested_extenders(profile, pod) if each.filter_verb)

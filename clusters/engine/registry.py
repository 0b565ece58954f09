"""The in-tree plugins by name: those that a release lists, each in the module named after it."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

from clusters.engine.plugin import ClusterEvent, Constraint, Effort, Plugin, Reads
from clusters.engine.podgroups import group_key_of
from clusters.engine.status import Rejection
from clusters.engine.versions import RELEASES, Release

if TYPE_CHECKING:
    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot


def module_of(plugin: str) -> str:
    """The name of a plugin's modules: ``NodeResourcesFit`` is in ``node_resources_fit``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", plugin).lower()


def _plugin(name: str) -> type[Plugin]:
    plugin: type[Plugin] = getattr(import_module(f"clusters.engine.plugins.{module_of(name)}"), name)
    return plugin


PLUGINS: dict[str, type[Plugin]] = {name: _plugin(name) for release in RELEASES.values() for name in release.points}


def pre_enqueue(pod: Pod, profile: Profile, snapshot: Snapshot) -> Rejection | None:
    """The first answer that keeps a pod out of the queue of a profile, as far as it is computed; else None."""
    for name in profile.pre_enqueue:
        status = PLUGINS[name].pre_enqueue(pod, snapshot, profile.queue)
        if status is not None and not status.ok:
            return Rejection(name, status)
    return None


def held_back(pod: Pod, profile: Profile, snapshot: Snapshot) -> Rejection | None:
    """What keeps a pod out of the queue that has scheduling gates or names a group; None where nothing does."""
    is_concerned = bool(pod.scheduling_gates) or group_key_of(pod, snapshot.release) is not None
    return pre_enqueue(pod, profile, snapshot) if is_concerned else None


def group_plugins(profile: Profile, release: Release) -> tuple[str, ...]:
    """The plugins of a profile that ask for the group of a pod to be tried: until 1.37 those at Permit.

    From 1.38 on those at PlacementFeasible, a point for groups alone, which comes with PreEnqueue.
    """
    names = profile.pre_enqueue if release.rules.says_what_groups_lack else profile.permit
    return tuple(name for name in names if name in PLUGINS and PLUGINS[name].asks_for_group)


def requeue_events(plugin: str) -> tuple[ClusterEvent, ...]:
    """For which events the queue asks a plugin, in any release, whether to try a pod again; none of a foreign one."""
    return PLUGINS[plugin].requeue_on if plugin in PLUGINS else ()


def registered_events(plugin: str, release: Release) -> tuple[ClusterEvent, ...]:
    """For which events the queue of a release asks a plugin whether to try a pod again; none of a foreign one."""
    return tuple(event for event in requeue_events(plugin) if PLUGINS[plugin].registers(event, release))


def reads_amounts(plugin: str) -> bool:
    """Whether a plugin judges nodes by the amounts that are requested on them; not known of a foreign one."""
    return plugin in PLUGINS and Reads.AMOUNTS in PLUGINS[plugin].reads


def reads_devices(plugin: str) -> bool:
    """Whether a plugin judges nodes by the devices that drivers offer there; not known of a foreign one."""
    return plugin in PLUGINS and Reads.DEVICES in PLUGINS[plugin].reads


def effort_of(constraint: Constraint) -> Effort:
    """What it takes to lift a constraint."""
    return PLUGINS[constraint.plugin].effort_of(constraint.subject)


def reads_volumes(plugin: str) -> bool:
    """Whether a plugin judges nodes by the pod's volumes; not known of a foreign one."""
    return plugin in PLUGINS and Reads.VOLUMES in PLUGINS[plugin].reads


def has_reasons_by_node(plugin: str) -> bool:
    """Whether a plugin's reasons differ from node to node; not known of a foreign one."""
    return plugin in PLUGINS and PLUGINS[plugin].has_reasons_by_node

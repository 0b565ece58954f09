"""The kubectl commands that write a good dump, made from the kinds that the mirror keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.adapters.prune import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEVICE_KINDS = [kind.name for kind in KINDS.values() if kind.versions[0].startswith("resource.k8s.io/")]
# By their full names: Kueue and the coscheduling plugin have kinds that are called alike.
_GROUP_KINDS = ("Workload", "PodGroup", "CompositePodGroup")
_GROUPS = tuple(f"{name.lower()}s.scheduling.k8s.io" for name in _GROUP_KINDS)
# PodMetrics and NodeMetrics, as metrics.k8s.io names their resources to kubectl.
_USAGE = ("podmetrics", "nodemetrics")
_FILE = "cluster.json"


def plural(kind: str) -> str:
    """Return a kind's resource name as kubectl takes it: `PriorityClass` is `priorityclasses`."""
    name = kind.lower()
    if name.endswith("s"):
        return f"{name}es"
    if name.endswith("y"):
        return f"{name.removesuffix('y')}ies"
    return f"{name}s"


def dump_command() -> str:
    """Return the command for the kinds that every cluster serves."""
    names = [plural(kind.name) for kind in KINDS.values() if kind.name not in (*_DEVICE_KINDS, *_GROUP_KINDS)]
    return f"kubectl get {','.join(names)} -A -o json > {_FILE}"


def device_command() -> str:
    """Return the command that adds the device kinds to the dump."""
    return _each(map(plural, _DEVICE_KINDS))


def group_command() -> str:
    """Return the command that adds Workloads and groups of pods to the dump."""
    return _each(_GROUPS)


def optional_command() -> str:
    """Return the command that adds the kinds that not every cluster serves: devices, groups of pods, usage."""
    return _each([*map(plural, _DEVICE_KINDS), *_GROUPS, *_USAGE])


def _each(names: Iterable[str]) -> str:
    """Ask for each kind by itself: of several at once kubectl writes nothing where the cluster does not serve one."""
    return f"for kind in {' '.join(names)}; do kubectl get $kind -A -o json; done >> {_FILE}"

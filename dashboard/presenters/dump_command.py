"""The kubectl commands that write a good dump, made from the kinds that the mirror keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.adapters.prune import KINDS
from clusters.engine.batch_systems import BATCH_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEVICE_KINDS = [kind.plural for kind in KINDS.values() if kind.group == "resource.k8s.io"]
_GROUP_NAMES = ("Workload", "PodGroup", "CompositePodGroup", *BATCH_KINDS)
# By their full names: several systems have kinds that are called alike.
_GROUPS = [f"{kind.plural}.{kind.group}" for name, kind in KINDS.items() if name in _GROUP_NAMES]
_COMMON = [kind.plural for name, kind in KINDS.items() if name not in _GROUP_NAMES and kind.plural not in _DEVICE_KINDS]
# PodMetrics and NodeMetrics, as metrics.k8s.io names their resources to kubectl.
_USAGE = ("podmetrics", "nodemetrics")
_FILE = "cluster.json"


def dump_command() -> str:
    """Return the command for the kinds that every cluster serves."""
    return f"kubectl get {','.join(_COMMON)} -A -o json > {_FILE}"


def device_command() -> str:
    """Return the command that adds the device kinds to the dump."""
    return _each(_DEVICE_KINDS)


def group_command() -> str:
    """Return the command that adds groups of pods, of other batch systems too, to the dump."""
    return _each(_GROUPS)


def optional_command() -> str:
    """Return the command that adds the kinds that not every cluster serves: devices, groups of pods, usage."""
    return _each([*_DEVICE_KINDS, *_GROUPS, *_USAGE])


def _each(names: Iterable[str]) -> str:
    """Ask for each kind by itself: of several at once kubectl writes nothing where the cluster does not serve one."""
    return f"for kind in {' '.join(names)}; do kubectl get $kind -A -o json; done >> {_FILE}"

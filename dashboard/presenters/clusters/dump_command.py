"""The kubectl commands that write a good dump, made from the kinds that the mirror keeps."""

from __future__ import annotations

from clusters.adapters.prune import KINDS

_DEVICE_GROUP = "resource.k8s.io/"


def plural(kind: str) -> str:
    """Return a kind's resource name as kubectl takes it: `PriorityClass` is `priorityclasses`."""
    name = kind.lower()
    if name.endswith("s"):
        return f"{name}es"
    if name.endswith("y"):
        return f"{name.removesuffix('y')}ies"
    return f"{name}s"


def dump_command(*, devices: bool) -> str:
    """Return the command for every kind, or for the device kinds, which older clusters refuse to list."""
    names = [plural(kind.name) for kind in KINDS.values() if kind.versions[0].startswith(_DEVICE_GROUP) == devices]
    output = "devices.json" if devices else "cluster.json"
    return f"kubectl get {','.join(names)} -A -o json > {output}"

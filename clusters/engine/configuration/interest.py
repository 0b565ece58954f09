"""Which extenders have a say about a pod.

Upstream: ``IsInterested`` in ``pkg/scheduler/extender.go`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.configuration.extenders import Extender
    from clusters.engine.configuration.profiles import Profile
    from clusters.engine.objects import Pod


def interested_extenders(profile: Profile, pod: Pod) -> tuple[Extender, ...]:
    """The extenders that are asked about a pod: they manage no resources, or one that a container names."""
    return tuple(each for each in profile.extenders if not each.managed_resources or any(managed_by(each, pod)))


def managed_by(extender: Extender, pod: Pod) -> Iterator[str]:
    """The extender's resources that containers of a pod request or limit, in the extender's order."""
    named = {
        name
        for kind in ("containers", "initContainers")
        for container in pod.spec.get(kind) or ()
        for amounts in ("requests", "limits")
        for name in (container.get("resources") or {}).get(amounts) or {}
    }
    return (resource.name for resource in extender.managed_resources if resource.name in named)

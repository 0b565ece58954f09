"""The containers of a pod, with what the kubelet reads of each.

Upstream: ``pkg/kubelet/qos/policy.go`` and ``pkg/kubelet/kuberuntime/kuberuntime_container_linux.go``, v1.34.1.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY, amount

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.objects import Document


_READ = (CPU, MEMORY, EPHEMERAL_STORAGE)


class ContainerRole(enum.StrEnum):
    """What a container of a pod is for."""

    MAIN = "main"
    SIDECAR = "sidecar"
    INIT = "init"
    EPHEMERAL = "ephemeral"


@dataclass(frozen=True, slots=True)
class ContainerAmounts:
    """A container's requests and limits of CPU (milli-CPU), memory and ephemeral storage (bytes), as far as written."""

    name: str
    role: ContainerRole
    requests: Mapping[str, int]
    limits: Mapping[str, int]


def containers_of(spec: Document) -> Iterator[ContainerAmounts]:
    """Yield the containers of a pod: main ones, init containers and sidecars, ephemeral ones."""
    for kind, role in (
        ("containers", ContainerRole.MAIN),
        ("initContainers", ContainerRole.INIT),
        ("ephemeralContainers", ContainerRole.EPHEMERAL),
    ):
        for container in spec.get(kind) or ():
            is_sidecar = role is ContainerRole.INIT and container.get("restartPolicy") == "Always"
            yield ContainerAmounts(
                str(container.get("name") or ""),
                ContainerRole.SIDECAR if is_sidecar else role,
                written_amounts(container, "requests"),
                written_amounts(container, "limits"),
            )


def written_amounts(holder: Document, kind: str) -> dict[str, int]:
    """What a container, or a pod as a whole, requests or is limited to of these resources, as far as it is written."""
    quantities = (holder.get("resources") or {}).get(kind) or {}
    return {name: amount(name, quantities[name]) for name in _READ if quantities.get(name) is not None}

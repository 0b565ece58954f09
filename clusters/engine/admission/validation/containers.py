"""Containers beside their resources: names and host ports; and scheduling gates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission import problems as refused
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import key_fault
from clusters.engine.problems import NotALabelKey
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document


def check(spec: Document) -> Iterator[Wrong]:
    """Yield names that two containers have, ports that two would open on the node, and gates that are none."""
    names: set[str] = set()
    for kind in ("containers", "initContainers"):
        for number, container in enumerate(spec.get(kind) or ()):
            name = container.get("name") or ""
            if name in names:
                yield Wrong(f"spec.{kind}[{number}].name", refused.ContainerNameTwice(name))
            names.add(name)
    yield from _check_ports(spec)
    gates: set[str] = set()
    for number, gate in enumerate(spec.get("schedulingGates") or ()):
        path, name = f"spec.schedulingGates[{number}].name", gate.get("name") or ""
        if key_fault(name):
            yield Wrong(path, NotALabelKey(shown(name)))
        elif name in gates:
            yield Wrong(path, refused.GateTwice(name))
        gates.add(name)


def _check_ports(spec: Document) -> Iterator[Wrong]:
    """Init containers run one after another, so that only containers beside each other exclude each other."""
    taken: set[tuple[str, str, int]] = set()
    for number, container in enumerate(spec.get("containers") or ()):
        for place, port in enumerate(container.get("ports") or ()):
            path, host_port = f"spec.containers[{number}].ports[{place}].hostPort", port.get("hostPort") or 0
            if not host_port:
                continue
            if spec.get("hostNetwork") and host_port != port.get("containerPort"):
                yield Wrong(
                    path,
                    refused.NotTheContainerPort(str(port.get("containerPort"))),
                )
            opened = (port.get("protocol") or "TCP", port.get("hostIP") or "", host_port)
            if opened in taken:
                yield Wrong(path, refused.HostPortTwice(host_port))
            taken.add(opened)

from __future__ import annotations

from typing import Any

from clusters.engine.evidence import CountedPod
from clusters.engine.objects import HostPort
from clusters.engine.plugins.node_ports import NodePorts, PortComparison, PortTaken
from tests.engine.builders import Document, a_context, a_node, a_pod
from tests.engine.storage_builders import rejections
from tests.support.constraints import about

TAKEN = {"n": ("Unschedulable", PortTaken.text)}
WILDCARD = "0.0.0.0"  # noqa: S104 - what is written in pods


def port(number: int = 80, ip: str | None = None, protocol: str | None = None) -> Document:
    return {
        "containerPort": 8080,
        "hostPort": number,
        **({} if ip is None else {"hostIP": ip}),
        **({} if protocol is None else {"protocol": protocol}),
    }


def with_ports(name: str, *ports: Document, **more: Any) -> Document:
    return a_pod(name, containers=[{"name": "c", "ports": list(ports)}], **more)


def ports(pod: Document, *placed: Document) -> NodePorts:
    return NodePorts(a_context(pod, a_node("n"), *placed))


def test_each_port_can_be_lifted_and_shows_who_holds_it() -> None:
    pod = with_ports("pod", port(1), port(2, protocol="UDP"), port(2, ip="10.0.0.1"))
    plugin = ports(pod, with_ports("q", port(1), node="n"), with_ports("p", port(1, ip="10.0.0.1"), node="n"))

    assert list(map(about, plugin.constraints())) == [
        f"{WILDCARD}:1/TCP",
        f"{WILDCARD}:2/UDP",
        "10.0.0.1:2/TCP",
    ]
    assert rejections(plugin, lifted={1, 2}) == TAKEN
    assert rejections(plugin, lifted={0}) == {}
    first, *others = plugin.evidence(0)
    assert first == PortComparison(HostPort(WILDCARD, "TCP", 1), (CountedPod("default/p"), CountedPod("default/q")))
    assert [evidence.holds for evidence in (first, *others)] == [False, True, True]

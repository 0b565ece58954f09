from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.evidence import CountedPod
from clusters.engine.objects import HostPort
from clusters.engine.plugins.node_ports import NodePorts, PortComparison, PortTaken
from clusters.engine.status import SKIP, SUCCESS
from clusters.engine.world import World, no_changes
from tests.engine.builders import Document, a_context, a_node, a_pod
from tests.engine.storage_builders import rejections, without
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


@pytest.mark.parametrize(
    ("wanted", "used", "free"),
    [
        (port(), port(), False),
        (port(80), port(81), True),
        (port(protocol="TCP"), port(), False),
        (port(protocol="UDP"), port(), True),
        (port(protocol="UDP"), port(protocol="UDP"), False),
        (port(ip="10.0.0.1"), port(ip="10.0.0.1"), False),
        (port(ip="10.0.0.1"), port(ip="10.0.0.2"), True),
        # Whoever binds every address collides with all.
        (port(ip="10.0.0.1"), port(ip=WILDCARD), False),
        (port(), port(ip="10.0.0.1"), False),
        (port(ip=""), port(ip="10.0.0.1"), False),
        (port(ip="::"), port(ip="10.0.0.1"), True),
    ],
)
def test_ports_collide_by_number_protocol_and_address(wanted: Document, used: Document, free: bool) -> None:
    assert rejections(ports(with_ports("pod", wanted), with_ports("p", used, node="n"))) == ({} if free else TAKEN)
    assert rejections(ports(with_ports("pod", used), with_ports("p", wanted, node="n"))) == ({} if free else TAKEN)


def test_one_of_several_ports_is_enough_to_collide() -> None:
    placed = with_ports("p", port(1), port(2), node="n")

    assert rejections(ports(with_ports("pod", port(3), port(2)), placed)) == TAKEN
    assert rejections(ports(with_ports("pod", port(3), port(4)), placed)) == {}


def test_ports_of_the_container_alone_are_nobody_elses() -> None:
    inner = {"containerPort": 80}

    assert ports(with_ports("pod", inner)).pre_filter().status == SKIP
    assert ports(with_ports("pod", port())).pre_filter().status == SUCCESS
    assert rejections(ports(with_ports("pod", port(80)), with_ports("p", inner, node="n"))) == {}


@pytest.mark.parametrize(("policy", "found"), [("Always", TAKEN), (None, {})])
def test_sidecars_hold_their_ports_but_init_containers_do_not(policy: str | None, found: dict[str, Any]) -> None:
    container = {"name": "i", "ports": [port()], **({} if policy is None else {"restartPolicy": policy})}
    placed = a_pod("p", node="n", initContainers=[container])

    assert rejections(ports(with_ports("pod", port()), placed)) == found


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
    holders = (CountedPod("default/p"), CountedPod("default/q"))
    assert first == PortComparison(HostPort(WILDCARD, "TCP", 1), holders)
    assert [evidence.holds for evidence in (first, *others)] == [False, True, True]


def test_a_port_that_is_asked_for_twice_is_one_requirement() -> None:
    assert len(ports(with_ports("pod", port(), port())).constraints()) == 1


def test_ports_of_whom_is_imagined_to_join_or_leave() -> None:
    nominated = with_ports("nominated", port(1), nominated="n")
    plugin = ports(with_ports("pod", port(1)), nominated, with_ports("p", port(2), node="n"))
    assert rejections(plugin) == {}
    pods = plugin.snapshot.pods
    assert rejections(plugin, World.adding(pods, [pods.slot_of["default/nominated"]])) == TAKEN

    plugin = ports(with_ports("pod", port(2)), with_ports("p", port(2), node="n"))
    assert rejections(plugin, without(plugin, "default/p")) == {}


def test_of_two_holders_one_leaving_frees_the_port_until_it_returns() -> None:
    """The scheduler keeps used ports as a set."""
    plugin = ports(with_ports("pod", port(2)), *(with_ports(name, port(2), node="n") for name in "pq"))
    assert rejections(plugin) == TAKEN
    left = without(plugin, "default/p")
    assert rejections(plugin, left) == {}
    nobody = no_changes().slots
    assert rejections(plugin, no_changes().removing(plugin.snapshot.pods, nobody, left.slots)) == TAKEN

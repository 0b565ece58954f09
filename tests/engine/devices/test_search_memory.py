"""What is kept of searches answers as a search in a snapshot that was made afresh."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from clusters.engine import Snapshot
from clusters.engine.devices import DeviceId
from clusters.engine.devices.allocation import Allocator, KeptSearches, NodeSearch, SearchMemory
from clusters.engine.devices.claims import Holders, held_devices
from clusters.engine.devices.inventory import Claim
from clusters.engine.versions import DeviceRules
from tests.engine.builders import a_node
from tests.engine.device_builders import BROKEN, DRIVER, MODEL, a_class, a_device, a_request, a_resource_claim, a_slice

if TYPE_CHECKING:
    import pytest

NODES = ("n0", "n1", "n2")
DEVICES = 3


def offered() -> list[dict[str, Any]]:
    """Two nodes whose devices are alike, one with others, and a pool that all reach."""
    own = [
        a_slice(*(a_device(f"gpu-{number}", model=model) for number, model in enumerate(models)), node=node)
        for node, models in zip(NODES, ("aab", "aab", "abb"), strict=True)
    ]
    return [*own, a_slice(a_device("gpu-0", model="a"), pool="fabric", allNodes=True)]


WANTED = (
    a_resource_claim(a_request(), name="one"),
    a_resource_claim(a_request("gpu", MODEL % "a", count=2), name="two"),
    a_resource_claim(a_request("x", MODEL % "b"), a_request("y", MODEL % "a"), name="both"),
    a_resource_claim(a_request(allocationMode="All"), name="all"),
    a_resource_claim(a_request(adminAccess=True, count=4), name="admin"),
    a_resource_claim(a_request(deviceClassName="absent"), name="classless"),
)
# A claim that gets one device, or gives it back; a node or a slice that goes or comes; or a copy to go on with.
CHANGES = st.one_of(
    st.tuples(st.just("hold"), st.integers(0, 4), st.sampled_from([*NODES, "fabric"]), st.integers(0, DEVICES - 1)),
    st.tuples(st.just("release"), st.integers(0, 4)),
    st.tuples(st.just("remove"), st.integers(0, 4)),
    st.tuples(st.just("taint"), st.sampled_from(NODES), st.booleans()),
    st.tuples(st.just("node"), st.sampled_from(NODES), st.booleans()),
    st.just(("copy",)),
)


def holding(number: int, pool: str, device: int) -> dict[str, Any]:
    claim = a_resource_claim(a_request(), name=f"held-{number}", allocated=[f"gpu-{device}"])
    claim["status"]["allocation"]["devices"]["results"][0]["pool"] = pool
    return claim


def changed(snapshot: Snapshot, change: tuple[Any, ...]) -> Snapshot:
    match change:
        case ("hold", number, pool, device):
            return snapshot.upsert(holding(number, pool, device))
        case ("release", number):
            return snapshot.upsert(a_resource_claim(a_request(), name=f"held-{number}"))
        case ("remove", number):
            return snapshot.delete(a_resource_claim(name=f"held-{number}"))
        case ("taint", node, is_tainted):
            taints = [BROKEN] if is_tainted else []
            return snapshot.upsert(
                a_slice(*(a_device(f"gpu-{n}", model="a", taints=taints) for n in (0, 1)), node=node)
            )
        case ("node", node, is_there):
            return snapshot.upsert(a_node(node)) if is_there else snapshot.delete(a_node(node))
        case _:
            return snapshot.copy()


def answers(snapshot: Snapshot) -> list[list[tuple[Any, ...]]]:
    """For each claim and node: whether there is a solution, of how many devices, and what went wrong."""
    return [
        [
            (search.allocated is not None, len(search.allocated or ()), search.fault, search.gave_up)
            for search in NodeSearch(snapshot).everywhere((Claim.from_dict(claim),))
        ]
        for claim in WANTED
    ]


def afresh(snapshot: Snapshot) -> Snapshot:
    kinds = ("ResourceSlice", "DeviceClass", "ResourceClaim")
    objects = [document for kind in kinds for document in snapshot.objects(kind)]
    return Snapshot.from_objects([*(a_node(name) for name in snapshot.nodes.names), *objects])


@given(st.lists(CHANGES, max_size=8))
def test_what_is_kept_answers_as_a_search_made_afresh(changes: list[tuple[Any, ...]]) -> None:
    snapshot = Snapshot.from_objects([*map(a_node, NODES), a_class(), *offered()])
    assert answers(snapshot) == answers(afresh(snapshot))

    for change in changes:
        before, earlier = snapshot, answers(snapshot)
        snapshot = changed(snapshot, change)
        assert answers(snapshot) == answers(afresh(snapshot))
        # The same devices are held, whichever way it came about, and a copy leaves the other as it was.
        assert held_devices(snapshot).whole == held_devices(afresh(snapshot)).whole
        if change == ("copy",):
            changed(snapshot, ("hold", 0, "n0", 0))
            assert answers(before) == earlier
            snapshot = before


def test_only_nodes_that_changed_are_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []
    allocate = Allocator.allocate

    def counted(self: Allocator) -> Any:
        searched.append(1)
        return allocate(self)

    monkeypatch.setattr(Allocator, "allocate", counted)
    nodes = [f"n{number:02}" for number in range(20)]
    slices = [
        a_slice(*(a_device(f"gpu-{n}", model=str(row)) for n in range(2)), node=name) for row, name in enumerate(nodes)
    ]
    snapshot = Snapshot.from_objects([*map(a_node, nodes), a_class(), *slices])
    wanted = (Claim.from_dict(a_resource_claim(a_request(), constraints=[{"matchAttribute": f"{DRIVER}/model"}])),)

    counts = []
    for _ in range(2):
        NodeSearch(snapshot).everywhere(wanted)
        counts.append(len(searched))
    for device in range(2):
        snapshot.upsert(holding(device, "n07", device))
        # Another claim that requests the same.
        NodeSearch(snapshot.copy()).everywhere((replace(wanted[0], key="default/other"),))
        counts.append(len(searched))

    assert counts == [20, 20, 21, 22]


def test_a_device_that_two_claims_say_they_have_is_free_when_neither_does() -> None:
    first, second = holding(0, "n0", 0), holding(1, "n0", 0)
    snapshot = Snapshot.from_objects([second, first])
    device = DeviceId(DRIVER, "n0", "gpu-0")

    assert held_devices(snapshot).whole == {device: "default/held-0"}
    snapshot.delete(first)
    assert held_devices(snapshot).whole == {device: "default/held-1"}
    snapshot.delete(second)
    assert held_devices(snapshot).whole == {}
    assert snapshot.followed(Holders).in_pool(DRIVER, "n0") == frozenset()


def test_what_another_thread_keeps_meanwhile_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = Snapshot.from_objects([*map(a_node, NODES), a_class(), *offered()])
    claims = (Claim.from_dict(WANTED[0]),)
    first = NodeSearch(snapshot)
    right = first.everywhere(claims)

    class Replaced(KeptSearches):
        """Is written to after it was looked at, as if by another thread."""

        reads = 0

        @property
        def latest(self) -> Any:
            self.reads += 1
            state = snapshot.followed(Holders).state
            return (state, first._reached, right) if self.reads < 4 else (object(), (), ())

        @latest.setter
        def latest(self, _: Any) -> None:
            pass

    monkeypatch.setattr(SearchMemory, "searches", lambda *_: Replaced())

    assert NodeSearch(snapshot).everywhere(claims) == right


def test_another_thread_may_begin_anew_while_one_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    class Emptied(dict[Any, Any]):
        def __setitem__(self, key: Any, value: Any) -> None:
            super().__setitem__(key, value)
            self.clear()

    memory = SearchMemory((), DeviceRules())
    monkeypatch.setattr(memory, "_kinds", Emptied())

    assert memory.searches((Claim.from_dict(WANTED[0]),)).latest is None

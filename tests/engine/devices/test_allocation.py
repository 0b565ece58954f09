"""Devices are found for claims exactly where there are any: worked examples, upstream's limits, and a brute force."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from clusters.engine import Snapshot
from clusters.engine.devices import allocation
from clusters.engine.devices.allocation import Allocator, KeptSearches, NodeSearch, SearchMemory
from clusters.engine.devices.claims import Holders, held_devices
from clusters.engine.devices.inventory import Claim
from clusters.engine.plugins.dynamic_resources import DeviceComparison
from clusters.engine.versions import DeviceRules, release_with
from tests.engine.builders import ZONE, Document, a_node, a_pod, explanation_of
from tests.engine.device_builders import (
    BROKEN,
    CLASS,
    DRIVER,
    MODEL,
    a_class,
    a_device,
    a_request,
    a_resource_claim,
    a_slice,
    claiming,
    explained,
    feasible,
)

if TYPE_CHECKING:
    from random import Random

# -- worked examples ---------------------------------------------------------------------------------------------------


def test_e41_two_claims_from_one_template_get_a_device_each() -> None:
    cat = (f'{MODEL % "black"} && device.attributes["{DRIVER}"].size == "large"',)
    claims = [a_resource_claim(a_request("cat", *cat), name=name) for name in ("cat-0", "cat-1")]
    black = [a_device(name, model="black", attributes={"size": {"string": "large"}}) for name in ("a", "b")]
    small = a_device("c", model="black", attributes={"size": {"string": "small"}})

    assert feasible(*claims, a_slice(*black), claims=("cat-0", "cat-1")) == ["n0"]
    assert feasible(*claims, a_slice(black[0], small), claims=("cat-0", "cat-1")) == []


@pytest.mark.parametrize(
    ("devices", "fits", "taken"),
    [
        (["black", "white", "white"], True, {"gpu-0"}),
        (["white", "white"], True, {"gpu-0", "gpu-1"}),
        (["white"], False, set()),
    ],
)
def test_e42_the_first_alternative_that_can_be_had_is_taken(devices: list[str], fits: bool, taken: set[str]) -> None:
    request = {
        "name": "cat",
        "firstAvailable": [
            a_request("large-black", MODEL % "black", wrapped=False),
            a_request("small-white", MODEL % "white", wrapped=False, count=2),
        ],
    }
    offered = a_slice(*(a_device(f"gpu-{number}", model=model) for number, model in enumerate(devices)))
    explanation = explanation_of(
        a_pod(resourceClaims=claiming("claim")), a_node("n0"), a_class(), offered, a_resource_claim(request)
    )

    assert explanation.fits is fits
    plugin = explanation.cycle.plugins["DynamicResources"]
    devices_compared = [each for each in plugin.evidence(0) if isinstance(each, DeviceComparison)]
    assert {each.device.rpartition("/")[2] for each in devices_compared if each.allocated} == taken


def test_e43_partitions_share_the_counters_of_their_card() -> None:
    use = [{"counterSet": "gpu-1-counters", "counters": {"memory": {"value": "6Gi"}}}]
    card = [{"name": "gpu-1-counters", "counters": {"memory": {"value": "8Gi"}}}]
    partitions = a_slice(
        *(a_device(name, consumesCounters=use) for name in ("device-1", "device-2")), sharedCounters=card
    )

    assert feasible(partitions, a_resource_claim(a_request())) == ["n0"]
    assert feasible(partitions, a_resource_claim(a_request(count=2))) == []
    held = a_resource_claim(name="other", allocated=["device-1"])
    assert feasible(partitions, held, a_resource_claim(a_request())) == []


# -- what excludes devices ---------------------------------------------------------------------------------------------


def test_a_taint_rule_that_cannot_be_evaluated_leaves_pods_uncertain() -> None:
    rule = {
        "kind": "DeviceTaintRule",
        "metadata": {"name": "r"},
        "spec": {"deviceSelector": {"selectors": [{"cel": {"expression": "f" * 20_000}}]}, "taint": BROKEN},
    }
    pod = a_pod(resourceClaims=claiming("claim"))

    explanation = explanation_of(pod, a_node("n0"), a_class(), a_slice(a_device()), a_resource_claim(a_request()), rule)

    assert explanation.conclusion == "uncertain"


# -- verdicts ----------------------------------------------------------------------------------------------------------


def verdict(*objects: Document, pod: Document | None = None) -> tuple[str, tuple[str, ...]]:
    """Code and reasons of the one node, or of PreFilter."""
    claimed = pod or a_pod(resourceClaims=claiming("claim"))
    explanation = explanation_of(claimed, a_node("n0"), *objects)
    if explanation.cycle.stopped_by is not None:
        status = explanation.cycle.stopped_by.status
    else:
        status = explanation.cycle.filters["DynamicResources"].at(0)
    return status.code.value, status.texts


def test_what_is_wrong_with_a_claim_is_said_before_any_node_is_looked_at() -> None:
    unresolvable = "UnschedulableAndUnresolvable"
    claim = a_resource_claim(a_request())
    made = a_pod(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}])
    generated = {**made, "status": {"resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": "claim"}]}}

    assert verdict(a_class(name="other")) == (unresolvable, ('could not find ResourceClaim "default/claim"',))
    assert verdict(claim) == (unresolvable, (f"request gpu: device class {CLASS} does not exist",))
    assert verdict(a_resource_claim(a_request(), deletionTimestamp="2026-01-01T00:00:00Z")) == (
        unresolvable,
        ('resourceclaim "claim" is being deleted',),
    )
    assert verdict(claim, pod=made) == (unresolvable, ('pod "default/pod": ResourceClaim not created yet',))
    assert verdict(claim, pod=generated) == (
        unresolvable,
        ("ResourceClaim default/claim was not created for pod default/pod (pod is not owner)",),
    )


def test_an_entry_for_which_no_claim_is_needed_needs_none() -> None:
    pod = a_pod(resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}])
    pod["status"] = {"resourceClaimStatuses": [{"name": "gpu"}]}

    assert explanation_of(pod, a_node("n0"), a_class()).conclusion == "fits"


def test_a_pool_with_two_devices_of_one_name_is_an_error() -> None:
    assert verdict(a_class(), a_slice(a_device(), a_device()), a_resource_claim(a_request())) == (
        "Error",
        ("pool n0 is invalid: duplicate device name gpu-0",),
    )


def test_a_selector_that_cannot_be_evaluated_is_an_error() -> None:
    claim = a_resource_claim(a_request("gpu", f'device.attributes["{DRIVER}"].absent == "x"'))

    assert verdict(a_class(), claim, a_slice(a_device())) == (
        "Error",
        ("claim default/claim: selector #0: CEL runtime error: no such key: absent",),
    )
    assert verdict(a_class('device.attributes["x"].y'), a_resource_claim(a_request()), a_slice(a_device())) == (
        "Error",
        (f"class {CLASS}: selector #0: CEL runtime error: no such key: y",),
    )


def every(name: str, number: int) -> dict[str, Any]:
    return a_request(name, MODEL % f"m{number}", wrapped=False, allocationMode="All", count=0)


DIFFERENT = [a_device(f"gpu-{number}", model=f"m{number}") for number in range(24)]
SAME = [a_device(f"gpu-{number:02}", attributes={"numa": {"int": 0}}) for number in range(24)]
ANY_OF_ALL = [
    {"name": f"r{number}", "firstAvailable": [every(f"a{choice}", number) for choice in range(4)]}
    for number in range(12)
]


def equal(attribute: str, *requests: str) -> list[Document]:
    return [{"matchAttribute": f"{DRIVER}/{attribute}", "requests": list(requests)}]


@pytest.mark.parametrize(
    ("devices", "claim", "minor"),
    [
        # Every pair of devices differs, so that all orders of all of them would be tried.
        (
            DIFFERENT,
            a_resource_claim(
                *(a_request(f"r{number}") for number in range(12)), constraints=equal("model", "r10", "r11")
            ),
            "1.34",
        ),
        # Each alternative can be had by itself, and the last request never: all of them together would be tried.
        (DIFFERENT[:12], a_resource_claim(*ANY_OF_ALL, a_request("never", MODEL % "none")), "1.34"),
        # The scheduler takes 87 million steps, and gives up after some ten million.
        (
            SAME,
            a_resource_claim(a_request("many", count=12), a_request("odd"), constraints=equal("none", "odd")),
            "1.37",
        ),
    ],
)
def test_a_search_that_outlasts_the_schedulers_time_is_given_up_and_leaves_the_pod_uncertain(
    devices: list[Document], claim: Document, minor: str
) -> None:
    pod = a_pod(resourceClaims=claiming("claim"))

    explanation = explained(pod, a_node("n0"), a_class(), a_slice(*devices), claim, minor=minor)

    fields = [each.field for each in explanation.uncertainties if hasattr(each, "field")]
    assert fields == ["spec.resourceClaims (cost)"]
    assert explanation.conclusion == "uncertain"


MODELS = st.sampled_from(["a", "b"])
DEVICES = st.lists(
    st.fixed_dictionaries({"model": MODELS}, optional={"numa": st.integers(0, 1), "tainted": st.booleans()}),
    min_size=0,
    max_size=5,
)
REQUESTS = st.lists(
    st.fixed_dictionaries({"count": st.integers(1, 2), "model": st.none() | MODELS, "tolerates": st.booleans()}),
    min_size=1,
    max_size=3,
)


@given(
    devices=DEVICES, requests=REQUESTS, split=st.integers(1, 3), matches=st.booleans(), held=st.sets(st.integers(0, 4))
)
def test_devices_are_found_exactly_where_a_brute_force_finds_some(
    devices: list[dict[str, Any]], requests: list[dict[str, Any]], split: int, matches: bool, held: set[int]
) -> None:
    claims = [part for part in (requests[:split], requests[split:]) if part]
    constraints = [{"matchAttribute": f"{DRIVER}/numa"}] if matches else []
    offered = a_slice(
        *(
            a_device(
                f"gpu-{number}",
                model=each["model"],
                attributes={"numa": {"int": each["numa"]}} if "numa" in each else {},
                taints=[BROKEN] if each.get("tainted") else [],
            )
            for number, each in enumerate(devices)
        )
    )
    objects = [
        a_resource_claim(
            *(
                a_request(
                    f"r{number}",
                    *([MODEL % each["model"]] if each["model"] else []),
                    count=each["count"],
                    tolerations=[{"operator": "Exists"}] if each["tolerates"] else [],
                )
                for number, each in enumerate(part)
            ),
            name=f"c{place}",
            constraints=constraints,
        )
        for place, part in enumerate(claims)
    ]
    taken = a_resource_claim(name="other", allocated=[f"gpu-{number}" for number in held])

    found = feasible(offered, *objects, taken, claims=tuple(f"c{place}" for place in range(len(claims))))

    free = [each for number, each in enumerate(devices) if number not in held]
    assert bool(found) is brute_force(free, claims, matches=matches)


def brute_force(free: list[dict[str, Any]], claims: list[list[dict[str, Any]]], *, matches: bool) -> bool:
    """Whether any way to hand out free devices meets all requests: all ways are tried."""
    wanted = [
        (place, request) for place, part in enumerate(claims) for request in part for _ in range(request["count"])
    ]
    return any(is_solution(order, wanted, matches=matches) for order in permutations(free, len(wanted)))


def is_solution(order: tuple[dict[str, Any], ...], wanted: list[tuple[int, dict[str, Any]]], *, matches: bool) -> bool:
    for device, (_, request) in zip(order, wanted, strict=True):
        if request["model"] not in (None, device["model"]) or (device.get("tainted") and not request["tolerates"]):
            return False
    if not matches:
        return True
    values = {
        place: {device.get("numa") for device, (of, _) in zip(order, wanted, strict=True) if of == place}
        for place, _ in wanted
    }
    return all(len(found) == 1 and None not in found for found in values.values())


@settings(max_examples=40)
@given(clusters=st.lists(DEVICES, min_size=2, max_size=5), requests=REQUESTS, matches=st.booleans())
def test_nodes_that_are_searched_together_find_what_each_finds_by_itself(
    clusters: list[list[dict[str, Any]]], requests: list[dict[str, Any]], matches: bool
) -> None:
    names = tuple(f"n{number}" for number in range(len(clusters)))
    slices = {
        name: a_slice(
            *(
                a_device(
                    f"gpu-{number}",
                    model=each["model"],
                    attributes={
                        "serial": {"int": number},
                        **({"numa": {"int": each["numa"]}} if "numa" in each else {}),
                    },
                    taints=[BROKEN] if each.get("tainted") else [],
                )
                for number, each in enumerate(devices)
            ),
            node=name,
        )
        for name, devices in zip(names, clusters, strict=True)
    }
    wanted = [
        a_request(f"r{number}", *([MODEL % each["model"]] if each["model"] else []), count=each["count"])
        for number, each in enumerate(requests)
    ]
    claim = a_resource_claim(*wanted, constraints=[{"matchAttribute": f"{DRIVER}/numa"}] if matches else [])

    together = feasible(*slices.values(), claim, nodes=names)

    assert together == [name for name in names if feasible(slices[name], claim, nodes=(name,))]


def test_a_source_without_any_object_about_devices_leaves_the_pod_uncertain() -> None:
    assert explanation_of(a_pod(resourceClaims=claiming("claim")), a_node("n0")).conclusion == "uncertain"
    assert explanation_of(a_pod(), a_node("n0")).conclusion == "fits"


NEVER = 10**9


@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_identical_devices_are_not_tried_in_every_combination(minor: str) -> None:
    # Of 32 devices 17 have to be on one side, where 16 are: 1.3 million steps, two seconds of the scheduler.
    devices = [a_device(f"gpu-{number}", attributes={"numa": {"int": number // 16}}) for number in range(32)]
    claim = a_resource_claim(a_request(count=17), constraints=[{"matchAttribute": f"{DRIVER}/numa"}])
    pod = a_pod(resourceClaims=claiming("claim"))

    explanation = explained(pod, a_node("n0"), a_class(), a_slice(*devices), claim, minor=minor)

    assert (explanation.conclusion, explanation.uncertainties) == ("unschedulable", ())
    assert explanation.fit_error == "0/1 nodes are available: 1 cannot allocate all claims."


@settings(max_examples=40)
@given(random=st.randoms(use_true_random=False), minor=st.sampled_from(["1.34", "1.35", "1.36", "1.37"]))
def test_dead_ends_change_no_answer(random: Random, minor: str) -> None:
    gates = dict.fromkeys(("DRAConsumableCapacity", "DRAPartitionableDevices", "DRADeviceTaints"), True)
    release = release_with(f"v{minor}.0", gates if random.random() < 0.8 else {})
    objects = _slices(random)
    claims = [Claim.from_dict(_claim(random, f"c{number}")) for number in range(random.randint(1, 3))]
    answers = []
    for usual in (0, NEVER):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(allocation, "USUAL_STEPS", usual)
            patch.setattr(allocation, "MAX_STEPS", 20_000)
            snapshot = Snapshot.from_objects([a_node("n0"), a_class(), *objects], release)
            answers.append(NodeSearch(snapshot).on(0, tuple(claims)))
    kept, plain = answers

    # One that searches anew may give up where the other does not.
    assert plain.gave_up or _said(kept) == _said(plain)


def _said(search: Any) -> Any:
    taken = [(each.claim, each.request, each.candidate.id, each.consumed) for each in search.allocated or ()]
    return search.allocated is None, taken, search.fault, search.gave_up


def _slices(random: Random) -> list[dict[str, Any]]:
    counter_sets = [f"card-{number}" for number in range(random.randint(0, 2))]
    devices = []
    for number in range(random.randint(2, 7)):
        device = a_device(
            f"gpu-{number}",
            model=random.choice("ab"),
            attributes={name: {"int": random.randrange(2)} for name in ("numa", "rack") if random.random() < 0.9},
            taints=[BROKEN] if random.random() < 0.1 else [],
        )
        if counter_sets:
            uses = random.sample(counter_sets, random.randint(1, len(counter_sets)))
            amounts = {name: {"value": str(random.randint(0, 3))} for name in ("memory",)}
            device["consumesCounters"] = [{"counterSet": each, "counters": amounts} for each in uses]
        if random.random() < 0.3:
            policy = {"default": "1", "validRange": {"min": "1", "step": "1"}}
            device["allowMultipleAllocations"] = True
            device["capacity"] = {"memory": {"value": str(random.randint(1, 6)), "requestPolicy": policy}}
        devices.append(device)
    if not counter_sets:
        return [a_slice(*devices)]
    shared = [{"name": each, "counters": {"memory": {"value": str(random.randint(1, 6))}}} for each in counter_sets]
    held = {"resourceSliceCount": 2}
    counters = a_slice(name="counters", held=held, sharedCounters=shared)
    del counters["spec"]["devices"]
    return [a_slice(*devices, held=held), counters]


def _claim(random: Random, name: str) -> dict[str, Any]:
    requests = [
        {"name": f"r{number}", "firstAvailable": [_request(random, f"s{each}", wrapped=False) for each in range(2)]}
        if random.random() < 0.25
        else _request(random, f"r{number}")
        for number in range(random.randint(1, 3))
    ]
    constraints = [
        {random.choice(["matchAttribute", "matchAttribute", "distinctAttribute"]): f"{DRIVER}/{attribute}"}
        for attribute in ("numa", "rack")
        if random.random() < 0.4
    ]
    return a_resource_claim(*requests, name=name, constraints=constraints)


def _request(random: Random, name: str, *, wrapped: bool = True) -> dict[str, Any]:
    fields: dict[str, Any] = {"count": random.choice([1, 1, 2, 3])}
    if random.random() < 0.1:
        fields = {"allocationMode": "All", "count": 0}
    if random.random() < 0.3:
        fields["tolerations"] = [{"operator": "Exists"}]
    if random.random() < 0.2:
        fields["capacity"] = {"requests": {"memory": str(random.randint(1, 3))}}
    selectors = [MODEL % random.choice("ab")] if random.random() < 0.5 else []
    return a_request(name, *selectors, wrapped=wrapped, **fields)


NODES = ("n0", "n1", "n2")
MANY_DEVICES = 3


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
    st.tuples(
        st.just("hold"), st.integers(0, 4), st.sampled_from([*NODES, "fabric"]), st.integers(0, MANY_DEVICES - 1)
    ),
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


@settings(max_examples=40)
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
            return (snapshot.followed(Holders).state, first._reached, right) if self.reads < 4 else (object(), (), ())

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


NOT_THERE = "resourceclaim not available on the node"
NO_DEVICES = "cannot allocate all claims"
RANGE = "capacity request cannot be represented in the device's range arithmetic"
STEPS = {"validRange": {"min": "2", "max": "4", "step": "2"}, "default": "2"}


def decided(pod: Document, *objects: Document, minor: str, gates: dict[str, bool] | None = None) -> Any:
    return explained(pod, a_class(), *objects, minor=minor, gates=gates or {})


def claiming_by_name(*names: str) -> Document:
    return a_pod(resourceClaims=[{"name": name, "resourceClaimName": name} for name in names])


def reasons(found: Any) -> dict[str, str]:
    """What DynamicResources says of each node that it rejects."""
    answer = found.cycle.filters["DynamicResources"]
    return {name: answer.at(row).said for row, name in enumerate(found.snapshot.nodes.names) if answer.at(row).reasons}


# -- taints without effect ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("minor", "selector", "feasible"),
    [
        ("1.34", None, []),
        ("1.36", None, []),
        ("1.37", None, ["n0"]),
        ("1.37", {}, []),
        ("1.34", {"deviceClassName": "absent"}, ["n0"]),
        ("1.35", {"deviceClassName": "absent"}, []),
        ("1.34", {"selectors": [{"cel": {"expression": "false"}}]}, ["n0"]),
        ("1.37", {"selectors": [{"cel": {"expression": "false"}}]}, []),
        ("1.37", {"pool": "other"}, ["n0"]),
        ("1.34", {"device": "gpu-1"}, ["n0"]),
        ("1.34", {"device": "gpu-0"}, []),
        ("1.34", {"driver": "other.example.com"}, ["n0"]),
        ("1.34", {"pool": "n0", "selectors": [{"cel": {"expression": MODEL % "a"}}]}, []),
        # An expression that fails for a device does not select it.
        ("1.34", {"selectors": [{"cel": {"expression": MODEL.replace("model", "x") % "a"}}]}, ["n0"]),
    ],
)
def test_what_a_rule_selects(minor: str, selector: Document | None, feasible: list[str]) -> None:
    gates = {"DRADeviceTaints": True, "DRADeviceTaintRules": True} if minor != "1.34" else {"DRADeviceTaints": True}
    spec = {"taint": {"key": "broken", "effect": "NoSchedule"}, "deviceSelector": selector}
    rule = {"kind": "DeviceTaintRule", "metadata": {"name": "broken"}, "spec": spec}
    if selector is None:
        del spec["deviceSelector"]

    wanted = (claiming_by_name("claim"), a_node("n0"), a_resource_claim(a_request()), a_slice(a_device(model="a")))

    assert decided(*wanted, rule, minor=minor, gates=gates).feasible == feasible


# -- claims that have devices beside claims that can have none ---------------------------------------------------


def held_on(node: str, **fields: Any) -> Document:
    """A claim that has the device of a node."""
    claim = a_resource_claim(a_request(), name="held")
    selector = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}]}
    result = {"request": "gpu", "driver": DRIVER, "pool": node, "device": "gpu-0", **fields.pop("result", {})}
    claim["status"] = {"allocation": {"devices": {"results": [result]}, "nodeSelector": selector, **fields}}
    return claim


def two_nodes() -> list[Document]:
    return [a_node("n0"), a_node("n1"), a_slice(a_device(), a_device("gpu-1")), a_slice(a_device(), node="n1")]


@pytest.mark.parametrize("minor", ["1.34", "1.37"])
def test_a_claim_is_freed_where_a_node_could_have_had_all_others(minor: str) -> None:
    pair = a_resource_claim(a_request(count=2), name="pair")
    spare = a_slice(a_device("gpu-1"), a_device("gpu-2"), node="n1", pool="spare")

    found = decided(claiming_by_name("held", "pair"), *two_nodes(), spare, held_on("n0"), pair, minor=minor)

    assert reasons(found) == {"n0": NO_DEVICES, "n1": NOT_THERE}
    assert "deallocation of ResourceClaim completed" in found.message


# -- amounts that cannot be counted ------------------------------------------------------------------------------


def asking(amount: str, capacity: Document, *, mode: str = "ExactCount", **more: Any) -> Any:
    shared = {"allowMultipleAllocations": True, "capacity": {"mem": capacity}}
    request = a_request(allocationMode=mode, capacity={"requests": {"mem": amount}})
    if mode != "ExactCount":
        del request["exactly"]["count"]
    offered = a_slice({**a_device(), **shared})
    return decided(
        claiming_by_name("claim"), a_node("n0"), offered, a_resource_claim(request), **{"minor": "1.37", **more}
    )


@pytest.mark.parametrize(
    ("amount", "capacity", "said"),
    [
        ("-5", {"value": "10"}, "capacity value is negative"),
        (
            "18446744073709551616",
            {"value": "4", "requestPolicy": STEPS},
            "request 18446744073709551616 exceeds MaxInt64",
        ),
        ("20E", {"value": "4", "requestPolicy": STEPS}, "request 20E exceeds MaxInt64"),
        (
            "9223372036854775807",
            {"value": "4", "requestPolicy": STEPS},
            "rounding request 9223372036854775807 up to the next step passes MaxInt64",
        ),
    ],
)
@pytest.mark.parametrize(("mode", "device"), [("ExactCount", f"{DRIVER}/n0/gpu-0"), ("All", "gpu-0")])
def test_an_amount_that_cannot_be_counted_ends_the_cycle_from_1_37(
    amount: str, capacity: Document, said: str, mode: str, device: str
) -> None:
    found = asking(amount, capacity, mode=mode)

    why = said if "negative" in said else f"{RANGE}: {said}"
    expected = f'claim default/claim, request gpu: checking capacity for device {device}: capacity "mem": {why}'
    assert reasons(found) == {"n0": expected}
    assert found.as_recorded()["cycleError"] == f'running "DynamicResources" filter plugin: {expected}'


@pytest.mark.parametrize(
    ("amount", "capacity"),
    [
        # A policy turns it into what may be consumed.
        ("-5", {"value": "4", "requestPolicy": STEPS}),
        ("-5", {"value": "4", "requestPolicy": {"validValues": ["1", "2"]}}),
        ("3", {"value": "4", "requestPolicy": STEPS}),
    ],
)
def test_an_amount_that_a_policy_puts_right_is_counted(amount: str, capacity: Document) -> None:
    assert asking(amount, capacity).feasible == ["n0"]


@pytest.mark.parametrize(
    ("amount", "value", "policy", "fits"),
    [
        # 2^65 + 3 are 3 in the low 64 bits, and 20 × 10^18 are none that Go multiplies: 0.
        ("36893488147419103235", "3", {"min": "1", "step": "1"}, True),
        ("36893488147419103235", "2", {"min": "1", "step": "1"}, False),
        ("20E", "1", {"min": "0", "step": "7"}, True),
        # Rounded up it is 2^63, which is the least there is in int64.
        ("9223372036854775807", "4", {"min": "4611686018427387904", "step": "1Gi"}, True),
        ("4611686018427387904", "4", {"min": "1", "step": "9223372036854775807"}, True),
        # Without a step nothing is counted in int64.
        ("36893488147419103235", "3", {"min": "1"}, False),
    ],
)
@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36"])
def test_steps_wrap_around_until_1_36(minor: str, amount: str, value: str, policy: Document, *, fits: bool) -> None:
    capacity = {"value": value, "requestPolicy": {"validRange": policy, "default": policy["min"]}}

    found = asking(amount, capacity, minor=minor, gates={"DRAConsumableCapacity": True})

    assert found.feasible == (["n0"] if fits else [])
    assert found.conclusion == ("fits" if fits else "unschedulable")


@pytest.mark.parametrize(
    ("amount", "limits", "said"),
    [
        ("1600u", {"min": "1m", "step": "1m"}, "request 1600u is not a representable milli value"),
        (
            "9223372036854775807m",
            {"min": "500m", "step": "1"},
            "rounding request 9223372036854775807m up to the next step passes the milli-value range",
        ),
        # A limit that is no thousandth: whole units are counted.
        ("1600u", {"min": "1u", "step": "1m"}, ""),
    ],
)
def test_thousandths_have_a_range_of_their_own(amount: str, limits: dict[str, str], said: str) -> None:
    policy = {"value": "10", "requestPolicy": {"validRange": limits}}

    found = asking(amount, policy, gates={"DRAFractionalCapacityRange": True})

    assert reasons(found).get("n0", "").endswith(f"{RANGE}: {said}" if said else "")
    assert found.feasible == ([] if said else ["n0"])


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_devices_that_are_lacking_come_before_claims_that_are_elsewhere(minor: str) -> None:
    many = a_resource_claim(a_request(count=3), name="many")

    found = decided(claiming_by_name("held", "many"), *two_nodes(), held_on("n0"), many, minor=minor)

    assert reasons(found) == {"n0": NO_DEVICES, "n1": NO_DEVICES}
    assert "deallocation" not in found.message


def test_a_device_that_a_claim_holds_is_not_free_but_for_admin_access() -> None:
    held = a_resource_claim(name="other", allocated=["gpu-0"])

    assert feasible(a_slice(a_device()), held, a_resource_claim(a_request())) == []
    assert feasible(a_slice(a_device()), held, a_resource_claim(a_request(adminAccess=True))) == ["n0"]


def test_devices_of_all_nodes_and_of_nodes_by_label_are_reached_from_there() -> None:
    zone = {"nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["a"]}]}]}
    pod = a_pod(resourceClaims=claiming("claim"))
    nodes = [a_node("n0", zone="a"), a_node("n1", zone="b")]
    claim = a_resource_claim(a_request())

    def found(offered: Document) -> list[str]:
        return explanation_of(pod, *nodes, a_class(), claim, offered).feasible

    assert found(a_slice(a_device(), pool="net", allNodes=True)) == ["n0", "n1"]
    assert found(a_slice(a_device(), pool="net", nodeSelector=zone)) == ["n0"]
    by_device = [a_device("a", nodeName="n1"), a_device("b", nodeSelector=zone, model="b")]
    assert found(a_slice(*by_device, pool="net", perDeviceNodeSelection=True)) == ["n0", "n1"]

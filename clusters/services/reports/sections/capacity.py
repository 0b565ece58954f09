"""How much there is, how much is requested and by whom, what is stranded, what it costs, and what is used."""

from __future__ import annotations

from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine.columns import ZONES
from clusters.engine.devices import DeviceState, pool_states
from clusters.engine.nodes import Amounts, amounts_of, node_health, stranded
from clusters.engine.owners import Workload
from clusters.engine.quantity import QuantityError, milli_value, whole_value
from clusters.engine.quotas import Quota, QuotaLedger, QuotaUse, QuotaUser, counted_resource, fullest_first, quota_uses
from clusters.engine.resources import CPU, MEMORY, PODS, base_amount
from clusters.engine.simulation import Amount, MeasuredNodes, Measures, measures_of, resource_amounts
from clusters.engine.spreading import ZONE, spreading_of
from clusters.engine.usage import ResourceSizing, Sizing, UsedAmounts, WorkloadSizing, with_requests
from clusters.engine.volumes import DriverUse, drivers_on
from clusters.models import Cluster, KubeObject
from clusters.services.mirror.state import quotas_of, users_of_quotas
from clusters.services.reports import subject as tables
from clusters.services.reports.capacity_samples import bound_slots, by_name, namespaces, requested_by
from clusters.services.reports.subject import Row, Subject, untolerated
from clusters.services.usage.history import ClusterSizing, right_sized, sizing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.status import Mask
    from clusters.services.reports.order import Prices
    from clusters.services.reports.subject import Column


_MAIN = (CPU, MEMORY)


def utilisation(subject: Subject) -> Row:
    """Totals by resource; by zone, pool, namespace, priority class and QoS class."""
    snapshot = subject.snapshot
    found = measures_of(snapshot, subject.waiting)
    capacity = _capacity(subject, found)
    resources = tables.in_order(found.amounts)
    # What one node lacks takes nothing from what others have free.
    amounts = resource_amounts(snapshot)
    free = {name: int(amounts[name].left.sum()) for name in resources}
    health = node_health(snapshot)
    facts = {
        "nodes": {
            "total": found.nodes,
            "usable": found.usable,
            "cordoned": int(health.cordoned.sum()),
            "not_ready": int(health.not_ready.sum()),
            "pressure": int(health.pressure.sum()),
        },
        "pods": {"placed": found.pods, "pending": found.pending},
        "resources": {
            name: {
                "capacity": capacity[name],
                "allocatable": found.amounts[name].allocatable,
                "requested": found.amounts[name].requested,
            }
            for name in resources
        },
    }
    return tables.section(
        "utilisation",
        facts,
        [
            _resources(found, capacity, free),
            *_parts("zones", "zone", found.zones, found.amounts),
            *_parts("pools", "pool", found.pools, found.amounts),
            *_by_pods(subject),
            *other_capacity(snapshot),
        ],
    )


def _capacity(subject: Subject, found: Measures) -> dict[str, int]:
    sums = dict.fromkeys(found.amounts, 0)
    for node in subject.snapshot.nodes.nodes:
        whole = subject.capacity.get(node.name, node.allocatable)
        for name in sums:
            sums[name] += whole.get(name, 0)
    return sums


def _resources(found: Measures, capacity: Mapping[str, int], free: Mapping[str, int]) -> Row:
    """Amounts of resources of several kinds in one column have the kind of their row's unit."""
    rows = [
        {
            "resource": name,
            "unit": tables.unit_of(name),
            "capacity": capacity[name],
            "allocatable": found.amounts[name].allocatable,
            "requested": found.amounts[name].requested,
            "left": left,
            "share": tables.ratio(found.amounts[name].requested, found.amounts[name].allocatable),
        }
        for name, left in free.items()
    ]
    columns = [tables.name("resource"), tables.text("unit")]
    columns += [{"key": key, "kind": "amount"} for key in ("capacity", "allocatable", "requested", "left")]
    return tables.table("resources", [*columns, {"key": "share", "kind": "share"}], rows)


def _parts(table: str, key: str, parts: Sequence[MeasuredNodes], whole: Mapping[str, Amount]) -> list[Row]:
    """CPU and memory of each part in one table, its other resources in another one, as there may be many."""
    columns = [tables.name(key), tables.number("nodes")]
    for resource in _MAIN:
        columns += [
            tables.resource(resource, "allocatable"),
            tables.resource(resource, "requested"),
            tables.share(resource),
        ]
    rows = [{key: part.name, "nodes": part.nodes, **_amounts(part.amounts)} for part in parts]
    total = {key: "", "nodes": sum(part.nodes for part in parts), **_amounts(whole)}
    others = [
        {
            key: part.name,
            "resource": name,
            "unit": tables.unit_of(name),
            "allocatable": part.amounts[name].allocatable,
            "requested": part.amounts[name].requested,
            "share": tables.ratio(part.amounts[name].requested, part.amounts[name].allocatable),
        }
        for part in parts
        for name in tables.in_order(part.amounts)
        if name not in _MAIN and (part.amounts[name].allocatable or part.amounts[name].requested)
    ]
    amounts = [{"key": measure, "kind": "amount"} for measure in ("allocatable", "requested")]
    head = [tables.name(key), tables.name("resource"), tables.text("unit")]
    return [
        tables.table(table, columns, rows, total),
        tables.table(f"{table}_other", [*head, *amounts, {"key": "share", "kind": "share"}], others),
    ]


def _amounts(amounts: Mapping[str, Amount]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in _MAIN:
        each = amounts[name]
        found[f"{name}_allocatable"], found[f"{name}_requested"] = each.allocatable, each.requested
        found[f"{name}_share"] = tables.ratio(each.requested, each.allocatable)
    return found


def _by_pods(subject: Subject) -> list[Row]:
    """By namespace, priority class and QoS class: what belongs to pods and not to nodes."""
    snapshot = subject.snapshot
    pods, slots = snapshot.pods, bound_slots(snapshot)
    classes = [subject.classes.get(pods.keys[slot], ("", "")) for slot in slots.tolist()]
    by_namespace = namespaces(snapshot, slots)
    by_qos = by_name(snapshot, slots, (qos for _, qos in classes))
    others = [
        {"namespace": name, "resource": resource, "unit": tables.unit_of(resource), "requested": asked[resource]}
        for name, asked in by_namespace.items()
        for resource in tables.in_order(asked)
        if resource not in (*_MAIN, PODS)
    ]
    head = [tables.name("namespace"), tables.name("resource"), tables.text("unit")]
    return [
        _table(
            "namespaces",
            [tables.name("namespace")],
            [_row(each, namespace=name) for name, each in by_namespace.items()],
        ),
        tables.table("namespaces_other", [*head, {"key": "requested", "kind": "amount"}], others),
        _table("priorities", [tables.name("priority_class"), tables.number("priority")], _priorities(subject, classes)),
        _table("qos", [tables.text("qos")], [_row(each, qos=name) for name, each in by_qos.items()]),
    ]


def _row(requested: Mapping[str, int], **named: Any) -> Row:
    amounts = {f"{name}_requested": requested.get(name, 0) for name in _MAIN}
    return {**named, "pods": requested.get(PODS, 0), **amounts}


def _table(name: str, columns: list[Column], rows: list[Row]) -> Row:
    asked = [tables.resource(resource, "requested") for resource in _MAIN]
    return tables.table(name, [*columns, tables.number("pods"), *asked], rows)


def _priorities(subject: Subject, classes: list[tuple[str, str]]) -> list[Row]:
    """Return a row for each priority class and value in use, the highest first."""
    snapshot = subject.snapshot
    slots = bound_slots(snapshot)
    members: dict[tuple[int, str], list[int]] = defaultdict(list)
    for number, (slot, (name, _)) in enumerate(zip(slots.tolist(), classes, strict=True)):
        members[-int(snapshot.pods.priority[slot]), name].append(number)
    codes = np.zeros(len(slots), np.int64)
    ordered = sorted(members)
    for code, key in enumerate(ordered):
        codes[members[key]] = code
    sums = requested_by(snapshot, slots, codes, len(ordered))
    return [
        _row(requested, priority_class=name, priority=-value)
        for (value, name), requested in zip(ordered, sums, strict=True)
    ]


_USED = (DeviceState.HELD, DeviceState.SHARED)


def other_capacity(snapshot: Snapshot) -> list[Row]:
    """Return tables of devices by driver, attachable volumes by driver, and storage by class and by zone."""
    return [_devices(snapshot), _volumes(snapshot), *_storage(snapshot)]


def _devices(snapshot: Snapshot) -> Row:
    """The devices of ResourceSlices; those that are neither used nor free are tainted, or lack a counter."""
    states: defaultdict[str, Counter[DeviceState]] = defaultdict(Counter)
    pools: Counter[str] = Counter()
    for pool in pool_states(snapshot):
        states[pool.pool.driver] += pool.counts
        pools[pool.pool.driver] += 1
    rows = [
        {
            "driver": driver,
            "pools": pools[driver],
            "devices": sum(counts.values()),
            "used": sum(counts[state] for state in _USED),
            "free": counts[DeviceState.FREE],
        }
        for driver, counts in sorted(states.items())
    ]
    numbers = map(tables.number, ("pools", "devices", "used", "free"))
    return tables.table("devices", [tables.name("driver"), *numbers], rows)


def _volumes(snapshot: Snapshot) -> Row:
    """What the nodes that name a limit have attached of each driver, as NodeVolumeLimits counts it."""
    found: defaultdict[str, list[tuple[DriverUse, int]]] = defaultdict(list)
    for node in snapshot.nodes.names:
        for use in drivers_on(snapshot, node):
            if use.limit is not None:
                found[use.driver].append((use, use.limit))
    rows = [
        {
            "driver": driver,
            "nodes": len(uses),
            "used": sum(use.attached for use, _ in uses),
            "hard": sum(limit for _, limit in uses),
            "left": sum(max(limit - use.attached, 0) for use, limit in uses),
            "nodes_full": sum(use.attached >= limit for use, limit in uses),
        }
        for driver, uses in sorted(found.items())
    ]
    numbers = map(tables.number, ("nodes", "used", "hard", "left", "nodes_full"))
    return tables.table("volumes", [tables.name("driver"), *numbers], rows)


def _storage(snapshot: Snapshot) -> list[Row]:
    claims: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    requested: Counter[str] = Counter()
    for claim in snapshot.objects("PersistentVolumeClaim"):
        spec = claim.get("spec") or {}
        name = str(spec.get("storageClassName") or "")
        claims[name] += 1
        waiting[name] += not spec.get("volumeName")
        requested[name] += whole_value(((spec.get("resources") or {}).get("requests") or {}).get("storage", 0))
    free: Counter[tuple[str, str]] = Counter()
    for each in snapshot.objects("CSIStorageCapacity"):
        if each.get("capacity") is not None:
            labels = (each.get("nodeTopology") or {}).get("matchLabels") or {}
            zone = next((str(labels[key]) for key in sorted(labels) if key == ZONE or key.endswith("/zone")), "")
            free[str(each.get("storageClassName") or ""), zone] += whole_value(each["capacity"])
    of_class: list[Column] = [tables.name("storage_class")]
    amounts = {key: {"key": key, "kind": "amount"} for key in ("requested", "free")}
    by_class = [
        {
            "storage_class": name,
            "unit": "bytes",
            "claims": claims[name],
            "pending": waiting[name],
            "requested": requested[name],
        }
        for name in sorted(claims)
    ]
    by_zone = [
        {"storage_class": name, "zone": zone, "unit": "bytes", "free": amount}
        for (name, zone), amount in sorted(free.items())
    ]
    counted = [*map(tables.number, ("claims", "pending")), amounts["requested"]]
    return [
        tables.table("storage_classes", [*of_class, tables.text("unit"), *counted], by_class),
        tables.table("storage_zones", [*of_class, tables.name("zone"), tables.text("unit"), amounts["free"]], by_zone),
    ]


def stranded_capacity(subject: Subject) -> Row:
    """CPU left without memory and the other way round, taints that no pod tolerates, nodes full of pods."""
    snapshot = subject.snapshot
    amounts = amounts_of(snapshot)
    usable = node_health(snapshot).usable
    found = stranded(amounts, usable)
    names = snapshot.nodes.names
    nodes = [
        {
            "resource": each.resource,
            "unit": tables.unit_of(each.resource),
            "node": names[row],
            "left": int(amounts[each.resource].left[row]),
        }
        for each in found
        for row in each.rows.tolist()
    ]
    rows = [
        {
            "resource": each.resource,
            "unit": tables.unit_of(each.resource),
            "left": each.left,
            "nodes": len(each.rows),
            **{f"without_{name}": dict(each.for_lack).get(name, 0) for name in (CPU, MEMORY, PODS)},
        }
        for each in found
    ]
    taints, full = _taints(subject, amounts), _full_of_pods(snapshot, amounts, usable)
    facts = {
        "resources": {each.resource: {"left": each.left, "nodes": len(each.rows)} for each in found},
        "nodes": len({row for each in found for row in each.rows.tolist()}),
        "taints": len(taints),
        "full_of_pods": len(full),
    }
    kind, left = {"key": "left", "kind": "amount"}, [tables.resource(name, "left") for name in (CPU, MEMORY)]
    head = [tables.name("resource"), tables.text("unit")]
    lacks = [tables.number(f"without_{name}") for name in (CPU, MEMORY, PODS)]
    return tables.section(
        "stranded",
        facts,
        [
            tables.table("stranded", [*head, kind, tables.number("nodes"), *lacks], rows),
            tables.table("stranded_nodes", [*head, tables.name("node"), kind], nodes),
            tables.table(
                "taints",
                [*map(tables.name, ("taint", "value", "effect")), tables.number("nodes"), *left, tables.names("names")],
                taints,
            ),
            tables.table("full_of_pods", [tables.name("node"), tables.number("pods"), *left], full),
        ],
    )


def _taints(subject: Subject, amounts: Mapping[str, Amounts]) -> list[Row]:
    return [
        {
            "taint": taint.key,
            "value": taint.value,
            "effect": taint.effect,
            "nodes": len(rows),
            **{f"{name}_left": int(amounts[name].left[rows].sum()) for name in (CPU, MEMORY)},
            "names": [subject.snapshot.nodes.names[row] for row in rows],
        }
        for taint, rows in untolerated(subject).items()
    ]


def _full_of_pods(snapshot: Snapshot, amounts: Mapping[str, Amounts], usable: Mask) -> list[Row]:
    """Nodes that have CPU and memory left, and at which the pod limit is reached."""
    cpu, memory = amounts[CPU].left, amounts[MEMORY].left
    full = usable & (amounts[PODS].left == 0) & (amounts[PODS].allocatable > 0) & (cpu > 0) & (memory > 0)
    rows = sorted(np.flatnonzero(full).tolist(), key=lambda row: (-int(cpu[row]), row))
    return [
        {
            "node": snapshot.nodes.names[row],
            "pods": int(snapshot.nodes.pod_count[row]),
            "cpu_left": int(cpu[row]),
            "memory_left": int(memory[row]),
        }
        for row in rows
    ]


# A month as cloud providers count it.
HOURS = 730
_GIB = 1024**3
# So many of the fullest domains tell whether there are several with pods.
_FEW = 2
_CENT = Decimal("0.01")


def cost(subject: Subject, prices: Prices) -> Row:
    """A month's cost of what is allocatable and of what is requested, in all and by namespace, as decimal texts."""

    def price(milli_cpu: int, memory: int) -> Decimal:
        hour = Decimal(milli_cpu) / 1000 * prices.cpu_hour + Decimal(memory) / _GIB * prices.memory_gib_hour
        return hour * HOURS

    amounts = measures_of(subject.snapshot).amounts
    allocatable = price(amounts[CPU].allocatable, amounts[MEMORY].allocatable)
    requested = price(amounts[CPU].requested, amounts[MEMORY].requested)
    rows = [
        (price(each.get(CPU, 0), each.get(MEMORY, 0)), name)
        for name, each in namespaces(subject.snapshot, bound_slots(subject.snapshot)).items()
    ]
    facts = {
        "currency": prices.currency,
        "hours": HOURS,
        "cpu_hour": str(prices.cpu_hour),
        "memory_gib_hour": str(prices.memory_gib_hour),
        "allocatable": _text(allocatable),
        "requested": _text(requested),
        "idle": _text(max(allocatable - requested, Decimal(0))),
        "across_zones": _across_zones(subject),
    }
    columns = [tables.name("namespace"), tables.money("cost")]
    dearest = sorted(rows, key=lambda row: (-row[0], row[1]))
    return tables.section(
        "cost",
        facts,
        [tables.table("costs", columns, [{"namespace": name, "cost": _text(each)} for each, name in dearest])],
    )


def _across_zones(subject: Subject) -> int:
    """Count the workloads that a constraint spreads over zones and that have pods in several."""
    found = spreading_of(subject.snapshot, subject.configuration.profiles, subject.waiting)
    over_zones = [group for group in found.groups if group.constraint.topology_key in ZONES]
    several = [group for group in over_zones if sum(each.pods > 0 for each in group.domains(_FEW)) > 1]
    return len({workload for group in several for workload in group.workloads})


def _text(amount: Decimal) -> str:
    return str(amount.quantize(_CENT, ROUND_HALF_UP))


# Of a quota more than this is used up: the next deployment may be refused.
TIGHT = 0.9
# Of so many quotas it is told who uses them, the first workloads of each.
_MOST_TOLD, _MOST_USERS = 20, 3
_MEASURES = ("min", "max", "default", "defaultRequest")


def quotas(cluster: Cluster, snapshot: Snapshot) -> Row:
    """Every ResourceQuota's resources, the fullest first, who uses the fullest of them, and every LimitRange's."""
    found = KubeObject.objects.filter(cluster=cluster).order_by("namespace", "name")
    ledger = QuotaLedger(quotas_of(cluster=cluster, snapshot=snapshot))
    rows = [_quotas_row(use) for use in quota_uses(ledger)]
    fullest = fullest_first(ledger)[:_MOST_TOLD]
    users = [
        _user(quota, user)
        for quota, found_users in zip(fullest, users_of_quotas(cluster=cluster, quotas=fullest), strict=True)
        for user in found_users[:_MOST_USERS]
    ]
    rows.sort(key=lambda row: (-(row["share"] or 0.0), row["namespace"], row["name"], row["resource"]))
    limits = [row for each in found.filter(kind="LimitRange") for row in _of_range(each)]
    facts = {
        "quotas": len({(row["namespace"], row["name"]) for row in rows}),
        "limit_ranges": len({(row["namespace"], row["name"]) for row in limits}),
        "tight": sum((row["share"] or 0.0) > TIGHT for row in rows),
        "tight_share": TIGHT,
        # A dump may be without the kind; one that is followed names what may not be read among its gaps.
        "may_be_missing": not rows and not cluster.is_live,
    }
    head = [*map(tables.name, ("namespace", "name", "resource")), tables.text("unit")]
    amounts = [{"key": key, "kind": "amount"} for key in ("used", "hard")]
    bounds = [{"key": _key(measure), "kind": "amount"} for measure in _MEASURES]
    share = {"key": "share", "kind": "share"}
    return tables.section(
        "quotas",
        facts,
        [
            tables.table("quotas", [*head, *amounts, share, tables.names("scopes")], rows),
            tables.table(
                "quota_users",
                [
                    *map(tables.name, ("namespace", "name")),
                    tables.name("workload"),
                    *map(tables.number, ("pods",)),
                    share,
                    tables.number("further_pods"),
                    tables.names("unspecified"),
                ],
                users,
            ),
            tables.table("limits", [*head[:2], tables.text("type"), *head[2:], *bounds], limits),
        ],
    )


def _quotas_row(use: QuotaUse) -> Row:
    return {
        "namespace": use.namespace,
        "name": use.quota,
        "resource": use.resource,
        "unit": tables.unit_of(use.counted),
        "used": use.used,
        "hard": use.hard,
        "share": tables.ratio(use.used, use.hard) if use.hard else use.share,
        "scopes": [str(scope) for scope in use.scopes],
    }


def _user(quota: Quota, user: QuotaUser) -> Row:
    """A workload that uses a quota, and how many further pods like its largest the quota lets in."""
    return {
        "namespace": quota.namespace,
        "name": quota.name,
        "workload": f"{user.workload.kind}/{user.workload.name}" if user.workload.kind else "",
        "pods": user.pods,
        "share": round(user.share, 4),
        "further_pods": user.more,
        "unspecified": list(user.unspecified),
    }


def _of_range(each: KubeObject) -> list[Row]:
    rows = []
    for limit in (each.object.get("spec") or {}).get("limits") or ():
        for resource in sorted({name for measure in _MEASURES for name in limit.get(measure) or ()}):
            amounts = {
                _key(measure): _amount(resource, (limit.get(measure) or {}).get(resource)) for measure in _MEASURES
            }
            rows.append(
                {
                    "namespace": each.namespace,
                    "name": each.name,
                    "type": str(limit.get("type", "")),
                    "resource": resource,
                    "unit": tables.unit_of(counted_resource(resource)),
                    **amounts,
                }
            )
    return rows


def _amount(resource: str, quantity: Any) -> int | None:
    """A quantity in base units; None of none, and of one that the mirror took but cannot be read."""
    if quantity is None:
        return None
    try:
        return milli_value(quantity) if counted_resource(resource) == "cpu" else whole_value(quantity)
    except QuantityError:
        return None


def _key(measure: str) -> str:
    return "default_request" if measure == "defaultRequest" else measure


_COUNTED = {"over": Sizing.OVER, "under": Sizing.UNDER, "not_requested": Sizing.NOT_REQUESTED}
_RESOURCES = (CPU, MEMORY)


def usage(subject: Subject, alive: Callable[[], object]) -> Row:
    """What is requested, used and recommended, and the containers whose requests are off, largest effect first."""
    found = sizing_of(cluster=subject.cluster)
    columns = [
        *map(tables.name, ("namespace", "kind", "name")),
        tables.number("pods"),
        tables.name("container"),
        *(tables.resource(each, measure) for each in _RESOURCES for measure in ("requested", "used", "recommended")),
        tables.text("outlook"),
    ]
    rows = [] if found is None else [row for each in found.workloads for row in _rows(each)]
    facts: Row = {"usage": None if found is None else _facts(subject, found, alive)}
    return tables.section("usage", facts, [tables.table("usage", columns, rows)])


def _facts(subject: Subject, found: ClusterSizing, alive: Callable[[], object]) -> Row:
    nodes: Sequence[str] = subject.snapshot.nodes.names
    now = subject.removable
    alive()
    resized = _right_sized(found, subject, subject.placed_on(nodes))
    snapshot = subject.snapshot.copy()
    for pod in resized:
        snapshot.upsert({**pod, "kind": "Pod"})
    then = subject.removable_with(snapshot, resized)
    return {
        "hours": len(found.usage.totals),
        "source": str(found.usage.source),
        "sampled_at": tables.moment(found.usage.sampled_at),
        "workloads": len(found.workloads),
        "without": found.without,
        **{name: sum(each.has(sizing) for each in found.workloads) for name, sizing in _COUNTED.items()},
        "requested": _usage_amounts(found.requested),
        "used": _usage_amounts(found.usage.high),
        "allocatable": _usage_amounts(found.allocatable),
        "freed": _usage_amounts(found.freed),
        "nodes": len(nodes),
        "removable_now": len(now.removed),
        "removable_now_is_whole": now.is_whole,
        "removable": len(then.removed),
        "removable_is_whole": then.is_whole,
    }


def _right_sized(found: ClusterSizing, subject: Subject, pods: Sequence[Document]) -> list[Document]:
    """The pods as they would be with recommended requests, on the nodes that they are on."""
    requests: dict[Workload, Mapping[str, Mapping[str, int]]] = {
        Workload(each["namespace"], each["kind"], each["name"]): {
            container: {resource: base_amount(resource, given) for resource, given in amounts.items()}
            for container, amounts in each["containers"].items()
        }
        for each in right_sized(found)
    }
    return [with_requests(pod, requests.get(subject.workload_of(pod), {})) for pod in pods]


def _rows(sizing: WorkloadSizing) -> list[Row]:
    return [
        {
            "namespace": sizing.workload.namespace,
            "kind": sizing.workload.kind,
            "name": sizing.workload.name,
            "pods": sizing.pods,
            "container": container.name,
            **_resource(container.cpu),
            **_resource(container.memory),
            "outlook": _worst(container.cpu.sizing, container.memory.sizing).value,
        }
        for container in sizing.containers
        if {container.cpu.sizing, container.memory.sizing} != {Sizing.FITTING}
    ]


def _worst(*sizings: Sizing) -> Sizing:
    order = (Sizing.UNDER, Sizing.NOT_REQUESTED, Sizing.OVER, Sizing.FITTING)
    return min(sizings, key=order.index)


def _resource(sizing: ResourceSizing) -> dict[str, Any]:
    return {
        f"{sizing.resource}_requested": sizing.requested or 0,
        f"{sizing.resource}_used": sizing.used,
        f"{sizing.resource}_recommended": sizing.recommended,
        f"{sizing.resource}_capped": sizing.is_capped,
    }


def _usage_amounts(amounts: UsedAmounts) -> dict[str, int]:
    return {CPU: amounts.cpu_milli, MEMORY: amounts.memory_bytes}

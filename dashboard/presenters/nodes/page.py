"""The parts of a node's page: what it reports, how full it is, its pods and those that would fit, drain and failure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine.disruption import (
    Block,
    FaultRemoval,
    NodeDrain,
    Outlook,
    TaintEviction,
    fault_outlooks,
    removals_on,
)
from clusters.engine.kubelet import reported
from clusters.engine.nodes import ZoneState, deferred_slots
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.engine.versions import match_release
from clusters.wording import amounts, counts, lists, nodes as words, overview as overview_words, states
from clusters.wording.amounts import at_least, at_most, cpu, grouped, percent, quantity, size
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.evaluation import BY_WORKER, STILL
from clusters.wording.evidence import missing
from clusters.wording.lists import OF, TO, first_of, listed
from clusters.wording.resources import resource_amount, resource_name
from dashboard.pictures.figure import Figure
from dashboard.pictures.meter import Meter, meter
from dashboard.pictures.specs import Key, NodeShareRow, NodeSharesSpec, PodShare, Stretch, TimelineRow, TimelineSpec
from dashboard.presenters.nodes.listing import label_of
from dashboard.presenters.pods import amounts_of
from dashboard.presenters.shared import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.volumes import DriverUse
    from clusters.models import Pod
    from clusters.services.decisions.takers import Candidate, Obstacle, Takers
    from clusters.services.disruption import ClusterDrains
    from clusters.services.usage.history import NodeHistory, PodSample


class Image(Struct, frozen=True):
    """An image that the node holds, under its most telling name; `others` counts its other names, empty for none.

    `counts_as` is what ImageLocality counts of it.
    """

    name: str
    others: str
    size: str
    spread: str
    counts_as: str


_DIGEST = "@sha256:"


def withheld(snapshot: Snapshot, name: str) -> list[str]:
    """Say what the node has and no pod can use: devices that it does not offer, and room for deferred resizes."""
    nodes, pods = snapshot.nodes, snapshot.pods
    row = nodes.index[name]
    node = nodes.nodes[row]
    said = [
        words.UNHEALTHY_DEVICES(
            resource=resource,
            capacity=node.allocatable.get(resource, 0) + number,
            allocatable=node.allocatable.get(resource, 0),
        )
        for resource, number in node.unhealthy
    ]
    held: Counter[str] = Counter()
    here = [slot for slot in deferred_slots(snapshot).tolist() if pods.node[slot] == row]
    for slot in here:
        held.update(dict(pods.shapes[pods.shape[slot]].deferred))
    if here:
        amount = listed([resource_amount(*each) for each in sorted(held.items())])
        said.append(words.DEFERRED_RESIZES(pods=first_of(sorted(pods.keys[slot] for slot in here)), held=amount))
    return said


def taints(node: Mapping[str, Any]) -> list[str]:
    """Write the taints of a pruned Node object as kubectl does."""
    return [
        f"{taint.get('key', '')}{f'={value}' if (value := taint.get('value')) else ''}:{taint.get('effect', '')}"
        for taint in node.get("spec", {}).get("taints") or ()
    ]


def leaving(found: TaintEviction | None) -> str:
    """Say what NoExecute taints do to the pods that are here; empty without such a taint."""
    if found is None:
        return ""
    said = [words.EVICTED_AT_ONCE(pods=found.at_once)] if found.at_once else []
    said += [words.EVICTED_AFTER(pods=number, seconds=seconds) for seconds, number in found.later.items()]
    if found.stay:
        said.append(words.TOLERATE(pods=found.stay))
    return " ".join(said)


def labels(node: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the labels in the order of their keys."""
    return sorted((node.get("metadata", {}).get("labels") or {}).items())


def images(node: Mapping[str, Any], snapshot: Snapshot) -> list[Image]:
    """Present the images that a node holds, the largest first."""
    held = [
        ([str(name) for name in image.get("names") or ()], int(image.get("sizeBytes") or 0))
        for image in node.get("status", {}).get("images") or ()
    ]
    count = len(snapshot.nodes)
    return [_image(names, size, count, snapshot) for names, size in sorted(held, key=lambda each: -each[1]) if names]


def _image(names: Sequence[str], size: int, count: int, snapshot: Snapshot) -> Image:
    """Name an image by its tag where it has one, and count the nodes that hold it under that name."""
    name = next((each for each in names if _DIGEST not in each), names[0])
    rows, known = snapshot.nodes.image(name)
    return Image(
        name=name,
        others=words.OTHER_NAMES(number=len(names) - 1) if len(names) > 1 else "",
        size=amounts.size(size),
        spread=OF(part=len(rows), whole=count),
        counts_as=amounts.size(known * len(rows) // max(1, count)),
    )


def drivers(uses: Sequence[DriverUse]) -> list[tuple[str, str, str, Meter | None]]:
    """Present what is attached by driver, and what it is made of; without a meter where the node names no limit."""
    return [
        (
            use.driver,
            words.ATTACHED(volumes=use.attached),
            words.VOLUME_PARTS(by_pods=use.by_pods, others=use.others),
            None if use.limit is None else meter(words.VOLUMES_OF(driver=use.driver), use.attached, use.limit, grouped),
        )
        for use in uses
    ]


_FIRST = (CPU, MEMORY, EPHEMERAL_STORAGE, PODS)


class Resource(Struct, frozen=True):
    """One resource of a node in base units: what it has, and what its pods request."""

    name: str
    allocatable: int
    requested: int

    @property
    def free(self) -> int:
        return self.allocatable - self.requested

    @property
    def share(self) -> float:
        return self.requested / self.allocatable if self.allocatable else float(self.requested > 0)


class ResourceRow(Struct, frozen=True):
    """A resource in words.

    `kept`: what of the `capacity` is not allocatable; either is empty where the node does not report it, or has none.
    """

    label: str
    meter: Meter
    free: str
    capacity: str
    kept: str
    is_tightest: bool


def resources_of(snapshot: Snapshot, name: str) -> list[Resource]:
    """Return every resource that the node has or its pods request; the usual ones first, then by name."""
    table = snapshot.nodes
    row = table.index[name]
    found = {PODS: Resource(PODS, int(table.allowed_pods[row]), int(table.pod_count[row]))}
    for number, resource in enumerate(table.resources):
        found[resource] = Resource(resource, int(table.allocatable[row, number]), int(table.requested[row, number]))
    present = {resource: each for resource, each in found.items() if each.allocatable or each.requested}
    usual = [present[resource] for resource in _FIRST if resource in present]
    return [*usual, *(present[resource] for resource in sorted(present) if resource not in _FIRST)]


def tightest(resources: Sequence[Resource]) -> Resource | None:
    """Return the resource of which the largest share is requested; None where nothing is."""
    asked = [resource for resource in resources if resource.requested]
    return max(asked, key=lambda resource: resource.share, default=None)


def rows(resources: Sequence[Resource], node: Document) -> list[ResourceRow]:
    """Present the resources of a node."""
    first = tightest(resources)
    return [
        _resource_row(resource, reported(node, "capacity", resource.name), is_tightest=resource is first)
        for resource in resources
    ]


def _resource_row(resource: Resource, capacity: int | None, *, is_tightest: bool) -> ResourceRow:
    label = label_of(resource.name)
    used = meter(
        words.REQUESTED_LABEL(resource=label),
        resource.requested,
        resource.allocatable,
        lambda number: quantity(resource.name, number),
    )
    left = (
        at_most(resource.name, resource.free)
        if resource.free >= 0
        else words.EXCEEDED_BY(amount=at_least(resource.name, -resource.free))
    )
    kept = 0 if capacity is None else capacity - resource.allocatable
    return ResourceRow(
        label,
        used,
        left,
        "" if capacity is None else quantity(resource.name, capacity),
        words.KEPT(amount=quantity(resource.name, kept)) if kept > 0 else "",
        is_tightest,
    )


def fullness_sentence(resources: Sequence[Resource], *, is_closed: bool) -> str:
    """Say how full a node is, what is free, and what runs out first, or that the node accepts no pods."""
    by_name = {resource.name: resource for resource in resources}
    pods = by_name.get(PODS, Resource(PODS, 0, 0))
    free = words.FREE(amounts=listed(_free(by_name)))
    closed = (str(words.ACCEPTS_NO_PODS),) if is_closed else ()
    if not pods.requested:
        return " ".join((*closed, str(words.NO_PODS), free))
    shares = [
        words.SHARE_OF(
            share=amounts.percent(by_name[name].requested, by_name[name].allocatable), resource=resource_name(name)
        )
        for name in (CPU, MEMORY)
        if name in by_name
    ]
    asked = words.PODS_REQUEST(pods=pods.requested, shares=listed(shares))
    return " ".join((*closed, asked, free, *(() if is_closed else (_runs_out(resources, pods.requested),))))


def _free(by_name: dict[str, Resource]) -> list[str]:
    found = []
    for name, resource in by_name.items():
        if name == EPHEMERAL_STORAGE:
            continue
        number = max(0, resource.free)
        if name == PODS:
            found.append(counts.MORE_PODS(number=number))
        elif name == CPU:
            found.append(amounts.cpu(number))
        elif "/" in name:
            found.append(f"{at_most(name, number)} {name}")
        else:
            found.append(words.AMOUNT_OF(amount=at_most(name, number), resource=resource_name(name)))
    return found


def _runs_out(resources: Sequence[Resource], pods: int) -> str:
    """Say which resource is the tightest, and for how many pods like those of the node it lasts."""
    first = tightest(resources)
    if first is None:
        return str(words.NOTHING_REQUESTED)
    name = label_of(first.name)
    if first.free < 0:
        return words.OVERCOMMITTED(resource=name)
    if not first.free:
        return words.USED_UP(resource=name)
    # As many as are left for pods that request as much as those here do on average.
    more = first.free * pods // first.requested
    return words.POD_LIMIT_NEXT(pods=more) if first.name == PODS else words.RUNS_OUT(resource=name, pods=more)


def node_usage(
    snapshot: Snapshot, name: str, history: NodeHistory | None, pods: Iterable[Pod], samples: Mapping[str, PodSample]
) -> dict[str, Any]:
    """Present what is used on a node; ``pods`` are those on it, ``samples`` what pods use, by ``namespace/name``."""
    nodes = snapshot.nodes
    row = nodes.index[name]
    columns = [nodes.resources.index(resource) for resource in (CPU, MEMORY)]
    allocatable = [int(nodes.allocatable[row, column]) for column in columns]
    requested = [int(nodes.requested[row, column]) for column in columns]
    measured = [
        (pod, sample.usage.total)
        for pod in pods
        if (sample := samples.get(f"{pod.namespace}/{pod.name}")) is not None and sample.uid == pod.uid
    ]
    asked = {pod.pk: amounts_of(pod, snapshot.release.counting) for pod, _ in measured}
    measured.sort(key=lambda each: (asked[each[0].pk][1] - each[1].memory_bytes, each[0].namespace, each[0].name))
    return {
        "sentences": () if history is None else tuple(_sentences(history, requested, allocatable)),
        "at": None if history is None else history.at,
        # Each pod, what it uses, and what it requests: milli-CPU and bytes.
        "rows": [(pod, used, *asked[pod.pk]) for pod, used in measured],
    }


def _sentences(history: NodeHistory, requested: list[int], allocatable: list[int]) -> Iterable[str]:
    latest, high = history.latest, history.high
    for number, (resource, used) in enumerate(((CPU, latest.cpu_milli), (MEMORY, latest.memory_bytes))):
        yield words.USED(
            resource=label_of(resource),
            used=quantity(resource, used),
            share=percent(used, allocatable[number]),
            requested=quantity(resource, requested[number]),
            allocatable=quantity(resource, allocatable[number]),
        )
    yield words.OVER_HOURS(hours=history.hours, cpu=cpu(high.cpu_milli), memory=size(high.memory_bytes))


# So many pods have a place of their own in a bar, the largest; the others are one.
MOST_PODS = 24


class _Pod(NamedTuple):
    key: str
    requested: int
    used: int | None


def figure(
    snapshot: Snapshot, name: str, *, drawing: str, used: Mapping[str, Mapping[str, int]] | None = None
) -> Figure | None:
    """Draw the pods on a node; None where there are none. ``used``: by ``namespace/name``, then by resource."""
    pods, nodes = snapshot.pods, snapshot.nodes
    slots = np.flatnonzero(pods.node[: len(pods.keys)] == nodes.index[name])
    if not len(slots):
        return None
    rows = []
    for resource in (CPU, MEMORY):
        amounts = [dict(pods.shapes[pods.shape[slot]].requests).get(resource, 0) for slot in slots.tolist()]
        held = [
            _Pod(pods.keys[slot], amount, None if used is None else used.get(pods.keys[slot], {}).get(resource))
            for slot, amount in zip(slots.tolist(), amounts, strict=True)
        ]
        column = nodes.resources.index(resource)
        rows.append(_scaled_row(resource, held, int(nodes.allocatable[nodes.index[name], column])))
    keys = (
        Key(str(words.REQUEST), "verdict-chosen-surface"),
        Key(str(words.FREE_PART), "surface-card"),
        Key(str(words.USED_PART), "verdict-chosen-solid"),
        Key(str(words.OVER), "verdict-rejected-solid", "x"),
    )
    return Figure(
        id=drawing,
        title=str(words.TO_SCALE),
        summary=words.BY_REQUEST(pods=len(slots)),
        spec=NodeSharesSpec(keys, tuple(rows)),
    )


def _scaled_row(resource: str, pods: Sequence[_Pod], allocatable: int) -> NodeShareRow:
    asking = sorted((pod for pod in pods if pod.requested), key=lambda pod: (-pod.requested, pod.key))
    parts = [_share(resource, pod) for pod in asking[:MOST_PODS]]
    rest = asking[MOST_PODS:]
    if rest:
        amount = sum(pod.requested for pod in rest)
        known = [pod.used for pod in rest if pod.used is not None]
        label = words.SMALLER(pods=len(rest))
        said = words.REQUESTS(pod=label, amount=quantity(resource, amount))
        parts.append(PodShare(label, amount, said, sum(known) if len(known) == len(rest) else None))
    requested = sum(pod.requested for pod in asking)
    return NodeShareRow(
        label=label_of(resource),
        pods=tuple(parts),
        whole=allocatable,
        whole_text=OF(part=quantity(resource, requested), whole=quantity(resource, allocatable)),
        free_text=words.FREE_AMOUNT(amount=at_most(resource, max(0, allocatable - requested))),
    )


def _share(resource: str, pod: _Pod) -> PodShare:
    amount = quantity(resource, pod.requested)
    said = (
        words.REQUESTS(pod=pod.key, amount=amount)
        if pod.used is None
        else words.REQUESTS_AND_USES(pod=pod.key, amount=amount, used=quantity(resource, pod.used))
    )
    return PodShare(pod.key.partition("/")[2], pod.requested, said, pod.used)


class TakerView(Struct, frozen=True):
    """Pods of one workload that are alike; `verdict` is one of the design's, `more` says how many are not named.

    `obstacles`: the plugins that reject them there, with their messages and the numbers.
    """

    title: str
    requests: str
    verdict: str
    verdict_text: str
    sentence: str
    obstacles: tuple[tuple[str, str, str], ...]
    pods: tuple[tuple[str, str], ...]
    more: str


def takers_sentence(takers: Takers, node: str) -> str:
    """Say how many of the pending pods fit on the node."""
    if not takers.total:
        return str(overview_words.NOTHING_PENDING)
    free = [candidate for candidate in takers.candidates if candidate.fits and not candidate.gates]
    fits = _number(candidate for candidate in free if not candidate.uncertain)
    fitting = words.AT_LEAST_FITTING if takers.evaluating else words.FITTING
    said = [fitting(fitting=fits, pods=takers.total, node=node)]
    if uncertain := _number(candidate for candidate in free if candidate.uncertain):
        said.append(words.UNCERTAIN(reasons=uncertain))
    if takers.evaluating:
        said.append(STILL(pods=takers.evaluating))
    return " ".join(said)


def _number(candidates: Iterable[Candidate]) -> int:
    return sum(candidate.number for candidate in candidates)


def taker_view(candidate: Candidate) -> TakerView:
    """Present pending pods that are alike."""
    verdict, text = _verdict(candidate)
    hidden = candidate.number - len(candidate.names)
    requests = [
        f"{quantity(name, number)}{'' if name == 'cpu' else f' {resource_name(name)}'}"
        for name, number in sorted(candidate.requests.items())
        if number
    ]
    return TakerView(
        title=_title(candidate),
        requests=words.EACH_REQUESTS(amounts=listed(requests)) if requests else "",
        verdict=verdict,
        verdict_text=text,
        sentence=_sentence(candidate),
        obstacles=tuple(map(_obstacle, candidate.obstacles)),
        pods=candidate.names,
        more=lists.and_more(hidden),
    )


def _title(candidate: Candidate) -> str:
    if candidate.scheduler:
        return words.TITLE(pods=candidate.number, what=candidate.scheduler)
    maker = candidate.workload
    if not maker.name:
        return words.BARE_TITLE(pods=candidate.number, namespace=maker.namespace)
    return words.TITLE(pods=candidate.number, what=f"{maker.kind} {maker.namespace}/{maker.name}")


def _verdict(candidate: Candidate) -> tuple[str, str]:
    if candidate.failed:
        return "unknown", str(words.FAILED)
    if not candidate.is_asked:
        return "unknown", str(states.EVALUATING)
    if candidate.fits and candidate.uncertain:
        return "uncertain", str(states.UNCERTAIN)
    if candidate.fits:
        return ("unknown", str(words.GATED)) if candidate.gates else ("fits", str(states.FITS))
    if candidate.is_stopped:
        return "rejected", str(words.STOPPED)
    return "rejected", str(words.ONE_FILTER if candidate.is_close else states.REJECTED)


def _sentence(candidate: Candidate) -> str:
    if candidate.scheduler:
        return str(words.FOREIGN)
    if candidate.failed:
        return f"{page.not_computed_sentence(candidate.failed)} {page.not_computed_remedy(candidate.failed)}"
    if not candidate.is_asked:
        return str(BY_WORKER)
    gates = [words.GATES(names=", ".join(candidate.gates))] if candidate.gates else []
    if not candidate.fits:
        return " ".join(gates)
    doubt = [uncertain_sentence(candidate.uncertain)] if candidate.uncertain else []
    room = []
    if candidate.number > 1:
        room = [words.ROOM_FOR(fitting=min(candidate.together, candidate.number), pods=candidate.number)]
    return " ".join([_choice(candidate), *doubt, *gates, *room])


def _choice(candidate: Candidate) -> str:
    others = candidate.feasible - 1
    if not others:
        return str(words.ONLY_NODE)
    return words.BEST_OF(others=others) if candidate.is_best else words.OUTSCORED(others=others)


def _obstacle(obstacle: Obstacle) -> tuple[str, str, str]:
    reasons = ", ".join(dict.fromkeys(map(str, obstacle.status.stated)))
    return obstacle.plugin or "PreFilter", reasons, missing(obstacle.evidence)


def drain_sentence(drains: ClusterDrains, node: str) -> str:
    """Say whether a node can be drained, and what to change where it cannot; empty for one that is not known there."""
    found = drains.nodes.get(node)
    if found is None:
        return ""
    drain = found.drain
    refusals = () if drain.blocked is None else drain.blocked.refusals
    match drain.outlook:
        case Outlook.LASTING:
            return words.BLOCKED_UNTIL_CHANGED(budgets=first_of([each.budget.key for each in refusals if each.lasts]))
        case Outlook.WAITS:
            return words.BLOCKED_FOR_NOW(budgets=first_of([each.budget.key for each in refusals]))
        case Outlook.FORCE:
            return words.NEEDS_FORCE(pods=len(_pods(drain, Block.FLAG)) or drain.unmanaged)
        case Outlook.NO_ROOM:
            return words.NO_ROOM(pods=first_of(_pods(drain, Block.NO_ROOM)))
        case Outlook.NOW:
            return words.DRAINABLE(pods=drain.evicted)
        case _:
            return words.ALLOWED(pods=drain.evicted)


def _pods(drain: NodeDrain, kind: Block) -> list[str]:
    return [each.pod for each in drain.blockers or () if each.kind is kind]


_NAMED = 5


def node_faults(snapshot: Snapshot, node: str, version: str) -> dict[str, Any]:
    """Present when each pod leaves; `version` is the cluster's Kubernetes version. Raises KeyError."""
    minor = match_release(version).named_minor
    outlooks = fault_outlooks(snapshot, node, minor)
    groups = removals_on(snapshot, node, outlooks)
    silent = [(removals[0].after, len(keys)) for removals, keys in groups]
    times = [after for after, _ in silent if after is not None]
    gone, every = sum(count for after, count in silent if after is not None), sum(count for _, count in silent)
    if not times:
        sentence = words.KEPT_ALL(node=node, all=every)
    else:
        first, last = (words.SECONDS(seconds=each) for each in (min(times), max(times)))
        spread = first if first == last else TO(first=first, last=last)
        sentence = words.EVICTED(node=node, pods=gone, all=every, times=spread)
    notes = [
        words.GRACE_SENTENCE(minor=minor, grace=outlooks[0].grace),
        str(words.UNREACHABLE_KEEPS_RUNNING),
    ]
    if outlooks[0].tainted_after is None:
        zone = outlooks[0].zone
        is_partial = zone is not None and zone.state is ZoneState.PARTIAL
        notes.insert(0, str(words.ZONE_NOT_READY if is_partial else words.NO_NODE_READY))
    return {
        "sentence": sentence,
        "notes": notes,
        # Pods that are evicted together: the first of them, how many others, and after how long for each fault.
        "rows": [
            (
                counts.PODS(number=len(keys)),
                keys[:_NAMED],
                lists.and_more(len(keys) - _NAMED),
                *(_after(removal.after) for removal in removals),
            )
            for removals, keys in groups
        ],
        "figure": _figure(groups, sentence) if groups else None,
    }


def _after(seconds: int | None) -> str:
    return str(words.NEVER) if seconds is None else words.SECONDS(seconds=seconds)


def _figure(groups: list[tuple[list[FaultRemoval], list[str]]], summary: str) -> Figure:
    rows = []
    for removals, keys in groups:
        outlook, after = removals[0].outlook, removals[0].after
        stretches = [Stretch(0, 0, outlook.grace)]
        if after is None or after > outlook.grace:
            stretches.append(Stretch(1, outlook.grace, after))
        rows.append(TimelineRow(counts.PODS(number=len(keys)), tuple(stretches), _after(after)))
    fills = (
        Key(str(words.GRACE), "verdict-unknown-solid", "/"),
        Key(str(words.TOLERATED), "verdict-chosen-solid"),
    )
    spec = TimelineSpec(str(words.SECONDS_UNIT), fills, tuple(rows))
    return Figure(id="faults-timeline", title=str(words.FAULTS_PICTURE), summary=summary, spec=spec)

"""Pods as rows, and the parts of a pod's page: facts, states, related objects, enforcement, preemption and removal."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from django.utils import timezone
from msgspec import Struct

from clusters.engine.analysis import Cause, PreemptionOutcome, Preemptor, Threat, threat_to
from clusters.engine.devices import allocation_of, claim_names, devices_of, entries_of
from clusters.engine.disruption import (
    FaultRemoval,
    LostNodeEvent,
    NodeFault,
    TimedTaint,
    budgets_of,
    fault_outlooks,
    fault_removals,
    grace_period_of,
    lost_node_events,
    planned_eviction,
    taint_stays,
)
from clusters.engine.kubelet import (
    EnforcedLimits,
    FilesystemLayout,
    PodDisks,
    container_ends,
    enforced_limits,
    oom_scores,
    rejection_of,
    resize_of,
    storage_excess,
    volume_limits,
)
from clusters.engine.objects import AffinityTerm, Document, Pod as ReadPod, labels_of, name_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.qos import quality_of_service
from clusters.engine.resources import CPU, MEMORY, Counting, pod_amounts
from clusters.engine.taints import NO_EXECUTE, Taint
from clusters.engine.versions import match_release
from clusters.engine.volumes import claim_uses, exclusive_volumes, volume_name_of
from clusters.engine.workloads import CrashLoop, crash_loops
from clusters.services.workloads.owners import BARE, makers_of
from clusters.wording import amounts, nodes as nodes_words, overview as overview_words, pods as pods_words, states
from clusters.wording.amounts import grouped, quantity
from clusters.wording.lists import NOT_LISTED, and_more, first_of, listed
from clusters.wording.pending import cause_name
from clusters.wording.pods import LAST_END, RESIZE, RESTARTS, crash_loop, end_sentence, resize_sentence
from clusters.wording.resources import resource_name
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, RelatedObject, RelationsSpec, Stretch, TimelineRow, TimelineSpec
from dashboard.presenters.pod_groups import group_links
from dashboard.presenters.shared.page import conditions, later, page_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine import Explanation, Snapshot
    from clusters.models import Pod
    from clusters.services.pending.queue import ClusterPreemptors, PendingPreemptor
    from clusters.services.usage.history import DiskSample

# A pod has one or two as a rule.
MOST_CLAIMS = 8


class PodLink(Struct, frozen=True):
    """What something is to the pod, its name, and its page."""

    term: str
    name: str
    url: str


def pod_links(pod: Pod) -> list[PodLink]:
    """Return the node on which a pod runs, if it has one, its workload, and the groups and claims that it names.

    A bare pod is a workload by itself.
    """
    found = []
    if pod.node_name:
        found.append(PodLink(str(pods_words.OF_NODE), pod.node_name, page_url("node", pod.cluster, name=pod.node_name)))
    workload = _workload(pod)
    url = page_url("workload", pod.cluster, kind=workload.kind, namespace=workload.namespace, name=workload.name)
    is_bare = workload.kind == BARE
    name = str(pods_words.WITHOUT_CONTROLLER) if is_bare else f"{workload.kind} {workload.name}"
    # One that has finished by itself is no workload any more.
    found.append(
        PodLink(str(pods_words.WORKLOAD), name, "" if is_bare and pod.phase in ("Succeeded", "Failed") else url)
    )
    found += [PodLink(str(pods_words.OF_POD_GROUP), group.name, group.url) for group in group_links(pod)]
    for claim, _ in islice(claim_names(ReadPod(pod.object)), MOST_CLAIMS):
        address = page_url("resource-claim", pod.cluster, namespace=pod.namespace, name=claim)
        found.append(PodLink(str(pods_words.USES_CLAIM), claim, address))
    return found


def _workload(pod: Pod) -> Workload:
    if not pod.owner_kind:
        return Workload(pod.namespace, BARE, pod.name)
    (workload,) = makers_of(pod.cluster, [pod])
    if workload.kind != "ReplicaSet":
        return workload
    # One that the mirror lacks bears the name of its Deployment, as the list of workloads reads it.
    controller = Controller("", workload.kind, workload.name, "")
    return Workload.of(pod.namespace, controller, labels_of(pod.object).get(TEMPLATE_HASH, ""))


class PodStateView(Struct, frozen=True):
    """One state; ``is_passed_by``: pods without scheduling gates do not come to it."""

    name: str
    is_current: bool
    is_passed_by: bool = False


def lifecycle(pod: Pod) -> list[PodStateView]:
    """Present the states from creation on; of a pod that has ended up to how it ended."""
    has_gates = bool(pod.object["spec"].get("schedulingGates"))
    end = states.OF_PHASE.get(pod.phase) if pod.phase in ("Succeeded", "Failed") else None
    if end is not None:
        current = end
    elif pod.node_name:
        current = states.OF_PHASE.get(pod.phase, states.SCHEDULED)
    else:
        current = states.GATED if has_gates else states.READY
    return [
        PodStateView(str(each), each == current, is_passed_by=each == states.GATED and not has_gates)
        for each in (*_states(pod), *(() if end is None else (end,)))
    ]


def _states(pod: Pod) -> Iterator[object]:
    yield from (states.CREATED, states.GATED, states.READY, states.SCHEDULED)
    # What a kubelet rejected has never run.
    if rejection_of(pod.object) is None:
        yield states.RUNNING


class EnforcedRow(NamedTuple):
    """A container, or the whole pod, whose `score` is empty; `used` is of ephemeral storage, empty where not known."""

    limits: EnforcedLimits
    role: str
    weight: str
    used: str
    score: str
    ground: str


def enforcement(pod: Document, capacity: int | None, sample: DiskSample | None = None) -> dict[str, Any]:
    """Present what is enforced on a node of so many bytes of memory; None where the node is not known.

    ``sample``: what the node's kubelet reported of disks, where somebody gave that.

    The rows with what they mean; ``notes`` are sentences, ``excess`` one about a limit of storage that is exceeded.
    """
    limits, scores = enforced_limits(pod), oom_scores(pod, capacity)
    has = None if sample is None else sample.disks.of(pod)
    layout = (sample.disks.layout if sample else None) or FilesystemLayout.ONE
    excess = None if has is None else storage_excess(pod, has, layout)
    rows = [
        EnforcedRow(
            each,
            role="" if each.role is None else str(nodes_words.ROLES[each.role]),
            weight=pods_words.weight(each.weight, each.newer_weight),
            used="" if has is None else _used(each, has, layout),
            score="" if score is None else _score(score.score),
            ground="" if score is None else str(nodes_words.SCORE_GROUNDS[score.ground]),
        )
        for each, score in zip(limits, (None, *scores), strict=True)
    ]
    notes = [str(pods_words.EXPLAINED)]
    is_limited = any(each.storage_bytes is not None for each in limits)
    if is_limited:
        notes.append(str(pods_words.EVICTED))
    volumes = [f"{name} {amounts.size(limit)}" for name, limit in volume_limits(pod).items()]
    if volumes:
        notes.append(pods_words.LIMITS_OF_VOLUMES(volumes=listed(volumes)))
    if has is not None and sample is not None:
        notes.append(nodes_words.USED_AT(moment=amounts.moment(sample.at)))
    elif (is_limited or volumes) and (pod.get("spec") or {}).get("nodeName"):
        notes.append(str(nodes_words.USAGE_UNKNOWN))
    if any(each.score is None for each in scores):
        notes.append(str(pods_words.NOT_SCORED))
    said = "" if excess is None else nodes_words.excess_sentence(excess)
    return {"rows": tuple(rows), "excess": said, "notes": tuple(notes)}


def _used(limits: EnforcedLimits, has: PodDisks, layout: FilesystemLayout) -> str:
    """Write what a container, or the whole pod, takes of what its limit is of."""
    taken = has.of_container(limits.container, layout) if limits.container else has.total_bytes
    return nodes_words.AMOUNT_USED(resource=amounts.size(taken))


def _score(number: int | None) -> str:
    return str(nodes_words.NO_SCORE) if number is None else nodes_words.score(number)


# How operators of tolerations compare the value of a taint.
_SIGNS = {"Lt": "<", "Gt": ">"}
_OPERATORS = {"Exists": pods_words.KEY_EXISTS, "DoesNotExist": pods_words.KEY_DOES_NOT_EXIST}


def pod_facts(pod: Pod, document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Present what scheduling reads of a pod without an explanation; empty facts are left out."""
    spec = document.get("spec") or {}
    priority = "" if pod.priority is None else grouped(pod.priority)
    if pod.priority_class:
        priority = f"{priority} ({pod.priority_class})" if priority else pod.priority_class
    facts = (
        (RESIZE, "" if (resize := resize_of(document)) is None else resize_sentence(resize)),
        (LAST_END, "; ".join(map(end_sentence, container_ends(document)))),
        (RESTARTS, "; ".join(map(_crash_loop, crash_loops(document)))),
        (pods_words.OWNER, f"{pod.owner_kind} {pod.owner_name}".strip()),
        (pods_words.SCHEDULER, pod.scheduler_name),
        (pods_words.PRIORITY, priority),
        (pods_words.PREEMPTION, str(pods_words.NEVER_PREEMPTS) if spec.get("preemptionPolicy") == "Never" else ""),
        (pods_words.QOS_CLASS, pod.qos_class),
        (pods_words.GATES, ", ".join(str(gate.get("name")) for gate in spec.get("schedulingGates") or ())),
        (
            pods_words.NODE_SELECTOR,
            ", ".join(f"{key}={value}" for key, value in (spec.get("nodeSelector") or {}).items()),
        ),
        (pods_words.NODE_AFFINITY, "; ".join(_node_affinity((spec.get("affinity") or {}).get("nodeAffinity") or {}))),
        (pods_words.SPREAD, "; ".join(_spread(entry) for entry in spec.get("topologySpreadConstraints") or ())),
        (pods_words.TOLERATIONS, "; ".join(toleration_text(entry) for entry in spec.get("tolerations") or ())),
        (pods_words.VOLUMES, ", ".join(_volume(entry, pod.name) for entry in spec.get("volumes") or ())),
        (pods_words.RUNTIME_CLASS, str(spec.get("runtimeClassName") or "")),
    )
    return [(str(name), value) for name, value in facts if value]


def _crash_loop(loop: CrashLoop) -> str:
    delay = timedelta(seconds=loop.delay)
    at = later(loop.ended, loop.delay) if loop.ended else None
    return crash_loop(loop, delay=delay, at=at)


def computed_facts(explanation: Explanation) -> list[tuple[str, str]]:
    """Present what the engine read of the pod."""
    pod = explanation.pod
    affinity = pod.affinity
    requests = ", ".join(
        f"{quantity(name, number)} {resource_name(name) if name != 'cpu' else ''}".strip()
        for name, number in pod.requests.items()
        if number
    )
    facts = (
        (pods_words.REQUESTS, requests or str(pods_words.REQUESTS_NOTHING)),
        (pods_words.RESOURCE_CLAIMS, "; ".join(_claims_fact(explanation))),
        (pods_words.HOST_PORTS, ", ".join(f"{port.port}/{port.protocol}" for port in pod.host_ports)),
        (pods_words.AFFINITY, _terms(affinity.required)),
        (pods_words.ANTI_AFFINITY, _terms(affinity.required_anti)),
        (pods_words.PREFERRED_AFFINITY, _terms(affinity.preferred)),
        (pods_words.PREFERRED_ANTI_AFFINITY, _terms(affinity.preferred_anti)),
    )
    return [(str(name), value) for name, value in facts if value]


def _claims_fact(explanation: Explanation) -> Iterable[str]:
    """Write each claim for devices with what it has."""
    for entry, claim in entries_of(explanation.snapshot, explanation.pod):
        if claim is None:
            yield pods_words.MISSING_CLAIM(claim=entry)
        elif allocation_of(claim) is None:
            yield pods_words.PENDING_CLAIM(claim=name_of(claim))
        else:
            yield pods_words.ALLOCATED_CLAIM(claim=name_of(claim), devices=listed(list(map(str, devices_of(claim)))))


def as_yaml(document: Mapping[str, Any]) -> str:
    """Write the pruned object as YAML in the order in which it came."""
    # A manifest may have tens of thousands of lines, for which PyYAML's own emitter takes many seconds.
    return str(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=120))


def _terms(terms: Iterable[AffinityTerm]) -> str:
    return "; ".join(_term(term) for term in terms)


def _term(term: AffinityTerm) -> str:
    selected = pods_words.requirements(
        _requirement(each.key, str(each.operator), each.values) for each in term.selector.requirements
    )
    if term.weight:
        return pods_words.PODS_PER_WEIGHTED(
            labels=selected or str(pods_words.ANY_LABELS), key=term.topology_key, weight=str(term.weight)
        )
    return pods_words.PODS_PER(labels=selected or str(pods_words.ANY_LABELS), key=term.topology_key)


def _requirement(key: str, operator: str, values: Iterable[str]) -> str:
    if operator in _OPERATORS:
        return _OPERATORS[operator](key=key)
    return f"{key} {operator} {', '.join(values)}"


def _node_affinity(affinity: Mapping[str, Any]) -> Iterable[str]:
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    terms = [node_term_text(term) for term in required.get("nodeSelectorTerms") or ()]
    if terms:
        yield pods_words.REQUIRED(terms=pods_words.alternatives(terms))
    for preferred in affinity.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
        yield pods_words.PREFERRED(
            term=node_term_text(preferred.get("preference") or {}), weight=str(preferred.get("weight"))
        )


def node_term_text(term: Mapping[str, Any]) -> str:
    """Write a term of a node selector."""
    parts = [
        _requirement(str(each.get("key")), str(each.get("operator")), each.get("values") or ())
        for each in (*(term.get("matchExpressions") or ()), *(term.get("matchFields") or ()))
    ]
    return pods_words.requirements(parts) or str(pods_words.MATCHES_NOTHING)


def _spread(entry: Mapping[str, Any]) -> str:
    action = entry.get("whenUnsatisfiable") or "DoNotSchedule"
    return pods_words.SPREAD_CONSTRAINT(
        key=str(entry.get("topologyKey")), max_skew=str(entry.get("maxSkew")), action=action
    )


def toleration_text(entry: Mapping[str, Any]) -> str:
    """Write a toleration of a pod or of a request for devices."""
    key = entry.get("key") or str(pods_words.ANY_TAINT)
    value = f"{_SIGNS.get(entry.get('operator', ''), '=')}{entry['value']}" if entry.get("value") else ""
    effect = f":{entry['effect']}" if entry.get("effect") else ""
    written = f"{key}{value}{effect}"
    return (
        pods_words.TOLERATED_FOR(toleration=written, seconds=str(entry["tolerationSeconds"]))
        if "tolerationSeconds" in entry
        else written
    )


def _volume(entry: Mapping[str, Any], pod: str) -> str:
    name = str(entry.get("name"))
    claim = (entry.get("persistentVolumeClaim") or {}).get("claimName")
    if "ephemeral" in entry:
        claim = f"{pod}-{name}"
    kind = next((key for key in entry if key != "name"), "")
    return pods_words.VOLUME_OF_CLAIM(volume=name, claim=claim) if claim else f"{name} ({kind})" if kind else name


# So many of each sort are drawn.
_MOST = 6

Chain = tuple[RelatedObject, ...]


class RelatedView(Struct, frozen=True):
    """The picture, the same as a list, and how many objects are left out, if any."""

    figure: Figure
    objects: tuple[RelatedObject, ...]
    more: str


def related(pod: Pod, snapshot: Snapshot) -> RelatedView | None:
    """Present what is around a pod; None where nothing is."""
    before = [*_makers(pod), *_groups(pod), *_budgets(pod, snapshot), *_services(pod, snapshot)]
    behind = [*_node(pod), *_claims(pod, snapshot), *_related_claims(pod)]
    shown, hidden = (before[:_MOST], behind[:_MOST]), (before[_MOST:], behind[_MOST:])
    objects = [each for chains in shown for chain in chains for each in chain]
    if not objects:
        return None
    key = f"{pod.namespace}/{pod.name}"
    left_out = sum(len(chain) for chains in hidden for chain in chains)
    spec = RelationsSpec(RelatedObject(str(pods_words.POD), pod.name), tuple(shown[0]), tuple(shown[1]))
    return RelatedView(
        figure=Figure(
            id="related-objects",
            title=str(pods_words.TITLE),
            summary=pods_words.SUMMARY(pod=key, objects=len([each.kind for each in objects])),
            spec=spec,
        ),
        objects=tuple(objects),
        more=NOT_LISTED(number=left_out) if left_out else "",
    )


def _makers(pod: Pod) -> Iterator[Chain]:
    """Yield the controller, and who made that."""
    controller = Controller.of(pod.object)
    if controller is None:
        return
    chain = [(controller.kind, controller.name)]
    (above,) = makers_of(pod.cluster, [pod])
    if (above.kind, above.name) != chain[0]:
        chain.append((above.kind, above.name))
    yield tuple(
        RelatedObject(kind, name, page_url("workload", pod.cluster, kind=kind, namespace=pod.namespace, name=name))
        for kind, name in chain
    )


def _groups(pod: Pod) -> Iterator[Chain]:
    for group in group_links(pod):
        yield (RelatedObject(str(pods_words.POD_GROUP), group.name, group.url),)


def _budgets(pod: Pod, snapshot: Snapshot) -> Iterator[Chain]:
    for budget in budgets_of(snapshot, pod.namespace, labels_of(pod.object)):
        address = page_url("budget", pod.cluster, namespace=budget.namespace, name=budget.name)
        yield (RelatedObject(str(pods_words.BUDGET), budget.name, address),)


def _services(pod: Pod, snapshot: Snapshot) -> Iterator[Chain]:
    labels = labels_of(pod.object)
    for service in sorted(snapshot.objects("Service", pod.namespace), key=name_of):
        selector = (service.get("spec") or {}).get("selector") or {}
        if selector and all(labels.get(key) == value for key, value in selector.items()):
            yield (RelatedObject(str(pods_words.SERVICE), name_of(service)),)


def _node(pod: Pod) -> Iterator[Chain]:
    name = pod.node_name or pod.nominated_node_name
    if name:
        kind = pods_words.NODE if pod.node_name else pods_words.NOMINATED
        yield (RelatedObject(str(kind), name, page_url("node", pod.cluster, name=name)),)


def _claims(pod: Pod, snapshot: Snapshot) -> Iterator[Chain]:
    volumes = (pod.object.get("spec") or {}).get("volumes") or ()
    for use in dict.fromkeys(claim_uses(volumes, pod.name)):
        claim = snapshot.object("PersistentVolumeClaim", use.claim, pod.namespace)
        volume = "" if claim is None else volume_name_of(claim)
        further = (RelatedObject(str(pods_words.VOLUME), volume),) if volume else ()
        yield (RelatedObject(str(pods_words.CLAIM), use.claim), *further)


def _related_claims(pod: Pod) -> Iterator[Chain]:
    for claim, _ in islice(claim_names(ReadPod(pod.object)), _MOST + 1):
        address = page_url("resource-claim", pod.cluster, namespace=pod.namespace, name=claim)
        yield (RelatedObject(str(pods_words.RESOURCE_CLAIM), claim, address),)


_RANK = (Threat.LEAVING, Threat.SELECTED, Threat.CANDIDATE, Threat.SPARED)
_KINDS = {
    Threat.LEAVING: "rejected",
    Threat.SELECTED: "rejected",
    Threat.CANDIDATE: "preemptible",
    Threat.SPARED: "fits",
}
ROWS = 50


class PreemptorView(Struct, frozen=True):
    """Pending pods of one making; `verdict` is a word of the verdict tokens, `notes` are sentences."""

    title: str
    pods: tuple[tuple[str, str], ...]
    more: str
    priority: str
    verdict: str
    verdict_text: str
    notes: tuple[str, ...]


def threats(found: ClusterPreemptors, key: str) -> list[tuple[Threat, PendingPreemptor]]:
    """Return what each pending pod's preemption means for a placed pod, the gravest first. Raises KeyError."""
    pods = found.snapshot.pods
    slot = pods.slot_of[key]
    node = found.snapshot.nodes.names[pods.node[slot]] if pods.node[slot] >= 0 else ""
    judged = [
        (
            threat_to(
                each.found,
                key,
                node=node,
                priority=int(pods.priority[slot]),
                is_preempted=bool(pods.preempted[slot]),
            ),
            each,
        )
        for each in found.preemptors
    ]
    order = list(Threat)
    return sorted(judged, key=lambda one: order.index(one[0]))


def pod_preemption(found: ClusterPreemptors, document: Document) -> dict[str, Any]:
    """Present who would preempt a placed pod; `others` counts the pending pods that preempt it not, by why.

    Raises KeyError for a pod that has no node.
    """
    pod = ReadPod(document)
    judged = threats(found, pod.key)
    numbers = Counter[Threat]()
    for threat, each in judged:
        numbers[threat] += each.number
    shown = [(threat, each) for threat, each in judged if threat in _RANK]
    return {
        "sentence": _sentence(found, numbers),
        "rows": [_row(threat, each, pod.node_name) for threat, each in shown[:ROWS]],
        "others": _others([(threat, each) for threat, each in judged if threat not in _RANK]),
        "notes": list(_notes(found.snapshot, pod)),
    }


def _sentence(found: ClusterPreemptors, numbers: Counter[Threat]) -> str:
    if not found.total:
        return str(overview_words.NOTHING_PENDING)
    said = [pods_words.headline(numbers[Threat.SELECTED], numbers[Threat.CANDIDATE], found.evaluating)]
    return " ".join([str(pods_words.LEAVING)] if numbers[Threat.LEAVING] else said)


def _row(threat: Threat, each: PendingPreemptor, node: str) -> PreemptorView:
    hidden = each.number - len(each.names)
    return PreemptorView(
        title=pods_words.workload(each.workload),
        pods=each.names,
        more=and_more(hidden),
        priority=pods_words.priority(each.found.priority, each.priority_class),
        verdict=_KINDS[threat],
        verdict_text=str(pods_words.THREATS[threat]),
        notes=tuple(row_notes(threat, each.found, node)),
    )


def row_notes(threat: Threat, found: Preemptor, node: str) -> Iterator[str]:
    """Say what preemption does on the pod's node, and what budgets have to do with it."""
    if threat is Threat.LEAVING:
        return
    here, selected = found.candidates[node], found.candidates[found.selected]
    victims = len(here.victims)
    if threat is Threat.SELECTED:
        yield pods_words.IS_VICTIM(victims=victims, node=node)
        if here.pdb_violations:
            yield pods_words.BUDGETS_VIOLATED(victims=here.pdb_violations)
    elif threat is Threat.CANDIDATE:
        yield pods_words.WOULD_BE_VICTIM(victims=victims, node=node, selected=selected.node)
        if here.pdb_violations > selected.pdb_violations:
            yield pods_words.BUDGETS_AVOIDED(node=node, victims=here.pdb_violations, selected=selected.node)
    else:
        yield pods_words.IS_SPARED(victims=victims, node=node)
    if found.is_sampled:
        yield pods_words.SAMPLED(sample=found.sample, nodes=found.potential_nodes)
    if found.is_uncertain:
        yield str(pods_words.UNCERTAIN)


def _others(judged: list[tuple[Threat, PendingPreemptor]]) -> tuple[tuple[str, int], ...]:
    counts = Counter[PreemptionOutcome | Threat]()
    for threat, each in judged:
        counts[each.found.outcome if threat is Threat.NONE else threat] += each.number
    return tuple((str(pods_words.OTHERS[reason]), number) for reason, number in counts.most_common())


def _notes(snapshot: Snapshot, pod: ReadPod) -> Iterator[str]:
    above = [
        (int(document.get("value") or 0), name_of(document), document.get("preemptionPolicy") != "Never")
        for document in snapshot.objects("PriorityClass")
        if int(document.get("value") or 0) > pod.priority
    ]
    above.sort()
    may = [(name, value) for value, name, preempts in above if preempts]
    never = [name for _, name, preempts in above if not preempts]
    yield pods_words.classes_above(may) if may else str(pods_words.NO_HIGHER_CLASS)
    if never:
        yield pods_words.CLASSES_THAT_WAIT(names=first_of(never, most=8), number=len(never))
    budgets = budgets_of(snapshot, pod.namespace, pod.labels)
    for budget in budgets:
        yield pods_words.BUDGET_ALLOWS(name=budget.name, allowed=budget.reported.allowed)
    if budgets:
        yield str(pods_words.BEST_EFFORT)
    yield str(pods_words.INDEPENDENT)


class PodFaultView(Struct, frozen=True):
    """What follows from one fault: `steps` are when and what, `events` are what they come from."""

    fault: NodeFault
    title: str
    steps: tuple[tuple[str, str], ...]
    events: tuple[LostNodeEvent, ...]


def node_removal(snapshot: Snapshot, document: Document, node: Document, version: str) -> dict[str, Any]:
    """Present what a placed pod's node has to do with its end; `planned` is when it is evicted, None for no plan.

    `node` is the object, `version` the cluster's. Raises KeyError.
    """
    pod = ReadPod(document)
    minor = match_release(version).named_minor
    outlooks = fault_outlooks(snapshot, pod.node_name, minor)
    tolerations = pod.spec.get("tolerations") or ()
    removals = fault_removals(outlooks, tolerations)
    volumes = exclusive_volumes(snapshot, pod)
    faults = []
    for removal in removals:
        events = tuple(lost_node_events(removal, pod, volumes))
        steps = tuple((pods_words.after(event.at), pods_words.step(event.step)) for event in events)
        faults.append(PodFaultView(removal.outlook.fault, str(pods_words.FAULTS[removal.outlook.fault]), steps, events))
    taints = _timed(node)
    sentences, planned = _plan(taints, pod)
    return {
        "sentences": sentences,
        "planned": planned,
        "taints": tuple(_taints(taints, tolerations)),
        "conditions": tuple(_conditions(node)),
        "faults": faults,
        "volumes": volumes,
        "notes": (
            *([pods_words.exclusive([volume.claim for volume in volumes])] if volumes else []),
            nodes_words.GRACE_SENTENCE(minor=minor, grace=outlooks[0].grace),
        ),
        "figure": _figure(removals, pod),
    }


def _timed(node: Document) -> list[TimedTaint]:
    found = []
    for taint in (node.get("spec") or {}).get("taints") or ():
        if taint.get("effect") == NO_EXECUTE:
            added = _moment(taint.get("timeAdded"))
            found.append(TimedTaint(Taint.from_dict(taint), None if added is None else int(added.timestamp())))
    return found


def _plan(taints: Sequence[TimedTaint], pod: ReadPod) -> tuple[list[str], datetime | None]:
    if not taints:
        return [str(pods_words.NO_TAINT)], None
    began = _moment(pod.status.get("startTime"))
    plan = planned_eviction(
        taints, pod.spec.get("tolerations") or (), since=0 if began is None else int(began.timestamp())
    )
    if plan is None:
        return [str(pods_words.TOLERATES_ALL)], None
    taint = str(plan.taint)
    planned = None if plan.at is None else datetime.fromtimestamp(plan.at, UTC)
    if not plan.is_tolerated:
        said = [pods_words.AT_ONCE(taint=taint)]
    elif planned is None:
        said = [pods_words.EVICTED_AFTER(seconds=plan.seconds, taint=taint)]
    else:
        said = [pods_words.EVICTED_AT(seconds=plan.seconds, taint=taint, moment=_written(planned))]
    if plan.overruled is not None:
        said.append(pods_words.OVERRULED(taint=str(plan.overruled)))
    return [*said, str(pods_words.PLAN)], planned


def _taints(taints: Sequence[TimedTaint], tolerations: Sequence[Document]) -> Iterator[tuple[str, str, str]]:
    """Yield each NoExecute taint, how long the pod tolerates it, and since when it is there."""
    for timed, stay in zip(taints, taint_stays(taints, tolerations), strict=True):
        added = "" if timed.added is None else _written(datetime.fromtimestamp(timed.added, UTC))
        yield (
            str(timed.taint),
            pods_words.tolerated(stay.seconds, is_tolerated=stay.is_tolerated),
            pods_words.since(added),
        )


def _conditions(node: Document) -> Iterator[tuple[str, str, str]]:
    """Yield Ready, and each condition that is not as it should be: a badge's text and kind, and since when."""
    moments: dict[str, Any] = {
        str(each.get("type")): each.get("lastTransitionTime")
        for each in (node.get("status") or {}).get("conditions") or ()
    }
    for each in conditions(node):
        if each.kind != "good" or each.type == "Ready":
            moment = _moment(moments.get(each.type))
            yield (
                f"{each.type}={each.status}",
                each.kind,
                pods_words.since("" if moment is None else _written(moment)),
            )


def _figure(removals: Sequence[FaultRemoval], pod: ReadPod) -> Figure:
    rows = []
    for removal in removals:
        outlook, after = removal.outlook, removal.after
        is_silent = outlook.fault is NodeFault.UNREACHABLE
        stretches = [Stretch(0, 0, outlook.grace)] if outlook.grace else []
        if after is None or after > outlook.grace:
            stretches.append(Stretch(1, outlook.grace, after))
        gone = 0
        if after is not None:
            gone = after + grace_period_of(pod)
            if is_silent or gone > after:
                stretches.append(Stretch(2, after, None if is_silent else gone))
        ends = pods_words.fault_ends(after, is_silent=is_silent, gone=gone)
        rows.append(TimelineRow(str(pods_words.FAULTS[outlook.fault]), tuple(stretches), ends))
    fills = (
        Key(str(nodes_words.GRACE), "verdict-unknown-solid", "/"),
        Key(str(nodes_words.TOLERATED), "verdict-chosen-solid"),
        Key(str(pods_words.TERMINATING), "verdict-rejected-solid", "x"),
    )
    spec = TimelineSpec(str(nodes_words.SECONDS_UNIT), fills, tuple(rows))
    summary = " ".join(f"{row.label}: {row.text}." for row in rows)
    return Figure(id="removal-timeline", title=str(pods_words.PICTURE), summary=summary, spec=spec)


def _moment(text: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text)) if text else None
    except ValueError:
        return None
    return found if found is None or found.tzinfo else found.replace(tzinfo=UTC)


def _written(moment: datetime) -> str:
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M:%S %Z}"


# What the rows need; the pruned object stays in the database.
COLUMNS = (
    "uid",
    "namespace",
    "name",
    "node_name",
    "phase",
    "is_pending",
    "is_gated",
    "priority",
    "priority_class",
    "scheduler_name",
    "owner_kind",
    "owner_name",
    "cpu_milli",
    "memory_bytes",
    "created_at",
    "deleted_at",
    "unschedulable_message",
    "status_reason",
)
# What a file needs besides.
FILE_FIELDS = (*COLUMNS, "nominated_node_name", "qos_class", "object")


class PodRow(NamedTuple):
    """One pod of a list: what it requests, and what keeps it pending, where that was computed.

    `maker` is the workload that a file names.
    """

    pod: Pod
    cpu_milli: int
    memory_bytes: int
    cause: str = ""
    maker: Workload | None = None

    @property
    def badge(self) -> tuple[str, str]:
        """Its state: a badge's text and kind."""
        return state_of(self.pod)

    @property
    def quality_of_service(self) -> str:
        """The class that is reported, or else the one that follows from its spec."""
        return self.pod.qos_class or str(quality_of_service(self.pod.object))


def state_of(pod: Pod) -> tuple[str, str]:
    """Return the text and the kind of the badge that says what a pod is doing."""
    if pod.is_gated:
        return str(states.GATED), "info"
    if pod.is_pending:
        return str(states.PENDING), "warn"
    if pod.deleted_at is not None:
        return str(states.TERMINATING), ""
    if pod.phase == "Failed":
        return str(states.FAILED), "bad"
    return str(states.OF_PHASE.get(pod.phase) or pod.phase or states.UNKNOWN), ""


def amounts_of(pod: Pod, counting: Counting | None) -> tuple[int, int]:
    """Return what a pod requests, milli-CPU and bytes: on a node as its release counts a pod that is resized there."""
    if counting is None or not pod.node_name or pod.phase in ("Succeeded", "Failed"):
        return pod.cpu_milli, pod.memory_bytes
    counted = pod_amounts(pod.object, counting=counting)
    return counted.get(CPU, 0), counted.get(MEMORY, 0)


def pod_row(
    pod: Pod, counting: Counting | None = None, cause: Cause | None = None, maker: Workload | None = None
) -> PodRow:
    """Present what the mirror recorded of the pod, whose object is read with `counting`. `cause` keeps it pending."""
    cpu, memory = amounts_of(pod, counting)
    return PodRow(pod, cpu, memory, "" if cause is None else cause_name(cause), maker)

"""What scheduling reads of a pod, as a list of facts, and its pruned object as YAML."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import yaml

from clusters.engine.devices import allocation_of, devices_of, entries_of
from clusters.engine.kubelet import container_ends, resize_of
from clusters.engine.objects import name_of
from clusters.engine.workloads import crash_loops
from clusters.wording.amounts import grouped, quantity
from clusters.wording.pods import facts as words
from clusters.wording.pods.restarts import RESTARTS, crash_loop
from clusters.wording.pods.troubles import LAST_END, RESIZE, end_sentence, resize_sentence
from clusters.wording.resources import resource_name
from dashboard.presenters.shared.moments import later

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from clusters.engine import Explanation
    from clusters.engine.objects import AffinityTerm
    from clusters.engine.workloads import CrashLoop
    from clusters.models import Pod

# How operators of tolerations compare the value of a taint.
_SIGNS = {"Lt": "<", "Gt": ">"}
_OPERATORS = {"Exists": words.key_exists, "DoesNotExist": words.key_does_not_exist}


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
        (words.OWNER, f"{pod.owner_kind} {pod.owner_name}".strip()),
        (words.SCHEDULER, pod.scheduler_name),
        (words.PRIORITY, priority),
        (words.PREEMPTION, str(words.NEVER_PREEMPTS) if spec.get("preemptionPolicy") == "Never" else ""),
        (words.QOS_CLASS, pod.qos_class),
        (words.GATES, ", ".join(str(gate.get("name")) for gate in spec.get("schedulingGates") or ())),
        (words.NODE_SELECTOR, ", ".join(f"{key}={value}" for key, value in (spec.get("nodeSelector") or {}).items())),
        (words.NODE_AFFINITY, "; ".join(_node_affinity((spec.get("affinity") or {}).get("nodeAffinity") or {}))),
        (words.SPREAD, "; ".join(_spread(entry) for entry in spec.get("topologySpreadConstraints") or ())),
        (words.TOLERATIONS, "; ".join(toleration_text(entry) for entry in spec.get("tolerations") or ())),
        (words.VOLUMES, ", ".join(_volume(entry, pod.name) for entry in spec.get("volumes") or ())),
        (words.RUNTIME_CLASS, str(spec.get("runtimeClassName") or "")),
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
        (words.REQUESTS, requests or str(words.REQUESTS_NOTHING)),
        (words.RESOURCE_CLAIMS, "; ".join(_resource_claims(explanation))),
        (words.HOST_PORTS, ", ".join(f"{port.port}/{port.protocol}" for port in pod.host_ports)),
        (words.AFFINITY, _terms(affinity.required)),
        (words.ANTI_AFFINITY, _terms(affinity.required_anti)),
        (words.PREFERRED_AFFINITY, _terms(affinity.preferred)),
        (words.PREFERRED_ANTI_AFFINITY, _terms(affinity.preferred_anti)),
    )
    return [(str(name), value) for name, value in facts if value]


def _resource_claims(explanation: Explanation) -> Iterable[str]:
    """Write each claim for devices with what it has."""
    for entry, claim in entries_of(explanation.snapshot, explanation.pod):
        if claim is None:
            yield words.MISSING_CLAIM(claim=entry)
        elif allocation_of(claim) is None:
            yield words.PENDING_CLAIM(claim=name_of(claim))
        else:
            yield words.allocated_claim(name_of(claim), map(str, devices_of(claim)))


def as_yaml(document: Mapping[str, Any]) -> str:
    """Write the pruned object as YAML in the order in which it came."""
    # A manifest may have tens of thousands of lines, for which PyYAML's own emitter takes many seconds.
    return str(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=120))


def _terms(terms: Iterable[AffinityTerm]) -> str:
    return "; ".join(_term(term) for term in terms)


def _term(term: AffinityTerm) -> str:
    selected = words.requirements(
        _requirement(each.key, str(each.operator), each.values) for each in term.selector.requirements
    )
    if term.weight:
        return words.pods_per_weighted(selected, term.topology_key, term.weight)
    return words.pods_per(selected, term.topology_key)


def _requirement(key: str, operator: str, values: Iterable[str]) -> str:
    if operator in _OPERATORS:
        return _OPERATORS[operator](key)
    return f"{key} {operator} {', '.join(values)}"


def _node_affinity(affinity: Mapping[str, Any]) -> Iterable[str]:
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    terms = [node_term_text(term) for term in required.get("nodeSelectorTerms") or ()]
    if terms:
        yield words.REQUIRED(terms=words.alternatives(terms))
    for preferred in affinity.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
        yield words.preferred(node_term_text(preferred.get("preference") or {}), preferred.get("weight"))


def node_term_text(term: Mapping[str, Any]) -> str:
    """Write a term of a node selector."""
    parts = [
        _requirement(str(each.get("key")), str(each.get("operator")), each.get("values") or ())
        for each in (*(term.get("matchExpressions") or ()), *(term.get("matchFields") or ()))
    ]
    return words.requirements(parts) or str(words.MATCHES_NOTHING)


def _spread(entry: Mapping[str, Any]) -> str:
    action = entry.get("whenUnsatisfiable") or "DoNotSchedule"
    return words.spread(key=entry.get("topologyKey"), max_skew=entry.get("maxSkew"), action=action)


def toleration_text(entry: Mapping[str, Any]) -> str:
    """Write a toleration of a pod or of a request for devices."""
    key = entry.get("key") or str(words.ANY_TAINT)
    value = f"{_SIGNS.get(entry.get('operator', ''), '=')}{entry['value']}" if entry.get("value") else ""
    effect = f":{entry['effect']}" if entry.get("effect") else ""
    written = f"{key}{value}{effect}"
    return words.tolerated_for(written, entry["tolerationSeconds"]) if "tolerationSeconds" in entry else written


def _volume(entry: Mapping[str, Any], pod: str) -> str:
    name = str(entry.get("name"))
    claim = (entry.get("persistentVolumeClaim") or {}).get("claimName")
    if "ephemeral" in entry:
        claim = f"{pod}-{name}"
    kind = next((key for key in entry if key != "name"), "")
    return words.CLAIM(volume=name, claim=claim) if claim else f"{name} ({kind})" if kind else name

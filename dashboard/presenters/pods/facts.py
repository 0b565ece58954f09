"""What a pod asks for, as a list of facts, and its pruned object as YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from clusters.wording.amounts import grouped, quantity
from dashboard.presenters import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from clusters.engine import Explanation
    from clusters.engine.objects import AffinityTerm
    from clusters.models import Pod

_OPERATORS = {"Exists": "{key} is set", "DoesNotExist": "{key} is not set"}


def pod_facts(pod: Pod, document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Present what scheduling reads of a pod without an explanation; empty facts are left out."""
    spec = document.get("spec") or {}
    priority = "" if pod.priority is None else grouped(pod.priority)
    if pod.priority_class:
        priority = f"{priority} ({pod.priority_class})" if priority else pod.priority_class
    facts = (
        ("Owner", f"{pod.owner_kind} {pod.owner_name}".strip()),
        ("Scheduler", pod.scheduler_name),
        ("Priority", priority),
        ("Preemption", "never preempts" if spec.get("preemptionPolicy") == "Never" else ""),
        ("QoS class", pod.qos_class),
        ("Scheduling gates", ", ".join(str(gate.get("name")) for gate in spec.get("schedulingGates") or ())),
        ("Node selector", ", ".join(f"{key}={value}" for key, value in (spec.get("nodeSelector") or {}).items())),
        ("Node affinity", "; ".join(_node_affinity((spec.get("affinity") or {}).get("nodeAffinity") or {}))),
        ("Spread", "; ".join(_spread(entry) for entry in spec.get("topologySpreadConstraints") or ())),
        ("Tolerations", "; ".join(_toleration(entry) for entry in spec.get("tolerations") or ())),
        ("Volumes", ", ".join(_volume(entry, pod.name) for entry in spec.get("volumes") or ())),
        ("Runtime class", str(spec.get("runtimeClassName") or "")),
    )
    return [(name, value) for name, value in facts if value]


def computed_facts(explanation: Explanation) -> list[tuple[str, str]]:
    """Present what the engine read of the pod."""
    pod = explanation.pod
    affinity = pod.affinity
    requests = ", ".join(
        f"{quantity(name, number)} {wording.resource_name(name) if name != 'cpu' else ''}".strip()
        for name, number in pod.requests.items()
        if number
    )
    facts = (
        ("Requests", requests or "nothing"),
        ("Host ports", ", ".join(f"{port.port}/{port.protocol}" for port in pod.host_ports)),
        ("Must be near", _terms(affinity.required)),
        ("Must keep away from", _terms(affinity.required_anti)),
        ("Prefers to be near", _terms(affinity.preferred)),
        ("Prefers to keep away from", _terms(affinity.preferred_anti)),
    )
    return [(name, value) for name, value in facts if value]


def as_yaml(document: Mapping[str, Any]) -> str:
    """Write the pruned object as YAML in the order in which it came."""
    # A manifest may have tens of thousands of lines, for which PyYAML's own emitter takes many seconds.
    return str(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=120))


def _terms(terms: Iterable[AffinityTerm]) -> str:
    return "; ".join(_term(term) for term in terms)


def _term(term: AffinityTerm) -> str:
    selected = " and ".join(
        _requirement(each.key, str(each.operator), each.values) for each in term.selector.requirements
    )
    weight = f", weight {term.weight}" if term.weight else ""
    return f"pods with {selected or 'any labels'}, per {term.topology_key}{weight}"


def _requirement(key: str, operator: str, values: Iterable[str]) -> str:
    if operator in _OPERATORS:
        return _OPERATORS[operator].format(key=key)
    return f"{key} {operator} {', '.join(values)}"


def _node_affinity(affinity: Mapping[str, Any]) -> Iterable[str]:
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    terms = [_node_term(term) for term in required.get("nodeSelectorTerms") or ()]
    if terms:
        yield f"requires {' or '.join(terms)}"
    for preferred in affinity.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
        yield f"prefers {_node_term(preferred.get('preference') or {})}, weight {preferred.get('weight')}"


def _node_term(term: Mapping[str, Any]) -> str:
    parts = [
        _requirement(str(each.get("key")), str(each.get("operator")), each.get("values") or ())
        for each in (*(term.get("matchExpressions") or ()), *(term.get("matchFields") or ()))
    ]
    return " and ".join(parts) or "nothing"


def _spread(entry: Mapping[str, Any]) -> str:
    action = entry.get("whenUnsatisfiable") or "DoNotSchedule"
    return f"{entry.get('topologyKey')} maxSkew {entry.get('maxSkew')} {action}"


def _toleration(entry: Mapping[str, Any]) -> str:
    key = entry.get("key") or "any taint"
    value = f"={entry['value']}" if entry.get("value") else ""
    effect = f":{entry['effect']}" if entry.get("effect") else ""
    seconds = f" for {entry['tolerationSeconds']} s" if "tolerationSeconds" in entry else ""
    return f"{key}{value}{effect}{seconds}"


def _volume(entry: Mapping[str, Any], pod: str) -> str:
    name = str(entry.get("name"))
    claim = (entry.get("persistentVolumeClaim") or {}).get("claimName")
    if "ephemeral" in entry:
        claim = f"{pod}-{name}"
    kind = next((key for key in entry if key != "name"), "")
    return f"{name} (claim {claim})" if claim else f"{name} ({kind})" if kind else name

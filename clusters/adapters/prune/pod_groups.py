"""Workloads and groups of pods of scheduling.k8s.io.

Whatever version an object is of, it is kept in the shape of v1beta1: v1alpha2 has the disruption mode as a word, and
the template that a PodGroup was made of within ``podGroupTemplateRef``. The pod groups of a v1alpha1 Workload stay what
they are: pods of 1.35 belong to them.
"""

from __future__ import annotations

from typing import Any

from clusters.adapters.bad_input import shown
from clusters.adapters.prune.metadata import metadata
from clusters.adapters.prune.pod import condition
from clusters.adapters.prune.shapes import Pruner, WrongField, each, fields, small_integer, then, token
from clusters.engine.problems import BelowLeast, Missing, NotOneOf

# How deep CompositePodGroups may lie within each other.
_DEEPEST = 4
_MODES = {"Pod": "single", "PodGroup": "all"}


def _count(value: Any) -> int:
    """Keep a number of members, which is at least one."""
    number = small_integer(value)
    if number < 1:
        raise WrongField(BelowLeast(shown(value), 1))
    return number


def _policy(least: str) -> Pruner:
    """Build a pruner of a policy whose gang has a number of that name."""

    def with_number(gang: dict[str, Any]) -> dict[str, Any]:
        if least not in gang:
            raise WrongField(Missing()).within(least)
        return gang

    return fields({"basic": fields({}), "gang": then(fields({least: _count}), with_number)})


def _disruption_mode(value: Any) -> dict[str, Any]:
    """Keep a disruption mode; a word of v1alpha2 as the map that stands for it later."""
    if type(value) is not str:
        kept: dict[str, Any] = fields({"single": fields({}), "all": fields({})})(value)
        return kept
    if value not in _MODES:
        raise WrongField(NotOneOf(shown(value), tuple(_MODES)))
    return {_MODES[value]: {}}


_constraints = fields({"topology": each(fields({"key": token}))})
_claims = each(fields({"name": token, "resourceClaimName": token, "resourceClaimTemplateName": token}))
_shared: dict[str, Pruner] = {
    "schedulingConstraints": _constraints,
    "disruptionMode": _disruption_mode,
    "priorityClassName": token,
    "priority": small_integer,
    "preemptionPolicy": token,
}
_of_pods: dict[str, Pruner] = {**_shared, "schedulingPolicy": _policy("minCount"), "resourceClaims": _claims}
_of_groups: dict[str, Pruner] = {**_shared, "schedulingPolicy": _policy("minGroupCount")}
_template = fields({"name": token, **_of_pods})


def _composite_templates(deep: int) -> Pruner:
    """Build a pruner of CompositePodGroup templates that may hold others, so many levels of them."""
    within = {"compositePodGroupTemplates": _composite_templates(deep - 1)} if deep > 1 else {}
    return each(fields({"name": token, **_of_groups, "podGroupTemplates": each(_template), **within}))


workload = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "controllerRef": fields({"apiGroup": token, "kind": token, "name": token}),
                "podGroups": each(fields({"name": token, "policy": _policy("minCount")})),
                "podGroupTemplates": each(_template),
                "compositePodGroupTemplates": _composite_templates(_DEEPEST),
            }
        ),
    }
)
_reference = fields({"workloadName": token, "templateName": token})


def _with_reference(spec: dict[str, Any]) -> dict[str, Any]:
    """A spec with the template of its group where v1beta1 has it."""
    found = (spec.pop("podGroupTemplateRef", None) or {}).get("workload")
    if not found:
        return spec
    named = {"workloadName": found.get("workloadName", ""), "templateName": found.get("podGroupTemplateName", "")}
    return {**spec, "workloadRef": named}


_template_reference = fields({"workload": fields({"workloadName": token, "podGroupTemplateName": token})})
_parts: dict[str, Pruner] = {"parentCompositePodGroupName": token, "workloadRef": _reference}
pod_group = fields(
    {
        "metadata": metadata,
        "spec": then(
            fields({**_of_pods, **_parts, "podGroupTemplateRef": _template_reference}),
            _with_reference,
        ),
        "status": fields(
            {
                "conditions": each(condition),
                "resourceClaimStatuses": each(fields({"name": token, "resourceClaimName": token})),
            }
        ),
    }
)
composite_pod_group = fields(
    {
        "metadata": metadata,
        "spec": fields({**_of_groups, **_parts}),
        "status": fields({"conditions": each(condition)}),
    }
)

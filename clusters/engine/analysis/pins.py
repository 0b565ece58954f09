"""The requirement by which the DaemonSet controller ties each of its pods to the node that it made it for."""

from __future__ import annotations

from typing import TYPE_CHECKING

# NodeAffinity by name: the DaemonSet controller pins its pods by a node affinity.
from clusters.engine.plugins.node_affinity import NodeAffinity, RequirementSubject
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.relaxing.relaxations import Lift
    from clusters.engine.subjects import Subject

_BY_NAME = ("matchFields", "metadata.name")


def lifts_pin(explanation: Explanation, lift: Lift) -> bool:
    """Tell whether a way to gain nodes would let a DaemonSet's pod go to another node, which nobody wants."""
    controller = Controller.of(explanation.pod.document)
    if controller is None or controller.kind != "DaemonSet":
        return False
    affinity = (each.subject for each in lift.lifted if each.plugin == NodeAffinity.name)
    return any(subject is None or _is_by_name(subject) for subject in affinity)


def _is_by_name(subject: Subject) -> bool:
    return isinstance(subject, RequirementSubject) and (subject.field, subject.requirement.key) == _BY_NAME

"""Requirements that nobody wrote into a manifest: the node that a DaemonSet made its pod for, and a cordon."""

from __future__ import annotations

from typing import TYPE_CHECKING

# NodeAffinity by name: the DaemonSet controller pins its pods by a node affinity.
from clusters.engine.plugins.node_affinity import NodeAffinity, RequirementSubject

# NodeUnschedulable by name: a cordon is lifted on the node.
from clusters.engine.plugins.node_unschedulable import NodeUnschedulable

# TaintToleration by name: a cordon is a taint, too.
from clusters.engine.plugins.taint_toleration import CORDON_TAINT, TaintSubject
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


def lifts_cordon(lift: Lift) -> bool:
    """Tell whether a way to gain nodes is to uncordon them, and nothing else."""
    return all(
        each.plugin == NodeUnschedulable.name
        or (isinstance(each.subject, TaintSubject) and each.subject.taint.key == CORDON_TAINT)
        for each in lift.lifted
    )


def _is_by_name(subject: Subject) -> bool:
    return isinstance(subject, RequirementSubject) and (subject.field, subject.requirement.key) == _BY_NAME

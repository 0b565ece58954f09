"""Advice in words: what would have to be otherwise, and how many nodes that would gain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.evidence import Unit, resource_unit
from clusters.engine.plugins.node_resources_fit import PODS, NodeResourcesFit
from clusters.engine.relaxing.relaxations import CORDON_TAINT, Effort
from clusters.wording.amounts import at_most, counted
from dashboard.presenters.decisions.evidence import amount
from dashboard.presenters.wording import listed, resource_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.plugin import Constraint
    from clusters.engine.relaxing.relaxations import Lift, Mending, Reduction

_OF_THE_POD = "the pod "
_UNCORDONED = "cordoned nodes were uncordoned"
_WITHOUT_PLUGIN = {
    "NodeUnschedulable": _UNCORDONED,
    "NodeName": "the pod did not name a node",
    "TaintToleration": "the pod tolerated every taint",
    "NodeAffinity": "the pod had no node selector and no required node affinity",
    "NodePorts": "the pod had no host ports",
    "NodeResourcesFit": "the pod requested nothing",
    "PodTopologySpread": "the pod had no spread constraints",
    "InterPodAffinity": "no pod required anything of the other",
    "VolumeRestrictions": "no other pod held the pod's volumes",
    "VolumeBinding": "every claim of the pod had a volume that each node reaches",
    "VolumeZone": "volumes had no zone",
    "NodeVolumeLimits": "nodes took any number of volumes",
}

_WITHOUT = {
    "NodeAffinity": "the pod did not require {}",
    "PodTopologySpread": "the spread constraint {} were not there",
    "NodePorts": "the pod did not need the host port {}",
    "NodeVolumeLimits": "{} did not count against the node's limit of volumes",
    "VolumeBinding": "each node reached a volume for the claim {}",
    "VolumeZone": "the volume of the claim {} had no zone",
    "VolumeRestrictions": "no other pod held {}",
}


def lifted(constraints: Iterable[Constraint]) -> str:
    """Name requirements as conditions of a sentence: `the pod tolerated gpu:NoSchedule`."""
    return _joined(_without(constraint) for constraint in constraints)


def _joined(conditions: Iterable[str]) -> str:
    """Join conditions, each told once and the pod named once."""
    first, *others = dict.fromkeys(conditions)
    if first.startswith(_OF_THE_POD):
        others = [condition.removeprefix(_OF_THE_POD) for condition in others]
    return " and ".join((first, *others))


def _without(constraint: Constraint) -> str:
    plugin, about = constraint.plugin, constraint.about
    if not about:
        return _WITHOUT_PLUGIN.get(plugin, f"{plugin} let every node pass")
    if plugin == NodeResourcesFit.name:
        return "the node allowed one more pod" if about == PODS else f"the pod requested no {resource_name(about)}"
    if plugin == "TaintToleration":
        return _UNCORDONED if about.startswith(CORDON_TAINT) else f"the pod tolerated {about}"
    if plugin == "InterPodAffinity":
        kind, _, pods = about.partition(": ")
        return f"the {kind} ({pods}) were not there"
    return _WITHOUT.get(plugin, "{} did not restrict the pod").format(about.removeprefix("nodeSelector "))


def gain(lift: Lift, names: Sequence[str], *, fits: bool) -> str:
    """Say what lifting requirements would gain; `names` are all nodes', `fits` when there are nodes already."""
    nodes = counted(lift.gained, "more node", "more nodes") if fits else counted(lift.gained, "node", "nodes")
    # One resource alone is told as a Reduction.
    if len(lift.lifted) == 1 or not lift.enough or not all(each.fitting for each in lift.enough):
        lost = f", but {counted(lift.lost, 'other', 'others')} no longer" if lift.lost else ""
        return f"If {lifted(lift.lifted)}, {nodes} would take it{lost}."
    others = [_without(each) for each in lift.lifted if Effort.of(each) is not Effort.RESOURCE]
    conditions = _joined([*others, f"the pod asked for at most {_fitting(lift.enough)}"])
    node = names[lift.enough[0].row]
    none = f"no {listed([resource_name(each.resource) for each in lift.enough])} at all"
    return f"If {conditions}, {node} would take it; if it requested {none}, {nodes} would."


def reduction(found: Sequence[Reduction], names: Sequence[str]) -> str:
    """Say how much less, of one resource or of several together, would fit, and where."""
    asked = listed([f"{amount(each.asked, resource_unit(each.resource))}{_of_what(each)}" for each in found])
    return f"Asking for at most {_fitting(found)} instead of {asked}, it would fit on {names[found[0].row]}."


def _fitting(found: Sequence[Reduction]) -> str:
    return listed([f"{_at_most(each)}{_of_what(each)}" for each in found])


def _at_most(found: Reduction) -> str:
    unit = resource_unit(found.resource)
    return at_most(found.fitting) if unit is Unit.BYTES else amount(found.fitting, unit)


def _of_what(found: Reduction) -> str:
    return "" if resource_unit(found.resource) is Unit.MILLI_CPU else f" of {found.resource}"


def mending(found: Mending, node: str) -> str:
    """Say what would have to be otherwise for one node to take the pod; empty where nothing stands against it."""
    if not found.lifted:
        return ""
    reduced = {each.resource for each in found.reductions}
    others = [
        _without(each) for each in found.lifted if each.plugin != NodeResourcesFit.name or each.about not in reduced
    ]
    less = [each for each in found.reductions if each.fitting]
    none = [resource_name(each.resource) for each in found.reductions if not each.fitting]
    conditions = [
        *others,
        *([f"the pod asked for at most {_fitting(less)}"] if less else []),
        *([f"the pod requested no {listed(none)} at all"] if none else []),
    ]
    if found.suffices:
        return f"{node} would take it if {_joined(conditions)}."
    return f"Even if {_joined(conditions)}, {node} would not take it."

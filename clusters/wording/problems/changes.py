"""Words for what can be wrong with a change of a simulation."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.simulation.changes import problems as wrong
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, first_of, listed
from clusters.wording.problems.registry import Words, words

_MOST_NAMED = 8


@words.register(wrong.NotATaintName)
def not_a_taint_name(problem: wrong.NotATaintName) -> Words:
    """Say that it names no taint."""
    said = _("%(found)s does not name a taint.") % {"found": problem.found}
    return Words(said, _("Write its key, or its key and effect: old:NoSchedule."))


@words.register(wrong.MoreThanAnyNode)
def more_than_any_node(problem: wrong.MoreThanAnyNode) -> Words:
    """Say that no node has so much."""
    said = _("%(found)s is more than any node has.") % {"found": problem.found}
    return Words(said, _("Write an amount such as 4 or 16Gi."))


@words.register(wrong.UnreadableSelector)
def unreadable_selector(problem: wrong.UnreadableSelector) -> Words:
    """Say from where on a selector cannot be read."""
    said = _("It cannot be read from character %(character)s on.") % {"character": grouped(problem.character)}
    return Words(said, _("Write a label selector such as pool=spot,tier in (a,b),!old."))


# -- nodes -------------------------------------------------------------------------------------------------------------


@words.register(wrong.NoNodesChosen)
def no_nodes_chosen(problem: wrong.NoNodesChosen) -> Words:
    """Say that no node is named."""
    remedy = _("Write one of nodes (a list of names), selector (such as pool=spot) and zone.")
    return Words(_("No node is named."), remedy)


@words.register(wrong.NodesChosenTwice)
def nodes_chosen_twice(problem: wrong.NodesChosenTwice) -> Words:
    """Say that nodes are chosen in several ways."""
    said = _("The nodes are chosen by %(fields)s.") % {"fields": listed(problem.fields)}
    return Words(said, _("Write only one of nodes (a list of names), selector (such as pool=spot) and zone."))


@words.register(wrong.NoSuchNode)
def no_such_node(problem: wrong.NoSuchNode) -> Words:
    """Say that the cluster has no such node, and which it has."""
    said = _("There is no node %(node)s.") % {"node": problem.node}
    if not problem.known:
        return Words(said, _("The cluster has no nodes: add some first."))
    return Words(said, _("The cluster has %(nodes)s.") % {"nodes": _few(problem.known, problem.total)})


@words.register(wrong.NoSuchZone)
def no_such_zone(problem: wrong.NoSuchZone) -> Words:
    """Say that no node is in the zone, and which zones there are."""
    said = _("There is no node in a zone %(zone)s.") % {"zone": problem.zone}
    if not problem.known:
        return Words(said, _("No node has the label topology.kubernetes.io/zone."))
    return Words(said, _("The cluster has the zones %(zones)s.") % {"zones": _few(problem.known, problem.total)})


@words.register(wrong.NoNodeSelected)
def no_node_selected(problem: wrong.NoNodeSelected) -> Words:
    """Say that a selector matches no node."""
    said = _("The label selector %(selector)s matches no node.") % {"selector": problem.selector}
    return Words(said, _("Look at the labels of the nodes, or name nodes."))


@words.register(wrong.NoLabels)
def no_labels(problem: wrong.NoLabels) -> Words:
    """Say that no label is named."""
    return Words(_("No label is named."), _("Write one label at least; null removes it."))


@words.register(wrong.NoTaints)
def no_taints(problem: wrong.NoTaints) -> Words:
    """Say that no taint is named."""
    return Words(_("No taint is named."), _("Write one taint at least, in taints or in remove."))


@words.register(wrong.LikeAndSize)
def like_and_size(problem: wrong.LikeAndSize) -> Words:
    """Say that nodes cannot be like another one and of another size."""
    return Words(_("The nodes are already like another node."), _("Write like, or cpu and memory, not both."))


@words.register(wrong.NodeExists)
def node_exists(problem: wrong.NodeExists) -> Words:
    """Say that there is a node of the name."""
    said = _("There is already a node %(node)s.") % {"node": problem.node}
    return Words(said, _("Give the new nodes another prefix."))


@words.register(wrong.TooManyNodes)
def too_many_nodes(problem: wrong.TooManyNodes) -> Words:
    """Say how many nodes a cluster may have."""
    said = _("The cluster would have more than %(most)s nodes.") % {"most": grouped(problem.most)}
    return Words(said, _("Add fewer nodes."))


# -- workloads and pods ------------------------------------------------------------------------------------------------


@words.register(wrong.NotAWorkload)
def not_a_workload(problem: wrong.NotAWorkload) -> Words:
    """Say which change adds an object."""
    said = _("A %(kind)s is not a workload.") % {"kind": problem.kind_of_object}
    return Words(said, _("Use the change %(change)s.") % {"change": problem.change})


@words.register(wrong.ScaledTwice)
def scaled_twice(problem: wrong.ScaledTwice) -> Words:
    """Say that replicas are given in two ways."""
    return Words(_("It has both replicas and by."), _("Write replicas (how many in all) or by (how many more)."))


@words.register(wrong.NotScaled)
def not_scaled(problem: wrong.NotScaled) -> Words:
    """Say that no number of replicas is given."""
    said = _("It has neither replicas nor by.")
    return Words(said, _("Write replicas (how many in all) or by (how many more)."))


@words.register(wrong.NoPodToCopy)
def no_pod_to_copy(problem: wrong.NoPodToCopy) -> Words:
    """Say that there is no pod after which more could be made."""
    said = _("%(workload)s has no pod that new ones could be copied from.") % {"workload": problem.workload}
    return Words(said, _("Add it by its manifest with the change add-workload."))


@words.register(wrong.NoSuchWorkload)
def no_such_workload(problem: wrong.NoSuchWorkload) -> Words:
    """Say that the cluster has no such workload, and which its namespace has."""
    said = _("There is no %(workload)s.") % {"workload": problem.workload}
    if not problem.known:
        return Words(said, _("The namespace has no %(kind)s with pods.") % {"kind": problem.kind_of_object})
    return Words(said, _("The namespace has %(names)s.") % {"names": _few(problem.known, problem.total)})


@words.register(wrong.NoSuchContainer)
def no_such_container(problem: wrong.NoSuchContainer) -> Words:
    """Say that no pod of a workload has a container of this name, and which they have."""
    said = _("No pod of the workload runs a container %(container)s.") % {"container": problem.container}
    return Words(said, _("They run %(names)s.") % {"names": _few(problem.known, problem.total)})


@words.register(wrong.NoSuchProfile)
def no_such_profile(problem: wrong.NoSuchProfile) -> Words:
    """Say that no profile has the name, and which there are."""
    said = _("No profile of the scheduler configuration is named %(scheduler)s.") % {"scheduler": problem.scheduler}
    return Words(said, _("Write %(known)s.") % {"known": alternatives(problem.known)})


@words.register(wrong.PodExists)
def pod_exists(problem: wrong.PodExists) -> Words:
    """Say that there is a pod of the name."""
    return Words(_("There is already a pod %(pod)s.") % {"pod": problem.pod}, _("Give the new pod another name."))


@words.register(wrong.TooManyWanted)
def too_many_wanted(problem: wrong.TooManyWanted) -> Words:
    """Say how many pods a simulation places."""
    said = _("More than %(most)s pods would be placed.") % {"most": grouped(problem.most)}
    return Words(said, _("Add fewer pods, or split the question into several simulations."))


@words.register(wrong.TooManyPending)
def too_many_pending(problem: wrong.TooManyPending) -> Words:
    """Say how many pending pods a simulation begins with."""
    said = ngettext(
        "%(found)s pod is pending in the cluster. A simulation begins with at most %(most)s.",
        "%(found)s pods are pending in the cluster. A simulation begins with at most %(most)s.",
        problem.found,
    ) % {"found": grouped(problem.found), "most": grouped(problem.most)}
    return Words(said, _("Begin with a smaller cluster."))


@words.register(wrong.EmptyTrace)
def empty_trace(problem: wrong.EmptyTrace) -> Words:
    """Say that a trace has no pods."""
    return Words(_("The trace has no pods."), _("Write the rows of its list of pods."))


# -- policies ----------------------------------------------------------------------------------------------------------


@words.register(wrong.NotThisKind)
def not_this_kind(problem: wrong.NotThisKind) -> Words:
    """Say of which kind the manifest should be."""
    said = _("%(found)s is not %(kind)s.") % {"found": problem.found, "kind": problem.kind_of_object}
    return Words(said, _("Write the manifest of a %(kind)s.") % {"kind": problem.kind_of_object})


@words.register(wrong.NoSuchBudget)
def no_such_budget(problem: wrong.NoSuchBudget) -> Words:
    """Say that the namespace has no such budget, and which it has."""
    said = _("There is no disruption budget %(budget)s.") % {"budget": problem.budget}
    if not problem.known:
        return Words(said, _("The namespace has no disruption budget."))
    return Words(said, _("The namespace has %(names)s.") % {"names": _few(problem.known, problem.total)})


def _few(known: tuple[str, ...], total: int) -> str:
    return first_of(known, total=total, most=_MOST_NAMED)

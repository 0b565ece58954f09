"""What can be wrong with a change: how it is written, and what it names that the cluster has not got.

Names that there are instead are the first few in ``known``, of ``total``.
"""

from __future__ import annotations

from clusters.engine.problems import FirstOf, OneOf, Problem, message, plural


class NotATaintName(Problem, kind="NotATaintName"):
    """Neither the key of a taint nor a key with an effect."""

    sentence = message("%(found)s does not name a taint.")
    remedy = message("Write its key, or its key and effect: old:NoSchedule.")

    found: str


class MoreThanAnyNode(Problem, kind="MoreThanAnyNode"):
    """An amount of a resource that no node has."""

    sentence = message("%(found)s is more than any node has.")
    remedy = message("Write an amount such as 4 or 16Gi.")

    found: str


class UnreadableSelector(Problem, kind="UnreadableSelector"):
    """A label selector that cannot be read from a character on, counted from 1."""

    sentence = message("It cannot be read from character %(character)s on.")
    remedy = message("Write a label selector such as pool=spot,tier in (a,b),!old.")

    character: int


# -- nodes -------------------------------------------------------------------------------------------------------------


class NoNodesChosen(Problem, kind="NoNodesChosen"):
    """A change to nodes that says nothing of which ones."""

    sentence = message("No node is named.")
    remedy = message("Write one of nodes (a list of names), selector (such as pool=spot) and zone.")


class NodesChosenTwice(Problem, kind="NodesChosenTwice"):
    """A change to nodes that chooses them in several ways, by these fields."""

    sentence = message("The nodes are chosen by %(fields)s.")
    remedy = message("Write only one of nodes (a list of names), selector (such as pool=spot) and zone.")

    fields: tuple[str, ...]


class NoSuchNode(Problem, kind="NoSuchNode"):
    """A node that the cluster has not got."""

    sentence = message("There is no node %(node)s.")
    remedy = (message("The cluster has %(known)s."), message("The cluster has no nodes: add some first."))

    node: str
    known: FirstOf
    total: int


class NoSuchZone(Problem, kind="NoSuchZone"):
    """A zone that no node is in."""

    sentence = message("There is no node in a zone %(zone)s.")
    remedy = (
        message("The cluster has the zones %(known)s."),
        message("No node has the label topology.kubernetes.io/zone."),
    )

    zone: str
    known: FirstOf
    total: int


class NoSuchContainer(Problem, kind="NoSuchContainer"):
    """A container that no pod of the workload runs."""

    sentence = message("No pod of the workload runs a container %(container)s.")
    remedy = message("They run %(known)s.")

    container: str
    known: FirstOf
    total: int


class NoNodeSelected(Problem, kind="NoNodeSelected"):
    """A label selector that matches no node."""

    sentence = message("The label selector %(selector)s matches no node.")
    remedy = message("Look at the labels of the nodes, or name nodes.")

    selector: str


class NoLabels(Problem, kind="NoLabels"):
    """A change of labels that names none."""

    sentence = message("No label is named.")
    remedy = message("Write one label at least; null removes it.")


class NoTaints(Problem, kind="NoTaints"):
    """A change of taints that names none."""

    sentence = message("No taint is named.")
    remedy = message("Write one taint at least, in taints or in remove.")


class LikeAndSize(Problem, kind="LikeAndSize"):
    """Nodes that are to be like another one and of another size at the same time."""

    sentence = message("The nodes are already like another node.")
    remedy = message("Write like, or cpu and memory, not both.")


class NodeExists(Problem, kind="NodeExists"):
    """A node of this name is there already."""

    sentence = message("There is already a node %(node)s.")
    remedy = message("Give the new nodes another prefix.")

    node: str


class TooManyNodes(Problem, kind="TooManyNodes"):
    """The cluster would have more than ``most`` nodes."""

    sentence = message("The cluster would have more than %(most)s nodes.")
    remedy = message("Add fewer nodes.")

    most: int


# -- workloads and pods ------------------------------------------------------------------------------------------------


class NotAWorkload(Problem, kind="NotAWorkload"):
    """An object that another change adds."""

    sentence = message("A %(kind_of_object)s is not a workload.")
    remedy = message("Use the change %(change)s.")

    kind_of_object: str
    change: str


class ScaledTwice(Problem, kind="ScaledTwice"):
    """A workload is to have so many replicas, and so many more."""

    sentence = message("It has both replicas and by.")
    remedy = message("Write replicas (how many in all) or by (how many more).")


class NotScaled(Problem, kind="NotScaled"):
    """A change of replicas that says nothing of how many."""

    sentence = message("It has neither replicas nor by.")
    remedy = message("Write replicas (how many in all) or by (how many more).")


class NoPodToCopy(Problem, kind="NoPodToCopy"):
    """A workload that has no pod after which more could be made."""

    sentence = message("%(workload)s has no pod that new ones could be copied from.")
    remedy = message("Add it by its manifest with the change add-workload.")

    workload: str


class NoSuchWorkload(Problem, kind="NoSuchWorkload"):
    """A workload that the cluster has not got; ``known`` are those of its kind in its namespace."""

    sentence = message("There is no %(workload)s.")
    remedy = (message("The namespace has %(known)s."), message("The namespace has no %(kind_of_object)s with pods."))

    workload: str
    kind_of_object: str
    known: FirstOf
    total: int


class NoSuchProfile(Problem, kind="NoSuchProfile"):
    """A scheduler name that no profile of the configuration has."""

    sentence = message("No profile of the scheduler configuration is named %(scheduler)s.")
    remedy = message("Write %(known)s.")

    scheduler: str
    known: OneOf


class PodExists(Problem, kind="PodExists"):
    """A pod of this name is there already."""

    sentence = message("There is already a pod %(pod)s.")
    remedy = message("Give the new pod another name.")

    pod: str


class TooManyWanted(Problem, kind="TooManyWanted"):
    """More than ``most`` pods would be placed."""

    sentence = message("More than %(most)s pods would be placed.")
    remedy = message("Add fewer pods, or split the question into several simulations.")

    most: int


class TooManyPending(Problem, kind="TooManyPending"):
    """A cluster with more pending pods than a simulation takes."""

    sentence = plural(
        "%(found)s pod is pending in the cluster. A simulation begins with at most %(most)s.",
        "%(found)s pods are pending in the cluster. A simulation begins with at most %(most)s.",
        by="found",
    )
    remedy = message("Begin with a smaller cluster.")

    found: int
    most: int


class EmptyTrace(Problem, kind="EmptyTrace"):
    """A trace without pods."""

    sentence = message("The trace has no pods.")
    remedy = message("Write the rows of its list of pods.")


# -- policies ----------------------------------------------------------------------------------------------------------


class NotThisKind(Problem, kind="NotThisKind"):
    """A manifest of another kind than the change is about."""

    sentence = message("%(found)s is not %(kind_of_object)s.")
    remedy = message("Write the manifest of a %(kind_of_object)s.")

    found: str
    kind_of_object: str


class NoSuchBudget(Problem, kind="NoSuchBudget"):
    """A disruption budget that the namespace has not got."""

    sentence = message("There is no disruption budget %(budget)s.")
    remedy = (message("The namespace has %(known)s."), message("The namespace has no disruption budget."))

    budget: str
    known: FirstOf
    total: int

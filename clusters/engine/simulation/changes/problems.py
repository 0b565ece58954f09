"""What can be wrong with a change: how it is written, and what it names that the cluster has not got.

Names that there are instead are the first few in ``known``, of ``total``.
"""

from __future__ import annotations

from clusters.engine.problems import FirstOf, Problem, message


class MoreThanAnyNode(Problem, kind="MoreThanAnyNode"):
    sentence = message("%(found)s is more than any node has.")
    remedy = message("Write an amount such as 4 or 16Gi.")

    found: str


class UnreadableSelector(Problem, kind="UnreadableSelector"):
    """A label selector that cannot be read from a character on, counted from 1."""

    sentence = message("It cannot be read from character %(character)s on.")
    remedy = message("Write a selector such as pool=spot,tier in (a,b),!old.")

    character: int


# -- nodes -------------------------------------------------------------------------------------------------------------


class NoSuchNode(Problem, kind="NoSuchNode"):
    sentence = message("There is no node %(node)s.")
    remedy = (message("Choose %(known)s."), message("There are none."))

    node: str
    known: FirstOf
    total: int


class NoNodeSelected(Problem, kind="NoNodeSelected"):
    sentence = message("No node matches %(selector)s.")
    remedy = message("Check the labels of the nodes.")

    selector: str


class LikeAndSize(Problem, kind="LikeAndSize"):
    sentence = message("like excludes cpu and memory.")
    remedy = message("Write one of the two.")


# -- workloads and pods ------------------------------------------------------------------------------------------------


class NotAWorkload(Problem, kind="NotAWorkload"):
    sentence = message("A %(kind_of_object)s is not a workload.")
    remedy = message("Use the change %(change)s.")

    kind_of_object: str
    change: str


class NoPodToCopy(Problem, kind="NoPodToCopy"):
    sentence = message("%(workload)s has no pod to copy.")
    remedy = message("Add it by its manifest (add-workload).")

    workload: str


class TooManyPending(Problem, kind="TooManyPending"):
    sentence = message("%(found)s pods are pending, more than %(most)s.")
    remedy = message("Begin with a smaller cluster.")

    found: int
    most: int


# -- policies ----------------------------------------------------------------------------------------------------------


class NotThisKind(Problem, kind="NotThisKind"):
    sentence = message("%(found)s is not %(kind_of_object)s.")
    remedy = message("Write a manifest of %(kind_of_object)s.")

    found: str
    kind_of_object: str

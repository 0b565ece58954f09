"""What can be wrong with a change: how it is written, and what it names that the cluster has not got.

Names that there are instead are the first few in ``known``, of ``total``.
"""

from __future__ import annotations

from clusters.engine.problems import Problem, message


class UnreadableSelector(Problem, kind="UnreadableSelector"):
    """A label selector that cannot be read from a character on, counted from 1."""

    sentence = message("It cannot be read from character %(character)s on.")
    remedy = message("Write such as pool=spot,tier in (a,b),!old.")

    character: int


# -- nodes -------------------------------------------------------------------------------------------------------------


class NoNodeSelected(Problem, kind="NoNodeSelected"):
    sentence = message("No node matches %(selector)s.")
    remedy = message("Check the labels of the nodes.")

    selector: str


# -- workloads and pods ------------------------------------------------------------------------------------------------


class NotAWorkload(Problem, kind="NotAWorkload"):
    sentence = message("A %(kind_of_object)s is not a workload.")
    remedy = message("Use the change %(change)s.")

    kind_of_object: str
    change: str


class TooManyPending(Problem, kind="TooManyPending"):
    sentence = message("%(found)s pods are pending, more than %(most)s.")
    remedy = message("Begin with a smaller cluster.")

    found: int
    most: int


# -- policies ----------------------------------------------------------------------------------------------------------

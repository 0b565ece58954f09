"""Where a search for nodes began and which nodes it looked at, as far as the decisions before it tell."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.wording.amounts import grouped
from clusters.wording.messages import plural

AGREES_BY_SEARCH = plural(
    "Berth agrees: %(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s), but the scheduler "
    "stops looking after %(wanted)s feasible node, and by where its searches before ended, %(node)s is the best "
    "that it found.",
    "Berth agrees: %(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s), but the scheduler "
    "stops looking after %(wanted)s feasible nodes, and by where its searches before ended, %(node)s is the best "
    "that it found.",
    by="wanted",
)
FROM_ANYWHERE = plural(
    "Where its search of %(nodes)s node began is not known: too few decisions before it were observed.",
    "Where its search of %(nodes)s nodes began is not known: too few decisions before it were observed.",
    by="nodes",
)
IN_NO_PROVED_ORDER = plural(
    "Where its search of %(nodes)s node began is not known: the decisions before it do not prove in which order "
    "the scheduler has the nodes.",
    "Where its search of %(nodes)s nodes began is not known: the decisions before it do not prove in which order "
    "the scheduler has the nodes.",
    by="nodes",
)
FROM_ELSEWHERE = plural(
    "By the decisions before it, its search began in %(places)s of %(nodes)s places; the choice is not one that "
    "was to be expected from there. Decisions may have been missed, or written in another order than they were "
    "taken.",
    "By the decisions before it, its search began in one of %(places)s of %(nodes)s places; the choice is not one "
    "that was to be expected from any of them. Decisions may have been missed, or written in another order than "
    "they were taken.",
    by="places",
)


def began_at(node: str, *, likely: int, possibly: int, nodes: int) -> str:
    """Say at which node a search began, and how many it looked at."""
    values = {"node": node, "likely": grouped(likely), "possibly": grouped(possibly), "nodes": grouped(nodes)}
    if likely == possibly:
        return _("Its search began at %(node)s and looked at %(likely)s of %(nodes)s nodes.") % {
            "node": node,
            "likely": grouped(likely),
            "nodes": grouped(nodes),
        }
    return (
        _(
            "Its search began at %(node)s. It most likely looked at %(likely)s of %(nodes)s nodes, and at no more than "
            "%(possibly)s."
        )
        % values
    )


BEGAN_BETWEEN = plural(
    "By the decisions before it, its search began in %(places)s of %(nodes)s places, between %(first)s and "
    "%(last)s in the order of the search. It most likely looked at %(likely)s nodes, and at no more than "
    "%(possibly)s.",
    "By the decisions before it, its search began in one of %(places)s of %(nodes)s places, between %(first)s and "
    "%(last)s in the order of the search. It most likely looked at %(likely)s nodes, and at no more than "
    "%(possibly)s.",
    by="places",
)

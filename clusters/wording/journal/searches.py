"""Where a search for nodes began and which nodes it looked at, as far as the decisions before it tell."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped


def agrees_by_search(node: str, *, total: int, best: str, best_total: int, wanted: int) -> str:
    """Agree on a node that is the best of those that the search looked at; ``wanted`` feasible nodes ended it."""
    return ngettext(
        "Berth agrees: %(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s), but the scheduler "
        "stops looking after %(wanted)s feasible node, and by where its searches before ended, %(node)s is the best "
        "that it found.",
        "Berth agrees: %(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s), but the scheduler "
        "stops looking after %(wanted)s feasible nodes, and by where its searches before ended, %(node)s is the best "
        "that it found.",
        wanted,
    ) % {
        "best": best,
        "node": node,
        "best_total": grouped(best_total),
        "total": grouped(total),
        "wanted": grouped(wanted),
    }


def from_anywhere(nodes: int) -> str:
    """Say that nothing is known of where a search of so many nodes began."""
    return ngettext(
        "Where its search of %(nodes)s node began is not known: too few decisions before it were observed.",
        "Where its search of %(nodes)s nodes began is not known: too few decisions before it were observed.",
        nodes,
    ) % {"nodes": grouped(nodes)}


def in_no_proved_order(nodes: int) -> str:
    """Say that it is not known in which order a search of so many nodes takes them."""
    return ngettext(
        "Where its search of %(nodes)s node began is not known: the decisions before it do not prove in which order "
        "the scheduler has the nodes.",
        "Where its search of %(nodes)s nodes began is not known: the decisions before it do not prove in which order "
        "the scheduler has the nodes.",
        nodes,
    ) % {"nodes": grouped(nodes)}


def from_elsewhere(*, places: int, nodes: int) -> str:
    """Say that a search began elsewhere than the decisions before make likely."""
    return ngettext(
        "By the decisions before it, its search began in %(places)s of %(nodes)s places; the choice is not one that "
        "was to be expected from there. Decisions may have been missed, or written in another order than they were "
        "taken.",
        "By the decisions before it, its search began in one of %(places)s of %(nodes)s places; the choice is not one "
        "that was to be expected from any of them. Decisions may have been missed, or written in another order than "
        "they were taken.",
        places,
    ) % {"places": grouped(places), "nodes": grouped(nodes)}


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


def began_between(first: str, last: str, *, places: int, likely: int, possibly: int, nodes: int) -> str:
    """Say between which nodes a search began, and how many it looked at."""
    return ngettext(
        "By the decisions before it, its search began in %(places)s of %(nodes)s places, between %(first)s and "
        "%(last)s in the order of the search. It most likely looked at %(likely)s nodes, and at no more than "
        "%(possibly)s.",
        "By the decisions before it, its search began in one of %(places)s of %(nodes)s places, between %(first)s and "
        "%(last)s in the order of the search. It most likely looked at %(likely)s nodes, and at no more than "
        "%(possibly)s.",
        places,
    ) % {
        "places": grouped(places),
        "nodes": grouped(nodes),
        "first": first,
        "last": last,
        "likely": grouped(likely),
        "possibly": grouped(possibly),
    }

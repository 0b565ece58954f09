"""Cells of what others recorded, as texts: both sides, and what a cell is about."""

from __future__ import annotations

from clusters.services.observed import About, Nodes, NodesOf, RecordedFact, Said, Score, TotalWithoutExtenders, Unsaid
from clusters.wording.decisions import observed as words


def side_text(said: Said) -> str:
    """Write one side of a pair."""
    match said:
        case Unsaid():
            return str(words.UNSAID[said.value])
        case Score():
            return words.score(said.weighted, said.raw)
        case TotalWithoutExtenders():
            return words.total_without_extenders(said.total)
        case Nodes(chosen_fits=True):
            return words.fits_too(said.names)
        case Nodes():
            return words.nodes(said.names)
        case _:
            return str(said)


def about_text(about: About) -> str:
    """Name what a cell is about: a plugin, an extender, or a fact about the attempt."""
    match about:
        case RecordedFact():
            return str(words.FACTS[about.value])
        case NodesOf():
            return words.NODES_OF(plugin=about.plugin)
        case _:
            return about

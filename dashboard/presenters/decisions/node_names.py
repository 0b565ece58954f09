"""Nodes that somebody asks for by name, or by a part of it: which they are, and what to say where they are not one."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from clusters.wording.decisions import node_names as words
from dashboard.presenters.nodes.verdict import MOST_MATCHES, matches

if TYPE_CHECKING:
    from clusters.engine import Explanation

_NEAR = 5


@dataclass(frozen=True, slots=True)
class NamedNodes:
    """The nodes that a text may mean, at most `MOST_MATCHES`, and the sentence about them.

    `is_near` where no node has the text in its name, and these are spelled much like it.
    """

    names: tuple[str, ...]
    sentence: str
    is_near: bool = False


def offered_nodes(explanation: Explanation, asked: str) -> NamedNodes:
    """Return the nodes with a text in their name; the first of all nodes where it is empty."""
    every = matches(explanation, asked)
    names = tuple(every[:MOST_MATCHES])
    return NamedNodes(names, words.offered(asked, len(names), more=len(every) > MOST_MATCHES))


def named_nodes(explanation: Explanation, cluster: str, asked: str) -> NamedNodes:
    """Return the node of this name, or else those with the text in their name, or else those spelled much like it."""
    every = found(explanation, asked)
    names = tuple(every[:MOST_MATCHES])
    if len(every) > MOST_MATCHES:
        return NamedNodes(names, words.FIRST_MATCHES(nodes=len(names), asked=asked))
    if every:
        return NamedNodes(names, words.EVERY_MATCH(nodes=len(names), asked=asked))
    said, alike = words.WITHOUT_MATCH(cluster=cluster, asked=asked), tuple(near(explanation, asked))
    if alike:
        return NamedNodes(alike, f"{said} {words.SPELLED_ALIKE!s}", is_near=True)
    return NamedNodes((), said if explanation.node_count else f"{said} {words.WITHOUT_NODES!s}", is_near=True)


@dataclass(frozen=True, slots=True)
class Miss:
    """A text that is not the name of one node, in a form that compares two; `other` is that of the other field."""

    field: str
    other: str
    names: tuple[str, ...]
    sentence: str


def miss(explanation: Explanation, cluster: str, asked: str, field: str, other: str) -> Miss:
    """Present the nodes that may be meant by a text that names no single node."""
    alike = tuple((found(explanation, asked) or near(explanation, asked))[:MOST_MATCHES])
    return Miss(field, other, alike, words.not_one_node(cluster, asked, len(alike)))


def found(explanation: Explanation, asked: str) -> list[str]:
    """Return the node of this name, or else those with the text in their name, one more than are shown."""
    return [asked] if asked in explanation.snapshot.nodes.index else matches(explanation, asked)


def near(explanation: Explanation, asked: str) -> list[str]:
    """Return the names of nodes that are spelled much like a text."""
    return get_close_matches(asked, explanation.snapshot.nodes.names, _NEAR)

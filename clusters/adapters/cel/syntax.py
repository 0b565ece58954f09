"""The parts of which expressions are made; ``at`` is where each stands, as the scheduler's errors tell it."""

from __future__ import annotations

from typing import Any, NamedTuple


class Constant(NamedTuple):
    """A literal."""

    value: Any
    at: int


class Name(NamedTuple):
    """A variable or a type."""

    name: str
    at: int


class Field(NamedTuple):
    """``operand.name``; of a test the answer is whether it is there."""

    operand: Node
    name: str
    at: int
    is_test: bool = False
    is_optional: bool = False


class Call(NamedTuple):
    """A function of arguments, or a method of ``target``; operators are functions too."""

    name: str
    target: Node | None
    arguments: tuple[Node, ...]
    at: int


class Listing(NamedTuple):
    """``[items]``; ``optional`` has the places of those that may be none."""

    items: tuple[Node, ...]
    optional: frozenset[int]
    at: int


class Entry(NamedTuple):
    """One entry of a map."""

    key: Node
    value: Node
    is_optional: bool


class MapLiteral(NamedTuple):
    """``{entries}``."""

    entries: tuple[Entry, ...]
    at: int


class Macro(NamedTuple):
    """What is computed with variables of its own; ``condition`` says for which items, where it says so."""

    name: str
    target: Node
    variables: tuple[str, ...]
    body: Node
    at: int
    condition: Node | None = None


Node = Constant | Name | Field | Call | Listing | MapLiteral | Macro


def qualified(node: Node | None) -> str:
    """The dotted name that a part may be; empty where it is none."""
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Field) and not node.is_test and not node.is_optional:
        operand = qualified(node.operand)
        return f"{operand}.{node.name}" if operand else ""
    return ""

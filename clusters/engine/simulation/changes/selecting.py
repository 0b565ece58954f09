"""Label selectors as kubectl takes them on its command line: ``a=b,c in (d,e),!f``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clusters.engine.matching.selectors import LabelSelector, Operator, SelectorError
from clusters.engine.simulation.changes.problems import UnreadableSelector
from clusters.engine.simulation.problems import InvalidLabelSelector

if TYPE_CHECKING:
    from clusters.engine.simulation.changes.reading import ChangeFields

# Commas within parentheses do not separate.
_PART = re.compile(r"((?:[^,()]|\([^()]*\))+)(?:,|$)")
_IN = re.compile(r"(\S+)\s+(in|notin)\s*\(([^()]*)\)")
_EQUAL = re.compile(r"([^\s=!]+)\s*(==|=|!=)\s*([^\s=!]*)")
_EXISTS = re.compile(r"(!?)\s*([^\s=!()]+)")


class _UnreadableError(ValueError):
    """A text that is no selector from a character on, counted from 1."""

    def __init__(self, character: int) -> None:
        super().__init__(character)
        self.character = character


def read_selector(fields: ChangeFields, name: str) -> str:
    """A field that holds a selector as text. Raises ChangeError."""
    text = fields.text(name)
    try:
        selector_of(text)
    except _UnreadableError as error:
        raise fields.bad(name, UnreadableSelector(error.character)) from None
    except SelectorError as error:
        raise fields.bad(name, InvalidLabelSelector(error.faults[0].kubernetes)) from None
    return text


def selector_of(text: str) -> LabelSelector:
    """The selector that a text stands for. Raises ValueError for one that `read_selector` refuses."""
    expressions, end = [], 0
    while match := _PART.match(text, end):
        expression = _requirement(match[1].strip())
        if expression is None:
            break
        expressions.append(expression)
        end = match.end()
        if end == len(text) and not text.endswith(","):
            return LabelSelector.from_dict({"matchExpressions": expressions})
    raise _UnreadableError(end + 1)


def _requirement(text: str) -> dict[str, Any] | None:
    if match := _IN.fullmatch(text):
        operator = Operator.IN if match[2] == "in" else Operator.NOT_IN
        return {"key": match[1], "operator": operator.value, "values": [part.strip() for part in match[3].split(",")]}
    if match := _EQUAL.fullmatch(text):
        operator = Operator.NOT_IN if match[2] == "!=" else Operator.IN
        return {"key": match[1], "operator": operator.value, "values": [match[3]]}
    if match := _EXISTS.fullmatch(text):
        operator = Operator.DOES_NOT_EXIST if match[1] else Operator.EXISTS
        return {"key": match[2], "operator": operator.value}
    return None

"""On which line of a YAML or JSON text a field stands, for messages about it."""

from __future__ import annotations

import re
from typing import Final

import yaml

_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def line_of(text: str, path: str) -> int | None:
    """Return the line, from 1, of a field such as ``profiles[0].plugins.score``; None where nothing can be found.

    Of a field that is not there it is the line of what should hold it.
    """
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return None
    if node is None:
        return None
    line = node.start_mark.line
    for index, name in _STEP.findall(path):
        found = _item(node, int(index)) if index else _field(node, name)
        if found is None:
            break
        node, line = found
    return int(line) + 1


def _item(node: yaml.Node, index: int) -> tuple[yaml.Node, int] | None:
    if not isinstance(node, yaml.SequenceNode) or index >= len(node.value):
        return None
    item = node.value[index]
    return item, item.start_mark.line


def _field(node: yaml.Node, name: str) -> tuple[yaml.Node, int] | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value == name:
            return value, key.start_mark.line
    return None

"""CEL expressions over devices with other names: literals and attributes are replaced, everything else stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol

from clusters.problems.lessons import NamesReadInParts

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

_TOKEN: Final = re.compile(
    r"""(?P<text>[rR]?(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'))|(?P<word>[A-Za-z_]\w*)|(?P<space>\s+)|(?P<sign>.)""",
    re.DOTALL,
)
# Their arguments are versions, amounts and times, not names.
_OF_AMOUNTS: Final = frozenset({"semver", "isSemver", "quantity", "isQuantity", "duration", "timestamp"})
# Whatever reads a part of a text, or makes another one of it.
_OF_PARTS: Final = frozenset(
    {
        "startsWith",
        "endsWith",
        "contains",
        "matches",
        "find",
        "findAll",
        "split",
        "replace",
        "lowerAscii",
        "upperAscii",
        "substring",
        "charAt",
        "indexOf",
        "lastIndexOf",
        "trim",
        "join",
        "reverse",
        "format",
    }
)
_OF_A_DEVICE: Final = frozenset({"driver", "attributes", "capacity", "allowMultipleAllocations"})


class RenamesWord(Protocol):
    """Returns what stands in the place of a literal or an attribute of an expression."""

    def __call__(self, text: str, *, is_attribute: bool) -> str: ...


class NamesReadInPartsError(ValueError):
    """An expression reads parts of names, which would be others under other names."""

    def __init__(self, function: str) -> None:
        super().__init__(function)
        self.problem: Problem = NamesReadInParts(function)


def rewritten_expression(expression: str, rename: RenamesWord) -> str:
    """Return an expression with other names. Raises NamesReadInPartsError."""
    tokens = [(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(expression)]
    meant = [number for number, (kind, _) in enumerate(tokens) if kind != "space"]
    written = [text for _, text in tokens]
    for place, number in enumerate(meant):
        kind, text = tokens[number]
        before, after = _text_at(tokens, meant, place - 1), _text_at(tokens, meant, place + 1)
        if kind == "text" and not (before == "(" and _text_at(tokens, meant, place - 2) in _OF_AMOUNTS):
            quote = text[-1]
            inner = text.lstrip("rR")[1:-1]
            written[number] = f"{quote}{rename(inner, is_attribute=False)}{quote}"
        elif kind == "word" and before == ".":
            if after == "(" and text in _OF_PARTS:
                raise NamesReadInPartsError(text)
            if after != "(" and not (_text_at(tokens, meant, place - 2) == "device" and text in _OF_A_DEVICE):
                written[number] = rename(text, is_attribute=True)
    return "".join(written)


def _text_at(tokens: list[tuple[str, str]], meant: list[int], place: int) -> str:
    return tokens[meant[place]][1] if 0 <= place < len(meant) else ""

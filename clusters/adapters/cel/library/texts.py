"""Functions of texts, and regular expressions.

Upstream: ``ext/strings.go`` of ``cel-go`` v0.29.2, version 2, and ``k8s.io/apiserver/pkg/cel/library/regex.go``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.cel.library.formatting import formatted
from clusters.adapters.cel.signatures import Function, function, method
from clusters.adapters.cel.values import CelError, Scope, checked
from clusters.adapters.cel.writing import shown
from clusters.engine.devices import UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable

_LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_UPPER: Final = {to: ord(chr(to).upper()) for to in _LOWER.values()}
# What a regular expression may take, in bytes, and how many of its instructions cost one unit for a byte of the text.
_REGEX_MEMORY: Final = 1 << 20
_INSTRUCTIONS: Final = 40


# What Go takes for space.
_SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_QUOTES: Final = str.maketrans(
    {
        "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r",
        "\t": "\\t", "\v": "\\v", "\\": "\\\\", '"': '\\"',
    }
)  # fmt: skip


def _traversing(compute: Callable[..., Any], *, by: int = 0) -> Callable[..., Any]:
    """A function of texts that goes through one of them."""

    def computed(scope: Scope, *texts: Any) -> Any:
        scope.traverse(len(texts[by]) + 1)
        return compute(*texts)

    return computed


def _of_texts(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A method of texts that knows no other values."""

    def computed(scope: Scope, *values: Any) -> Any:
        return compute(scope, *(checked(each, str) for each in values))

    return computed


def _contains(scope: Scope, text: str, part: str) -> bool:
    scope.charge((len(text) // 10 + 1) * (len(part) // 10 + 1))
    return part in text


def _replace(scope: Scope, text: str, old: str, new: str, most: int = -1) -> str:
    scope.traverse(len(text) + 1, 2)
    count = text.count(old)
    if most >= 0:
        count = min(count, most)
    # The result is counted before it is built.
    scope.traverse(len(text) + count * max(len(new) - len(old), 0))
    return text.replace(old, new, count)


def _split(scope: Scope, text: str, separator: str, most: int = -1) -> list[str]:
    scope.traverse(len(text) + 1, 2)
    scope.charge(text.count(separator) + 1)
    if most == 0:
        return []
    if separator:
        return text.split(separator, most - 1 if most > 0 else -1)
    if 0 < most < len(text):
        return [*text[: most - 1], text[most - 1 :]]
    return list(text)


def _place(place: int) -> CelError:
    return CelError(f"index out of range: {place}")


def _char_at(scope: Scope, text: str, place: int) -> str:
    scope.traverse(len(text) + 1)
    if not 0 <= place <= len(text):
        raise _place(place)
    return text[place : place + 1]


def _index_of(scope: Scope, text: str, part: str, start: int = 0) -> int:
    _contains(scope, text, part)
    if start < 0:
        raise _place(start)
    return text.find(part, start) if part else min(start, len(text))


def _unbounded_index_of(scope: Scope, text: str, part: str, start: int = 0) -> int:
    """As before 1.37: where nothing is looked for, it is at the place from which on it is."""
    found = _index_of(scope, text, part, start)
    return found if part else start


def _last_index_of(scope: Scope, text: str, part: str, start: int | None = None) -> int:
    _contains(scope, text, part)
    size = len(text)
    if start is None:
        return text.rfind(part)
    if start < 0:
        raise _place(start)
    if not part:
        return min(start, size)
    return -1 if start >= size else text.rfind(part, 0, start + len(part))


def _unbounded_last_index_of(scope: Scope, text: str, part: str, start: int) -> int:
    found = _last_index_of(scope, text, part, start)
    return found if part else start


def _substring(scope: Scope, text: str, start: int, end: int | None = None) -> str:
    size = len(text)
    scope.traverse(size)
    last = size if end is None else end
    if end is not None and start > last:
        raise CelError(f"invalid substring range. start: {start}, end: {last}")
    for place in (start, last):
        if not 0 <= place <= size:
            raise _place(place)
    return text[start:last]


def _joined(scope: Scope, items: list[Any], separator: str = "") -> str:
    for each in items:
        if type(each) is not str:
            raise CelError(f"join: invalid input: {shown(each)}")
    # The result is counted before it is built.
    scope.traverse(sum(map(len, items)) + len(separator) * len(items) + 1, 2)
    return separator.join(items)


# -- regular expressions ---------------------------------------------------------------------------------------


def _searching(scope: Scope, text: str, pattern: str) -> Any:
    """A pattern that is about to be looked for in a text."""
    scope.charge(((len(text) + 1) // 10 + 1) * (len(pattern) // 4 + 1))
    found = _regular(pattern)
    scope.charge((len(text.encode()) + 1) * found.programsize // _INSTRUCTIONS)
    return found


def _matches(scope: Scope, text: str, pattern: str) -> bool:
    return _searching(scope, text, pattern).search(text) is not None


def _find(scope: Scope, text: str, pattern: str) -> str:
    found = _searching(scope, text, pattern).search(text)
    return "" if found is None else str(found[0])


def _find_all(scope: Scope, text: str, pattern: str, most: int = -1) -> list[str]:
    found: list[str] = []
    end = -1
    for each in _searching(scope, text, pattern).finditer(text):
        if len(found) == most:
            break
        # What is empty counts only apart from what was found before.
        if each.end() > each.start() or each.start() != end:
            scope.charge(3 + len(each[0]) // 10)
            found.append(each[0])
        end = each.end()
    return found


@lru_cache(maxsize=16)
def _regular(pattern: str) -> Any:
    """An expression of RE2, which takes a time that is linear in the text's."""
    import re2

    options = re2.Options()
    options.max_mem = _REGEX_MEMORY
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        # Go may know it, or have room for it.
        raise UnsupportedExpressionError("matches") from None
    finally:
        # It would keep 128 of them.
        re2.purge()


_TWO: Final = "string, string"
TEXTS: Final = (
    Function("lowerAscii", method("string", "string", _traversing(lambda text: text.translate(_LOWER)))),
    Function("upperAscii", method("string", "string", _traversing(lambda text: text.translate(_UPPER)))),
    Function("trim", method("string", "string", _traversing(lambda text: text.strip(_SPACE)))),
    Function("startsWith", method(_TWO, "bool", _of_texts(_traversing(str.startswith, by=1))), tells_types=False),
    Function("endsWith", method(_TWO, "bool", _of_texts(_traversing(str.endswith, by=1))), tells_types=False),
    Function("contains", method(_TWO, "bool", _of_texts(_contains)), tells_types=False),
    Function(
        "matches",
        method(_TWO, "bool", _of_texts(_matches)),
        function(_TWO, "bool", _of_texts(_matches)),
        tells_types=False,
    ),
    Function("charAt", method("string, int", "string", _char_at)),
    Function(
        "replace",
        method("string, string, string", "string", _replace),
        method("string, string, string, int", "string", _replace),
    ),
    Function("split", method(_TWO, "list(string)", _split), method("string, string, int", "list(string)", _split)),
    Function(
        "substring",
        method("string, int", "string", _substring),
        method("string, int, int", "string", _substring),
    ),
    Function("format", method("string, list(dyn)", "string", formatted)),
    Function("strings.quote", function("string", "string", _traversing(lambda text: f'"{text.translate(_QUOTES)}"'))),
    Function(
        "join",
        method("list(string)", "string", _joined),
        method("list(string), string", "string", _joined),
    ),
    Function("find", method(_TWO, "string", _find)),
    Function(
        "findAll", method(_TWO, "list(string)", _find_all), method("string, string, int", "list(string)", _find_all)
    ),
)
# Those that lists have, too; before 1.37 and from then on.
INDEXES: Final = (method(_TWO, "int", _index_of), method("string, string, int", "int", _index_of))
LAST_INDEXES: Final = (method(_TWO, "int", _last_index_of), method("string, string, int", "int", _last_index_of))
OLD_INDEXES: Final = (INDEXES[0], method("string, string, int", "int", _unbounded_index_of))
OLD_LAST_INDEXES: Final = (LAST_INDEXES[0], method("string, string, int", "int", _unbounded_last_index_of))

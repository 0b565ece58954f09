"""Reads messages from the source that declares them: what a translator is given, and how it is filled."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# By the name that the wording ring gives them: which arguments are texts to translate.
FUNCTIONS = {
    "_": ("text",),
    "gettext_lazy": ("text",),
    "ngettext": ("text", "plural", "count"),
    "pgettext": ("context", "text"),
    "pgettext_lazy": ("context", "text"),
    "ngettext_lazy": ("text", "plural", "name of the count"),
    "npgettext": ("context", "text", "plural", "count"),
    "message": ("text",),
    "plural": ("text", "plural"),
}
# Declarations: whatever calls them fills them.
DECLARATIONS = {"message", "plural"}
_PLACEHOLDER = re.compile(r"%\((\w*)\)s|%(.?)")
# A sentence counts alike in a template and in Python.
_VALUE = re.compile(r"{{ *(\w+) *}}")
_TRANSLATED = re.compile(
    r"""{%\s*translate\s+(["'])(.+?)\1|{%\s*blocktranslate\b[^%]*%}(.*?){%\s*(?:plural\s*%}|endblocktranslate)""",
    re.DOTALL,
)
_CALL = re.compile(rf"(?<![\w.])(?:{'|'.join(FUNCTIONS)})\(")
_LANGUAGE_IS_KNOWN_LATER = {"gettext_lazy", "pgettext_lazy", "ngettext_lazy", *DECLARATIONS}


class Message(NamedTuple):
    """A call of gettext: its line, texts (singular, then plural), and what is wrong with it."""

    line: int
    texts: tuple[str, ...]
    problems: tuple[str, ...]


def is_declaration(node: ast.AST) -> bool:
    """Tell whether a node declares a message."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DECLARATIONS


def is_message_call(node: ast.AST) -> bool:
    """Tell whether a node gives gettext a message."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS


def messages(source: str) -> Iterator[Message]:
    """Yield every message of a module."""
    # Most modules have none, and are not read any further.
    if not _CALL.search(source):
        return
    nodes = list(ast.walk(ast.parse(source)))
    filled_by = {
        id(node.left): node.right for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)
    }
    inside_functions: dict[int, dict[str, ast.Dict]] = {}
    for function in nodes:
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            dicts = _dicts(function)
            inside_functions |= {id(node): dicts for node in ast.walk(function)}
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            name = node.func.id
            problems = []
            if (id(node) not in inside_functions) != (name in _LANGUAGE_IS_KNOWN_LATER):
                problems.append("a function asks for the text itself, a constant for a lazy one")
            values = filled_by.get(id(node))
            is_named = isinstance(values, ast.Name)
            named = (
                inside_functions.get(id(node), {}).get(values.id, values) if isinstance(values, ast.Name) else values
            )
            yield _message(node, named, problems, shared=is_named)


def template_messages(source: str) -> Iterator[str]:
    """Yield every text that a template marks, of plurals the singular; placeholders stand as they do in Python."""
    for _, text, block in _TRANSLATED.findall(source):
        yield " ".join(_VALUE.sub(r"%(\1)s", text or block).split())


def _dicts(function: ast.AST) -> dict[str, ast.Dict]:
    """Return the dicts that a function writes down once and fills several messages with, by their names."""
    return {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Dict)
    }


def _message(call: ast.Call, values: ast.expr | None, problems: list[str], *, shared: bool) -> Message:
    assert isinstance(call.func, ast.Name)
    arguments = dict(zip(FUNCTIONS[call.func.id], call.args, strict=False))
    texts = []
    for role in ("context", "text", "plural"):
        argument = arguments.get(role)
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            if role != "context":
                texts.append(argument.value)
        elif argument is not None:
            problems.append(f"the {role} is no literal, so nobody can collect it")
    is_lazy = call.func.id in _LANGUAGE_IS_KNOWN_LATER
    is_declared = call.func.id in DECLARATIONS
    named = [_placeholders(text, filled=is_declared or values is not None) for text in texts]
    if None in named:
        problems.append("placeholders are written %(name)s, and a percent sign in a message with them %%")
    elif len(set(map(frozenset, filter(None, named)))) > 1 or (any(named) and not all(named)):
        problems.append("singular and plural have different placeholders")
    elif texts and not (is_lazy and values is None):
        # A constant is filled by the function that takes it from its table.
        problems.extend(_filling(named[0] or set(), values, shared=shared))
    return Message(call.lineno, tuple(texts), tuple(problems))


def _placeholders(text: str, *, filled: bool) -> set[str] | None:
    """Return the names of placeholders, None where there is one without a name."""
    found = [(match[1], match[2]) for match in _PLACEHOLDER.finditer(text)]
    if not filled and not any(name for name, _ in found):
        return set()
    if any(not name and other != "%" for name, other in found):
        return None
    return {name for name, _ in found if name}


def _filling(names: set[str], values: ast.expr | None, *, shared: bool) -> Iterator[str]:
    """Yield what is wrong with the values that a message is filled with; shared ones may be more than it needs."""
    if values is None:
        if names:
            yield f"nothing fills {', '.join(sorted(names))}: write % and a dict after the message"
        return
    if not isinstance(values, ast.Dict):
        yield "a message is filled with a dict, written there or once in the function"
        return
    keys = {key.value for key in values.keys if isinstance(key, ast.Constant)}
    if names - keys or (keys - names and not shared) or len(values.keys) != len(keys):
        given, wanted = ", ".join(sorted(map(str, keys))) or "nothing", ", ".join(sorted(names)) or "nothing"
        yield f"it is filled with {given}, and has placeholders for {wanted}"

"""Finds sentences in Python source: what people read belongs to the wording ring, as translatable messages."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.messages import is_declaration, is_message_call

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDING = "clusters/wording"
# The headings of tables stand with their columns, as messages.
TABLES = "dashboard/tables"
# Where a sentence is one too many, and in the wording ring one that cannot be translated.
ROOMS = (
    "clusters/adapters", "clusters/demo", "clusters/documents", "clusters/engine", "clusters/management",
    "clusters/models", "clusters/problems", "clusters/services", "clusters/tasks.py", WORDING, "dashboard", TABLES,
)  # fmt: skip
# Here anything put together of words is one too many as well: what it makes is printed.
PRINTED = frozenset({WORDING, TABLES, "clusters/management"})
# Files without a sentence of Berth's own, and files for which sentences are not.
EXEMPT = {
    "clusters/adapters/cel": "quotes cel-go",
    "clusters/adapters/observed.py": "quotes kube-scheduler's log",
    "clusters/demo": "a cluster's objects and events are data; what each is there for is a note for developers",
    "clusters/engine/status.py": "quotes kube-scheduler",
    "clusters/engine/volumes.py": "quotes kube-scheduler",
    "clusters/engine/selectors.py": "quotes Kubernetes' validation",
    "clusters/adapters/schema/checking.py": "names kinds and API groups",
    "clusters/models/migrations": "history, which is not rewritten",
    "dashboard/access/rules.py": "a table of the names of addresses",
    "dashboard/datadir.py": "errors for whoever installs Berth",
    "dashboard/env.py": "errors for whoever installs Berth",
    "dashboard/presenters/dump_command.py": "writes commands for a shell",
    "dashboard/migrations": "history, which is not rewritten",
    "dashboard/settings.py": "read by whoever installs Berth",
}
# What files quote beside sentences of their own: one message a line, with x where it shows a value.
QUOTED = Path(__file__).parent.parent / "data" / "quoted_messages.txt"
_LEAST_WORDS = 3
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]+[,.;:?!]?$")
_CODE = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|ALTER|DROP|SET|FROM|AND|OR)\b|.*[<{}\\|]")
# Errors for developers: the arguments of what is raised, and log records.
_DEVELOPERS = {
    "ValueError", "TypeError", "LookupError", "KeyError", "IndexError", "AttributeError", "RuntimeError",
    "AssertionError", "NotImplementedError", "OverflowError", "ImproperlyConfigured", "ConnectionError",
    "LeaseLostError", "NotAdmittedError", "RejectedError", "UnreachableError",
}  # fmt: skip
_LOGGING = {"debug", "info", "warning", "error", "exception", "critical", "log"}
_LOGGERS = {"log", "logger", "_log", "_logger", "logging"}
# Help of commands and of metrics, and descriptions of the API's fields, are documentation, as docstrings are.
_DOCUMENTATION = {"description", "documentation", "epilog", "help", "summary"}
# The name of a thread or of an asyncio task is for debuggers.
_NAMED_FOR_DEVELOPERS = {"Thread", "create_task"}
# The name of a cache, and what failures are noted about, are for the log; a column of a file has one name everywhere.
_NAMED_FIRST = {"Cache", "attempted", "_note", "FileColumn"}


# More than half of all nodes, which hold no text.
_WORDLESS = (ast.Name, ast.alias, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)


def sentences(source: str, *, wording: bool = False) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string that reads like a sentence: three words or more, most of them prose.

    Values that a string shows read as x. Left out are docstrings, errors for developers, log records, help of commands,
    regular expressions, SQL, the values of enumerations and Literals, which programs go by, and messages that are
    declared. In the wording ring what gettext is given is left out too, and any f-string with words counts, as in
    commands.
    """
    yield from _inside(ast.parse(source), wording=wording)


def sentences_by_file(root: Path) -> dict[str, int]:
    """Return how many sentences each file has that should have none, by its path below ``root``."""
    quoted, counts = frozenset(QUOTED.read_text(encoding="utf-8").splitlines()), {}
    for room in ROOMS:
        top = root / room
        for path in [top] if top.is_file() else sorted(top.rglob("*.py")):
            name = path.relative_to(root).as_posix()
            if room == "dashboard" and name.startswith(TABLES):
                continue
            if not any(name == exempt or name.startswith(f"{exempt}/") for exempt in EXEMPT):
                found = sentences(path.read_text(encoding="utf-8"), wording=room in PRINTED)
                counts[name] = sum(text.strip() not in quoted for _, text in found)
    return {name: count for name, count in sorted(counts.items()) if count}


def _inside(node: ast.AST, *, wording: bool) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Constant | ast.JoinedStr):
        text = _text(node)
        if _is_sentence(text) or (wording and isinstance(node, ast.JoinedStr) and _has_words(node)):
            yield node.lineno, text
    if (
        isinstance(node, ast.Constant)
        or _for_developers(node)
        or is_declaration(node)
        or (wording and is_message_call(node))
    ):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _WORDLESS) or (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            continue
        if isinstance(child, ast.keyword) and (child.arg in _DOCUMENTATION or _names_thread(node, child)):
            continue
        if isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant):
            continue
        if _is_name(node, child) or _is_value_of_enumeration(node, child):
            continue
        yield from _inside(child, wording=wording)


def _for_developers(node: ast.AST) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _DEVELOPERS
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name == "help" or name.endswith("_COLUMNS")
        case ast.Subscript(value=ast.Name(id="Literal")):
            return True
        case ast.Call(func=ast.Attribute(attr=attribute, value=ast.Name(id=owner))):
            patterns = owner == "re" or (owner, attribute) == ("warnings", "filterwarnings")
            return patterns or (attribute in _LOGGING and owner in _LOGGERS)
        case _:
            return False


def _is_name(call: ast.AST, argument: ast.AST) -> bool:
    match call:
        case (
            ast.Call(func=ast.Name(id=called), args=[first, *_])
            | ast.Call(func=ast.Subscript(value=ast.Name(id=called)), args=[first, *_])
            | ast.Call(func=ast.Attribute(attr=called), args=[first, *_])
        ):
            return argument is first and called in _NAMED_FIRST
        case _:
            return False


def _is_value_of_enumeration(owner: ast.AST, member: ast.AST) -> bool:
    match owner, member:
        case ast.ClassDef(bases=[ast.Name(id=base) | ast.Attribute(attr=base)]), ast.Assign(value=ast.Constant()):
            return base in {"Enum", "StrEnum"}
        case _:
            return False


def _names_thread(call: ast.AST, argument: ast.keyword) -> bool:
    match call:
        case ast.Call(func=ast.Attribute(attr=made)):
            return argument.arg == "name" and made in _NAMED_FOR_DEVELOPERS
        case _:
            return False


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) if isinstance(part, ast.Constant) else "x" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _has_words(node: ast.JoinedStr) -> bool:
    said = "".join(_text(part) for part in node.values)
    return re.search(r" [A-Za-z]{2}|[A-Za-z]{2} ", said) is not None


def _is_sentence(text: str) -> bool:
    if _CODE.match(text):
        return False
    words = text.split()
    prose = [word for word in words if _WORD.match(word) and word[1:].islower()]
    return len(words) >= _LEAST_WORDS and len(prose) * 2 >= len(words)

"""Finds text in templates that is not marked for translation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent

# Read in every language as they are: names, and units of them.
NAMES = frozenset({"Berth", "CPU", "CSV", "YAML", "JSON", "PDF", "API", "maxSkew", "kube-scheduler", "Kubernetes"})

_INSERTED = r"\{%.*?%\}|\{\{.*?\}\}"
# What a template is made of, in the order in which it is looked for.
_TOKEN = re.compile(
    r"(?P<comment>\{#.*?#\}|<!.*?>)|(?P<tag>\{%.*?%\})|(?P<value>\{\{.*?\}\})"
    rf"|(?P<element></?[a-zA-Z](?:{_INSERTED}|\"(?:{_INSERTED}|[^\"])*\"|[^>\"])*>)"
    r"|(?P<text>(?:(?!\{%|\{\{|\{#|<).)+|<)",
    re.DOTALL,
)
# Attributes of elements and arguments of our components that people read.
_ATTRIBUTE = re.compile(rf"\s(?:aria-label|title|placeholder|alt|data-column)=\"((?:{_INSERTED}|[^\"])*)\"", re.DOTALL)
_ARGUMENT = re.compile(r"\b(?:title|text|caption|subtitle|label|action_label|head)=\"([^\"]*)\"(?!\|pod_state)")
_NO_TEXT = re.compile(rf"\{{% blocktranslate\b.*?endblocktranslate %\}}|{_INSERTED}|&#?\w+;", re.DOTALL)
_WORD = re.compile(r"[A-Za-z]{2,}")
# Between these nothing is read by people, or it is one message.
_CLOSED_BY = {"blocktranslate": "endblocktranslate", "comment": "endcomment", "verbatim": "endverbatim"}
# What stands in these is a program, or quoted.
_QUOTING = re.compile(r"</?(?:script|style|code|pre|kbd)\b")


def unmarked(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each piece of a template that people read and that gettext is not given."""
    until, quoting = "", 0
    for found in _TOKEN.finditer(source):
        kind, token, texts = found.lastgroup, found.group(), []
        if kind == "tag":
            name = token[2:-2].split()[0]
            if until:
                until = "" if name == until else until
                continue
            until = _CLOSED_BY.get(name, "")
            texts = _ARGUMENT.findall(token) if name in ("include", "component") else []
        elif until:
            continue
        elif kind == "element":
            if _QUOTING.match(token):
                quoting += -1 if token.startswith("</") else 1
            texts = _ATTRIBUTE.findall(token)
        elif kind == "text" and not quoting:
            texts = [token]
        for text in texts:
            said = _NO_TEXT.sub(" ", text).strip()
            if _WORD.search(said) and said.strip("· ") not in NAMES:
                yield source.count("\n", 0, found.start()) + 1, said


def unmarked_of_templates() -> list[str]:
    """Return all such pieces of all templates, each with its file and line."""
    return [
        f"{path.relative_to(ROOT).as_posix()}:{line}: {text}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for line, text in unmarked(path.read_text(encoding="utf-8"))
    ]

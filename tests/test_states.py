"""Each state of a pod and each verdict on a node has one name, which stands in one file."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.template import Context, Template

from clusters.wording import states
from tests.support.messages import is_message_call
from tests.support.sentences import WORDING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = settings.BASE_DIR
STATES = ROOT / WORDING / "states.py"
# Contexts of the messages of that file which name such states.
NAMED = ("state of a pod", "verdict on a node")
# The same words for something else: states of other work, which say so by their context, and headings of templates.
ELSEWHERE = re.compile(r"state of a (?:review|simulation|node)|state of an index|state of reading a dump")
HEADINGS = {
    "templates/nodes/list.html": "No nodes",
    "templates/nodes/_results.html": "No nodes",
    "templates/runs/run.html": "Uncertain",
}
_IN_TEMPLATES = re.compile(
    r"""\btranslate\s+(["'])(?P<tag>.*?)\1|\b_\((["'])(?P<call>.*?)\3\)"""
    r"|\{%\s*blocktranslate[^%]*%\}(?P<block>.*?)\{%\s*endblocktranslate",
    re.DOTALL,
)


def calls(source: str) -> Iterator[tuple[str, str]]:
    """Yield context and text of each message of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and is_message_call(node):
            texts = [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
            context = texts.pop(0) if "pgettext" in ast.unparse(node.func) else ""
            context = next((ast.literal_eval(each.value) for each in node.keywords if each.arg == "context"), context)
            yield context, texts[0] if texts else ""


def texts_of(template: str) -> list[str]:
    return [str(found[found.lastgroup or 0]).strip() for found in _IN_TEMPLATES.finditer(template)]


@pytest.fixture(scope="module")
def names() -> set[str]:
    """The names of such states, as that file has them."""
    return {text for context, text in calls(STATES.read_text(encoding="utf-8")) if context in NAMED}


def test_states_are_named_in_one_file(names: set[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in sorted((ROOT / WORDING).rglob("*.py"))
        if path != STATES
        for context, text in calls(path.read_text(encoding="utf-8"))
        if context in NAMED or (text in names and not ELSEWHERE.match(context))
    ]

    assert len(names) > 20
    assert found == [], "take it from clusters/wording/states.py"


def test_templates_ask_for_the_names_of_states(names: set[str]) -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {text}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for text in texts_of(path.read_text(encoding="utf-8"))
        if text in names and HEADINGS.get(path.relative_to(ROOT).as_posix()) != text
    ]

    assert found == [], 'write {{ "pending"|pod_state }}'


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('{% translate "Pending" %}', "Pending"),
        ('{% include "x.html" with title=_("Pending") only %}', "Pending"),
        ("{% blocktranslate trimmed %} Pending {% endblocktranslate %}", "Pending"),
    ],
)
def test_a_name_in_a_template_is_found(source: str, text: str) -> None:
    assert texts_of(source) == [text]


@pytest.mark.parametrize("name", sorted(states.BY_NAME))
def test_a_template_shows_a_state_by_its_name(name: str) -> None:
    template = Template(f'{{% load components %}}{{{{ "{name}"|pod_state }}}}')

    assert template.render(Context()) == str(states.BY_NAME[name])

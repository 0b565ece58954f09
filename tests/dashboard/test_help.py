from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.engine.status import Code, Rejection, Status
from clusters.wording import sections as words
from clusters.wording.decisions.nodes import verdict_word
from clusters.wording.glossary import VERDICTS as EXPLAINED
from clusters.wording.states import VERDICT_WORDS
from dashboard.nav import GROUPS
from dashboard.pictures.tokens import PLUGIN_MARKS, PLUGIN_PATTERNS
from dashboard.pictures.verdict_map.spec import MARKS
from dashboard.presenters.decisions.page import verdict_token
from dashboard.presenters.shared.page import SECTION_KEYS, plugin_marks

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_every_section_has_a_key_of_its_own() -> None:
    assert [page for sections in GROUPS.values() for page in sections] == list(SECTION_KEYS) == list(words.SECTIONS)
    assert len(set(SECTION_KEYS.values())) == len(SECTION_KEYS)


def test_every_verdict_and_plugin_is_explained() -> None:
    assert [verdict for verdict, _ in EXPLAINED] == list(VERDICT_WORDS)
    marks = plugin_marks()
    assert [mark.name for mark in marks] == list(PLUGIN_PATTERNS)
    assert {mark.name: mark.mark for mark in marks if mark.mark} == {
        plugin: MARKS[mark] for plugin, mark in PLUGIN_MARKS.items()
    }
    # As the panel of a node calls them.
    for code in (Code.UNSCHEDULABLE, Code.UNRESOLVABLE):
        rejection = Rejection("NodeName", Status(code))
        assert verdict_word(rejection).startswith(str(VERDICT_WORDS[verdict_token(rejection)]))


def test_dialog_gets_the_content_and_everybody_else_a_page(signed_in_client: Client) -> None:
    page = signed_in_client.get("/help/").text
    content = signed_in_client.get("/help/", headers={"HX-Request": "true"}).text

    assert "<html" in page
    assert "<html" not in content
    assert "Several nodes share the highest score:" in page
    assert "Several nodes share the highest score:" in content

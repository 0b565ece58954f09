"""The catalogues of translations: complete in themselves, compiled as they stand, and nothing in them is a guess."""

from __future__ import annotations

import ast
import gettext
import re
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from tests.support.messages import FUNCTIONS, is_message_call, messages, template_messages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from babel.messages.catalog import Catalog, Message

LANGUAGES = sorted(path.name for path in (settings.BASE_DIR / "locale").iterdir() if path.is_dir())
PLUGIN_WORDS = settings.BASE_DIR / "clusters" / "wording" / "plugins"
# What can be wrong with a manifest, which learners write.
MANIFEST_WORDS = sorted(
    settings.BASE_DIR / "clusters" / f"{name}.py"
    for name in (
        "engine/admission/creation",
        "engine/admission/objects",
        "engine/admission/problems",
        "engine/problems",
        "engine/quantity",
        "engine/quotas",
    )
)
# A plugin's arguments are shown of clusters alone, in English.
ELSEWHERE = frozenset({"arguments", "argument_values"})
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}|</?\w+")


def folder(language: str) -> Path:
    path: Path = settings.BASE_DIR / "locale" / language / "LC_MESSAGES"
    return path


def catalogue(language: str) -> Catalog:
    with (folder(language) / "django.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def texts(message: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the texts of a message, and their translations."""
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    return tuple(map(str, ids)), tuple(map(str, strings))


def test_every_language_of_the_settings_has_a_catalogue() -> None:
    assert sorted(code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE) == LANGUAGES


def test_all_catalogues_translate_the_same_messages() -> None:
    first, *others = ({(message.context, texts(message)[0]) for message in catalogue(each)} for each in LANGUAGES)
    for other in others:
        assert other == first


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_is_translated_for_sure_and_fills_the_same_places(language: str) -> None:
    found = catalogue(language)
    wrong = []
    for message in found:
        ids, strings = texts(message)
        if not message.id:
            continue
        places = [set(PLACEHOLDER.findall(text)) for text in ids]
        is_whole = all(strings) and len(strings) == (found.num_plurals if len(ids) > 1 else 1)
        if message.fuzzy or not is_whole or any(set(PLACEHOLDER.findall(text)) not in places for text in strings):
            wrong.append(ids[0])
    assert wrong == []
    assert not found.obsolete


def said_of_nodes(module: Path) -> Iterator[tuple[str | None, str]]:
    """Yield the messages of a plugin's words, with their contexts, but for what only pages of clusters show."""
    calls: list[ast.AST] = [ast.parse(module.read_text(encoding="utf-8"))]
    while calls:
        node = calls.pop()
        if isinstance(node, ast.keyword) and node.arg in ELSEWHERE:
            continue
        calls += ast.iter_child_nodes(node)
        if is_message_call(node):
            assert isinstance(node, ast.Call)
            assert isinstance(node.func, ast.Name)
            given = dict(zip(FUNCTIONS[node.func.id], map(ast.literal_eval, node.args[:2]), strict=False))
            named = {each.arg: ast.literal_eval(each.value) for each in node.keywords}
            yield named.get("context", given.get("context")), given["text"]


@pytest.mark.parametrize(
    "module", [*sorted(PLUGIN_WORDS.glob("*.py")), *MANIFEST_WORDS], ids=lambda module: module.stem
)
def test_what_lessons_show_of_plugins_and_manifests_is_translated(module: Path) -> None:
    known = {(message.context, texts(message)[0][0]) for message in catalogue(LANGUAGES[0])}

    assert [message for message in said_of_nodes(module) if message not in known] == []


def test_what_the_pages_of_learners_and_classrooms_say_themselves_is_translated() -> None:
    known = {text for message in catalogue(LANGUAGES[0]) for text in texts(message)[0]}
    said = {
        text
        for room in ("lessons", "classrooms", "sandbox")
        for path in (settings.BASE_DIR / "templates" / room).rglob("*.html")
        for text in template_messages(path.read_text(encoding="utf-8"))
    }
    for path in (settings.BASE_DIR / "clusters/wording/lessons").rglob("*.py"):
        said |= {message.texts[0] for message in messages(path.read_text(encoding="utf-8"))}

    assert len(said) > 500
    # A right that administrators give.
    assert said - known == {"Can open classrooms"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    with (folder(language) / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    written: dict[object, str] = {}
    for message in catalogue(language):
        if not message.id:
            continue
        ids, strings = texts(message)
        key = f"{message.context}\x04{ids[0]}" if message.context else ids[0]
        written.update(
            {(key, number): text for number, text in enumerate(strings)} if len(ids) > 1 else {key: strings[0]}
        )
    assert {key: text for key, text in compiled.items() if key} == written, "msgfmt -o django.mo django.po"

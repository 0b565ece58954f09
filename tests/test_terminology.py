"""Translations name each thing by one word, in the lessons as in the catalogues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
import yaml
from babel.messages.pofile import read_po
from django.conf import settings

from clusters.services.lessons.library import built_in_files
from clusters.services.lessons.reading import text_file

if TYPE_CHECKING:
    from collections.abc import Iterator

# What somebody may write by mistake, and the word for it.
WRONG: Final = {
    "uk": {
        r"плагін": "втулок",
        r"\btaint(?!\))": "заплямованість",
        r"API-сервер": "сервер API",
        r"витісн": "випередження",
        r"ворота планування": "шлюзи планування",
        r"\bтерм(?!ін)": "умова",
        r"[Сс]планова|[Сс]планува": "заплановано, запланувати",
        r"ємніст|місткіст": "потужність",
        r"\w['’`´]\w": "U+02BC, as in Podʼа",
        r"\bPod[а-яіїє]|\b[Пп]од(?:а|у|и|ів|ом)\b": "Pod, Podʼа",
        r"\"": "«…»",
    },
    "id": {
        r"[Ss]erver API": "API server",
        r"\b[Tt]oleransi(nya)?\b": "toleration, menoleransi",
        r"[Pp]enyebaran|perseberan": "persebaran",
        r"[Kk]luster|\bcluster\b": "klaster",
        r"\bpod\b|\bnode\b": "Pod, Node",
        r"[Pp]enyaring\b|[Pp]emfilteran|[Pp]enskoran": "filter, penyaringan, penilaian",
        r"[Kk]ontroler": "pengontrol",
        r"scheduling gate": "gerbang penjadwalan",
        r"\bbita\b": "byte",
        r"[Aa]ntrian": "antrean",
        r"\"": "“…”",
    },
}
# Names in backticks, elements, and what is filled in.
NOT_READ: Final = re.compile(r"`[^`]*`|<[^>]*>|%\(\w+\)s|\{\w*\}")


def strings(value: object) -> Iterator[str]:
    """Yield every text of a document."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)
    elif value:
        yield str(value)


def texts(language: str) -> Iterator[tuple[str, str]]:
    """Yield all that is said in a language, each with where it is."""
    for name, lesson in built_in_files().items():
        for text in strings(yaml.safe_load(lesson.files[text_file(language)])):
            yield name, text
    with (settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        for message in read_po(file, locale=language):
            if message.id:
                yield from (("django.po", text) for text in strings(message.string))


@pytest.mark.parametrize("language", WRONG)
def test_each_thing_has_one_word(language: str) -> None:
    wrong = []
    for place, text in texts(language):
        said = NOT_READ.sub(" ", text)
        wrong += [
            f"{place}: {right}: {text[:120]}" for pattern, right in WRONG[language].items() if re.search(pattern, said)
        ]

    assert wrong == []

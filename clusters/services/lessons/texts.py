"""What a lesson says, language by language: the files of `texts/`, held against its steps."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

from clusters.adapters.bad_input import shown
from clusters.documents.lessons import LessonTextsManifest
from clusters.engine.lessons.lesson import LessonTexts, StepTexts
from clusters.problems.lessons import (
    NotALanguage,
    NoTexts,
    NotShownInTexts,
    StepWithoutTexts,
    TextsOfNoStep,
    UnknownPlaceholder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.documents.lessons import StepTextsManifest
    from clusters.services.lessons.documents import LessonDocuments

TEXTS: Final = "texts"
# Those in which lessons are shown.
LANGUAGES: Final = ("en", "id", "uk")
# What a text may have in braces, by the field that it is filled in.
ANSWER: Final = "answer"
_PLACEHOLDERS: Final[Mapping[str, tuple[str, ...]]] = {"reveal": (ANSWER,)}
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})?")
_NOT_SHOWN: Final = frozenset({"html_block", "html_inline", "image"})
_MARKDOWN: Final = MarkdownIt("commonmark")
_IN_BRACES: Final = re.compile(r"\{([A-Za-z_]\w*)\}")


def is_text_file(file: str) -> bool:
    """Whether a file of a lesson holds texts of a language."""
    return PurePosixPath(file).parts[0] == TEXTS


def text_file(language: str) -> str:
    """Return the file that holds the texts of a language."""
    return f"{TEXTS}/{language}.yaml"


def read_texts(documents: LessonDocuments, steps: Sequence[str]) -> dict[str, LessonTexts]:
    """Return the texts by language; what is wrong is noted."""
    found: dict[str, LessonTexts] = {}
    for file in filter(is_text_file, documents.files):
        language = PurePosixPath(file).stem
        if _LANGUAGE.fullmatch(language) is None or file != text_file(language):
            documents.fault(file, "", NotALanguage(shown(PurePosixPath(file).name)))
            continue
        manifest = documents.struct_in(file, LessonTextsManifest)
        if manifest is not None:
            _hold_against(documents, file, manifest, steps)
            texts = {name: _step_texts(each) for name, each in manifest.steps.items()}
            found[language] = LessonTexts(manifest.title, manifest.about, texts)
    if not any(map(is_text_file, documents.files)):
        documents.fault(text_file("en"), "", NoTexts())
    return found


def _hold_against(documents: LessonDocuments, file: str, manifest: LessonTextsManifest, steps: Sequence[str]) -> None:
    for step in steps:
        if step not in manifest.steps:
            documents.fault(file, "steps", StepWithoutTexts(step))
    for name, texts in manifest.steps.items():
        if name not in steps:
            close = get_close_matches(name[:80], steps, n=1)
            documents.fault(file, f"steps.{name}", TextsOfNoStep(shown(name), tuple(steps), close[0] if close else ""))
        for field, text in _fields(texts):
            known = _PLACEHOLDERS.get(field, ())
            for unknown in dict.fromkeys(each for each in _IN_BRACES.findall(text) if each not in known):
                documents.fault(file, f"steps.{name}.{field}", UnknownPlaceholder(unknown, known))
            for token in _not_shown(text):
                documents.fault(file, f"steps.{name}.{field}", NotShownInTexts(shown(token)))


def _not_shown(text: str) -> Iterator[str]:
    """Yield what of a text is HTML or an image."""
    for block in _MARKDOWN.parse(text):
        yield from (each.content for each in (block, *(block.children or ())) if each.type in _NOT_SHOWN)


def _fields(texts: StepTextsManifest) -> Iterator[tuple[str, str]]:
    yield from ((field, getattr(texts, field)) for field in ("title", "text", "ask", "reveal"))
    yield from ((f"hints[{number}]", hint) for number, hint in enumerate(texts.hints))
    yield from ((f"mistakes.{key}", hint) for key, hint in texts.mistakes.items())


def _step_texts(manifest: StepTextsManifest) -> StepTexts:
    return StepTexts(
        title=manifest.title,
        text=manifest.text,
        ask=manifest.ask,
        reveal=manifest.reveal,
        hints=manifest.hints,
        mistakes=manifest.mistakes,
    )

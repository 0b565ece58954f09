"""What learners send: an answer as JSON values, in the shape in which its kind of question is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms

from clusters.services.decisions.explain import MOST_BYTES
from clusters.services.lessons.reading import MOST_BYTES as MOST_BYTES_OF_LESSON
from clusters.wording.amounts import DECIMAL_MARK, size
from clusters.wording.lessons import answers as words, upload as lessons_words
from dashboard.lessons.presenters.questions import FITS, NO_NODE, AskView

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from django.core.files.uploadedfile import UploadedFile
    from django.http import QueryDict
    from django.utils.datastructures import MultiValueDict

# The names of fields; those of a map of answers are followed by what they are about.
ANSWER: Final = "answer"
EACH: Final = "each:"
# Other answers are names, or numbers with their unit.
_LONGEST: Final = 20_000
# What an answer to these questions needs; to others nothing can be the answer, too.
_NOTHING_GIVEN: Final = {
    "one": words.NOTHING_CHOSEN,
    "each": words.NOTHING_CHOSEN,
    "number": words.NO_NUMBER,
    "manifest": words.NO_MANIFEST,
}


class UnreadableFormError(ValueError):
    """A form that holds no answer; its text says so to the learner."""


def answer_in(posted: QueryDict, ask: AskView) -> Any:
    """Return the answer that a form holds. Raises UnreadableFormError for none, and for one that is too long."""
    given = draft_in(posted, ask)
    is_missing = not given if ask.widget == "each" else not posted.get(ANSWER, "").strip()
    if ask.widget in _NOTHING_GIVEN and is_missing:
        raise UnreadableFormError(str(_NOTHING_GIVEN[ask.widget]))
    if _size(given) > (MOST_BYTES if ask.widget == "manifest" else _LONGEST):
        raise UnreadableFormError(str(words.TOO_LONG))
    return given


def draft_in(posted: QueryDict, ask: AskView) -> Any:
    """Return what a form holds so far, as far as it goes."""
    match ask.widget:
        case "one":
            chosen = posted.get(ANSWER)
            return None if chosen == NO_NODE else chosen
        case "many" | "order":
            return posted.getlist(ANSWER)
        case "each":
            given = {name: posted.get(f"{EACH}{name}", "") for name, _ in ask.rows}
            return {subject: None if value == FITS else value for subject, value in given.items() if value}
        case "number":
            # As the language writes numbers; Kubernetes writes quantities with a point in every language.
            return _without_words(posted.get(ANSWER, "").strip(), ask.words).replace(str(DECIMAL_MARK), ".")
        case "manifest":
            return posted.get(ANSWER, "").replace("\r\n", "\n")


def _without_words(text: str, words_of_unit: Collection[str]) -> str:
    """Return a number without its unit as the page writes it, such as *2 pods*."""
    number = text.rstrip(f"{''.join(words_of_unit)} ")
    return number if text[len(number) :].strip() in words_of_unit else text


def is_drafted(posted: QueryDict, ask: AskView) -> bool:
    """Tell whether a form holds an answer to a question of which one thing is to be chosen."""
    return ask.widget != "one" or ANSWER in posted


def _size(given: Any) -> int:
    if isinstance(given, str):
        return len(given.encode())
    if isinstance(given, list):
        return sum(map(len, given))
    return sum(len(key) + len(value or "") for key, value in given.items()) if isinstance(given, dict) else 0


class LessonArchiveForm(forms.Form):
    """An archive; what is in it is for the services to read."""

    file = forms.FileField(
        label=lessons_words.ARCHIVE,
        allow_empty_file=True,
        error_messages={"required": lessons_words.ARCHIVE_MISSING},
        widget=forms.FileInput(
            attrs={"class": "form-control", "accept": ".zip,.tar.gz,.tgz,.tar", "aria-describedby": "id_file_helptext"}
        ),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, files: MultiValueDict[str, UploadedFile[Any]] | None = None
    ) -> None:
        super().__init__(data, files, label_suffix="")
        self.fields["file"].help_text = lessons_words.ARCHIVE_HINT(most=size(MOST_BYTES_OF_LESSON))

    @property
    def data_read(self) -> bytes:
        """The bytes of a valid form's file, as far as they are needed to tell that it is too large."""
        data: bytes = self.cleaned_data["file"].read(MOST_BYTES_OF_LESSON + 1)
        return data

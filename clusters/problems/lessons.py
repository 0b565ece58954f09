"""What can be wrong with lessons, with decisions that are made into them, and with sandboxes."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem

# What can be wrong with the files of a lesson.


@dataclass(frozen=True, slots=True)
class NotOfPattern(Problem):
    """A text that a regular expression does not match."""

    found: str
    pattern: str


@dataclass(frozen=True, slots=True)
class NotALesson(Problem):
    """A folder or an archive without the file that says what the lesson is; ``wanted`` is its name."""

    wanted: str


@dataclass(frozen=True, slots=True)
class NotALessonName(Problem):
    """A folder or an archive whose name cannot be the name of a lesson."""

    found: str


@dataclass(frozen=True, slots=True)
class NeitherFolderNorArchive(Problem):
    """A file that is no archive, where a lesson is expected."""


@dataclass(frozen=True, slots=True)
class ManyLessonFiles(Problem):
    """A lesson of more files than are read."""

    most: int


@dataclass(frozen=True, slots=True)
class LargeLesson(Problem):
    """A lesson whose files have more bytes together than are read."""

    most_bytes: int


@dataclass(frozen=True, slots=True)
class NoSuchLessonFile(Problem):
    """A step names a file that the lesson does not have; ``close`` is the one that is written most alike, if one is."""

    found: str
    known: tuple[str, ...]
    close: str = ""


@dataclass(frozen=True, slots=True)
class UnusedLessonFile(Problem):
    """A file of manifests that no step names."""


@dataclass(frozen=True, slots=True)
class FirstStepWithoutObjects(Problem):
    """The first step names no objects, and has no step before it."""


@dataclass(frozen=True, slots=True)
class StepNamedTwice(Problem):
    """Two steps of a lesson have one name."""

    found: str


@dataclass(frozen=True, slots=True)
class NotAnObjectReference(Problem):
    """Something else than a kind with a name, and the namespace between them where the kind has one."""

    found: str


@dataclass(frozen=True, slots=True)
class NotThere(Problem):
    """An object is named that the situation does not have; ``close`` is the one that is written most alike."""

    found: str
    close: str = ""


@dataclass(frozen=True, slots=True)
class KindNotInLessons(Problem):
    """An object of a kind that nothing in a lesson reads."""

    kind_name: str
    version: str


@dataclass(frozen=True, slots=True)
class CopiesOfOtherKind(Problem):
    """Copies are to be made of something else than a pod."""

    found: str


@dataclass(frozen=True, slots=True)
class ManyInSituation(Problem):
    """A situation of more objects of a kind than are taken."""

    kind_name: str
    found: int
    most: int


@dataclass(frozen=True, slots=True)
class NoTexts(Problem):
    """A lesson without texts in any language."""


@dataclass(frozen=True, slots=True)
class NotALanguage(Problem):
    """A file of texts whose name is no code of a language."""

    found: str


@dataclass(frozen=True, slots=True)
class LanguageMissing(Problem):
    """A lesson has no texts in a language in which lessons are shown."""

    language: str


@dataclass(frozen=True, slots=True)
class StepWithoutTexts(Problem):
    """The texts of a language lack a step."""

    step: str


@dataclass(frozen=True, slots=True)
class TextsOfNoStep(Problem):
    """The texts of a language name a step that the lesson does not have; ``close`` is the one written most alike."""

    found: str
    known: tuple[str, ...]
    close: str = ""


@dataclass(frozen=True, slots=True)
class UnknownPlaceholder(Problem):
    """A text has a name in braces that nothing fills."""

    found: str
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotShownInTexts(Problem):
    """A text has HTML or an image, which are not shown; ``found`` is how it begins."""

    found: str


@dataclass(frozen=True, slots=True)
class ImpossibleMistake(Problem):
    """A hint is for a mistake that such a question does not find; ``close`` is the key that was probably meant."""

    found: str
    known: tuple[str, ...]
    close: str = ""


@dataclass(frozen=True, slots=True)
class UnknownLessonOfPath(Problem):
    """A path of the library names a lesson that it does not have."""

    found: str


@dataclass(frozen=True, slots=True)
class LessonNameTaken(Problem):
    """Another lesson has the name already; ``comes_along``: it is one of those that come with Berth."""

    name: str
    comes_along: bool


@dataclass(frozen=True, slots=True)
class ReservedLessonName(Problem):
    """A lesson is called as a page of lessons is, at whose address nobody would find it."""

    name: str


@dataclass(frozen=True, slots=True)
class ManyStoredLessons(Problem):
    """As many lessons are stored as may be."""

    most: int


@dataclass(frozen=True, slots=True)
class NamesReadInParts(Problem):
    """An expression over devices reads parts of names by a function, so that other names would change its answer."""

    function: str


# What can be wrong with a sandbox as a whole.


@dataclass(frozen=True, slots=True)
class EmptySandboxFile(Problem):
    """A file without objects."""


@dataclass(frozen=True, slots=True)
class LargeSandbox(Problem):
    """A sandbox whose objects have more characters together than are kept."""

    characters: int
    most: int


@dataclass(frozen=True, slots=True)
class ManyInSandbox(Problem):
    """More objects of a kind than a sandbox may have."""

    kind_name: str
    found: int
    most: int


# What can keep a decision from becoming a lesson.


@dataclass(frozen=True, slots=True)
class DecisionNotKept(Problem):
    """The journal does not know what ran at the moment of a decision."""


@dataclass(frozen=True, slots=True)
class PodNotKept(Problem):
    """Nothing is known of a pod any more but its name."""

    pod: str


@dataclass(frozen=True, slots=True)
class TooMuchForALesson(Problem):
    """The pod in question, and what it needs, is more than a lesson holds."""

    most_bytes: int

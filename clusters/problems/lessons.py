"""What can be wrong with lessons, with decisions that are made into them, and with sandboxes."""

from __future__ import annotations

from clusters.engine.problems import Bytes, Chosen, Problem, message, plural

# What can be wrong with the files of a lesson.


class NotOfPattern(Problem, kind="NotOfPattern"):
    """A text that a regular expression does not match."""

    sentence = message("%(found)s is not written as it has to be.")
    remedy = message("Write a text that matches %(pattern)s.")

    found: str
    pattern: str


class NotALesson(Problem, kind="NotALesson"):
    """A folder or an archive without the file that says what the lesson is; ``wanted`` is its name."""

    sentence = message("It has no file %(wanted)s.")
    remedy = message("Name the folder of a lesson, or an archive of that folder.")

    wanted: str


class NotALessonName(Problem, kind="NotALessonName"):
    """A folder or an archive whose name cannot be the name of a lesson."""

    sentence = message("%(found)s cannot be the name of a lesson.")
    remedy = message("Rename the folder: 1 to 40 lower-case letters, digits and hyphens.")

    found: str


class NeitherFolderNorArchive(Problem, kind="NeitherFolderNorArchive"):
    """A file that is no archive, where a lesson is expected."""

    sentence = message("It is neither a folder nor an archive.")
    remedy = message("Pack the folder of the lesson as .zip or .tar.gz.")


class ManyLessonFiles(Problem, kind="ManyLessonFiles"):
    """A lesson of more files than are read."""

    sentence = plural(
        "It has more than %(most)s file of YAML or JSON.", "It has more than %(most)s files of YAML or JSON.", by="most"
    )
    remedy = message("Put several manifests into one file, or make two lessons of it.")

    most: int


class LargeLesson(Problem, kind="LargeLesson"):
    """A lesson whose files have more bytes together than are read."""

    sentence = message("It is larger than %(most_bytes)s.")
    remedy = message("Leave out what no step needs, or make two lessons of it.")

    most_bytes: Bytes


class NoSuchLessonFile(Problem, kind="NoSuchLessonFile"):
    """A step names a file that the lesson does not have; ``close`` is the one that is written most alike, if one is."""

    sentence = message("The lesson has no file %(found)s.")
    remedy = (
        message("Did you mean %(close)s?"),
        message("Its other files are %(known)s."),
        message("Add it to the folder."),
    )

    found: str
    known: tuple[str, ...]
    close: str = ""


class UnusedLessonFile(Problem, kind="UnusedLessonFile"):
    """A file of manifests that no step names."""

    sentence = message("No step names this file.")
    remedy = message("Name it in a step, or remove it.")


class FirstStepWithoutObjects(Problem, kind="FirstStepWithoutObjects"):
    """The first step names no objects, and has no step before it."""

    sentence = message("The first step names no objects.")
    remedy = message("List the files of its manifests under objects.")


class StepNamedTwice(Problem, kind="StepNamedTwice"):
    """Two steps of a lesson have one name."""

    sentence = message("Another step is called %(found)s, too.")
    remedy = message("Give each step of the lesson a name of its own.")

    found: str


class NotAnObjectReference(Problem, kind="NotAnObjectReference"):
    """Something else than a kind with a name, and the namespace between them where the kind has one."""

    sentence = message("%(found)s names no object.")
    remedy = message("Write Kind/name or Kind/namespace/name, such as Node/worker-1 or Pod/shop/web.")

    found: str


class NotThere(Problem, kind="NotThere"):
    """An object is named that the situation does not have; ``close`` is the one that is written most alike."""

    sentence = message("The step has no object %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Add a manifest of it, or name another object."))

    found: str
    close: str = ""


class KindNotInLessons(Problem, kind="KindNotInLessons"):
    """An object of a kind that nothing in a lesson reads."""

    sentence = message("Nothing reads the kind %(kind_name)s of %(version)s here.")
    remedy = message("Remove it, or write it as the kind and version that scheduling reads.")

    kind_name: str
    version: str


class CopiesOfOtherKind(Problem, kind="CopiesOfOtherKind"):
    """Copies are to be made of something else than a pod."""

    sentence = message("%(found)s cannot be copied.")
    remedy = message("Only pods can: write a Pod under of.")

    found: str


class ManyInSituation(Problem, kind="ManyInSituation"):
    """A situation of more objects of a kind than are taken."""

    sentence = plural(
        "The step has %(found)s object of the kind %(kind_name)s.",
        "The step has %(found)s objects of the kind %(kind_name)s.",
        by="found",
    )
    remedy = message("Leave at most %(most)s of them.")

    kind_name: str
    found: int
    most: int


class NoTexts(Problem, kind="NoTexts"):
    """A lesson without texts in any language."""

    sentence = message("The lesson has no texts.")
    remedy = message("Write them, such as texts/en.yaml for English.")


class NotALanguage(Problem, kind="NotALanguage"):
    """A file of texts whose name is no code of a language."""

    sentence = message("%(found)s is not the name of a file of texts.")
    remedy = message("Name it after the code of its language, such as en.yaml or pt-br.yaml.")

    found: str


class LanguageMissing(Problem, kind="LanguageMissing"):
    """A lesson has no texts in a language in which lessons are shown."""

    sentence = message("The lesson has no texts in the language %(language)s.")
    remedy = message("Translate texts/en.yaml; until then another language is shown.")

    language: str


class StepWithoutTexts(Problem, kind="StepWithoutTexts"):
    """The texts of a language lack a step."""

    sentence = message("The step %(step)s has no texts.")
    remedy = message("Write its title, text, ask, hints and reveal.")

    step: str


class TextsOfNoStep(Problem, kind="TextsOfNoStep"):
    """The texts of a language name a step that the lesson does not have; ``close`` is the one written most alike."""

    sentence = message("The lesson has no step %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Its steps are %(known)s."))

    found: str
    known: tuple[str, ...]
    close: str = ""


class UnknownPlaceholder(Problem, kind="UnknownPlaceholder"):
    """A text has a name in braces that nothing fills."""

    sentence = message("Nothing is filled in for %(found)s here.")
    remedy = (message("Write %(known)s, or leave out the braces."), message("Write it without braces."))

    found: str
    known: tuple[str, ...] = ()


class NotShownInTexts(Problem, kind="NotShownInTexts"):
    """A text has HTML or an image, which are not shown; ``found`` is how it begins."""

    sentence = message("HTML and images are not shown: %(found)s.")
    remedy = message("Remove it, or put it between backticks to show it as it is written.")

    found: str


class ImpossibleMistake(Problem, kind="ImpossibleMistake"):
    """A hint is for a mistake that such a question does not find; ``close`` is the key that was probably meant."""

    sentence = message("No answer to this question is wrong in the way %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("The keys of its mistakes are %(known)s."))

    found: str
    known: tuple[str, ...]
    close: str = ""


class UnknownLessonOfPath(Problem, kind="UnknownLessonOfPath"):
    """A path of the library names a lesson that it does not have."""

    sentence = message("There is no lesson %(found)s.")
    remedy = message("Name a folder beside the file.")

    found: str


class LessonNameTaken(Problem, kind="LessonNameTaken"):
    """Another lesson has the name already; ``comes_along``: it is one of those that come with Berth."""

    sentence = message("There is a lesson %(name)s already.")
    remedy = Chosen(
        "comes_along",
        {
            True: message("It comes with Berth: rename the folder of yours."),
            False: message("Rename the folder, or delete that lesson first."),
        },
    )

    name: str
    comes_along: bool


class ReservedLessonName(Problem, kind="ReservedLessonName"):
    """A lesson is called as a page of lessons is, at whose address nobody would find it."""

    sentence = message("No lesson can be called %(name)s, as a page of lessons has this address.")
    remedy = message("Rename the folder.")

    name: str


class ManyStoredLessons(Problem, kind="ManyStoredLessons"):
    """As many lessons are stored as may be."""

    sentence = plural(
        "%(most)s lesson is stored, and no more are taken.",
        "%(most)s lessons are stored, and no more are taken.",
        by="most",
    )
    remedy = message("Delete one that nobody needs any more.")

    most: int


class NamesReadInParts(Problem, kind="NamesReadInParts"):
    """An expression over devices reads parts of names by a function, so that other names would change its answer."""

    sentence = message(
        "An expression over devices reads parts of names with %(function)s, so names cannot be replaced."
    )
    remedy = message("Take a pod whose claims compare whole names.")

    function: str


# What can be wrong with a sandbox as a whole.


class EmptySandboxFile(Problem, kind="EmptySandboxFile"):
    """A file without objects."""

    sentence = message("The file holds no objects.")
    remedy = message("Choose a file of YAML or JSON with nodes and pods.")


class LargeSandbox(Problem, kind="LargeSandbox"):
    """A sandbox whose objects have more characters together than are kept."""

    sentence = message("The objects have %(characters)s characters together, and %(most)s are kept.")
    remedy = message("Remove objects, or fields that scheduling does not need.")

    characters: int
    most: int


class ManyInSandbox(Problem, kind="ManyInSandbox"):
    """More objects of a kind than a sandbox may have."""

    sentence = plural(
        "The sandbox would have %(found)s object of the kind %(kind_name)s.",
        "The sandbox would have %(found)s objects of the kind %(kind_name)s.",
        by="found",
    )
    remedy = message("A sandbox has at most %(most)s of them. Remove some first.")

    kind_name: str
    found: int
    most: int


# What can keep a decision from becoming a lesson.


class DecisionNotKept(Problem, kind="DecisionNotKept"):
    """The journal does not know what ran at the moment of a decision."""

    sentence = message("The journal does not know which pods and nodes there were at this decision.")
    remedy = message("Take a decision that was made since the journal keeps what is deleted.")


class PodNotKept(Problem, kind="PodNotKept"):
    """Nothing is known of a pod any more but its name."""

    sentence = message("The pod %(pod)s was deleted before it had a node, and its manifest is not kept.")
    remedy = message("Take a decision about a pod that still exists, or that had a node.")

    pod: str


class TooMuchForALesson(Problem, kind="TooMuchForALesson"):
    """The pod in question, and what it needs, is more than a lesson holds."""

    sentence = message("The pod and what it is scheduled by take more than a lesson holds: %(most_bytes)s.")
    remedy = message("Take a pod with fewer claims and shorter manifests.")

    most_bytes: Bytes

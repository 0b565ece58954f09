"""What can be wrong with lessons, with decisions that are made into them, and with sandboxes."""

from __future__ import annotations

from clusters.engine.problems import Bytes, Chosen, Problem, message

# What can be wrong with the files of a lesson.


class NotOfPattern(Problem, kind="NotOfPattern"):
    sentence = message("%(found)s is not valid here.")
    remedy = message("Write a text that matches %(pattern)s.")

    found: str
    pattern: str


class NotALesson(Problem, kind="NotALesson"):
    """A folder or an archive without the file that says what the lesson is; ``wanted`` is its name."""

    sentence = message("It has no file %(wanted)s.")
    remedy = message("Name the folder of a lesson, or an archive of it.")

    wanted: str


class NotALessonName(Problem, kind="NotALessonName"):
    sentence = message("%(found)s cannot be the name of a lesson.")
    remedy = message("Use up to 40 lower-case letters, digits and hyphens.")

    found: str


class NeitherFolderNorArchive(Problem, kind="NeitherFolderNorArchive"):
    sentence = message("It is neither a folder nor an archive.")
    remedy = message("Pack the folder as .zip or .tar.gz.")


class ManyLessonFiles(Problem, kind="ManyLessonFiles"):
    sentence = message("It has more than %(most)s files.")
    remedy = message("Merge manifests, or make two lessons.")

    most: int


class LargeLesson(Problem, kind="LargeLesson"):
    sentence = message("It is larger than %(most_bytes)s.")
    remedy = message("Shorten it, or make two lessons.")

    most_bytes: Bytes


class UnusedLessonFile(Problem, kind="UnusedLessonFile"):
    sentence = message("No step names this file.")
    remedy = message("Name it in a step, or remove it.")


class FirstStepWithoutObjects(Problem, kind="FirstStepWithoutObjects"):
    sentence = message("The first step names no objects.")
    remedy = message("List its manifests under objects.")


class NotThere(Problem, kind="NotThere"):
    """An object is named that the situation does not have; ``close`` is the one that is written most alike."""

    sentence = message("The step has no object %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Add it, or name another object."))

    found: str
    close: str = ""


class KindNotInLessons(Problem, kind="KindNotInLessons"):
    sentence = message("%(version)s %(kind_name)s is not read here.")
    remedy = message("Remove it.")

    kind_name: str
    version: str


class CopiesOfOtherKind(Problem, kind="CopiesOfOtherKind"):
    sentence = message("%(found)s cannot be copied.")
    remedy = message("Write a Pod under of.")

    found: str


class ManyInSituation(Problem, kind="ManyInSituation"):
    sentence = message("The step has too many objects of the kind %(kind_name)s: %(found)s.")
    remedy = message("Keep at most %(most)s.")

    kind_name: str
    found: int
    most: int


class NoTexts(Problem, kind="NoTexts"):
    sentence = message("The lesson has no texts.")
    remedy = message("Add texts/en.yaml.")


class LanguageMissing(Problem, kind="LanguageMissing"):
    sentence = message("There are no texts in %(language)s.")
    remedy = message("Translate texts/en.yaml.")

    language: str


class StepWithoutTexts(Problem, kind="StepWithoutTexts"):
    sentence = message("The step %(step)s has no texts.")
    remedy = message("Write title, text, ask, hints and reveal.")

    step: str


class UnknownPlaceholder(Problem, kind="UnknownPlaceholder"):
    sentence = message("Nothing fills in %(found)s here.")
    remedy = (message("Write %(known)s, or remove the braces."), message("Remove the braces."))

    found: str
    known: tuple[str, ...] = ()


class NotShownInTexts(Problem, kind="NotShownInTexts"):
    """A text has HTML or an image, which are not shown; ``found`` is how it begins."""

    sentence = message("HTML and images are not shown: %(found)s.")
    remedy = message("Remove it, or quote it in backticks.")

    found: str


class UnknownLessonOfPath(Problem, kind="UnknownLessonOfPath"):
    sentence = message("There is no lesson %(found)s.")
    remedy = message("Name a folder beside the file.")

    found: str


class LessonNameTaken(Problem, kind="LessonNameTaken"):
    """Another lesson has the name already; ``comes_along``: it is one of those that come with Berth."""

    sentence = message("There is a lesson %(name)s already.")
    remedy = Chosen(
        "comes_along",
        {True: message("Rename the folder."), False: message("Rename the folder, or delete that lesson.")},
    )

    name: str
    comes_along: bool


class ReservedLessonName(Problem, kind="ReservedLessonName"):
    sentence = message("%(name)s is a reserved address.")
    remedy = message("Rename the folder.")

    name: str


class ManyStoredLessons(Problem, kind="ManyStoredLessons"):
    sentence = message("%(most)s lessons are stored, which is the limit.")
    remedy = message("Delete one.")

    most: int


class NamesReadInParts(Problem, kind="NamesReadInParts"):
    sentence = message("A device expression reads parts of names with %(function)s.")
    remedy = message("Take a pod whose claims compare whole names.")

    function: str


# What can be wrong with a sandbox as a whole.


class EmptySandboxFile(Problem, kind="EmptySandboxFile"):
    sentence = message("The file holds no objects.")
    remedy = message("Send YAML or JSON with nodes and pods.")


class LargeSandbox(Problem, kind="LargeSandbox"):
    sentence = message("The objects have %(characters)s characters, more than %(most)s.")
    remedy = message("Remove objects or fields.")

    characters: int
    most: int


class ManyInSandbox(Problem, kind="ManyInSandbox"):
    sentence = message("There would be too many objects of the kind %(kind_name)s: %(found)s.")
    remedy = message("Keep at most %(most)s.")

    kind_name: str
    found: int
    most: int


# What can keep a decision from becoming a lesson.


class DecisionNotKept(Problem, kind="DecisionNotKept"):
    sentence = message("The journal does not know the pods and nodes of this decision.")
    remedy = message("Choose a later one.")


class PodNotKept(Problem, kind="PodNotKept"):
    sentence = message("Pod %(pod)s was deleted before it had a node.")
    remedy = message("Take another decision.")

    pod: str


class TooMuchForALesson(Problem, kind="TooMuchForALesson"):
    sentence = message("It takes more than a lesson holds: %(most_bytes)s.")
    remedy = message("Take a pod with fewer claims and shorter manifests.")

    most_bytes: Bytes

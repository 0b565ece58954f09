"""What can be wrong with lessons, with decisions that are made into them, and with sandboxes."""

from __future__ import annotations

from clusters.engine.problems import Problem, message

# What can be wrong with the files of a lesson.


class NotOfPattern(Problem, kind="NotOfPattern"):
    sentence = message("%(found)s is not valid here.")
    remedy = message("Write a text that matches %(pattern)s.")

    found: str
    pattern: str


class NeitherFolderNorArchive(Problem, kind="NeitherFolderNorArchive"):
    sentence = message("It is neither a folder nor an archive.")
    remedy = message("Pack the folder as .zip or .tar.gz.")


class ManyLessonFiles(Problem, kind="ManyLessonFiles"):
    sentence = message("It has more than %(most)s files.")
    remedy = message("Merge manifests, or make two lessons.")

    most: int


class UnusedLessonFile(Problem, kind="UnusedLessonFile"):
    sentence = message("No step names this file.")
    remedy = message("Name it in a step, or remove it.")


class NotThere(Problem, kind="NotThere"):
    """An object is named that the situation does not have; ``close`` is the one that is written most alike."""

    sentence = message("The step has no object %(found)s.")
    remedy = (message("Did you mean %(close)s?"), message("Add it, or name another object."))

    found: str
    close: str = ""


class ManyInSituation(Problem, kind="ManyInSituation"):
    sentence = message("Too many objects of kind %(kind_name)s: %(found)s.")
    remedy = message("Keep at most %(most)s.")

    kind_name: str
    found: int
    most: int


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


class ManyStoredLessons(Problem, kind="ManyStoredLessons"):
    sentence = message("%(most)s lessons are stored already.")
    remedy = message("Delete one.")

    most: int


class NamesReadInParts(Problem, kind="NamesReadInParts"):
    sentence = message("A device expression reads parts of names with %(function)s.")
    remedy = message("Take another pod.")

    function: str


# What can be wrong with a sandbox as a whole.


class LargeSandbox(Problem, kind="LargeSandbox"):
    sentence = message("The objects have %(characters)s characters, more than %(most)s.")
    remedy = message("Remove objects or fields.")

    characters: int
    most: int


# What can keep a decision from becoming a lesson.


class DecisionNotKept(Problem, kind="DecisionNotKept"):
    sentence = message("The journal lacks this decision's pods and nodes.")
    remedy = message("Choose a later one.")


class PodNotKept(Problem, kind="PodNotKept"):
    sentence = message("Pod %(pod)s was deleted before it had a node.")
    remedy = message("Take another decision.")

    pod: str

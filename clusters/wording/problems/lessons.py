"""Words for what can be wrong with the files of a lesson."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.lessons import (
    CopiesOfOtherKind,
    FirstStepWithoutObjects,
    ImpossibleMistake,
    KindNotInLessons,
    LanguageMissing,
    LargeLesson,
    LessonNameTaken,
    ManyInSituation,
    ManyLessonFiles,
    ManyStoredLessons,
    NamesReadInParts,
    NeitherFolderNorArchive,
    NoSuchLessonFile,
    NotALanguage,
    NotALesson,
    NotALessonName,
    NotAnObjectReference,
    NoTexts,
    NotOfPattern,
    NotShownInTexts,
    NotThere,
    ReservedLessonName,
    StepNamedTwice,
    StepWithoutTexts,
    TextsOfNoStep,
    UnknownLessonOfPath,
    UnknownPlaceholder,
    UnusedLessonFile,
)
from clusters.wording.amounts import grouped, size
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(NotOfPattern)
def not_of_pattern(problem: NotOfPattern) -> Words:
    """Say how a text has to be written."""
    said = _("%(found)s is not written as it has to be.") % {"found": problem.found}
    return Words(said, _("Write a text that matches %(pattern)s.") % {"pattern": problem.pattern})


@words.register(NotALesson)
def not_a_lesson(problem: NotALesson) -> Words:
    """Name the file that a lesson has."""
    said = _("It has no file %(wanted)s.") % {"wanted": problem.wanted}
    return Words(said, _("Name the folder of a lesson, or an archive of that folder."))


@words.register(NotALessonName)
def not_a_lesson_name(problem: NotALessonName) -> Words:
    """Say how the folder of a lesson may be called."""
    said = _("%(found)s cannot be the name of a lesson.") % {"found": problem.found}
    return Words(said, _("Rename the folder: 1 to 40 lower-case letters, digits and hyphens."))


@words.register(NeitherFolderNorArchive)
def neither_folder_nor_archive(problem: NeitherFolderNorArchive) -> Words:
    """Say what a lesson comes as."""
    return Words(_("It is neither a folder nor an archive."), _("Pack the folder of the lesson as .zip or .tar.gz."))


@words.register(ManyLessonFiles)
def many_lesson_files(problem: ManyLessonFiles) -> Words:
    """Say how many files a lesson may have."""
    said = ngettext(
        "It has more than %(most)s file of YAML or JSON.",
        "It has more than %(most)s files of YAML or JSON.",
        problem.most,
    ) % {"most": grouped(problem.most)}
    return Words(said, _("Put several manifests into one file, or make two lessons of it."))


@words.register(LargeLesson)
def large_lesson(problem: LargeLesson) -> Words:
    """Say how large a lesson may be."""
    said = _("It is larger than %(most)s.") % {"most": size(problem.most_bytes)}
    return Words(said, _("Leave out what no step needs, or make two lessons of it."))


@words.register(NoSuchLessonFile)
def no_such_lesson_file(problem: NoSuchLessonFile) -> Words:
    """Name the files that there are."""
    said = _("The lesson has no file %(found)s.") % {"found": problem.found}
    if problem.close:
        return Words(said, _("Did you mean %(file)s?") % {"file": problem.close})
    if not problem.known:
        return Words(said, _("Add it to the folder."))
    return Words(said, _("Its other files are %(files)s.") % {"files": listed(problem.known)})


@words.register(UnusedLessonFile)
def unused_lesson_file(problem: UnusedLessonFile) -> Words:
    """Say that nothing reads a file."""
    return Words(_("No step names this file."), _("Name it in a step, or remove it."))


@words.register(FirstStepWithoutObjects)
def first_step_without_objects(problem: FirstStepWithoutObjects) -> Words:
    """Say what the first step needs."""
    return Words(_("The first step names no objects."), _("List the files of its manifests under objects."))


@words.register(StepNamedTwice)
def step_named_twice(problem: StepNamedTwice) -> Words:
    """Name the step."""
    said = _("Another step is called %(found)s, too.") % {"found": problem.found}
    return Words(said, _("Give each step of the lesson a name of its own."))


@words.register(NotAnObjectReference)
def not_an_object_reference(problem: NotAnObjectReference) -> Words:
    """Say how an object is named."""
    said = _("%(found)s names no object.") % {"found": problem.found}
    return Words(said, _("Write Kind/name or Kind/namespace/name, such as Node/worker-1 or Pod/shop/web."))


@words.register(NotThere)
def not_there(problem: NotThere) -> Words:
    """Name the object, and the one that was probably meant."""
    said = _("The step has no object %(found)s.") % {"found": problem.found}
    if problem.close:
        return Words(said, _("Did you mean %(object)s?") % {"object": problem.close})
    return Words(said, _("Add a manifest of it, or name another object."))


@words.register(KindNotInLessons)
def kind_not_in_lessons(problem: KindNotInLessons) -> Words:
    """Name the kind."""
    said = _("Nothing reads the kind %(kind)s of %(version)s here.") % {
        "kind": problem.kind_name,
        "version": problem.version,
    }
    return Words(said, _("Remove it, or write it as the kind and version that scheduling reads."))


@words.register(CopiesOfOtherKind)
def copies_of_other_kind(problem: CopiesOfOtherKind) -> Words:
    """Say what can be copied."""
    said = _("%(found)s cannot be copied.") % {"found": problem.found}
    return Words(said, _("Only pods can: write a Pod under of."))


@words.register(ManyInSituation)
def many_in_situation(problem: ManyInSituation) -> Words:
    """Say how many objects of a kind there are and may be."""
    said = ngettext(
        "The step has %(found)s object of the kind %(kind)s.",
        "The step has %(found)s objects of the kind %(kind)s.",
        problem.found,
    ) % {"found": grouped(problem.found), "kind": problem.kind_name}
    return Words(said, _("Leave at most %(most)s of them.") % {"most": grouped(problem.most)})


@words.register(NoTexts)
def no_texts(problem: NoTexts) -> Words:
    """Say that nothing is said."""
    return Words(_("The lesson has no texts."), _("Write them, such as texts/en.yaml for English."))


@words.register(NotALanguage)
def not_a_language(problem: NotALanguage) -> Words:
    """Say how a file of texts is called."""
    said = _("%(found)s is not the name of a file of texts.") % {"found": problem.found}
    return Words(said, _("Name it after the code of its language, such as en.yaml or pt-br.yaml."))


@words.register(LanguageMissing)
def language_missing(problem: LanguageMissing) -> Words:
    """Name the language."""
    said = _("The lesson has no texts in the language %(language)s.") % {"language": problem.language}
    return Words(said, _("Translate texts/en.yaml; until then another language is shown."))


@words.register(StepWithoutTexts)
def step_without_texts(problem: StepWithoutTexts) -> Words:
    """Name the step."""
    said = _("The step %(step)s has no texts.") % {"step": problem.step}
    return Words(said, _("Write its title, text, ask, hints and reveal."))


@words.register(TextsOfNoStep)
def texts_of_no_step(problem: TextsOfNoStep) -> Words:
    """Name the steps that there are."""
    said = _("The lesson has no step %(found)s.") % {"found": problem.found}
    if problem.close:
        return Words(said, _("Did you mean %(step)s?") % {"step": problem.close})
    return Words(said, _("Its steps are %(steps)s.") % {"steps": listed(problem.known)})


@words.register(UnknownPlaceholder)
def unknown_placeholder(problem: UnknownPlaceholder) -> Words:
    """Say what may stand in braces."""
    said = _("Nothing is filled in for {%(found)s} here.") % {"found": problem.found}
    if not problem.known:
        return Words(said, _("Write it without braces."))
    known = listed(f"{{{name}}}" for name in problem.known)
    return Words(said, _("Write %(known)s, or leave out the braces.") % {"known": known})


@words.register(NotShownInTexts)
def not_shown_in_texts(problem: NotShownInTexts) -> Words:
    """Quote what is not shown."""
    said = _("HTML and images are not shown: %(found)s.") % {"found": problem.found}
    return Words(said, _("Remove it, or put it between backticks to show it as it is written."))


@words.register(ImpossibleMistake)
def impossible_mistake(problem: ImpossibleMistake) -> Words:
    """Name the mistakes that can be made."""
    said = _("No answer to this question is wrong in the way %(found)s.") % {"found": problem.found}
    if problem.close:
        return Words(said, _("Did you mean %(key)s?") % {"key": problem.close})
    return Words(said, _("The keys of its mistakes are %(keys)s.") % {"keys": listed(problem.known)})


@words.register(UnknownLessonOfPath)
def unknown_lesson_of_path(problem: UnknownLessonOfPath) -> Words:
    """Name the lesson."""
    said = _("There is no lesson %(found)s.") % {"found": problem.found}
    return Words(said, _("Name a folder beside the file."))


@words.register(LessonNameTaken)
def lesson_name_taken(problem: LessonNameTaken) -> Words:
    """Name the lesson that is there."""
    said = _("There is a lesson %(name)s already.") % {"name": problem.name}
    if problem.comes_along:
        return Words(said, _("It comes with Berth: rename the folder of yours."))
    return Words(said, _("Rename the folder, or delete that lesson first."))


@words.register(ReservedLessonName)
def reserved_lesson_name(problem: ReservedLessonName) -> Words:
    """Name the address."""
    said = _("No lesson can be called %(name)s, as a page of lessons has this address.") % {"name": problem.name}
    return Words(said, _("Rename the folder."))


@words.register(ManyStoredLessons)
def many_stored_lessons(problem: ManyStoredLessons) -> Words:
    """Say how many lessons there may be."""
    said = ngettext(
        "%(most)s lesson is stored, and no more are taken.",
        "%(most)s lessons are stored, and no more are taken.",
        problem.most,
    ) % {"most": grouped(problem.most)}
    return Words(said, _("Delete one that nobody needs any more."))


@words.register(NamesReadInParts)
def names_read_in_parts(problem: NamesReadInParts) -> Words:
    """Name the function."""
    said = _("An expression over devices reads parts of names with %(function)s, so names cannot be replaced.") % {
        "function": problem.function
    }
    return Words(said, _("Take a pod whose claims compare whole names."))

"""Lessons that trainers upload: sent, listed, downloaded and removed by those who may write lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from clusters.adapters.bad_input import BadInput
from clusters.models import StoredLesson
from clusters.services.lessons.library import archive_of, stored_lessons
from clusters.services.lessons.reading import BadLesson
from clusters.services.lessons.storing import delete_lesson, store_lesson
from clusters.wording.lessons import player, upload as words
from clusters.wording.problems import input_sentence
from dashboard.lessons.forms import LessonArchiveForm
from dashboard.lessons.languages import choices
from dashboard.lessons.presenters.shelf import fault_sentences

if TYPE_CHECKING:
    from dashboard.http import PageRequest


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: PageRequest) -> HttpResponse:
    """Take an archive of a lesson, or say all that is wrong with it; list the lessons that are stored."""
    form = LessonArchiveForm(request.POST, request.FILES) if request.method == "POST" else LessonArchiveForm()
    faults: list[str] = []
    if request.method == "POST" and form.is_valid():
        file_name = str(form.cleaned_data["file"].name)
        try:
            stored = store_lesson(data=form.data_read, file_name=file_name, uploaded_by=request.user.get_username())
        except BadInput as error:
            form.add_error("file", input_sentence(error.problem, **error.at(file=file_name).place))
        except BadLesson as error:
            faults = fault_sentences(error.faults)
        else:
            messages.success(request, words.STORED(name=stored.lesson.name))
            for warning in fault_sentences(stored.warnings):
                messages.warning(request, warning)
            return redirect("lessons-upload")
    context = {"form": form, "faults": faults, "stored": stored_lessons(), "languages": choices()}
    return render(request, "lessons/upload.html", context, status=400 if form.errors or faults else 200)


@require_safe
def download(request: PageRequest, lesson: str) -> HttpResponse:
    """Send the files of a stored lesson as an archive that can be changed and uploaded again."""
    found = _stored(lesson)
    response = HttpResponse(archive_of(found.name, found.files), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{found.name}.zip"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: PageRequest, lesson: str) -> HttpResponse:
    """Ask whether a stored lesson shall go, and remove it."""
    found = _stored(lesson)
    if request.method == "POST":
        delete_lesson(name=found.name)
        messages.success(request, words.REMOVED(name=found.name))
        return redirect("lessons-upload")
    return render(request, "lessons/remove.html", {"lesson": found})


def _stored(name: str) -> StoredLesson:
    found = StoredLesson.objects.filter(name=name).first()
    if found is None:
        raise Http404(player.NO_LESSON)
    return found

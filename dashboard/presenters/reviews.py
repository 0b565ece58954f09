"""Capacity reviews in the lists and above the review itself: states, periods, schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from msgspec import Struct

from clusters.documents.problems import in_words
from clusters.documents.stored_problems import encoded
from clusters.engine.problems import Quoted
from clusters.models import Report, ReportSchedule
from clusters.problems.orders import WorkFailed
from clusters.services.reports.order import DEFAULT_DAYS, OrderError, read_order
from clusters.wording.lists import TO
from clusters.wording.problems import placed_sentence
from clusters.wording.reviews import pages as words
from clusters.wording.reviews.document import SECTIONS
from clusters.wording.reviews.pages import A_RUN, WEEKDAYS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

# The last part of a form's address, and what its button says.
FORMS = (("pdf", "PDF"), ("html", "HTML"), ("markdown", "Markdown"), ("csv", "CSV"), ("json", "JSON"))
_BADGES = {Report.State.DONE: "good", Report.State.RUNNING: "info", Report.State.FAILED: "bad"}


class ReviewRow(NamedTuple):
    """One review in a list; `files` are the names and addresses of its forms, none before it is done."""

    report: Report
    about: str
    period: str
    by: str
    state: str
    badge: str
    files: tuple[tuple[str, str], ...]


class ScheduleRow(Struct, frozen=True):
    """One schedule; `remove_url` is empty for those who may not remove it."""

    title: str
    when: str
    next_at: datetime
    keeps: str
    by: str
    remove_url: str


def list_sentence(count: int, schedules: Sequence[ReportSchedule]) -> str:
    """Say how many reviews there are and when the next is made by itself."""
    said = words.KEPT(reviews=count) if count else str(words.NONE_KEPT)
    if not schedules:
        return f"{said} {words.NONE_SCHEDULED}"
    first = min(schedules, key=lambda schedule: schedule.next_at)
    return f"{said} {words.NEXT_SCHEDULED(at=_when(first.next_at), title=first.title)}"


def review_row(report: Report) -> ReviewRow:
    """Present a review."""
    done = report.state == Report.State.DONE
    return ReviewRow(
        report,
        about=A_RUN(run=str(report.run.pk), title=report.run.title) if report.run else str(words.LISTING_THE_CLUSTER),
        period=_period(report.order.get("period")),
        by=_name(report),
        state=str(words.STATES[report.state]),
        badge=_BADGES.get(Report.State(report.state), ""),
        files=tuple((name, reverse("report-file", kwargs={"pk": report.pk, "form": form})) for form, name in FORMS)
        if done
        else (),
    )


def is_over(report: Report) -> bool:
    """Whether nothing of a review changes any more."""
    return report.state in (Report.State.DONE, Report.State.FAILED)


def progress(report: Report) -> dict[str, Any]:
    """Say how far a review is that is not over, and how many of its sections are written."""
    try:
        sections = read_order(report.order).applying
    except OrderError:
        # The worker records what is wrong with it.
        sections = ()
    done = report.sections_done
    if report.state != Report.State.RUNNING or done >= len(sections):
        sentence = str(words.PROGRESS[report.state])
    else:
        sentence = words.WRITING(number=done + 1, sections=len(sections), section=str(SECTIONS[sections[done]]))
    return {"sentence": sentence, "done": done, "total": len(sections)}


def schedule_row(schedule: ReportSchedule, *, may_remove: bool) -> ScheduleRow:
    """Present a schedule."""
    place = {"cluster": schedule.cluster.name, "pk": schedule.pk}
    return ScheduleRow(
        title=schedule.title,
        when=words.EVERY_WEEK(weekday=WEEKDAYS[schedule.weekday], hour=f"{schedule.hour:02d}", zone=settings.TIME_ZONE),
        next_at=schedule.next_at,
        keeps=words.KEPT_FOR(days=schedule.keep_days),
        by=_name(schedule),
        remove_url=reverse("schedule-delete", kwargs=place) if may_remove else "",
    )


def failure(report: Report) -> Mapping[str, str] | None:
    """Return what went wrong with a review and what helps; None where nothing did."""
    if report.state != Report.State.FAILED:
        return None
    return reported_failure(report)


def reported_failure(report: Report) -> Mapping[str, str]:
    """Return why a review was not written, and where; one that nobody recorded anything of was given up."""
    said = in_words(report.error or {"problem": encoded(WorkFailed())})
    return {**said, "problem": placed_sentence(Quoted(said["problem"]), said.get("field", ""))}


def _name(made: Report | ReportSchedule) -> str:
    if made.created_by:
        return made.created_by.get_username()
    # What a schedule has was ordered by somebody; nobody signs in to the terminal.
    is_scheduled = isinstance(made, ReportSchedule) or made.schedule_id
    return str(words.REMOVED_USER if is_scheduled else words.TERMINAL_OR_REMOVED_USER)


def _period(period: Mapping[str, Any] | None) -> str:
    """Say which time an order is about, as it was ordered."""
    given = period or {}
    if "from" in given:
        return TO(first=given["from"][:10], last=given["to"][:10])
    return words.LAST_DAYS(days=given.get("days", DEFAULT_DAYS))


def _when(at: datetime) -> str:
    local = timezone.localtime(at)
    return f"{local.day} {local:%b %Y, %H:%M}"

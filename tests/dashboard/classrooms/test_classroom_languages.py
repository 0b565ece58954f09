"""The pages of those who teach are translated, whatever they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Permission, User

from dashboard.classrooms import leading, seats
from dashboard.lessons import progress
from dashboard.lessons.learners import Learner
from dashboard.models import Classroom
from tests.dashboard.classrooms.rooms import open_room
from tests.dashboard.lessons.every_kind import NAME, QUESTIONS, archive
from tests.dashboard.lessons.kept import keep_lesson
from tests.dashboard.lessons.test_kinds import RIGHT, WRONG, changed_pod
from tests.support.untranslated import readable, untranslated

if TYPE_CHECKING:
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]


def test_nothing_on_the_pages_of_those_who_teach_is_untranslated(signed_in_client: Client, user: User) -> None:
    user.user_permissions.add(Permission.objects.get(codename="teach"))
    keep_lesson(NAME, archive)
    headers = {"Accept-Language": "uk"}
    with untranslated("uk") as found:
        for path in ("/classrooms/", "/lessons/"):
            signed_in_client.get(path, headers=headers)
        room = open_room(user, lessons=("taints",), language="uk")
        Classroom.objects.filter(pk=room.pk).update(lessons=[NAME])
        room.refresh_from_db()
        here = f"/classrooms/{room.pk}/"
        # The first step is gone, nobody has joined, and this machine alone reaches the address.
        signed_in_client.get(here, headers={**headers, "Host": "localhost"})
        signed_in_client.get(f"{here}summary/", headers=headers)
        for name, answers in (("Ada", RIGHT), ("Grace", WRONG)):
            seats.join(room, name)
            learner = Learner(participant=room.participants.get(name=name))
            for step, answer in {**answers, "manifest": changed_pod(), "pods": ["gone"]}.items():
                leading.lead_to(room, NAME, step)
                assert progress.answered(learner, NAME, step, answer, is_right=name == "Ada")
        seats.join(room, "Alan")
        for pace in (Classroom.Pace.LED, Classroom.Pace.FREE):
            leading.set_pace(room, pace)
            for step in QUESTIONS:
                leading.lead_to(room, NAME, step)
                for _ in range(2):
                    assert signed_in_client.get(here, headers=headers).status_code == 200
                    assert signed_in_client.get(f"{here}projector/").status_code == 200
                    leading.reveal(room)
        leading.set_closed(room, is_closed=True)
        for path in (here, "/classrooms/", f"{here}summary/", f"{here}results.csv", f"{here}remove/"):
            assert signed_in_client.get(path, headers=headers).status_code == 200
        for fields in ({}, {"answer": ["taints", NAME], "title": "x", "hours": "many"}, {"act": "move:in:taints"}):
            signed_in_client.post("/classrooms/new/", {"act": "open", **fields}, headers=headers)
        signed_in_client.post(f"{here}change/", {"act": "keep", "hours": "many"}, headers=headers)
        signed_in_client.post(f"{here}remove/", headers=headers, follow=True)
    assert readable(found.messages) == []

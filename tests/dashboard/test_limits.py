"""What one user may compute: counted by all processes together in Redis, and bounded for each request."""

from __future__ import annotations

import multiprocessing
import os
import signal
from threading import Timer
from time import thread_time
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse

from clusters.adapters import shared_redis
from clusters.services.computing import OverTimeError, start, stop
from clusters.services.decisions.explain import attempted
from dashboard.limits import computing, windows
from dashboard.models import Participant
from dashboard.serving import processes
from dashboard.serving.children import Child
from tests.dashboard.classrooms.rooms import open_room, seated
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.redis]

POD = "/clusters/shop/pods/shop/plain/"
EXPLANATION = "/api/v1/clusters/shop/pods/shop/plain/explanation"
WHAT_IF = f"{POD}what-if/?change=halve-requests"


def _count(number: int) -> None:
    windows.add("test", 7, number)


def test_who_finds_all_connections_taken_waits_for_one(redis_url: str) -> None:
    pool = shared_redis._client(django_settings.REDIS_URL).connection_pool
    taken = [pool.get_connection() for _ in range(pool.max_connections)]
    freeing = Timer(0.3, pool.release, taken[:1])
    freeing.start()
    try:
        assert shared_redis.ask(lambda client: client.ping())
    finally:
        freeing.join()
        for each in taken[1:]:
            pool.release(each)


def test_processes_count_together(redis_url: str) -> None:
    # Forked ones have this process's settings, and connections of their own.
    context = multiprocessing.get_context("fork")
    shared_redis._client.cache_clear()
    others = [context.Process(target=_count, args=(number,)) for number in (5, 6, 7)]
    for other in others:
        other.start()
    for other in others:
        other.join(30)

    found = windows.add("test", 7, 1)

    assert found.number == 19
    assert 1 <= found.seconds_left <= 60
    assert windows.add("test", 8, 0).number == 0


def test_who_used_up_the_minute_is_refused_for_its_rest_and_others_are_not(
    user: User, signed_in_client: Client, cluster: Cluster, settings: Any, django_user_model: type[User]
) -> None:
    settings.BERTH_COMPUTING_SECONDS = 1
    assert signed_in_client.get(POD).status_code == 200
    # As another process counts.
    windows.add("computing-milliseconds", user.pk, 1_000)

    for address in (POD, EXPLANATION):
        refused = signed_in_client.get(address)
        assert refused.status_code == 429
        assert 1 <= int(refused["Retry-After"]) <= 60
        assert "1 second of computing a minute" in refused.text
        assert f"Ask again in {refused['Retry-After']} seconds." in refused.text
    assert "<html" not in signed_in_client.get(POD, headers={"HX-Request": "true"}).text
    other = Client()
    other.force_login(django_user_model.objects.create_user("other"))
    assert other.get(POD).status_code == 200


def test_participants_of_a_classroom_share_the_computing_of_one_user(
    user: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BERTH_COMPUTING_SECONDS = 5
    room = open_room(user)
    one, other = seated(room, "Ada"), seated(room, "Grace")
    ada, grace = Participant.objects.order_by("pk")
    windows.add("computing-milliseconds", f"participant-{ada.pk}", 900)
    monkeypatch.setattr(computing, "thread_time", iter([0.0, 4.0, 0.0, 4.5, 0.0, 0.1]).__next__)

    assert one.get("/seat/").status_code == 302
    assert other.get("/seat/").status_code == 302
    assert windows.add("computing-milliseconds", f"classroom-{room.pk}", 0).number == 3_900 + 3_500
    refused = one.get("/seat/")

    assert refused.status_code == 429
    assert "At most 5 seconds of computing a minute" in refused.text
    # Who has hardly computed goes on.
    assert seated(room, "Linus").get("/seat/").status_code == 302
    assert windows.add("computing-milliseconds", f"participant-{grace.pk}", 0).number == 4_500


def test_computing_is_charged_and_waiting_is_not(user: User, signed_in_client: Client, cluster: Cluster) -> None:
    before = thread_time()
    signed_in_client.get(POD)
    used = thread_time() - before

    assert 0 < windows.add("computing-milliseconds", user.pk, 0).number <= used * 1000 + 1


def test_what_ifs_and_written_pods_are_counted_together(user: User, signed_in_client: Client, cluster: Cluster) -> None:
    windows.add(windows.JUDGED, user.pk, windows.RUNS_PER_MINUTE - 1)
    assert signed_in_client.get(WHAT_IF).status_code == 200

    page = signed_in_client.get(WHAT_IF)
    written = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"containers": [{"name": "main"}]}}
    posted = signed_in_client.post(
        "/api/v1/clusters/shop/explanation", {"pod": written}, content_type="application/json"
    )

    assert (page.status_code, posted.status_code) == (429, 429)
    for answer in (page, posted):
        assert 1 <= int(answer["Retry-After"]) <= 60
    assert posted.json()["error"]["what"] == "60 written pods a minute are judged per user."
    assert signed_in_client.get(POD).status_code == 200


def test_a_question_that_takes_too_long_is_told_so(
    signed_in_client: Client, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.limits.computing.MOST_SECONDS", 0.0)

    page, data = signed_in_client.get(POD), signed_in_client.get(EXPLANATION)

    said = "It takes more than 0 seconds."
    assert page.status_code == 200
    assert said in page.text
    assert (data.status_code, data.json()["error"]["what"]) == (409, said)
    # The limit ends with the request: tasks have none.
    assert attempted("x", lambda: 3) == 3


def test_the_limit_ends_with_the_request_that_signs_out(
    signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.limits.computing.MOST_SECONDS", 0.0)
    signed_in_client.post(reverse("sign-out"))

    assert attempted("x", lambda: 3) == 3


def test_time_is_looked_at_before_each_answer() -> None:
    start(0.0)
    try:
        with pytest.raises(OverTimeError):
            attempted("x", lambda: 3)
    finally:
        stop()


@pytest.fixture
def own_redis(tmp_path_factory: pytest.TempPathFactory, settings: Any) -> Iterator[Child]:
    """Run a Redis that only this test talks to."""
    socket = tmp_path_factory.mktemp("r") / "s"
    server = Child("redis", processes.command(processes.find(), socket=socket), env=os.environ,
                   cwd=django_settings.BASE_DIR, echo=False)  # fmt: skip
    settings.REDIS_URL = f"unix://{socket}"

    def answers() -> bool:
        shared_redis.forget_silence()
        try:
            return bool(shared_redis.ask(lambda client: client.ping()))
        except shared_redis.AwayError:
            return False

    wait_until(answers, seconds=10, otherwise="Redis is unavailable")
    yield server
    server.stop(grace=0)
    shared_redis.forget_silence()


def test_a_redis_that_hangs_costs_one_timeout_and_lifts_no_limit(
    user: User,
    signed_in_client: Client,
    cluster: Cluster,
    own_redis: Child,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.BERTH_COMPUTING_SECONDS = 1
    # However slow this machine is, the silence lasts as long as the test.
    monkeypatch.setattr(shared_redis, "_PAUSE", 3_600.0)
    own_redis.process.send_signal(signal.SIGSTOP)
    try:
        assert signed_in_client.get(POD).status_code == 200
        windows.add("computing-milliseconds", user.pk, 2_000)
        assert signed_in_client.get(POD).status_code == 429
    finally:
        own_redis.process.send_signal(signal.SIGCONT)

    # One question waited for its timeout, and none after it.
    assert sum("Redis is unavailable" in each.getMessage() for each in caplog.records) == 1


def test_no_page_asks_a_redis_that_hangs_twice(
    signed_in_client: Client, cluster: Cluster, own_redis: Child, caplog: pytest.LogCaptureFixture
) -> None:
    own_redis.process.send_signal(signal.SIGSTOP)
    try:
        for address in ("upgrade/?to=1.37", "drain/?node=n1", "pending/", ""):
            shared_redis.forget_silence()
            caplog.clear()
            assert signed_in_client.get(f"/clusters/shop/{address}").status_code == 200
            assert sum("Redis is unavailable" in each.getMessage() for each in caplog.records) == 1, address
    finally:
        own_redis.process.send_signal(signal.SIGCONT)

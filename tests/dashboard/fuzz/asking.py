"""Sends a round, and tells what is wrong with the answer."""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from django.db import transaction

from clusters.models import Cluster
from clusters.services.mirror.snapshots import forget_snapshots
from tests.dashboard.fuzz.rounds import uploads

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase
    from django.test import Client

    from tests.dashboard.fuzz.rounds import Round

# What an answer may say of a dependency that is away; everything else above 500 is a failure.
_UNAVAILABLE = 503
# Lines of a traceback, from its end.
_TOLD = 12


class Errors(logging.Handler):
    """Keeps what is logged as an error: also a page that says that a part of it could not be computed is one."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # Those are refusals, as of a host that is not ours.
        if not record.name.startswith("django.security"):
            self.told.append(self.format(record))


def problem_of(client: Client, asked: Round, errors: Errors) -> str:
    """Send a round and undo what it did; return what is wrong with the answer, empty where nothing is."""
    errors.told.clear()
    cookies = client.cookies.output(header="", sep=";")
    before = _revisions()
    with transaction.atomic():
        try:
            response: Any = sent(client, asked)
            if response.streaming:
                b"".join(response.streaming_content)
            has_changed = _revisions() != before
        except Exception:  # noqa: BLE001 - whatever it is, it is what this looks for
            return _last(traceback.format_exc())
        finally:
            # Rounds do not know of each other: what one signs out, or deletes, is there for the next.
            transaction.set_rollback(True)
            client.cookies.clear()
            client.cookies.load(cookies)
    if has_changed:
        # They know a state by its revision, which comes again with another content.
        forget_snapshots()
    # Limits on what one user computes are not what this looks for.
    cache.clear()
    return _wrong(response) or _last("\n".join(errors.told))


def _revisions() -> set[tuple[int, int]]:
    return set(Cluster.objects.values_list("pk", "revision"))


def _wrong(response: Any) -> str:
    if response.status_code >= 500 and response.status_code != _UNAVAILABLE:
        found = getattr(response, "exc_info", None)
        return _last("".join(traceback.format_exception(*found))) if found else f"status {response.status_code}"
    if "private" not in response.headers.get("Cache-Control", ""):
        return f"status {response.status_code} without a rule for caches"
    return ""


def _last(text: str) -> str:
    return "\n".join(text.splitlines()[-_TOLD:])


def sent(client: Client, asked: Round) -> HttpResponseBase:
    """Send a round as a browser would, or as somebody who writes requests by hand."""
    if asked.body is not None:
        body = asked.body.encode(errors="surrogatepass")
        return client.generic(asked.method, asked.address, body, headers=asked.headers)
    if asked.method != "POST":
        return client.generic(asked.method, asked.address, headers=asked.headers)
    data: dict[str, Any] = {}
    for name, value in asked.fields:
        data.setdefault(_sendable(name), []).append(_sendable(value))
    return client.post(asked.address, {**data, **uploads(asked.files)}, headers=asked.headers)


def _sendable(text: str) -> str:
    return text.encode(errors="replace").decode()

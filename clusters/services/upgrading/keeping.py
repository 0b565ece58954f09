"""Previews of upgrades, kept in Redis for a while, where all processes see them."""

from __future__ import annotations

import logging
import zlib
from functools import cache
from typing import Any, Final

import msgspec
import redis
from django.conf import settings

from clusters.documents.explanation import Part
from clusters.documents.upgrades import UpgradeDocument
from clusters.problems.upgrades import PreviewsNotKept

_log = logging.getLogger(__name__)

KEPT_SECONDS: Final = 3600
# A preview ends in this time, whatever the cluster: a worker that takes longer is taken for dead.
MAKING_SECONDS: Final = 600
_TIMEOUT: Final = 2.0


class KeptUpgrade(Part, frozen=True, kw_only=True):
    """A preview and the revision whose state it is about; a ``problem``, as rows store it, where there is none.

    ``field``: of the scheduler's configuration, where the problem is with it.
    """

    revision: int
    document: UpgradeDocument | None
    problem: dict[str, Any] | None = None
    field: str = ""


class PreviewsAwayError(Exception):
    """Redis is unavailable."""

    problem = PreviewsNotKept()


def find(key: str) -> KeptUpgrade | None:
    """Return what is kept; None also while Redis is away, and for what another version of Berth kept otherwise."""
    try:
        text = _client().get(_kept(key))
        return msgspec.json.decode(zlib.decompress(text), type=KeptUpgrade) if isinstance(text, bytes) else None
    except redis.RedisError as error:
        _log.warning("Previews of upgrades are not kept: %s", error)
    except (msgspec.DecodeError, zlib.error) as error:
        _log.warning("A preview of an upgrade is kept in a form that is not read: %s", error)
    return None


def keep(key: str, found: KeptUpgrade) -> None:
    """Keep a preview for an hour; without Redis it is not kept."""
    try:
        client = _client()
        client.set(_kept(key), zlib.compress(msgspec.json.encode(found), 1), ex=KEPT_SECONDS)
        client.delete(_making(key))
    except redis.RedisError as error:
        _log.warning("Previews of upgrades are not kept: %s", error)


def begin(key: str) -> bool:
    """Note that a preview is being made; False where one is. Raises PreviewsAwayError."""
    try:
        return bool(_client().set(_making(key), b"1", ex=MAKING_SECONDS, nx=True))
    except redis.RedisError as error:
        raise PreviewsAwayError from error


def give_up(key: str) -> None:
    """Note that nobody makes the preview."""
    try:
        _client().delete(_making(key))
    except redis.RedisError as error:
        _log.warning("A preview of an upgrade is taken for being made: %s", error)


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT)


def _kept(key: str) -> str:
    return f"berth:upgrade:preview:{key}"


def _making(key: str) -> str:
    return f"berth:upgrade:making:{key}"

"""The Redis that all processes share, for what they count together and keep for a while."""

from __future__ import annotations

from functools import cache

import redis
from django.conf import settings

# Seconds. Whoever asks can go on without an answer, and must not wait for one.
_TIMEOUT = 2.0

AwayError = redis.RedisError


def client() -> redis.Redis:
    """Return this process's client; what it is asked raises AwayError within two seconds of silence."""
    return _client(settings.REDIS_URL)


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT)

"""Secrets that have to be kept: sealed with Berth's secret key, so that a copy of the database opens nothing."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def sealed(text: str) -> str:
    """Return a text so that only who has the secret key can read it; an empty one as it is."""
    return _box().encrypt(text.encode()).decode() if text else ""


def opened(text: str) -> str:
    """Return what was sealed; an empty text where it was with another key."""
    try:
        return _box().decrypt(text).decode() if text else ""
    except InvalidToken:
        return ""


def _box() -> Fernet:
    key = sha256(b"dashboard.access.sealing:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(urlsafe_b64encode(key))

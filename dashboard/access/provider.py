"""What the identity provider is asked, by OpenID Connect: to sign somebody in, and later whether it still would.

Loaded when somebody signs in, as Authlib takes long to load.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.base_client import BaseApp, OAuth2Mixin, OAuthError, OpenIDMixin
from authlib.integrations.httpx_client import OAuth2Client
from cachetools import TTLCache, cached
from cachetools.keys import hashkey
from django.conf import settings
from joserfc.errors import JoseError

from dashboard.access.identities import Account

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_log = logging.getLogger(__name__)

# Seconds; who signs in waits for some of these answers.
_PATIENCE: Final = 5.0
# How far clocks may be apart, in seconds.
_LEEWAY: Final = 60
# How long is believed what a provider says of its addresses, in seconds; new keys are fetched when a token needs them.
_KEPT: Final = 600
# Signatures by a key that the provider alone has.
_ALGORITHMS: Final = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"}
)
# Answers about the provider or this Berth, not about the user.
_TROUBLE: Final = frozenset(
    {"invalid_client", "unauthorized_client", "server_error", "temporarily_unavailable", "slow_down"}
)


class UnreachableError(Exception):
    """The provider does not answer, or not as a provider does; the message is for the log."""


class RejectedError(Exception):
    """What the provider or the browser handed over cannot be believed; the message is for the log."""


class NotAdmittedError(Exception):
    """The provider vouches for a user whom the settings do not let in."""


class _Client(OAuth2Mixin, OpenIDMixin, BaseApp):  # type: ignore[misc] # Authlib ships no types
    """Authlib's client for any framework, over the HTTP client that Berth has anyway."""

    client_cls = OAuth2Client

    def renew(self, refresh_token: str) -> dict[str, Any]:
        """Trade a refresh token for new tokens."""
        with self._get_oauth_client(**self.server_metadata) as session:
            return dict(session.refresh_token(self.server_metadata["token_endpoint"], refresh_token=refresh_token))

    def _on_update_token(self, *_: Any, **__: Any) -> None:
        """Store nothing here: who renews does."""


def _settings_of_client(*_: Any) -> Any:
    return hashkey(settings.BERTH_OIDC_ISSUER, settings.BERTH_OIDC_CLIENT_ID, settings.BERTH_OIDC_CLIENT_SECRET)


@cached(TTLCache(maxsize=1, ttl=_KEPT), key=_settings_of_client, lock=Lock())
def _client() -> _Client:
    """Return the client for the provider of the settings. Raises UnreachableError."""
    issuer: str = settings.BERTH_OIDC_ISSUER
    client = _Client(
        framework=None,
        client_id=settings.BERTH_OIDC_CLIENT_ID,
        client_secret=settings.BERTH_OIDC_CLIENT_SECRET or None,
        client_kwargs={
            "scope": " ".join(settings.BERTH_OIDC_SCOPES),
            "code_challenge_method": "S256",
            "timeout": _PATIENCE,
        },
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
    )
    with _asking():
        known = client.load_server_metadata()
    if known.get("issuer") != issuer:
        raise UnreachableError(f"BERTH_OIDC_ISSUER is {issuer!r}, and the provider there is {known.get('issuer')!r}.")
    if lacks := [name for name in ("authorization_endpoint", "token_endpoint", "jwks_uri") if not known.get(name)]:
        raise UnreachableError(f"The provider {issuer!r} names no {' and no '.join(lacks)}.")
    signed_by = known.get("id_token_signing_alg_values_supported") or ["RS256"]
    known["id_token_signing_alg_values_supported"] = sorted(_ALGORITHMS.intersection(signed_by))
    accepted = known.get("token_endpoint_auth_methods_supported", ())
    if settings.BERTH_OIDC_CLIENT_SECRET and "client_secret_basic" not in accepted and "client_secret_post" in accepted:
        client.client_kwargs["token_endpoint_auth_method"] = "client_secret_post"  # noqa: S105 - the name of a method
    return client


@contextmanager
def _asking() -> Iterator[None]:
    """Tell what is wrong with a provider (UnreachableError) from what it has against a user (RejectedError)."""
    try:
        yield
    except JoseError as error:
        raise RejectedError(f"{type(error).__name__}: {error}") from error
    except (AuthlibBaseError, httpx2.HTTPError, httpx2.InvalidURL, ValueError, LookupError) as error:
        said = error.error if isinstance(error, OAuthError) else _said(error)
        if said and said not in _TROUBLE:
            raise RejectedError(f"{type(error).__name__}: {error}") from error
        raise UnreachableError(f"{type(error).__name__}: {error}") from error


def _said(error: Exception) -> str:
    """Return what an answer with a bad status says as OAuth does; Dex answers so when a user is gone."""
    try:
        said = error.response.json()["error"] if isinstance(error, httpx2.HTTPStatusError) else ""
    except (ValueError, TypeError, LookupError):
        return ""
    return str(said)


def begin(return_to: str) -> dict[str, str]:
    """Return where to send a browser (``url``), and ``state``, ``nonce`` and ``code_verifier`` to be kept meanwhile.

    Raises UnreachableError.
    """
    begun: dict[str, str] = _client().create_authorization_url(return_to)
    return begun


def finish(*, code: str, return_to: str, nonce: str, code_verifier: str) -> Account:
    """Return whom the provider signed in, by the code that it gave the browser.

    Raises UnreachableError, RejectedError and NotAdmittedError.
    """
    client = _client()
    with _asking():
        token = client.fetch_access_token(redirect_uri=return_to, code=code, code_verifier=code_verifier)
        claims = _claims(client, token, nonce=nonce)
    return _admitted(claims, token)


def renew(refresh_token: str, subject: str) -> Account:
    """Return what the provider says of a user by now. Raises UnreachableError, RejectedError and NotAdmittedError."""
    client = _client()
    with _asking():
        token = client.renew(refresh_token)
        # An answer to this need not say anew who somebody is.
        claims = _claims(client, token) if "id_token" in token else None
    if claims is None:
        return Account(subject=subject, names=(), groups=None, refresh_token=token["refresh_token"])
    if claims["sub"] != subject:
        raise RejectedError("The provider answered for somebody else.")
    return _admitted(claims, token)


def sign_out_address(id_token: str, return_to: str) -> str:
    """Return where the provider signs a browser out; empty where it has no such address, or does not answer."""
    try:
        client = _client()
    except UnreachableError as error:
        _log.warning("The identity provider gave no answer: %s", error)
        return ""
    if not client.server_metadata.get("end_session_endpoint"):
        return ""
    address: str = client.create_logout_url(return_to, id_token, client_id=settings.BERTH_OIDC_CLIENT_ID)["url"]
    return address


def _claims(client: _Client, token: Mapping[str, Any], nonce: str | None = None) -> dict[str, Any]:
    """Return what an ID token says, once it is checked; where it has no groups, with what the provider says besides."""
    if "id_token" not in token:
        raise RejectedError("The provider's answer has no ID token.")
    expected = {
        "iss": {"essential": True, "value": settings.BERTH_OIDC_ISSUER},
        "aud": {"essential": True, "value": settings.BERTH_OIDC_CLIENT_ID},
    }
    checked = client.parse_id_token(token, nonce, claims_options=expected, leeway=_LEEWAY)
    claims: dict[str, Any] = dict(checked)
    if not isinstance(claims["sub"], str):
        raise RejectedError("The provider's ID token names no subject.")
    if settings.BERTH_OIDC_GROUPS_CLAIM not in claims and "userinfo_endpoint" in client.server_metadata:
        more = client.userinfo(token=dict(token))
        if more.get("sub") == claims["sub"]:
            claims = {**more, **claims}
    return claims


def _admitted(claims: Mapping[str, Any], token: Mapping[str, Any]) -> Account:
    """Return the account of claims. Raises NotAdmittedError where the settings let somebody else in."""
    groups = claims.get(settings.BERTH_OIDC_GROUPS_CLAIM)
    found = tuple(_texts(groups if isinstance(groups, list) else [groups]))
    if settings.BERTH_OIDC_ALLOWED_GROUPS and not set(settings.BERTH_OIDC_ALLOWED_GROUPS).intersection(found):
        raise NotAdmittedError(f"{claims['sub']!r} is in none of the allowed groups.")
    email = next(_texts([claims.get("email")]), "")
    is_verified = claims.get("email_verified") in (True, "true")
    domain = email.rpartition("@")[2].lower() if is_verified else ""
    if settings.BERTH_OIDC_ALLOWED_DOMAINS and domain not in settings.BERTH_OIDC_ALLOWED_DOMAINS:
        raise NotAdmittedError(f"{claims['sub']!r} has no verified e-mail address of an allowed domain.")
    return Account(
        subject=claims["sub"],
        names=(*_texts([claims.get("preferred_username")]), *filter(None, [email])),
        groups=found,
        refresh_token=token.get("refresh_token") or "",
        id_token=token["id_token"],
    )


def _texts(values: list[Any]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str) and value)

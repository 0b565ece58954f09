"""An identity provider of the tests' own, which signs whatever it is told to: it does what no honest one would."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, Key, KeySet

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT_ID, CLIENT_SECRET = "berth", "the-secret-of-berth"


class Issuer:
    """One provider: who signs in with it next, and how it misbehaves."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.user: dict[str, Any] = {
            "sub": "ada-1",
            "preferred_username": "ada",
            "email": "ada@example.org",
            "email_verified": True,
            "groups": ["platform"],
        }
        self.rotate()
        # What tokens are signed with where it is not the key that is published, and what their header says.
        self.forged: Key | None = None
        self.header: dict[str, Any] = {}
        # Claims that tokens have instead; None leaves one out.
        self.claims: dict[str, Any] = {}
        # Of the discovery document.
        self.document: dict[str, Any] = {}
        # What the token endpoint answers to a refresh token instead of new tokens: a status and a body.
        self.refusal: tuple[int, Any] | None = None
        self.gives_refresh_tokens = True
        self.userinfo: dict[str, Any] = {}
        self.asked: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._refresh_token = ""

    def rotate(self) -> None:
        """Sign with a new key from now on, and publish no other."""
        self.key = ECKey.generate_key("P-256", {"kid": secrets.token_hex(4), "use": "sig", "alg": "ES256"})

    def authorize(self, address: str) -> str:
        """Sign in whoever comes to an address, and return the address to which the browser is sent back."""
        parts = urlsplit(address)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.url}/authorize"
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert (asked["client_id"], asked["response_type"]) == (CLIENT_ID, "code")
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(12)
        self._codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def answer(self, path: str, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        """Answer what Berth itself asks."""
        self.asked.append(path)
        if path == "/.well-known/openid-configuration":
            return 200, {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
                "userinfo_endpoint": f"{self.url}/userinfo",
                "end_session_endpoint": f"{self.url}/end",
                "id_token_signing_alg_values_supported": ["ES256", "HS256", "none"],
                **self.document,
            }
        if path == "/keys":
            return 200, KeySet([self.key]).as_dict(private=False)
        if path == "/userinfo":
            return 200, {"sub": self.user["sub"], **self.userinfo}
        return self._tokens(form, authorization) if path == "/token" else (404, {})

    def _tokens(self, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        basic = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if authorization != f"Basic {basic}" and form.get("client_secret") != CLIENT_SECRET:
            return 401, {"error": "invalid_client"}
        if form["grant_type"] == "refresh_token":
            if self.refusal is not None:
                return self.refusal
            # Each is good once.
            if form["refresh_token"] != self._refresh_token:
                return 400, {"error": "invalid_grant"}
            return 200, self._signed({})
        begun = self._codes.pop(form["code"], None)
        challenge = hashlib.sha256(form["code_verifier"].encode()).digest()
        if begun is None or begun["redirect_uri"] != form["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        if base64.urlsafe_b64encode(challenge).decode().rstrip("=") != begun["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        return 200, self._signed({"nonce": begun["nonce"]})

    def _signed(self, more: dict[str, Any]) -> dict[str, Any]:
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT_ID, "iat": now, "exp": now + 300, **self.user, **more, **self.claims}
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": "ES256", "kid": self.key.kid, **self.header}
        text = _encoded(header, claims, self.forged or self.key)
        self._refresh_token = secrets.token_urlsafe(12)
        answer = {"access_token": secrets.token_urlsafe(12), "token_type": "Bearer", "expires_in": 300}
        given = {"refresh_token": self._refresh_token} if self.gives_refresh_tokens else {}
        return {**answer, **given, "id_token": text}


def _encoded(header: dict[str, Any], claims: dict[str, Any], key: Key) -> str:
    if header["alg"] != "none":
        return jwt.encode(header, claims, key, algorithms=[header["alg"]])
    parts = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (header, claims))
    return f"{'.'.join(parts)}."


@contextmanager
def running_issuer() -> Iterator[Issuer]:
    """Run a provider on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", issuer.authorize(f"{issuer.url}{self.path}"))
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                self._answer({})

        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer({name: values[0] for name, values in parse_qs(text).items()})

        def _answer(self, form: dict[str, str]) -> None:
            path = unquote(urlsplit(self.path).path)
            status, content = issuer.answer(path, form, self.headers.get("Authorization", ""))
            body = content.encode() if isinstance(content, str) else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        issuer = Issuer(f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield issuer
        finally:
            server.shutdown()
            thread.join()

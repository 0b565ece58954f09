"""A certificate authority that lives as long as a test session, and the kubeconfigs of those whom it vouches for."""

from __future__ import annotations

import base64
import datetime as dt
import ipaddress
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from pathlib import Path

_LIFETIME = dt.timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Identity:
    """A certificate and its private key, both in PEM."""

    certificate: bytes
    key: bytes


class Authority:
    """Signs certificates for loopback servers and for users (a name and the groups it is in)."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("berth test authority")
        draft = _draft(self._name, self._name, self._key.public_key())
        draft = draft.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        self.certificate = draft.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM)

    def server(self) -> Identity:
        """Return the identity of any server on loopback; etcd also presents it to itself as a client."""
        names = x509.SubjectAlternativeName(
            [x509.DNSName("localhost"), x509.IPAddress(ipaddress.IPv4Address("127.0.0.1"))]
        )
        usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        return self._issue(_name("localhost"), [x509.ExtendedKeyUsage(usages), names])

    def user(self, name: str, *groups: str) -> Identity:
        """Return the identity of a user as Kubernetes reads it: the common name, and organisations as groups."""
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
        return self._issue(_name(name, *groups), [usage])

    def _issue(self, subject: x509.Name, extensions: list[x509.ExtensionType]) -> Identity:
        key = ec.generate_private_key(ec.SECP256R1())
        draft = _draft(subject, self._name, key.public_key())
        for extension in extensions:
            draft = draft.add_extension(extension, critical=False)
        return Identity(draft.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM), private_pem(key))


def private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def public_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def write_kubeconfig(path: Path, *, server: str, authority: bytes, user: Identity | str) -> Path:
    """Write a kubeconfig with one context, `berth-test`; `user` is a certificate or a bearer token."""
    if isinstance(user, str):
        sign_in = {"token": user}
    else:
        sign_in = {"client-certificate-data": _base64(user.certificate), "client-key-data": _base64(user.key)}
    name = "berth-test"
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "clusters": [
            {"name": name, "cluster": {"server": server, "certificate-authority-data": _base64(authority)}},
        ],
        "users": [{"name": name, "user": sign_in}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
    }
    # JSON is YAML, and a kubeconfig is YAML.
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    path.chmod(0o600)
    return path


def _draft(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    draft = x509.CertificateBuilder(subject_name=subject, issuer_name=issuer, public_key=key)
    draft = draft.serial_number(x509.random_serial_number())
    # A few minutes back, for clocks that are not quite together.
    return draft.not_valid_before(now - dt.timedelta(minutes=5)).not_valid_after(now + _LIFETIME)


def _name(common_name: str, *organisations: str) -> x509.Name:
    groups = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, organisation) for organisation in organisations]
    return x509.Name([*groups, x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()

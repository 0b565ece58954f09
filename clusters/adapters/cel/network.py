"""IP addresses and networks as ``ip()`` and ``cidr()`` of Kubernetes' CEL library read them.

Upstream: ``k8s.io/apiserver/pkg/cel`` v0.37.2 (``ip.go``, ``cidr.go``) and Go's ``net/netip``.
"""

from __future__ import annotations

import json
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Final, NamedTuple

from clusters.engine.devices import UnsupportedExpressionError

_UNPARSED: Final = "unable to parse IP"
_OCTETS: Final = 4
_MOST_OCTET: Final = 255
_MOST_BITS: Final = 128


class Address(NamedTuple):
    """An address, without a zone."""

    value: IPv4Address | IPv6Address

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read an address. Raises ValueError with Go's words, UnsupportedExpressionError where these are not known."""
        try:
            found = _read(text)
        except ValueError as error:
            raise ValueError(f"IP Address {_quoted(text)} parse error during conversion from string: {error}") from None
        if isinstance(found, IPv6Address) and found.scope_id is not None:
            raise ValueError(f"IP address {_quoted(text)} with zone value is not allowed")
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            raise ValueError(f"IPv4-mapped IPv6 address {_quoted(text)} is not allowed")
        return cls(found)

    def is_in(self, *networks: IPv4Network | IPv6Network) -> bool:
        """Whether the address is in one of these."""
        return any(self.value in each for each in networks if each.version == self.value.version)

    def __str__(self) -> str:
        return str(self.value)


class Prefix(NamedTuple):
    """A network as it was written: the address may have more bits than the network."""

    address: Address
    bits: int

    @classmethod
    def parse(cls, text: str) -> Prefix:
        """Read a network. Raises as ``Address.parse``."""
        try:
            return cls._read(text)
        except ValueError as error:
            where = "network address parse error during conversion from string"
            raise ValueError(f"{where}: {where}: netip.ParsePrefix({_quoted(text)}): {error}") from None

    @classmethod
    def _read(cls, text: str) -> Prefix:
        name, slash, bits = text.rpartition("/")
        if not slash:
            raise ValueError("no '/'")
        found = _read(name)
        if isinstance(found, IPv6Address) and (found.scope_id is not None or found.ipv4_mapped is not None):
            raise UnsupportedExpressionError("cidr")
        address = Address(found)
        if not bits.isascii() or not bits.isdigit() or len(bits) > len(str(_MOST_BITS)) or str(int(bits)) != bits:
            raise ValueError(f"bad bits after slash: {_quoted(bits)}")
        if int(bits) > address.value.max_prefixlen:
            raise ValueError("prefix length out of range")
        return cls(address, int(bits))

    @property
    def network(self) -> IPv4Network | IPv6Network:
        """The network without the address' other bits."""
        return ip_network((self.address.value, self.bits), strict=False)

    def has(self, other: Prefix) -> bool:
        """Whether all of another network is in it."""
        return self.bits <= other.bits and Address(other.network.network_address).is_in(self.network)

    def __str__(self) -> str:
        return f"{self.address}/{self.bits}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _read(text: str) -> IPv4Address | IPv6Address:
    separator = next((sign for sign in text if sign in ".:%"), "")
    if separator == ".":
        fault, at = _ipv4_fault(text)
        if fault:
            raise ValueError(f"ParseAddr({_quoted(text)}): {fault}" + (f" (at {_quoted(at)})" if at else ""))
        return IPv4Address(text)
    if separator != ":":
        raise ValueError(f"ParseAddr({_quoted(text)}): {_UNPARSED if not separator else 'missing IPv6 address'}")
    try:
        return IPv6Address(text)
    except ValueError:
        # There are a dozen ways to say what is wrong.
        raise UnsupportedExpressionError("ip") from None


def _ipv4_fault(text: str) -> tuple[str, str]:
    """What Go says of a text that is no IPv4 address, and from where on; empty where it is one."""
    octets = 0
    digits = ""
    for place, sign in enumerate(text):
        if sign.isascii() and sign.isdigit():
            if digits == "0":
                return "IPv4 field has octet with leading zero", ""
            digits += sign
            if int(digits) > _MOST_OCTET:
                return "IPv4 field has value >255", ""
        elif sign != ".":
            return "unexpected character", text[place:]
        elif not digits or place == len(text) - 1:
            return "IPv4 field must have at least one digit", text[place:]
        elif octets == _OCTETS - 1:
            return "IPv4 address too long", ""
        else:
            octets, digits = octets + 1, ""
    return ("", "") if octets == _OCTETS - 1 else ("IPv4 address too short", "")

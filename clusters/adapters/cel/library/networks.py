"""Functions of IP addresses and networks.

Upstream: ``k8s.io/apiserver/pkg/cel/library`` v0.37.2 (``ip.go``, ``cidr.go``) and Go's ``net/netip``.
"""

from __future__ import annotations

from ipaddress import ip_network
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.cel.network import Address, Prefix
from clusters.adapters.cel.signatures import Function, function, method
from clusters.adapters.cel.values import CelError, Scope
from clusters.engine.devices import UnsupportedExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable

_UNSPECIFIED: Final = (ip_network("0.0.0.0/32"), ip_network("::/128"))
_LOOPBACK: Final = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
_MULTICAST: Final = (ip_network("224.0.0.0/4"), ip_network("ff00::/8"))
_LINK_LOCAL_UNICAST: Final = (ip_network("169.254.0.0/16"), ip_network("fe80::/10"))
_BROADCAST: Final = ip_network("255.255.255.255/32")
# Of IPv6 the flags may be any.
_LINK_LOCAL_MULTICAST: Final = (ip_network("224.0.0.0/24"), *(ip_network(f"ff{flags:x}2::/16") for flags in range(16)))
_SEVERAL: Final = (*_UNSPECIFIED, *_LOOPBACK, *_MULTICAST, *_LINK_LOCAL_UNICAST, _BROADCAST)


def _read(parse: Callable[[str], Any]) -> Callable[..., Any]:
    def read(scope: Scope, text: str) -> Any:
        scope.traverse(len(text) + 1)
        try:
            return parse(text)
        except ValueError as error:
            raise CelError(str(error)) from None

    return read


def _is_readable(parse: Callable[[str], Any]) -> Callable[..., bool]:
    def check(scope: Scope, text: str) -> bool:
        scope.traverse(len(text) + 1)
        try:
            parse(text)
        except (ValueError, UnsupportedExpressionError):
            return False
        return True

    return check


def _of(compute: Callable[..., Any]) -> Callable[..., Any]:
    def computed(scope: Scope, *values: Any) -> Any:
        scope.charge(5)
        return compute(*values)

    return computed


def _within(*networks: Any) -> Callable[..., Any]:
    return _of(lambda address: address.is_in(*networks))


_address: Final = _read(Address.parse)
_prefix: Final = _read(Prefix.parse)


def _is_canonical(scope: Scope, text: str) -> bool:
    return str(_address(scope, text)) == text


def _has_address(scope: Scope, prefix: Prefix, text: str) -> bool:
    try:
        address = _address(scope, text)
    except CelError:
        raise CelError("no such overload") from None
    return bool(address.is_in(prefix.network))


def _has_prefix(scope: Scope, prefix: Prefix, text: str) -> bool:
    return prefix.has(_prefix(scope, text))


def _masked(prefix: Prefix) -> Prefix:
    return Prefix(Address(prefix.network.network_address), prefix.bits)


_IP: Final = "net.IP"
_CIDR: Final = "net.CIDR"
NETWORKS: Final = (
    Function("ip", function("string", _IP, _address), method(_CIDR, _IP, _of(lambda prefix: prefix.address))),
    Function("isIP", function("string", "bool", _is_readable(Address.parse))),
    Function("ip.isCanonical", function("string", "bool", _is_canonical)),
    Function("family", method(_IP, "int", _of(lambda address: address.value.version))),
    Function("isUnspecified", method(_IP, "bool", _within(*_UNSPECIFIED))),
    Function("isLoopback", method(_IP, "bool", _within(*_LOOPBACK))),
    Function("isLinkLocalMulticast", method(_IP, "bool", _within(*_LINK_LOCAL_MULTICAST))),
    Function("isLinkLocalUnicast", method(_IP, "bool", _within(*_LINK_LOCAL_UNICAST))),
    Function("isGlobalUnicast", method(_IP, "bool", _of(lambda address: not address.is_in(*_SEVERAL)))),
    Function("cidr", function("string", _CIDR, _prefix)),
    Function("isCIDR", function("string", "bool", _is_readable(Prefix.parse))),
    Function(
        "containsIP",
        method(f"{_CIDR}, string", "bool", _has_address),
        method(f"{_CIDR}, {_IP}", "bool", _of(lambda prefix, address: address.is_in(prefix.network))),
    ),
    Function(
        "containsCIDR",
        method(f"{_CIDR}, string", "bool", _has_prefix),
        method(f"{_CIDR}, {_CIDR}", "bool", _of(Prefix.has)),
    ),
    Function("prefixLength", method(_CIDR, "int", _of(lambda prefix: prefix.bits))),
    Function("masked", method(_CIDR, _CIDR, _of(_masked))),
)

"""Scheduler extenders: other programs that kube-scheduler asks over HTTP, whose answers cannot be known from outside.

Upstream: ``pkg/scheduler/apis/config/validation/validation.go`` and ``buildExtenders`` in ``pkg/scheduler``,
v1.34.1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from clusters.engine.configuration.problems import BinderTwice, ManagedTwice, NotAnExtendedResource, ScoresWithoutWeight
from clusters.engine.configuration.reading import ConfigurationError
from clusters.engine.problems import shown
from clusters.engine.selectors import key_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.configuration.profiles import Profile
    from clusters.engine.configuration.reading import ConfigurationFields
    from clusters.engine.objects import Pod

EXTENDER_FIELDS: Final = (
    "urlPrefix",
    "filterVerb",
    "preemptVerb",
    "prioritizeVerb",
    "weight",
    "bindVerb",
    "enableHTTPS",
    "tlsConfig",
    "httpTimeout",
    "nodeCacheCapable",
    "managedResources",
    "ignorable",
)
DEFAULT_TIMEOUT: Final = Fraction(5)
TLS_FIELDS: Final = ("insecure", "serverName", "certFile", "keyFile", "caFile", "certData", "keyData", "caData")


@dataclass(frozen=True, slots=True)
class ManagedResource:
    """An extended resource that an extender manages; the scheduler's own fit check may leave it out."""

    name: str
    ignored_by_scheduler: bool


@dataclass(frozen=True, slots=True)
class Extender:
    """An extender and what it is asked: an empty verb means that it is not.

    Pods that request none of ``managed_resources`` are not sent to it, unless there are none. ``ignorable``: scheduling
    goes on without its answer. ``node_cache_capable``: it is sent names of nodes instead of objects. ``timeout``: of a
    call, in seconds. ``ca_data``: a certificate authority's certificate, in base64; ``ca_file``: where the scheduler
    has it.
    """

    url_prefix: str
    filter_verb: str
    preempt_verb: str
    prioritize_verb: str
    bind_verb: str
    weight: int
    ignorable: bool
    managed_resources: tuple[ManagedResource, ...]
    node_cache_capable: bool = False
    timeout: Fraction = DEFAULT_TIMEOUT
    enable_https: bool = False
    insecure: bool = False
    server_name: str = ""
    ca_data: str = ""
    ca_file: str = ""

    @property
    def address(self) -> str:
        """The URL prefix as it may be shown: without the user and password that it may name."""
        scheme, separator, rest = self.url_prefix.partition("//")
        host, slash, path = rest.partition("/")
        return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"


def read_extenders(configuration: ConfigurationFields) -> tuple[Extender, ...]:
    """Return the extenders in the order in which they are asked: ignorable ones last. Raises ConfigurationError."""
    extenders: list[Extender] = []
    managed: set[str] = set()
    for fields in configuration.each("extenders", EXTENDER_FIELDS):
        extender = _extender(fields, managed)
        if extender.bind_verb and any(other.bind_verb for other in extenders):
            raise ConfigurationError(fields.at("bindVerb"), BinderTwice())
        extenders.append(extender)
    return tuple(sorted(extenders, key=lambda extender: extender.ignorable))


def _extender(fields: ConfigurationFields, managed: set[str]) -> Extender:
    """Read one extender; ``managed`` holds the resources of those before, and gains its own."""
    tls = fields.child("tlsConfig", TLS_FIELDS)
    for name in TLS_FIELDS[1:]:
        tls.text(name)
    weight = fields.integer("weight", bits=64) or 0
    if fields.text("prioritizeVerb") and weight <= 0:
        raise ConfigurationError(fields.at("weight"), ScoresWithoutWeight(weight))
    return Extender(
        url_prefix=fields.text("urlPrefix"),
        filter_verb=fields.text("filterVerb"),
        preempt_verb=fields.text("preemptVerb"),
        prioritize_verb=fields.text("prioritizeVerb"),
        bind_verb=fields.text("bindVerb"),
        weight=weight,
        ignorable=fields.boolean("ignorable"),
        managed_resources=tuple(
            _managed_resource(entry, managed)
            for entry in fields.each("managedResources", ("name", "ignoredByScheduler"))
        ),
        node_cache_capable=fields.boolean("nodeCacheCapable"),
        timeout=fields.seconds("httpTimeout") or DEFAULT_TIMEOUT,
        enable_https=fields.boolean("enableHTTPS"),
        insecure=tls.boolean("insecure"),
        server_name=tls.text("serverName"),
        ca_data=tls.text("caData"),
        ca_file=tls.text("caFile"),
    )


def _managed_resource(fields: ConfigurationFields, managed: set[str]) -> ManagedResource:
    name = fields.text("name")
    extended = "/" in name and "kubernetes.io/" not in name and not name.startswith("requests.")
    if key_fault(name) or not extended or key_fault(f"requests.{name}"):
        raise ConfigurationError(fields.at("name"), NotAnExtendedResource(shown(name)))
    if name in managed:
        raise ConfigurationError(fields.at("name"), ManagedTwice(name))
    managed.add(name)
    return ManagedResource(name, fields.boolean("ignoredByScheduler"))


# Which extenders have a say about a pod.
#
# Upstream: ``IsInterested`` in ``pkg/scheduler/extender.go`` v1.34.1.


def interested_extenders(profile: Profile, pod: Pod) -> tuple[Extender, ...]:
    """The extenders that are asked about a pod: they manage no resources, or one that a container names."""
    return tuple(each for each in profile.extenders if not each.managed_resources or any(managed_by(each, pod)))


def managed_by(extender: Extender, pod: Pod) -> Iterator[str]:
    """The extender's resources that containers of a pod request or limit, in the extender's order."""
    named = {
        name
        for kind in ("containers", "initContainers")
        for container in pod.spec.get(kind) or ()
        for amounts in ("requests", "limits")
        for name in (container.get("resources") or {}).get(amounts) or {}
    }
    return (resource.name for resource in extender.managed_resources if resource.name in named)

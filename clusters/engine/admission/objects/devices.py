"""Claims of devices, their classes, what drivers publish, and device taints.

Upstream: ``pkg/apis/resource/validation``, v1.37.2. Expressions are compiled as the newest minor does, which compiles
whatever earlier ones do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.admission.objects.amounts import check_counts, check_one_of, check_quantities, check_repeated
from clusters.engine.admission.objects.problems import NoSuchRequest, NotTogether, OnlyBeside
from clusters.engine.admission.problems import EqualWithoutKey, ValueBesideExists
from clusters.engine.admission.validation.affinity import check_node_selector
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.devices.selecting import CompileError, UnsupportedExpressionError, compiled
from clusters.engine.matching.selectors import key_fault, value_fault
from clusters.engine.problems import BelowLeast, Missing, NotALabelKey, NotALabelValue, Quoted, TooMany
from clusters.engine.showing import shown
from clusters.engine.versions import NEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.objects import Document

_MOST: Final = 32
_MOST_ALTERNATIVES: Final = 8
_MOST_DEVICES: Final = 128
_MOST_ADVANCED_DEVICES: Final = 64
_VALUES: Final = ("bool", "int", "string", "version", "bools", "ints", "strings", "versions")
_WHERE: Final = ("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection")


def device_class(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a DeviceClass."""
    yield from _selectors((document.get("spec") or {}).get("selectors") or (), "spec.selectors")


def claim(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ResourceClaim."""
    yield from _claim(document.get("spec") or {}, "spec")


def claim_template(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ResourceClaimTemplate."""
    yield from _claim((document.get("spec") or {}).get("spec") or {}, "spec.spec")


def taint_rule(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a DeviceTaintRule."""
    taint = (document.get("spec") or {}).get("taint") or {}
    yield from _taint(taint, "spec.taint")


def resource_slice(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a ResourceSlice."""
    spec = document.get("spec") or {}
    devices = spec.get("devices") or ()
    yield from check_one_of({field: spec.get(field) or None for field in _WHERE}, "spec", _WHERE)
    if spec.get("nodeSelector") is not None:
        yield from check_node_selector(spec["nodeSelector"], "spec.nodeSelector")
    if devices and spec.get("sharedCounters"):
        yield Wrong("spec", NotTogether(("devices", "sharedCounters")))
    yield from check_counts(spec.get("pool") or {}, "spec.pool", "generation")
    yield from check_counts(spec.get("pool") or {}, "spec.pool", "resourceSliceCount", least=1)
    bodies = [each.get("basic") or each for each in devices]
    is_advanced = any(each.get("taints") or each.get("consumesCounters") for each in bodies)
    most = _MOST_ADVANCED_DEVICES if is_advanced else _MOST_DEVICES
    if len(devices) > most:
        yield Wrong("spec.devices", TooMany(len(devices), most))
    yield from check_repeated((f"spec.devices[{number}].name", each["name"]) for number, each in enumerate(devices))
    for number, body in enumerate(bodies):
        path = f"spec.devices[{number}]" if body is devices[number] else f"spec.devices[{number}].basic"
        for name, attribute in (body.get("attributes") or {}).items():
            yield from check_one_of(attribute, f"{path}.attributes.{name}", _VALUES)
        amounts = {name: (each or {}).get("value") for name, each in (body.get("capacity") or {}).items()}
        yield from check_quantities(amounts, f"{path}.capacity")
        for place, taint in enumerate(body.get("taints") or ()):
            yield from _taint(taint, f"{path}.taints[{place}]")


def _claim(spec: Document, path: str) -> Iterator[Wrong]:
    devices, path = spec.get("devices") or {}, f"{path}.devices"
    requests, constraints = devices.get("requests") or (), devices.get("constraints") or ()
    for field, listed in (("requests", requests), ("constraints", constraints)):
        if len(listed) > _MOST:
            yield Wrong(f"{path}.{field}", TooMany(len(listed), _MOST))
    yield from check_repeated((f"{path}.requests[{number}].name", each["name"]) for number, each in enumerate(requests))
    names: list[str] = []
    for number, request in enumerate(requests):
        where = f"{path}.requests[{number}]"
        alternatives = request.get("firstAvailable") or ()
        names += [request["name"], *(f"{request['name']}/{each['name']}" for each in alternatives)]
        # v1beta1 has what is asked for in the request itself.
        if request.get("deviceClassName") and not alternatives and "exactly" not in request:
            yield from _request(request, where)
            continue
        yield from check_one_of(request, where, ("exactly", "firstAvailable"))
        if request.get("exactly") is not None:
            yield from _request(request["exactly"], f"{where}.exactly")
        if len(alternatives) > _MOST_ALTERNATIVES:
            yield Wrong(f"{where}.firstAvailable", TooMany(len(alternatives), _MOST_ALTERNATIVES))
        for place, alternative in enumerate(alternatives):
            yield from _request(alternative, f"{where}.firstAvailable[{place}]")
    for number, constraint in enumerate(constraints):
        where = f"{path}.constraints[{number}]"
        if constraint.get("matchAttribute") is None and constraint.get("distinctAttribute") is None:
            yield Wrong(f"{where}.matchAttribute", Missing())
        for place, name in enumerate(constraint.get("requests") or ()):
            if name not in names:
                yield Wrong(f"{where}.requests[{place}]", NoSuchRequest(shown(name), tuple(names)))


def _request(request: Document, path: str) -> Iterator[Wrong]:
    yield from _selectors(request.get("selectors") or (), f"{path}.selectors")
    count = request.get("count")
    if request.get("allocationMode") == "All":
        if count:
            yield Wrong(f"{path}.count", OnlyBeside("allocationMode", "ExactCount"))
    elif count is not None and count < 0:
        # 0 is a count that is not there, in whose place the API server writes 1.
        yield Wrong(f"{path}.count", BelowLeast(str(count), 1))
    for number, toleration in enumerate(request.get("tolerations") or ()):
        where = f"{path}.tolerations[{number}]"
        tolerates_any = toleration.get("operator") == "Exists"
        if not toleration.get("key") and not tolerates_any:
            yield Wrong(f"{where}.operator", EqualWithoutKey())
        if tolerates_any and toleration.get("value"):
            yield Wrong(f"{where}.value", ValueBesideExists(toleration["value"]))


def _selectors(selectors: Sequence[Document], path: str) -> Iterator[Wrong]:
    if len(selectors) > _MOST:
        yield Wrong(path, TooMany(len(selectors), _MOST))
    for number, selector in enumerate(selectors):
        if not selector.get("cel"):
            yield Wrong(f"{path}[{number}].cel", Missing())
            continue
        try:
            compiled(str(selector["cel"].get("expression") or ""), NEWEST.dialect)
        except CompileError as error:
            yield Wrong(f"{path}[{number}].cel.expression", Quoted(str(error)))
        except UnsupportedExpressionError:
            continue


def _taint(taint: Document, path: str) -> Iterator[Wrong]:
    if key_fault(taint.get("key") or ""):
        yield Wrong(f"{path}.key", NotALabelKey(shown(taint.get("key"))))
    if value_fault(taint.get("value") or ""):
        yield Wrong(f"{path}.value", NotALabelValue(shown(taint["value"])))

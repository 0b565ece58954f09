"""Which devices a request selects, whoever has them: by the selectors of its class, its own, and the device's nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.devices.pod_claims import CLASS, SLICE, TAINT_RULE
from clusters.engine.devices.pools import reach_rows
from clusters.engine.devices.requests import ClaimFault, expressions_of
from clusters.engine.devices.selecting import Allowance, CompileError, EvaluationError, compiled
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from clusters.engine.devices.inventory import Device, DeviceSlice, Reach
    from clusters.engine.devices.requests import Claim, DeviceRequest
    from clusters.engine.devices.selecting import Selector
    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Node
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions.device_rules import Dialect


@dataclass(frozen=True, slots=True)
class SelectorUse:
    """A CEL expression by which a request selects; ``device_class`` is empty where the claim itself has it."""

    claim: str
    request: str
    device_class: str
    number: int
    expression: str

    @property
    def owner(self) -> str:
        """The object that has the expression, as the scheduler names it."""
        return f"class {self.device_class}" if self.device_class else f"claim {self.claim}"


class Leniency(NamedTuple):
    """What is left out of account: selectors and taints."""

    selectors: frozenset[SelectorUse] = frozenset()
    taints: frozenset[Taint] = frozenset()


STRICT = Leniency()
DERIVED_ATTRIBUTES_DISABLED = "cannot handle request with derived attributes, the feature is disabled"
ADMIN_ACCESS_DISABLED = "admin access is requested, but the feature is disabled"
# From 1.37 the scheduler adds what may help (``EnhanceRuntimeError`` in ``k8s.io/dynamic-resource-allocation/cel``).
MISSING_KEY = "no such key:"
MISSING_KEY_HINT = (
    ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional "
    "fields"
)


class Suitability:
    """The answers for one pod, kept for all nodes."""

    def __init__(self, snapshot: Snapshot, leniency: Leniency = STRICT) -> None:
        self._snapshot = snapshot
        self._leniency = leniency
        self._selectors: dict[tuple[str, str], tuple[tuple[SelectorUse, Selector], ...]] = {}
        self._answers: dict[tuple[str, str, int], bool] = {}
        self._rows: dict[Reach, frozenset[int]] = {}
        self._rules = snapshot.release.devices
        self._gives_admin_access = snapshot.release.enables(Gate.DRA_ADMIN_ACCESS)
        self._known = snapshot.derived(_answers, SLICE, TAINT_RULE, CLASS)
        self._allowance = snapshot.derived(allowance_of, SLICE, TAINT_RULE, CLASS)

    def check(self, claim: Claim, request: DeviceRequest) -> None:
        """Refuse a request that cannot be worked with. Raises ClaimFault with the scheduler's error."""
        prefix = f"claim {claim.key}, request {request.name}"
        # Until 1.36 the scheduler knows no such field. Where the gate is on nothing is computed.
        if request.derives_attributes and Gate.DRA_DERIVED_ATTRIBUTES in self._snapshot.release.known_gates:
            raise ClaimFault(f"{prefix}: {DERIVED_ATTRIBUTES_DISABLED}")
        if None in request.expressions:
            number = request.expressions.index(None)
            raise ClaimFault(f"{prefix}, selector #{number}: CEL expression empty (unsupported selector type?)")
        if request.names_admin_access and not self._gives_admin_access:
            raise ClaimFault(f"{prefix}: {ADMIN_ACCESS_DISABLED}")
        if not request.device_class:
            raise ClaimFault(f"{prefix}: missing device class name (unsupported request type?)")

    def taints(self, device: Device) -> tuple[Taint, ...]:
        """The device's taints, as far as they count."""
        if not self._rules.reads_taints or not device.taints:
            return ()
        found = (taint for taint in device.taints if taint not in self._leniency.taints)
        return tuple(taint for taint in found if taint.forbids_scheduling or self._rules.reads_every_effect)

    def is_selected(self, claim: Claim, request: DeviceRequest, each: DeviceSlice, device: Device, row: int) -> bool:
        """Whether a request selects a device for a node.

        Raises ClaimFault with the scheduler's error, UnsupportedExpressionError.
        """
        # Devices live as long as the snapshot that this looks at.
        key = claim.key, request.full_name, id(device)
        answer = self._answers.get(key)
        if answer is None:
            answer = self.is_offered(device) and self.excluding(claim, request, each, device) is None
            self._answers[key] = answer
        return answer and (not each.has_reach_by_device or self.is_reached(device, row))

    def is_offered(self, device: Device) -> bool:
        """Whether a device can be allocated at all: not one with binding conditions that the scheduler ignores."""
        return self._rules.waits_for_conditions or not device.conditions

    def is_prepared(self, each: DeviceSlice, row: int) -> bool:
        """Whether the node of a row can do with less the devices of a slice need, where operations are skipped."""
        if not each.skipped_operations or not (self._rules.asks_nodes_to_skip or self._rules.gives_no_skipping):
            return True
        return not self._rules.gives_no_skipping and skips_operations(self._snapshot.nodes.nodes[row])

    def _fault(self, use: SelectorUse, each: DeviceSlice, device: Device, error: EvaluationError) -> str:
        """What the scheduler says of an expression that cannot be evaluated for a device."""
        if not self._rules.explains_errors:
            return f"{use.owner}: selector #{use.number}: CEL runtime error: {error}"
        where = f"{each.driver}/{each.pool}/{device.name}"
        hint = MISSING_KEY_HINT if MISSING_KEY in str(error) else ""
        return f"{use.owner}: selector #{use.number} on device {where}: CEL runtime error: {error}{hint}"

    def excluding(self, claim: Claim, request: DeviceRequest, each: DeviceSlice, device: Device) -> SelectorUse | None:
        """Return the first selector that excludes a device; None where all select it. Raises as ``is_selected``."""
        for use, selector in self.selectors(claim, request):
            known = self._known.setdefault(use.expression, {})
            answer = known.get(id(device))
            if answer is None:
                try:
                    answer = known[id(device)] = selector.matches(each.driver, device, self._allowance)
                except EvaluationError as error:
                    raise ClaimFault(self._fault(use, each, device, error)) from None
            if not answer:
                return use
        return None

    def is_reached(self, device: Device, row: int) -> bool:
        """Whether a device that names its nodes itself can be used from one."""
        if device.reach not in self._rows:
            self._rows[device.reach] = frozenset(reach_rows(self._snapshot.nodes, device.reach))
        return row in self._rows[device.reach]

    def selectors(self, claim: Claim, request: DeviceRequest) -> tuple[tuple[SelectorUse, Selector], ...]:
        """The selectors of a request that count, those of its class first. Raises as ``is_selected``."""
        key = claim.key, request.full_name
        if key not in self._selectors:
            self._selectors[key] = tuple(
                (use, _compiled(use, self._snapshot.release.dialect))
                for use in uses_of(self._snapshot, claim, request)
                if use not in self._leniency.selectors
            )
        return self._selectors[key]


def skips_operations(node: Node) -> bool:
    """Whether the kubelet of a node declares that it can leave operations out that devices do not need."""
    return Gate.DRA_OPTIONAL_NODE_OPERATIONS.value in node.features


def _answers(snapshot: Snapshot) -> dict[str, dict[int, bool]]:
    """Room for what expressions answer for devices, by expression and device, kept as long as the devices are."""
    return {}


def allowance_of(snapshot: Snapshot) -> Allowance:
    """What the expressions of a cluster may cost together."""
    return Allowance()


def uses_of(snapshot: Snapshot, claim: Claim, request: DeviceRequest) -> tuple[SelectorUse, ...]:
    """The CEL expressions by which a request selects, those of its class first."""
    found = snapshot.object(CLASS, request.device_class) or {}
    by_class = expressions_of(found.get("spec") or {})
    return (
        *(
            SelectorUse(claim.key, request.full_name, request.device_class, number, expression or "")
            for number, expression in enumerate(by_class)
        ),
        *(
            SelectorUse(claim.key, request.full_name, "", number, expression or "")
            for number, expression in enumerate(request.expressions)
        ),
    )


def _compiled(use: SelectorUse, dialect: Dialect) -> Selector:
    try:
        return compiled(use.expression, dialect)
    except CompileError as error:
        raise ClaimFault(f"{use.owner}: selector #{use.number}: CEL compile error: {error}") from None

"""What of the pod's claims can be lifted, one by one, and what the claims are without some of that."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from clusters.engine.devices.pools import slices_of
from clusters.engine.devices.requests import MatchAttribute
from clusters.engine.devices.suitability import Leniency, Suitability, uses_of
from clusters.engine.plugins.dynamic_resources.evidence import (
    DeviceCapacitySubject,
    DeviceCountSubject,
    DeviceSelectorSubject,
    DeviceTaintSubject,
    DistinctAttributeSubject,
    ExtendedResourceSubject,
    MatchAttributeSubject,
    ResourceClaimSubject,
)
from clusters.engine.resources.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.devices.requests import AttributeRule, Claim, DeviceRequest
    from clusters.engine.devices.suitability import SelectorUse
    from clusters.engine.matching.taints import Taint
    from clusters.engine.plugins.dynamic_resources.special_claim import SpecialClaim
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.subjects import Subject


class DeviceRequirements:
    """The requirements of claims to allocate, and of all claims (``keys``, as ``namespace/name``) as a whole."""

    def __init__(
        self, snapshot: Snapshot, to_allocate: tuple[Claim, ...], keys: Sequence[str], special: SpecialClaim | None
    ) -> None:
        self._snapshot = snapshot
        self._to_allocate = to_allocate
        self._keys = keys
        self._special = special

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """Selectors, taints, attributes and counts, and then whole claims and extended resources."""
        own = () if self._special is None else (self._special.whole,)
        found: list[Subject] = [_selector(use) for use in self._uses((*self._to_allocate, *own))]
        if self._to_allocate or own:
            found += (DeviceTaintSubject(text) for text in self._taints)
        found += (_attribute(claim, rule) for claim in self._to_allocate for rule in claim.constraints)
        found += (
            DeviceCapacitySubject(claim.key, request.full_name)
            for claim in self._to_allocate
            for alternatives in claim.requests
            for request in alternatives
            if request.amounts
        )
        found += (
            DeviceCountSubject(claim.key, request.full_name, request.count)
            for claim in self._to_allocate
            for alternatives in claim.requests
            for request in alternatives
            if request.count > 1
        )
        found += map(ResourceClaimSubject, self._keys)
        if self._special is not None:
            found += (ExtendedResourceSubject(each.resource, each.device_class) for each in self._special.served)
        return tuple(found)

    def _uses(self, claims: Sequence[Claim]) -> list[SelectorUse]:
        return [
            use
            for claim in claims
            for alternatives in claim.requests
            for request in alternatives
            for use in uses_of(self._snapshot, claim, request)
        ]

    @cached_property
    def _taints(self) -> Mapping[str, Taint]:
        """The distinct taints of all devices, as far as they count."""
        devices = (device for each in slices_of(self._snapshot) for device in each.devices)
        suitability = Suitability(self._snapshot)
        return {str(taint): taint for device in devices for taint in suitability.taints(device)}

    @property
    def whole(self) -> list[int]:
        """The places of whole claims and extended resources."""
        kinds = (ResourceClaimSubject, ExtendedResourceSubject)
        return [number for number, each in enumerate(self.subjects) if isinstance(each, kinds)]

    def lifted_claims(self, lifted: frozenset[int]) -> frozenset[str]:
        """The claims among some requirements."""
        subjects = (self.subjects[number] for number in lifted)
        return frozenset(each.claim for each in subjects if isinstance(each, ResourceClaimSubject))

    def lifted_resources(self, lifted: frozenset[int]) -> frozenset[str]:
        """The extended resources among some requirements."""
        subjects = (self.subjects[number] for number in lifted)
        return frozenset(each.resource for each in subjects if isinstance(each, ExtendedResourceSubject))

    def wanted(self, lifted: frozenset[int]) -> tuple[tuple[Claim, ...], Leniency]:
        """The claims to allocate, and what of them is left out of account, without some requirements."""
        if not lifted:
            return self._to_allocate, Leniency()
        subjects = frozenset(self.subjects[number] for number in lifted)
        left_out = self.lifted_claims(lifted)
        claims = tuple(_without(claim, subjects) for claim in self._to_allocate if claim.key not in left_out)
        own = () if self._special is None else (self._special.whole,)
        selectors = frozenset(use for use in self._uses((*claims, *own)) if _selector(use) in subjects)
        taints = frozenset(self._taints[each.taint] for each in subjects if isinstance(each, DeviceTaintSubject))
        return claims, Leniency(selectors, taints)


def _attribute(claim: Claim, rule: AttributeRule) -> Subject:
    is_match = isinstance(rule, MatchAttribute)
    return (MatchAttributeSubject if is_match else DistinctAttributeSubject)(claim.key, rule.attribute)


def _selector(use: SelectorUse) -> DeviceSelectorSubject:
    return DeviceSelectorSubject(use.claim, use.request, use.device_class, use.expression)


def _without(claim: Claim, subjects: frozenset[Subject]) -> Claim:
    """A claim without the counts and constraints among some requirements."""
    return replace(
        claim,
        requests=tuple(
            tuple(_reduced(claim, request, subjects) for request in alternatives) for alternatives in claim.requests
        ),
        constraints=tuple(rule for rule in claim.constraints if _attribute(claim, rule) not in subjects),
    )


def _reduced(claim: Claim, request: DeviceRequest, subjects: frozenset[Subject]) -> DeviceRequest:
    if DeviceCountSubject(claim.key, request.full_name, request.count) in subjects:
        request = replace(request, count=1)
    if request.amounts and DeviceCapacitySubject(claim.key, request.full_name) in subjects:
        # Without amounts it would consume what the driver says, or all there is.
        none = tuple((name, Fraction()) for name, _ in request.amounts)
        request = replace(request, amounts=none, quantities=(Quantity(0),) * len(none))
    return request

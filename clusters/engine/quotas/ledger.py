"""The quotas of a cluster as objects come and go: each is charged or refused as the API server would.

Upstream: ``CheckRequest`` of ``k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go``, v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.objects import name_of, namespace_of
from clusters.engine.quotas.charge import QuotaAmount
from clusters.engine.quotas.problems import QuotaExceeded, QuotaUncovered, QuotaUnspecified
from clusters.engine.quotas.resources import TO_BE_SPECIFIED
from clusters.engine.quotas.scopes import QuotaScope
from clusters.engine.resources.quantity import QuantityError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.quotas.charge import Charge
    from clusters.engine.quotas.limited import LimitedResource
    from clusters.engine.quotas.problems import QuotaRefusal

_NOTHING = QuotaAmount(0)


class Quota:
    """One quota: what is ``hard``, and what is ``used`` of that by now."""

    def __init__(self, document: Document) -> None:
        spec, status = document.get("spec") or {}, document.get("status") or {}
        self.namespace = namespace_of(document)
        self.name = name_of(document)
        self.scopes = QuotaScope.all_of(spec)
        # What the API server compares with; a quota that no controller has seen yet has only a spec.
        self.hard = _amounts(status.get("hard") or spec.get("hard") or {})
        self.is_counted = "used" in status
        used = _amounts(status.get("used") or {})
        self.used = {resource: used.get(resource, _NOTHING) for resource in self.hard}

    def counts(self, charge: Charge) -> bool:
        """Whether an object is counted: for one of the resources at least, and by all scopes."""
        return any(map(charge.is_of, self.hard)) and all(map(charge.means, self.scopes))

    def unspecified(self, charge: Charge) -> QuotaUnspecified | None:
        """What containers have to specify for this quota and do not; None where nothing is missing."""
        wanted = TO_BE_SPECIFIED.intersection(self.hard)
        missing = {name: containers for name, containers in charge.missing.items() if name in wanted}
        if not missing:
            return None
        said = "; ".join(f"{name} for: {','.join(containers)}" for name, containers in missing.items())
        message = _forbidden(charge, f"failed quota: {self.name}: must specify {said}")
        containers = sorted({name for named in missing.values() for name in named})
        return QuotaUnspecified(self.namespace, self.name, message, tuple(missing), tuple(containers))

    def exceeded(self, charge: Charge) -> QuotaExceeded | None:
        """The resources of which too much would be used; None where all are within bounds."""
        over = [
            resource
            for resource, amount in charge.amounts.items()
            if resource in self.hard and self.used[resource].nanos + amount.nanos > self.hard[resource].nanos
        ]
        if not over:
            return None
        over.sort()
        lists = [tuple(str(amounts[name]) for name in over) for amounts in (charge.amounts, self.used, self.hard)]
        said = [",".join(f"{name}={text}" for name, text in zip(over, texts, strict=True)) for texts in lists]
        words = f"exceeded quota: {self.name}, requested: {said[0]}, used: {said[1]}, limited: {said[2]}"
        return QuotaExceeded(self.namespace, self.name, _forbidden(charge, words), tuple(over), *lists)

    def add(self, charge: Charge, objects: int = 1) -> None:
        """Use what so many objects are charged."""
        for resource, amount in charge.amounts.items():
            if resource in self.hard and objects:
                self.used[resource] = self.used[resource].plus(amount.times(objects))

    def free(self, charge: Charge) -> None:
        """Free what an object that is gone was charged."""
        for resource, amount in charge.amounts.items():
            if resource in self.hard:
                left = self.used[resource].minus(amount)
                # The controller counts anew, so that nothing is ever below 0.
                self.used[resource] = left if left.nanos > 0 else left._replace(nanos=0)

    def room_for(self, charge: Charge) -> int | None:
        """How many more such objects fit; None where nothing that it is charged for is bounded."""
        return min(
            (
                max(0, (self.hard[resource].nanos - self.used[resource].nanos) // amount.nanos)
                for resource, amount in charge.amounts.items()
                if resource in self.hard
            ),
            default=None,
        )


class QuotaLedger:
    """The quotas by namespace. Where several would refuse an object, the first by name does.

    The API server has no order among the quotas of a namespace, so that it may name another of those. ``limited``: what
    a quota has to cover.
    """

    def __init__(self, quotas: Iterable[Document], limited: Sequence[LimitedResource] = ()) -> None:
        self._limited = limited
        self._quotas: dict[str, list[Quota]] = {}
        for document in sorted(quotas, key=lambda each: (namespace_of(each), name_of(each))):
            self._quotas.setdefault(namespace_of(document), []).append(Quota(document))

    def __bool__(self) -> bool:
        """Whether there is any quota, or anything that needs one."""
        return bool(self._quotas or self._limited)

    def __iter__(self) -> Iterator[Quota]:
        """All quotas by namespace and name."""
        return (quota for quotas in self._quotas.values() for quota in quotas)

    def has(self, namespace: str) -> bool:
        """Whether a namespace has quotas, or may need one."""
        return namespace in self._quotas or bool(self._limited)

    def counting(self, charge: Charge) -> list[Quota]:
        """The quotas that count an object."""
        return [quota for quota in self._quotas.get(charge.namespace, ()) if quota.counts(charge)]

    def room_for(self, charge: Charge) -> int | None:
        """How many more such objects are created; None where no quota bounds what they are charged for."""
        counting = self.counting(charge)
        if any(quota.unspecified(charge) for quota in counting) or self._uncovered(charge, counting):
            return 0
        rooms = (quota.room_for(charge) for quota in counting)
        return min((room for room in rooms if room is not None), default=None)

    def refusal(self, charge: Charge) -> QuotaRefusal | None:
        """Why an object would not be created now; None where it would. Nothing is charged."""
        counting = self.counting(charge)
        return (
            next(filter(None, (quota.unspecified(charge) for quota in counting)), None)
            or self._uncovered(charge, counting)
            or next(filter(None, (quota.exceeded(charge) for quota in counting)), None)
        )

    def _uncovered(self, charge: Charge, counting: Iterable[Quota]) -> QuotaUncovered | None:
        """What no quota covers of what the API server limits by default; None where all is covered."""
        if not self._limited:
            return None
        named = {resource for limited in self._limited for resource in limited.resources(charge)}
        covered = {resource for quota in counting for resource in quota.hard}
        missing = tuple(sorted(named - covered))
        if missing:
            message = _forbidden(charge, f"insufficient quota to consume: {','.join(missing)}")
            return QuotaUncovered(charge.namespace, message, missing, ())
        # A scope is covered as soon as one of the same name means the object, even if its quota does not count it.
        here = {
            scope.name
            for quota in self._quotas.get(charge.namespace, ())
            for scope in quota.scopes
            if charge.means(scope)
        }
        wanted = [scope for limited in self._limited for scope in limited.scopes if charge.means(scope)]
        open_scopes = [scope for scope in wanted if scope.name not in here]
        if not open_scopes:
            return None
        said = " ".join(f"{{{scope.name} {scope.operator} [{' '.join(scope.values)}]}}" for scope in open_scopes)
        message = f"insufficient quota to match these scopes: [{said}]"
        return QuotaUncovered(charge.namespace, message, (), tuple(map(str, open_scopes)))

    def charge(self, charge: Charge) -> QuotaRefusal | None:
        """Charge every quota that counts an object; where one refuses it, return why, and charge none."""
        refusal = self.refusal(charge)
        if refusal is None:
            self.count(charge)
        return refusal

    def count(self, charge: Charge) -> None:
        """Charge for an object that is there already, whatever is allowed."""
        for quota in self.counting(charge):
            quota.add(charge)

    def release(self, charge: Charge) -> None:
        """Free what an object that is gone was charged."""
        for quota in self.counting(charge):
            quota.free(charge)


def _forbidden(charge: Charge, why: str) -> str:
    return f'{charge.plural} "{charge.name}" is forbidden: {why}'


def _amounts(quantities: Mapping[str, object]) -> dict[str, QuotaAmount]:
    """Quantities by resource; one that cannot be read bounds nothing, as the API server would not have stored it."""
    found = {}
    for resource, quantity in quantities.items():
        try:
            found[resource] = QuotaAmount.read(quantity)
        except QuantityError:
            continue
    return found

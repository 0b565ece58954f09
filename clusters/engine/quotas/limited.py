"""What the API server limits by default: resources and scopes that a quota has to cover before anything uses them.

Upstream: ``limitedByDefault``, ``getMatchedLimitedScopes`` and ``CheckRequest`` of
``k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go``, ``UncoveredQuotaScopes`` of the evaluators in
``pkg/quota/v1/evaluator/core``; v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.quotas.scopes import QuotaScope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.objects import Document
    from clusters.engine.quotas.charge import Charge

# The ResourceQuotaConfiguration of an API server, as the mirror keeps it.
CONFIGURATION: Final = "ResourceQuotaConfiguration"


class LimitedResource(NamedTuple):
    """Objects of a kind, named as in addresses of the API with the group behind it, that a quota has to cover.

    ``contains``: parts of the names of the quota's resources that are meant; ``scopes`` mean objects of every kind.
    """

    plural: str
    contains: tuple[str, ...]
    scopes: tuple[QuotaScope, ...]

    @classmethod
    def all_of(cls, configurations: Iterable[Document]) -> tuple[LimitedResource, ...]:
        """What some configurations limit, in order."""
        return tuple(
            cls(
                ".".join(filter(None, (str(each.get("resource") or ""), str(each.get("apiGroup") or "")))),
                tuple(map(str, each.get("matchContains") or ())),
                QuotaScope.all_of({"scopeSelector": {"matchExpressions": each.get("matchScopes") or ()}}),
            )
            for configuration in configurations
            for each in configuration.get("limitedResources") or ()
        )

    def resources(self, charge: Charge) -> Iterator[str]:
        """The resources of quotas that an object is charged for and that have to be covered."""
        if charge.plural == self.plural:
            for resource in charge.amounts:
                if any(part in resource for part in self.contains):
                    yield resource

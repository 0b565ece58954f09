"""Which alternatives of ``firstAvailable`` a node gives a pod: what the score goes by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.devices.pod_claims import results_of
from clusters.engine.devices.requests import Claim
from clusters.engine.objects import key_of
from clusters.engine.plugins.dynamic_resources.evidence import MOST_ALTERNATIVES, TakenAlternative

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.devices.pod_claims import PodClaim
    from clusters.engine.devices.taking import Allocated


def taken_alternatives(
    claims: Iterable[PodClaim], given: Mapping[str, Sequence[Allocated]]
) -> Iterator[TakenAlternative]:
    """Yield the alternatives of a pod's claims that have devices, or are ``given`` some, by claim."""
    documents = [claim.document for claim in claims]
    names = {(claim, each.request.full_name) for claim, devices in given.items() for each in devices}
    names |= {(key_of(claim), str(result.get("request") or "")) for claim in documents for result in results_of(claim)}
    for claim in map(Claim.from_dict, documents):
        for alternatives in claim.requests:
            for place, request in enumerate(alternatives):
                if request.parent and (claim.key, request.full_name) in names:
                    points = MOST_ALTERNATIVES - place
                    yield TakenAlternative(claim.key, request.full_name, place, len(alternatives), points)

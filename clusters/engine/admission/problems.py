"""Why the API server would refuse a pod or a claim; what is refused of any label is with the shared problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NoPriorityClass(Problem):
    """There is no PriorityClass of this name; ``known`` are the first that there are."""

    name: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotTheClassPriority(Problem):
    """A priority other than that of the pod's PriorityClass."""

    given: int
    priority_class: str
    value: int


@dataclass(frozen=True, slots=True)
class PriorityWithoutClass(Problem):
    """A priority other than 0 of a pod that has no PriorityClass."""

    given: int
    value: int


@dataclass(frozen=True, slots=True)
class NotTheClassPolicy(Problem):
    """A preemption policy other than that of the pod's PriorityClass."""

    given: str
    policy: str


@dataclass(frozen=True, slots=True)
class NoRuntimeClass(Problem):
    """There is no RuntimeClass of this name; ``known`` are those that there are."""

    name: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotTheClassOverhead(Problem):
    """An overhead other than that of the pod's RuntimeClass."""


@dataclass(frozen=True, slots=True)
class OverheadWithoutClass(Problem):
    """An overhead that no RuntimeClass gives."""


@dataclass(frozen=True, slots=True)
class NotTheClassSelector(Problem):
    """A label of the node selector that differs from that of the pod's RuntimeClass."""

    given: str
    runtime_class: str
    value: str


@dataclass(frozen=True, slots=True)
class NoTerms(Problem):
    """A required node affinity without a term."""


@dataclass(frozen=True, slots=True)
class NotOneNumber(Problem):
    """A comparison with another number of values than one."""

    operator: str


@dataclass(frozen=True, slots=True)
class NotAFieldOperator(Problem):
    """An operator that fields of nodes are not compared by."""

    found: str


@dataclass(frozen=True, slots=True)
class NotOneValue(Problem):
    """A field of a node that is compared with another number of values than one."""


@dataclass(frozen=True, slots=True)
class NotANodeField(Problem):
    """A field of nodes that is not compared; ``known`` is the one that is."""

    found: str
    known: str


@dataclass(frozen=True, slots=True)
class NoTopologyKey(Problem):
    """A topology key that is empty; ``example`` is a usual one."""

    example: str


@dataclass(frozen=True, slots=True)
class ContainerNameTwice(Problem):
    """Two containers of one name."""

    name: str


@dataclass(frozen=True, slots=True)
class GateTwice(Problem):
    """One scheduling gate twice."""

    name: str


@dataclass(frozen=True, slots=True)
class NotTheContainerPort(Problem):
    """With hostNetwork, a host port other than the container's."""

    port: str


@dataclass(frozen=True, slots=True)
class HostPortTwice(Problem):
    """One host port twice."""

    port: int


@dataclass(frozen=True, slots=True)
class NoLimit(Problem):
    """A request without a limit of a resource that cannot be overcommitted."""

    resource: str
    request: str


@dataclass(frozen=True, slots=True)
class RequestIsNotLimit(Problem):
    """A request that is not the limit, of a resource that cannot be overcommitted."""

    resource: str
    request: str
    limit: str


@dataclass(frozen=True, slots=True)
class RequestExceedsLimit(Problem):
    """A request above the limit."""

    request: str
    limit: str


@dataclass(frozen=True, slots=True)
class HugePagesAlone(Problem):
    """Huge pages without CPU or memory."""

    resource: str


@dataclass(frozen=True, slots=True)
class NotAPodResource(Problem):
    """A resource that cannot be requested by a whole pod."""

    name: str


@dataclass(frozen=True, slots=True)
class UnknownResource(Problem):
    """A name without a domain that is no resource of Kubernetes."""

    name: str


@dataclass(frozen=True, slots=True)
class QuotaName(Problem):
    """A name that resources have in quotas alone."""

    name: str
    resource: str


@dataclass(frozen=True, slots=True)
class NegativeQuantity(Problem):
    """An amount below 0."""

    amount: str


@dataclass(frozen=True, slots=True)
class NotWholeDevices(Problem):
    """A part of a device."""

    resource: str
    amount: str
    whole: int


@dataclass(frozen=True, slots=True)
class NoPageSize(Problem):
    """Huge pages without a size."""

    resource: str


@dataclass(frozen=True, slots=True)
class NotWholePages(Problem):
    """An amount that is not a number of whole pages."""

    amount: str
    page: str


@dataclass(frozen=True, slots=True)
class NoResourceClaim(Problem):
    """A container's claim that the pod does not have."""

    claim: str


@dataclass(frozen=True, slots=True)
class ContainersExceedPod(Problem):
    """The containers request more together than the whole pod."""

    together: str
    amount: str


@dataclass(frozen=True, slots=True)
class LimitExceedsPod(Problem):
    """A container's limit above that of the whole pod."""

    limit: str
    pod_limit: str


@dataclass(frozen=True, slots=True)
class NoValues(Problem):
    """An operator that compares with values, and has none."""

    operator: str


@dataclass(frozen=True, slots=True)
class ValuesBesideKey(Problem):
    """An operator that looks at the key alone, and has values."""

    operator: str


@dataclass(frozen=True, slots=True)
class KeysWithoutSelector(Problem):
    """matchLabelKeys or mismatchLabelKeys without a label selector."""


@dataclass(frozen=True, slots=True)
class MatchedAndMismatched(Problem):
    """A key of matchLabelKeys and of mismatchLabelKeys."""

    key: str


@dataclass(frozen=True, slots=True)
class KeySelected(Problem):
    """A key of matchLabelKeys that the label selector has as well."""

    key: str


@dataclass(frozen=True, slots=True)
class ConstraintTwice(Problem):
    """Two spread constraints of one topology key and one whenUnsatisfiable; ``first`` is the index of the first."""

    first: int
    key: str
    action: str


@dataclass(frozen=True, slots=True)
class MinDomainsIgnored(Problem):
    """minDomains of a constraint that is not required; ``required`` is the word for that."""

    required: str


@dataclass(frozen=True, slots=True)
class EqualWithoutKey(Problem):
    """A toleration without a key whose operator is not Exists."""


@dataclass(frozen=True, slots=True)
class SecondsWithoutNoExecute(Problem):
    """tolerationSeconds with another effect than NoExecute, or with none."""

    effect: str


@dataclass(frozen=True, slots=True)
class ValueBesideExists(Problem):
    """A toleration with Exists and a value."""

    value: str


@dataclass(frozen=True, slots=True)
class BelowMinimum(Problem):
    """A LimitRange's minimum that a request or limit is below; ``amount`` is empty for one that is missing."""

    limit_range: str
    minimum: str
    resource: str
    per: str
    role: str
    amount: str


@dataclass(frozen=True, slots=True)
class AboveMaximum(Problem):
    """A LimitRange's maximum that a request or limit is above; ``amount`` is empty for one that is missing."""

    limit_range: str
    maximum: str
    resource: str
    per: str
    role: str
    amount: str


@dataclass(frozen=True, slots=True)
class RatioOfNothing(Problem):
    """A LimitRange bounds limit over request, and ``missing``, one of the two, is missing or 0."""

    limit_range: str
    ratio: str
    resource: str
    per: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class AboveRatio(Problem):
    """A limit that is more times the request than a LimitRange allows."""

    limit_range: str
    ratio: str
    resource: str
    per: str
    times: float


@dataclass(frozen=True, slots=True)
class UpdateRefused(Problem):
    """A field of a pod that exists and may not be changed so; ``message`` has the API server's words."""

    in_api_words: ClassVar[bool] = True

    message: str

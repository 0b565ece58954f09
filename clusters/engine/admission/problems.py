"""Why the API server would refuse a pod or a claim; what is refused of any label is with the shared problems."""

from __future__ import annotations

from clusters.engine.problems import QUOTED, Number, Problem, message


class NoPriorityClass(Problem, kind="NoPriorityClass"):
    """There is no PriorityClass of this name; ``known`` are the first that there are."""

    sentence = message("There is no PriorityClass %(name)s.")
    remedy = (message("Name one of %(known)s, or leave the field out."), message("Leave the field out."))

    name: str
    known: tuple[str, ...]


class NotTheClassPriority(Problem, kind="NotTheClassPriority"):
    sentence = message("PriorityClass %(priority_class)s has priority %(value)s, not %(given)s.")
    remedy = message("Remove priority.")

    given: Number
    priority_class: str
    value: Number


class PriorityWithoutClass(Problem, kind="PriorityWithoutClass"):
    """A priority other than 0 of a pod that has no PriorityClass."""

    sentence = message("Without a PriorityClass the priority is %(value)s, not %(given)s.")
    remedy = message("Remove priority, and name a PriorityClass.")

    given: Number
    value: Number


class NotTheClassPolicy(Problem, kind="NotTheClassPolicy"):
    sentence = message("The PriorityClass has preemptionPolicy %(policy)s, not %(given)s.")
    remedy = message("Remove preemptionPolicy.")

    given: str
    policy: str


class NoRuntimeClass(Problem, kind="NoRuntimeClass"):
    """There is no RuntimeClass of this name; ``known`` are those that there are."""

    sentence = message("There is no RuntimeClass %(name)s.")
    remedy = (message("Name one of %(known)s, or leave the field out."), message("Leave the field out."))

    name: str
    known: tuple[str, ...]


class NotTheClassOverhead(Problem, kind="NotTheClassOverhead"):
    sentence = message("The RuntimeClass has another overhead.")
    remedy = message("Remove overhead.")


class OverheadWithoutClass(Problem, kind="OverheadWithoutClass"):
    sentence = message("No RuntimeClass gives this overhead.")
    remedy = message("Remove overhead.")


class NotTheClassSelector(Problem, kind="NotTheClassSelector"):
    sentence = message("The pod requires %(given)s, RuntimeClass %(runtime_class)s %(value)s.")
    remedy = message("Write %(value)s, or name another RuntimeClass.")

    given: str
    runtime_class: str
    value: str


class NotOneNumber(Problem, kind="NotOneNumber"):
    sentence = message("%(operator)s needs one number.")
    remedy = message("Write one value.")

    operator: str


class NotOneValue(Problem, kind="NotOneValue"):
    sentence = message("A node field needs one value.")
    remedy = message("Write one value.")


class NoTopologyKey(Problem, kind="NoTopologyKey"):
    """A topology key that is empty; ``example`` is a usual one."""

    sentence = message("It is empty.")
    remedy = message("Write a node label, such as %(example)s.")

    example: str


class NotTheContainerPort(Problem, kind="NotTheContainerPort"):
    sentence = message("With hostNetwork, hostPort must be containerPort %(port)s.")
    remedy = message("Write it, or remove hostPort.")

    port: str


class NoLimit(Problem, kind="NoLimit"):
    sentence = message("%(resource)s needs a limit equal to its request.")
    remedy = message("Add the limit %(resource)s: %(request)s.")

    resource: str
    request: str


class RequestIsNotLimit(Problem, kind="RequestIsNotLimit"):
    sentence = message("%(resource)s: request %(request)s must equal limit %(limit)s.")
    remedy = message("Write the same amount.")

    resource: str
    request: str
    limit: str


class RequestExceedsLimit(Problem, kind="RequestExceedsLimit"):
    sentence = message("The request %(request)s exceeds the limit %(limit)s.")
    remedy = message("Raise the limit or lower the request.")

    request: str
    limit: str


class HugePagesAlone(Problem, kind="HugePagesAlone"):
    sentence = message("%(resource)s needs CPU or memory beside it.")
    remedy = message("Request cpu or memory, too.")

    resource: str


class NotAPodResource(Problem, kind="NotAPodResource"):
    sentence = message("A pod cannot request %(name)s as a whole.")
    remedy = message("Move it to a container.")

    name: str


class UnknownResource(Problem, kind="UnknownResource"):
    sentence = message("There is no resource %(name)s.")
    remedy = message("Write cpu, memory, or a full name such as nvidia.com/gpu.")

    name: str


class QuotaName(Problem, kind="QuotaName"):
    sentence = message("%(name)s is a name for quotas.")
    remedy = message("Write %(resource)s.")

    name: str
    resource: str


class NotWholeDevices(Problem, kind="NotWholeDevices"):
    sentence = message("%(resource)s is counted in whole devices, not %(amount)s.")
    remedy = message("Write %(whole)s.")

    resource: str
    amount: str
    whole: Number


class NoPageSize(Problem, kind="NoPageSize"):
    sentence = message("%(resource)s names no page size.")
    remedy = message("Write a name such as hugepages-2Mi.")

    resource: str


class NotWholePages(Problem, kind="NotWholePages"):
    sentence = message("%(amount)s is not a multiple of %(page)s.")
    remedy = message("Write a multiple of %(page)s.")

    amount: str
    page: str


class NoResourceClaim(Problem, kind="NoResourceClaim"):
    sentence = message("spec.resourceClaims has no claim %(claim)s.")
    remedy = message("Add it there, or name another one.")

    claim: str


class ContainersExceedPod(Problem, kind="ContainersExceedPod"):
    sentence = message("The containers have %(together)s, more than the pod's %(amount)s.")
    remedy = message("Write %(together)s or more.")

    together: str
    amount: str


class LimitExceedsPod(Problem, kind="LimitExceedsPod"):
    sentence = message("The limit %(limit)s exceeds the pod's, %(pod_limit)s.")
    remedy = message("Lower it, or raise the pod's limit.")

    limit: str
    pod_limit: str


class NoValues(Problem, kind="NoValues"):
    sentence = message("%(operator)s needs values.")
    remedy = message("Write at least one.")

    operator: str


class ValuesBesideKey(Problem, kind="ValuesBesideKey"):
    sentence = message("%(operator)s takes no values.")
    remedy = message("Remove values.")

    operator: str


class KeysWithoutSelector(Problem, kind="KeysWithoutSelector"):
    sentence = message("They need a labelSelector.")
    remedy = message("Write labelSelector.")


class MatchedAndMismatched(Problem, kind="MatchedAndMismatched"):
    sentence = message("%(key)s is also in mismatchLabelKeys.")
    remedy = message("Remove one of the two.")

    key: str


class KeySelected(Problem, kind="KeySelected"):
    sentence = message("The labelSelector has %(key)s, too.")
    remedy = message("Remove one of the two.")

    key: str


class ConstraintTwice(Problem, kind="ConstraintTwice"):
    """Two spread constraints of one topology key and one whenUnsatisfiable; ``first`` is the index of the first."""

    sentence = message("Constraint %(first)s has the same topologyKey %(key)s and whenUnsatisfiable %(action)s.")
    remedy = message("Change one of the two.")

    first: Number
    key: str
    action: str


class MinDomainsIgnored(Problem, kind="MinDomainsIgnored"):
    """minDomains of a constraint that is not required; ``required`` is the word for that."""

    sentence = message("minDomains needs whenUnsatisfiable: %(required)s.")
    remedy = message("Write that, or remove minDomains.")

    required: str


class EqualWithoutKey(Problem, kind="EqualWithoutKey"):
    sentence = message("Without a key the operator must be Exists.")
    remedy = message("Write operator: Exists, or name a key.")


class SecondsWithoutNoExecute(Problem, kind="SecondsWithoutNoExecute"):
    sentence = message("tolerationSeconds needs the effect NoExecute.")
    remedy = message("Write effect: NoExecute, or remove tolerationSeconds.")


class ValueBesideExists(Problem, kind="ValueBesideExists"):
    sentence = message("Exists takes no value, such as %(value)s.")
    remedy = message("Remove value, or write Equal.")

    value: str


class BelowMinimum(Problem, kind="BelowMinimum"):
    """A LimitRange's minimum that a request or limit is below; ``amount`` is empty for one that is missing."""

    sentence = (
        message("%(limit_range)s: at least %(minimum)s of %(resource)s per %(per)s, and %(role)s has %(amount)s."),
        message("%(limit_range)s: at least %(minimum)s of %(resource)s per %(per)s, and %(role)s has none."),
    )
    remedy = message("Write %(minimum)s or more.")

    limit_range: str
    minimum: str
    resource: str
    per: str
    role: str
    amount: str


class AboveMaximum(Problem, kind="AboveMaximum"):
    """A LimitRange's maximum that a request or limit is above; ``amount`` is empty for one that is missing."""

    sentence = (
        message("%(limit_range)s: at most %(maximum)s of %(resource)s per %(per)s, and %(role)s has %(amount)s."),
        message("%(limit_range)s: at most %(maximum)s of %(resource)s per %(per)s, and %(role)s has none."),
    )
    remedy = message("Write %(maximum)s or less.")

    limit_range: str
    maximum: str
    resource: str
    per: str
    role: str
    amount: str


class RatioOfNothing(Problem, kind="RatioOfNothing"):
    """A LimitRange bounds limit over request, and ``missing``, one of the two, is missing or 0."""

    sentence = message(
        "%(limit_range)s: limit at most %(ratio)s times the request of %(resource)s per %(per)s, and one is "
        "missing or 0."
    )
    remedy = message("Write both.")

    limit_range: str
    ratio: str
    resource: str
    per: str
    missing: str = ""


class AboveRatio(Problem, kind="AboveRatio"):
    sentence = message(
        "%(limit_range)s: limit at most %(ratio)s times the request of %(resource)s per %(per)s, and it is "
        "%(times)s times."
    )
    remedy = message("Lower the limit or raise the request.")

    limit_range: str
    ratio: str
    resource: str
    per: str
    times: float


class UpdateRefused(Problem, kind="UpdateRefused"):
    """A field of a pod that exists and may not be changed so; ``message`` has the API server's words."""

    sentence = QUOTED

    message: str

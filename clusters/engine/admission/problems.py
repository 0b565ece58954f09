"""Why the API server would refuse a pod or a claim; what is refused of any label is with the shared problems."""

from __future__ import annotations

from clusters.engine.problems import QUOTED, Number, Problem, message


class NoPriorityClass(Problem, kind="NoPriorityClass"):
    """There is no PriorityClass of this name; ``known`` are the first that there are."""

    sentence = message("There is no PriorityClass %(name)s.")
    remedy = message("Name one of %(known)s, or leave the field out.")

    name: str
    known: tuple[str, ...]


class NotTheClassPriority(Problem, kind="NotTheClassPriority"):
    """A priority other than that of the pod's PriorityClass."""

    sentence = message("%(given)s is not the priority of PriorityClass %(priority_class)s, which is %(value)s.")
    remedy = message("Remove priority, and name the PriorityClass with that value.")

    given: Number
    priority_class: str
    value: Number


class PriorityWithoutClass(Problem, kind="PriorityWithoutClass"):
    """A priority other than 0 of a pod that has no PriorityClass."""

    sentence = message("%(given)s is not the priority of a pod without a PriorityClass, which is %(value)s.")
    remedy = message("Remove priority, and name the PriorityClass with that value.")

    given: Number
    value: Number


class NotTheClassPolicy(Problem, kind="NotTheClassPolicy"):
    """A preemption policy other than that of the pod's PriorityClass."""

    sentence = message("%(given)s is not the preemption policy of the pod's PriorityClass, which is %(policy)s.")
    remedy = message("Remove preemptionPolicy, and name a PriorityClass that has it.")

    given: str
    policy: str


class NoRuntimeClass(Problem, kind="NoRuntimeClass"):
    """There is no RuntimeClass of this name; ``known`` are those that there are."""

    sentence = message("There is no RuntimeClass %(name)s.")
    remedy = (
        message("Name one of %(known)s, or leave the field out."),
        message("Leave the field out: no RuntimeClass is known."),
    )

    name: str
    known: tuple[str, ...]


class NotTheClassOverhead(Problem, kind="NotTheClassOverhead"):
    """An overhead other than that of the pod's RuntimeClass."""

    sentence = message("It is not the overhead of the pod's RuntimeClass.")
    remedy = message("Remove overhead: the RuntimeClass sets it.")


class OverheadWithoutClass(Problem, kind="OverheadWithoutClass"):
    """An overhead that no RuntimeClass gives."""

    sentence = message("No RuntimeClass gives this overhead.")
    remedy = message("Remove overhead: a RuntimeClass sets it.")


class NotTheClassSelector(Problem, kind="NotTheClassSelector"):
    """A label of the node selector that differs from that of the pod's RuntimeClass."""

    sentence = message("The pod requires %(given)s, its RuntimeClass %(runtime_class)s requires %(value)s.")
    remedy = message("Write %(value)s, or name another RuntimeClass.")

    given: str
    runtime_class: str
    value: str


class NoTerms(Problem, kind="NoTerms"):
    """A required node affinity without a term."""

    sentence = message("It has no terms.")
    remedy = message("Write at least one.")


class NotOneNumber(Problem, kind="NotOneNumber"):
    """A comparison with another number of values than one."""

    sentence = message("%(operator)s compares with one number.")
    remedy = message("Write one value.")

    operator: str


class NotAFieldOperator(Problem, kind="NotAFieldOperator"):
    """An operator that fields of nodes are not compared by."""

    sentence = message("%(found)s is not an operator for fields of nodes.")
    remedy = message("Write In or NotIn.")

    found: str


class NotOneValue(Problem, kind="NotOneValue"):
    """A field of a node that is compared with another number of values than one."""

    sentence = message("A field of a node is compared with one value.")
    remedy = message("Write one value.")


class NotANodeField(Problem, kind="NotANodeField"):
    """A field of nodes that is not compared; ``known`` is the one that is."""

    sentence = message("%(found)s is not a field of nodes that can be compared.")
    remedy = message("Write %(known)s.")

    found: str
    known: str


class NoTopologyKey(Problem, kind="NoTopologyKey"):
    """A topology key that is empty; ``example`` is a usual one."""

    sentence = message("It is empty.")
    remedy = message("Write the key of a node label, such as %(example)s.")

    example: str


class ContainerNameTwice(Problem, kind="ContainerNameTwice"):
    """Two containers of one name."""

    sentence = message("Another container has the name %(name)s, too.")
    remedy = message("Write another name.")

    name: str


class GateTwice(Problem, kind="GateTwice"):
    """One scheduling gate twice."""

    sentence = message("The scheduling gate %(name)s is there twice.")
    remedy = message("Remove one of the two.")

    name: str


class NotTheContainerPort(Problem, kind="NotTheContainerPort"):
    """With hostNetwork, a host port other than the container's."""

    sentence = message("With hostNetwork the host port is the container port, %(port)s.")
    remedy = message("Write that number, or leave hostPort out.")

    port: str


class HostPortTwice(Problem, kind="HostPortTwice"):
    """One host port twice."""

    sentence = message("Another port of the pod has the host port %(port)s, too.")
    remedy = message("Write another number.")

    port: Number


class NoLimit(Problem, kind="NoLimit"):
    """A request without a limit of a resource that cannot be overcommitted."""

    sentence = message("%(resource)s cannot be overcommitted: it is requested without a limit.")
    remedy = message("Write %(resource)s: %(request)s under limits, too.")

    resource: str
    request: str


class RequestIsNotLimit(Problem, kind="RequestIsNotLimit"):
    """A request that is not the limit, of a resource that cannot be overcommitted."""

    sentence = message("%(resource)s cannot be overcommitted: the request %(request)s is not the limit %(limit)s.")
    remedy = message("Write the same amount for both.")

    resource: str
    request: str
    limit: str


class RequestExceedsLimit(Problem, kind="RequestExceedsLimit"):
    """A request above the limit."""

    sentence = message("The request %(request)s exceeds the limit %(limit)s.")
    remedy = message("Raise the limit or lower the request.")

    request: str
    limit: str


class HugePagesAlone(Problem, kind="HugePagesAlone"):
    """Huge pages without CPU or memory."""

    sentence = message("%(resource)s is requested without CPU or memory.")
    remedy = message("Write a request or a limit for cpu or memory, too.")

    resource: str


class NotAPodResource(Problem, kind="NotAPodResource"):
    """A resource that cannot be requested by a whole pod."""

    sentence = message("%(name)s cannot be requested at the level of the pod.")
    remedy = message("Write cpu or memory, or move it to a container.")

    name: str


class UnknownResource(Problem, kind="UnknownResource"):
    """A name without a domain that is no resource of Kubernetes."""

    sentence = message("There is no resource %(name)s.")
    remedy = message("Write cpu, memory, ephemeral-storage or a full name such as nvidia.com/gpu.")

    name: str


class QuotaName(Problem, kind="QuotaName"):
    """A name that resources have in quotas alone."""

    sentence = message("%(name)s is a name for quotas.")
    remedy = message("Write %(resource)s.")

    name: str
    resource: str


class NegativeQuantity(Problem, kind="NegativeQuantity"):
    """An amount below 0."""

    sentence = message("%(amount)s is negative.")
    remedy = message("Write 0 or more.")

    amount: str


class NotWholeDevices(Problem, kind="NotWholeDevices"):
    """A part of a device."""

    sentence = message("%(resource)s is counted in whole devices; %(amount)s is not a whole number.")
    remedy = message("Write a whole number, such as %(whole)s.")

    resource: str
    amount: str
    whole: Number


class NoPageSize(Problem, kind="NoPageSize"):
    """Huge pages without a size."""

    sentence = message("%(resource)s does not name a page size.")
    remedy = message("Write a name such as hugepages-2Mi.")

    resource: str


class NotWholePages(Problem, kind="NotWholePages"):
    """An amount that is not a number of whole pages."""

    sentence = message("%(amount)s is not a multiple of the page size %(page)s.")
    remedy = message("Write a multiple of %(page)s.")

    amount: str
    page: str


class NoResourceClaim(Problem, kind="NoResourceClaim"):
    """A container's claim that the pod does not have."""

    sentence = message("spec.resourceClaims has no claim %(claim)s.")
    remedy = message("Add it there, or name one that is there.")

    claim: str


class ContainersExceedPod(Problem, kind="ContainersExceedPod"):
    """The containers request more together than the whole pod."""

    sentence = message("The containers have %(together)s together, which exceeds the pod's %(amount)s.")
    remedy = message("Write %(together)s or more.")

    together: str
    amount: str


class LimitExceedsPod(Problem, kind="LimitExceedsPod"):
    """A container's limit above that of the whole pod."""

    sentence = message("The limit %(limit)s exceeds that of the whole pod, %(pod_limit)s.")
    remedy = message("Lower it, or raise the pod's limit.")

    limit: str
    pod_limit: str


class NoValues(Problem, kind="NoValues"):
    """An operator that compares with values, and has none."""

    sentence = message("%(operator)s compares with values, and there are none.")
    remedy = message("Write at least one.")

    operator: str


class ValuesBesideKey(Problem, kind="ValuesBesideKey"):
    """An operator that looks at the key alone, and has values."""

    sentence = message("%(operator)s takes a key without values.")
    remedy = message("Leave values out.")

    operator: str


class KeysWithoutSelector(Problem, kind="KeysWithoutSelector"):
    """matchLabelKeys or mismatchLabelKeys without a label selector."""

    sentence = message("Without a labelSelector no pods are selected to begin with.")
    remedy = message("Write labelSelector.")


class MatchedAndMismatched(Problem, kind="MatchedAndMismatched"):
    """A key of matchLabelKeys and of mismatchLabelKeys."""

    sentence = message("%(key)s is in mismatchLabelKeys, too.")
    remedy = message("Leave it out of one of the two.")

    key: str


class KeySelected(Problem, kind="KeySelected"):
    """A key of matchLabelKeys that the label selector has as well."""

    sentence = message("The labelSelector has %(key)s, too.")
    remedy = message("Leave it out of one of the two.")

    key: str


class ConstraintTwice(Problem, kind="ConstraintTwice"):
    """Two spread constraints of one topology key and one whenUnsatisfiable; ``first`` is the index of the first."""

    sentence = message("Constraint %(first)s has topologyKey %(key)s and whenUnsatisfiable %(action)s, too.")
    remedy = message("Make one of the two, or give one another topologyKey or whenUnsatisfiable.")

    first: Number
    key: str
    action: str


class MinDomainsIgnored(Problem, kind="MinDomainsIgnored"):
    """minDomains of a constraint that is not required; ``required`` is the word for that."""

    sentence = message("minDomains counts only with whenUnsatisfiable: %(required)s.")
    remedy = message("Leave minDomains out, or write whenUnsatisfiable: %(required)s.")

    required: str


class EqualWithoutKey(Problem, kind="EqualWithoutKey"):
    """A toleration without a key whose operator is not Exists."""

    sentence = message("A toleration without a key tolerates every taint, and only Exists can say that.")
    remedy = message("Write operator: Exists, or name a key.")


class SecondsWithoutNoExecute(Problem, kind="SecondsWithoutNoExecute"):
    """tolerationSeconds with another effect than NoExecute, or with none."""

    sentence = (
        message("tolerationSeconds counts with the effect NoExecute, and the effect is %(effect)s."),
        message("tolerationSeconds counts with the effect NoExecute, and no effect is named."),
    )
    remedy = message("Write effect: NoExecute, or leave tolerationSeconds out.")

    effect: str


class ValueBesideExists(Problem, kind="ValueBesideExists"):
    """A toleration with Exists and a value."""

    sentence = message("Exists tolerates every value, so that %(value)s cannot be named.")
    remedy = message("Leave value out, or write Equal.")

    value: str


class BelowMinimum(Problem, kind="BelowMinimum"):
    """A LimitRange's minimum that a request or limit is below; ``amount`` is empty for one that is missing."""

    sentence = (
        message("%(limit_range)s requires at least %(minimum)s of %(resource)s per %(per)s; %(role)s has %(amount)s."),
        message("%(limit_range)s requires at least %(minimum)s of %(resource)s per %(per)s; %(role)s has none."),
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
        message("%(limit_range)s allows %(maximum)s of %(resource)s per %(per)s; %(role)s has %(amount)s."),
        message("%(limit_range)s allows %(maximum)s of %(resource)s per %(per)s; %(role)s has none."),
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
        "%(limit_range)s allows a limit of %(ratio)s times the request for %(resource)s per %(per)s; one of the "
        "two is missing or 0."
    )
    remedy = message("Write both.")

    limit_range: str
    ratio: str
    resource: str
    per: str
    missing: str = ""


class AboveRatio(Problem, kind="AboveRatio"):
    """A limit that is more times the request than a LimitRange allows."""

    sentence = message(
        "%(limit_range)s allows a limit of %(ratio)s times the request for %(resource)s per %(per)s; it is "
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

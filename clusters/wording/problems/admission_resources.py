"""Words for why the API server would refuse the resources, the priority or the runtime of a pod."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.admission import problems as refused
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(refused.NoPriorityClass)
def no_priority_class(problem: refused.NoPriorityClass) -> Words:
    """Say that there is no such PriorityClass."""
    said = _("There is no PriorityClass %(name)s.") % {"name": problem.name}
    return Words(said, _("Name one of %(known)s, or leave the field out.") % {"known": listed(problem.known)})


@words.register(refused.NotTheClassPriority)
def not_the_class_priority(problem: refused.NotTheClassPriority) -> Words:
    """Say which priority the class has."""
    said = _("%(given)s is not the priority of PriorityClass %(priority_class)s, which is %(value)s.") % {
        "given": problem.given,
        "priority_class": problem.priority_class,
        "value": problem.value,
    }
    return Words(said, _("Remove priority, and name the PriorityClass with that value."))


@words.register(refused.PriorityWithoutClass)
def priority_without_class(problem: refused.PriorityWithoutClass) -> Words:
    """Say which priority a pod without a class has."""
    said = _("%(given)s is not the priority of a pod without a PriorityClass, which is %(value)s.") % {
        "given": problem.given,
        "value": problem.value,
    }
    return Words(said, _("Remove priority, and name the PriorityClass with that value."))


@words.register(refused.NotTheClassPolicy)
def not_the_class_policy(problem: refused.NotTheClassPolicy) -> Words:
    """Say which policy the class has."""
    said = _("%(given)s is not the preemption policy of the pod's PriorityClass, which is %(policy)s.") % {
        "given": problem.given,
        "policy": problem.policy,
    }
    return Words(said, _("Remove preemptionPolicy, and name a PriorityClass that has it."))


@words.register(refused.NoRuntimeClass)
def no_runtime_class(problem: refused.NoRuntimeClass) -> Words:
    """Say that there is no such RuntimeClass."""
    said = _("There is no RuntimeClass %(name)s.") % {"name": problem.name}
    if not problem.known:
        return Words(said, _("Leave the field out: no RuntimeClass is known."))
    return Words(said, _("Name one of %(known)s, or leave the field out.") % {"known": listed(problem.known)})


@words.register(refused.NotTheClassOverhead)
def not_the_class_overhead(problem: refused.NotTheClassOverhead) -> Words:
    """Say that the overhead is another one."""
    said = _("It is not the overhead of the pod's RuntimeClass.")
    return Words(said, _("Remove overhead: the RuntimeClass sets it."))


@words.register(refused.OverheadWithoutClass)
def overhead_without_class(problem: refused.OverheadWithoutClass) -> Words:
    """Say that the overhead comes from nowhere."""
    return Words(_("No RuntimeClass gives this overhead."), _("Remove overhead: a RuntimeClass sets it."))


@words.register(refused.NotTheClassSelector)
def not_the_class_selector(problem: refused.NotTheClassSelector) -> Words:
    """Say which value the class requires."""
    said = _("The pod requires %(given)s, its RuntimeClass %(runtime_class)s requires %(value)s.") % {
        "given": problem.given,
        "runtime_class": problem.runtime_class,
        "value": problem.value,
    }
    return Words(said, _("Write %(value)s, or name another RuntimeClass.") % {"value": problem.value})


@words.register(refused.NoLimit)
def no_limit(problem: refused.NoLimit) -> Words:
    """Say that the limit is missing."""
    said = _("%(resource)s cannot be overcommitted: it is requested without a limit.") % {
        "resource": problem.resource,
    }
    remedy = _("Write %(resource)s: %(request)s under limits, too.") % {
        "resource": problem.resource,
        "request": problem.request,
    }
    return Words(said, remedy)


@words.register(refused.RequestIsNotLimit)
def request_is_not_limit(problem: refused.RequestIsNotLimit) -> Words:
    """Say that request and limit differ."""
    said = _("%(resource)s cannot be overcommitted: the request %(request)s is not the limit %(limit)s.") % {
        "resource": problem.resource,
        "request": problem.request,
        "limit": problem.limit,
    }
    return Words(said, _("Write the same amount for both."))


@words.register(refused.RequestExceedsLimit)
def request_exceeds_limit(problem: refused.RequestExceedsLimit) -> Words:
    """Say that the request is too high."""
    said = _("The request %(request)s exceeds the limit %(limit)s.") % {
        "request": problem.request,
        "limit": problem.limit,
    }
    return Words(said, _("Raise the limit or lower the request."))


@words.register(refused.HugePagesAlone)
def huge_pages_alone(problem: refused.HugePagesAlone) -> Words:
    """Say that CPU or memory is missing."""
    said = _("%(resource)s is requested without CPU or memory.") % {"resource": problem.resource}
    return Words(said, _("Write a request or a limit for cpu or memory, too."))


@words.register(refused.NotAPodResource)
def not_a_pod_resource(problem: refused.NotAPodResource) -> Words:
    """Say that a container has to request it."""
    said = _("%(name)s cannot be requested at the level of the pod.") % {"name": problem.name}
    return Words(said, _("Write cpu or memory, or move it to a container."))


@words.register(refused.UnknownResource)
def unknown_resource(problem: refused.UnknownResource) -> Words:
    """Say that there is no such resource."""
    said = _("There is no resource %(name)s.") % {"name": problem.name}
    return Words(said, _("Write cpu, memory, ephemeral-storage or a full name such as nvidia.com/gpu."))


@words.register(refused.QuotaName)
def quota_name(problem: refused.QuotaName) -> Words:
    """Say how containers name it."""
    said = _("%(name)s is a name for quotas.") % {"name": problem.name}
    return Words(said, _("Write %(resource)s.") % {"resource": problem.resource})


@words.register(refused.NegativeQuantity)
def negative_quantity(problem: refused.NegativeQuantity) -> Words:
    """Say that an amount is too small."""
    return Words(_("%(amount)s is negative.") % {"amount": problem.amount}, _("Write 0 or more."))


@words.register(refused.NotWholeDevices)
def not_whole_devices(problem: refused.NotWholeDevices) -> Words:
    """Say that devices are whole."""
    said = _("%(resource)s is counted in whole devices; %(amount)s is not a whole number.") % {
        "resource": problem.resource,
        "amount": problem.amount,
    }
    return Words(said, _("Write a whole number, such as %(whole)s.") % {"whole": problem.whole})


@words.register(refused.NoPageSize)
def no_page_size(problem: refused.NoPageSize) -> Words:
    """Say that the page size is missing."""
    said = _("%(resource)s does not name a page size.") % {"resource": problem.resource}
    return Words(said, _("Write a name such as hugepages-2Mi."))


@words.register(refused.NotWholePages)
def not_whole_pages(problem: refused.NotWholePages) -> Words:
    """Say that pages are whole."""
    said = _("%(amount)s is not a multiple of the page size %(page)s.") % {
        "amount": problem.amount,
        "page": problem.page,
    }
    return Words(said, _("Write a multiple of %(page)s.") % {"page": problem.page})


@words.register(refused.NoResourceClaim)
def no_resource_claim(problem: refused.NoResourceClaim) -> Words:
    """Say that the pod has no such claim."""
    said = _("spec.resourceClaims has no claim %(claim)s.") % {"claim": problem.claim}
    return Words(said, _("Add it there, or name one that is there."))


@words.register(refused.ContainersExceedPod)
def containers_exceed_pod(problem: refused.ContainersExceedPod) -> Words:
    """Say what the containers have together."""
    said = _("The containers have %(together)s together, which exceeds the pod's %(amount)s.") % {
        "together": problem.together,
        "amount": problem.amount,
    }
    return Words(said, _("Write %(together)s or more.") % {"together": problem.together})


@words.register(refused.LimitExceedsPod)
def limit_exceeds_pod(problem: refused.LimitExceedsPod) -> Words:
    """Say that a limit is too high."""
    said = _("The limit %(limit)s exceeds that of the whole pod, %(pod_limit)s.") % {
        "limit": problem.limit,
        "pod_limit": problem.pod_limit,
    }
    return Words(said, _("Lower it, or raise the pod's limit."))


@words.register(refused.BelowMinimum)
def below_minimum(problem: refused.BelowMinimum) -> Words:
    """Say what a LimitRange requires."""
    values = {
        "limit_range": problem.limit_range,
        "minimum": problem.minimum,
        "resource": problem.resource,
        "per": problem.per,
        "amount": problem.amount,
    }
    remedy = _("Write %(minimum)s or more.") % {"minimum": problem.minimum}
    if not problem.amount:
        said = _("%(limit_range)s requires at least %(minimum)s of %(resource)s per %(per)s; there is no request.") % {
            "limit_range": problem.limit_range,
            "minimum": problem.minimum,
            "resource": problem.resource,
            "per": problem.per,
        }
        return Words(said, remedy)
    if problem.role == "limits":
        return Words(
            _("%(limit_range)s requires at least %(minimum)s of %(resource)s per %(per)s; the limit is %(amount)s.")
            % values,
            remedy,
        )
    return Words(
        _("%(limit_range)s requires at least %(minimum)s of %(resource)s per %(per)s; the request is %(amount)s.")
        % values,
        remedy,
    )


@words.register(refused.AboveMaximum)
def above_maximum(problem: refused.AboveMaximum) -> Words:
    """Say what a LimitRange allows."""
    bound = {
        "limit_range": problem.limit_range,
        "maximum": problem.maximum,
        "resource": problem.resource,
        "per": problem.per,
    }
    values = {
        "limit_range": problem.limit_range,
        "maximum": problem.maximum,
        "resource": problem.resource,
        "per": problem.per,
        "amount": problem.amount,
    }
    remedy = _("Write %(maximum)s or less.") % {"maximum": problem.maximum}
    if not problem.amount and problem.role == "requests":
        said = _("%(limit_range)s allows %(maximum)s of %(resource)s per %(per)s; there is no request.") % bound
    elif not problem.amount:
        said = _("%(limit_range)s allows %(maximum)s of %(resource)s per %(per)s; there is no limit.") % bound
    elif problem.role == "limits":
        said = _("%(limit_range)s allows %(maximum)s of %(resource)s per %(per)s; the limit is %(amount)s.") % values
    else:
        said = _("%(limit_range)s allows %(maximum)s of %(resource)s per %(per)s; the request is %(amount)s.") % values
    return Words(said, remedy)


@words.register(refused.RatioOfNothing)
def ratio_of_nothing(problem: refused.RatioOfNothing) -> Words:
    """Say which ratio a LimitRange allows of what is missing."""
    said = _(
        "%(limit_range)s allows a limit of %(ratio)s times the request for %(resource)s per %(per)s; one of the two is "
        "missing or 0."
    ) % {
        "limit_range": problem.limit_range,
        "ratio": problem.ratio,
        "resource": problem.resource,
        "per": problem.per,
    }
    return Words(said, _("Write both."))


@words.register(refused.AboveRatio)
def above_ratio(problem: refused.AboveRatio) -> Words:
    """Say which ratio a LimitRange allows."""
    said = _(
        "%(limit_range)s allows a limit of %(ratio)s times the request for %(resource)s per %(per)s; it is %(times)s "
        "times."
    ) % {
        "limit_range": problem.limit_range,
        "ratio": problem.ratio,
        "resource": problem.resource,
        "per": problem.per,
        "times": f"{problem.times:g}",
    }
    return Words(said, _("Lower the limit or raise the request."))

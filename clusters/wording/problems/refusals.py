"""Words for why the API server refuses an object that a controller creates; its answer is quoted beside them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.workloads import (
    AbsentPriorityClass,
    AbsentRuntimeClass,
    AbsentServiceAccount,
    InvalidField,
    NamespaceGone,
    NamespaceTerminating,
    NameTaken,
    NoCoveringQuota,
    NodeSelectorConflict,
    NotPermitted,
    PodSecurityViolated,
    PolicyDenied,
    QuotaNotCounted,
    Unclassified,
    WebhookDenied,
    WebhookFailed,
)
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(NoCoveringQuota)
def no_covering_quota(problem: NoCoveringQuota) -> Words:
    """Say that a quota is missing."""
    said = _("No ResourceQuota of namespace %(namespace)s covers what is limited by default: %(said)s.") % {
        "namespace": problem.namespace,
        "said": problem.said,
    }
    remedy = _("Create a ResourceQuota in namespace %(namespace)s that bounds it.") % {"namespace": problem.namespace}
    return Words(said, remedy)


@words.register(QuotaNotCounted)
def quota_not_counted(problem: QuotaNotCounted) -> Words:
    """Say that nobody has counted what is used."""
    said = _("What is used of ResourceQuota %(namespace)s/%(quota)s is not counted yet: %(resources)s.") % {
        "namespace": problem.namespace,
        "quota": problem.quota,
        "resources": listed(problem.resources),
    }
    return Words(said, _("Wait for the ResourceQuota controller of kube-controller-manager, or see that it runs."))


@words.register(PodSecurityViolated)
def pod_security_violated(problem: PodSecurityViolated) -> Words:
    """Say which Pod Security Standard is enforced."""
    values = {"namespace": problem.namespace, "standard": problem.standard}
    return Words(
        _("Namespace %(namespace)s enforces the Pod Security Standard %(standard)s, which it violates.") % values,
        _("Change the security context of the pod template to what the Pod Security Standard %(standard)s allows.")
        % {"standard": problem.standard},
    )


@words.register(WebhookDenied)
def webhook_denied(problem: WebhookDenied) -> Words:
    """Say which webhook denies the request."""
    webhook = {"webhook": problem.webhook}
    return Words(
        _("The admission webhook %(webhook)s denies the request.") % webhook,
        _("Change the pod template to what the admission webhook %(webhook)s allows.") % webhook,
    )


@words.register(WebhookFailed)
def webhook_failed(problem: WebhookFailed) -> Words:
    """Say which webhook does not answer."""
    webhook = {"webhook": problem.webhook}
    remedy = (
        _("See that the service behind the admission webhook %(webhook)s answers, or set its failurePolicy to Ignore.")
        % webhook
    )
    return Words(_("The admission webhook %(webhook)s must be asked first, and the call fails.") % webhook, remedy)


@words.register(PolicyDenied)
def policy_denied(problem: PolicyDenied) -> Words:
    """Say which policy denies the request."""
    policy = {"policy": problem.policy}
    remedy = _("Change the pod template to what ValidatingAdmissionPolicy %(policy)s allows.") % policy
    if not problem.binding:
        return Words(_("ValidatingAdmissionPolicy %(policy)s denies the request.") % policy, remedy)
    said = _("ValidatingAdmissionPolicy %(policy)s, bound by %(binding)s, denies the request.") % {
        "policy": problem.policy,
        "binding": problem.binding,
    }
    return Words(said, remedy)


@words.register(AbsentServiceAccount)
def absent_service_account(problem: AbsentServiceAccount) -> Words:
    """Say that there is no such ServiceAccount."""
    values = {"namespace": problem.namespace, "name": problem.name}
    remedy = (
        _("Create ServiceAccount %(name)s in namespace %(namespace)s, or name another one in the pod template.")
        % values
    )
    return Words(_("There is no ServiceAccount %(name)s in namespace %(namespace)s.") % values, remedy)


@words.register(AbsentPriorityClass)
def absent_priority_class(problem: AbsentPriorityClass) -> Words:
    """Say that there is no such PriorityClass."""
    return Words(
        _("There is no PriorityClass %(name)s.") % {"name": problem.name},
        _("Create PriorityClass %(name)s, or name another one in the pod template.") % {"name": problem.name},
    )


@words.register(AbsentRuntimeClass)
def absent_runtime_class(problem: AbsentRuntimeClass) -> Words:
    """Say that there is no such RuntimeClass."""
    return Words(
        _("There is no RuntimeClass %(name)s.") % {"name": problem.name},
        _("Create RuntimeClass %(name)s, or name another one in the pod template.") % {"name": problem.name},
    )


@words.register(InvalidField)
def invalid_field(problem: InvalidField) -> Words:
    """Say which field is invalid."""
    values = {"kind": problem.of_kind, "field": problem.field}
    return Words(
        _("The field %(field)s of the %(kind)s is invalid.") % values,
        _("Correct %(field)s in the template from which the %(kind)s is made.") % values,
    )


@words.register(NamespaceTerminating)
def namespace_terminating(problem: NamespaceTerminating) -> Words:
    """Say that the namespace is being deleted."""
    namespace = {"namespace": problem.namespace}
    remedy = (
        _("Nothing can be created in namespace %(namespace)s any more: move the workload to another one.") % namespace
    )
    return Words(_("Namespace %(namespace)s is terminating.") % namespace, remedy)


@words.register(NamespaceGone)
def namespace_gone(problem: NamespaceGone) -> Words:
    """Say that the namespace does not exist."""
    namespace = {"namespace": problem.namespace}
    return Words(
        _("There is no namespace %(namespace)s.") % namespace, _("Create namespace %(namespace)s.") % namespace
    )


@words.register(NotPermitted)
def not_permitted(problem: NotPermitted) -> Words:
    """Say who lacks which permission."""
    values = {"user": problem.user, "verb": problem.verb, "resource": problem.resource}
    return Words(
        _("%(user)s may not %(verb)s %(resource)s.") % values,
        _("Bind a Role that allows it to %(user)s, such as the one that Kubernetes has for its controllers.") % values,
    )


@words.register(NodeSelectorConflict)
def node_selector_conflict(problem: NodeSelectorConflict) -> Words:
    """Say that the namespace wants other nodes."""
    namespace = {"namespace": problem.namespace}
    remedy = (
        _(
            "Change nodeSelector of the pod template, or the annotation scheduler.alpha.kubernetes.io/node-selector of "
            "namespace %(namespace)s."
        )
        % namespace
    )
    return Words(_("The pods' node selector conflicts with that of namespace %(namespace)s.") % namespace, remedy)


@words.register(NameTaken)
def name_taken(problem: NameTaken) -> Words:
    """Say which object has the name already."""
    values = {"resource": problem.resource, "name": problem.name}
    if problem.is_leaving:
        return Words(
            _("%(name)s (%(resource)s) still exists and is being deleted.") % values,
            _("Wait until it is gone; where that takes long, see what its finalizers wait for."),
        )
    return Words(
        _("%(name)s (%(resource)s) exists already and is not the controller's.") % values,
        _("Delete or rename the object that has the name."),
    )


@words.register(Unclassified)
def unclassified(problem: Unclassified) -> Words:
    """Say that the answer alone tells why."""
    return Words(
        _("The API server refuses the request."),
        _("Remove the cause that the message names; the controller then tries again by itself."),
    )

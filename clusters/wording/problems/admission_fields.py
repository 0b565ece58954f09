"""Words for why the API server would refuse fields of a pod that do not go together."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.admission import problems as refused
from clusters.wording.problems.registry import Words, words


@words.register(refused.NoTerms)
def no_terms(problem: refused.NoTerms) -> Words:
    """Say that terms are missing."""
    return Words(_("It has no terms."), _("Write at least one."))


@words.register(refused.NotOneNumber)
def not_one_number(problem: refused.NotOneNumber) -> Words:
    """Say how many values a comparison takes."""
    said = _("%(operator)s compares with one number.") % {"operator": problem.operator}
    return Words(said, _("Write one value."))


@words.register(refused.NotAFieldOperator)
def not_a_field_operator(problem: refused.NotAFieldOperator) -> Words:
    """Say which operators compare fields."""
    said = _("%(found)s is not an operator for fields of nodes.") % {"found": problem.found}
    return Words(said, _("Write In or NotIn."))


@words.register(refused.NotOneValue)
def not_one_value(problem: refused.NotOneValue) -> Words:
    """Say how many values a field is compared with."""
    return Words(_("A field of a node is compared with one value."), _("Write one value."))


@words.register(refused.NotANodeField)
def not_a_node_field(problem: refused.NotANodeField) -> Words:
    """Say which field can be compared."""
    said = _("%(found)s is not a field of nodes that can be compared.") % {"found": problem.found}
    return Words(said, _("Write %(known)s.") % {"known": problem.known})


@words.register(refused.NoTopologyKey)
def no_topology_key(problem: refused.NoTopologyKey) -> Words:
    """Say what a topology key is."""
    said = _("It is empty.")
    return Words(said, _("Write the key of a node label, such as %(example)s.") % {"example": problem.example})


@words.register(refused.ContainerNameTwice)
def container_name_twice(problem: refused.ContainerNameTwice) -> Words:
    """Say that a name is there twice."""
    said = _("Another container has the name %(name)s, too.") % {"name": problem.name}
    return Words(said, _("Write another name."))


@words.register(refused.GateTwice)
def gate_twice(problem: refused.GateTwice) -> Words:
    """Say that a gate is there twice."""
    said = _("The scheduling gate %(name)s is there twice.") % {"name": problem.name}
    return Words(said, _("Remove one of the two."))


@words.register(refused.NotTheContainerPort)
def not_the_container_port(problem: refused.NotTheContainerPort) -> Words:
    """Say which host port it has to be."""
    said = _("With hostNetwork the host port is the container port, %(port)s.") % {"port": problem.port}
    return Words(said, _("Write that number, or leave hostPort out."))


@words.register(refused.HostPortTwice)
def host_port_twice(problem: refused.HostPortTwice) -> Words:
    """Say that a host port is there twice."""
    said = _("Another port of the pod has the host port %(port)s, too.") % {"port": problem.port}
    return Words(said, _("Write another number."))


@words.register(refused.NoValues)
def no_values(problem: refused.NoValues) -> Words:
    """Say that values are missing."""
    said = _("%(operator)s compares with values, and there are none.") % {"operator": problem.operator}
    return Words(said, _("Write at least one."))


@words.register(refused.ValuesBesideKey)
def values_beside_key(problem: refused.ValuesBesideKey) -> Words:
    """Say that there are values too many."""
    said = _("%(operator)s takes a key without values.") % {"operator": problem.operator}
    return Words(said, _("Leave values out."))


@words.register(refused.KeysWithoutSelector)
def keys_without_selector(problem: refused.KeysWithoutSelector) -> Words:
    """Say that the selector is missing."""
    return Words(_("Without a labelSelector no pods are selected to begin with."), _("Write labelSelector."))


@words.register(refused.MatchedAndMismatched)
def matched_and_mismatched(problem: refused.MatchedAndMismatched) -> Words:
    """Say that a key is in both lists."""
    said = _("%(key)s is in mismatchLabelKeys, too.") % {"key": problem.key}
    return Words(said, _("Leave it out of one of the two."))


@words.register(refused.KeySelected)
def key_selected(problem: refused.KeySelected) -> Words:
    """Say that the selector has the key already."""
    said = _("The labelSelector has %(key)s, too.") % {"key": problem.key}
    return Words(said, _("Leave it out of one of the two."))


@words.register(refused.ConstraintTwice)
def constraint_twice(problem: refused.ConstraintTwice) -> Words:
    """Say which constraint is alike."""
    said = _("Constraint %(first)s has topologyKey %(key)s and whenUnsatisfiable %(action)s, too.") % {
        "first": problem.first,
        "key": problem.key,
        "action": problem.action,
    }
    return Words(said, _("Make one of the two, or give one another topologyKey or whenUnsatisfiable."))


@words.register(refused.MinDomainsIgnored)
def min_domains_ignored(problem: refused.MinDomainsIgnored) -> Words:
    """Say when minDomains counts."""
    said = _("minDomains counts only with whenUnsatisfiable: %(required)s.") % {"required": problem.required}
    remedy = _("Leave minDomains out, or write whenUnsatisfiable: %(required)s.") % {
        "required": problem.required,
    }
    return Words(said, remedy)


@words.register(refused.EqualWithoutKey)
def equal_without_key(problem: refused.EqualWithoutKey) -> Words:
    """Say what a toleration without a key needs."""
    said = _("A toleration without a key tolerates every taint, and only Exists can say that.")
    return Words(said, _("Write operator: Exists, or name a key."))


@words.register(refused.SecondsWithoutNoExecute)
def seconds_without_no_execute(problem: refused.SecondsWithoutNoExecute) -> Words:
    """Say with which effect seconds count."""
    remedy = _("Write effect: NoExecute, or leave tolerationSeconds out.")
    if not problem.effect:
        return Words(_("tolerationSeconds counts with the effect NoExecute, and no effect is named."), remedy)
    said = _("tolerationSeconds counts with the effect NoExecute, and the effect is %(effect)s.") % {
        "effect": problem.effect
    }
    return Words(said, remedy)


@words.register(refused.ValueBesideExists)
def value_beside_exists(problem: refused.ValueBesideExists) -> Words:
    """Say that Exists takes no value."""
    said = _("Exists tolerates every value, so that %(value)s cannot be named.") % {"value": problem.value}
    return Words(said, _("Leave value out, or write Equal."))


@words.register(refused.UpdateRefused)
def update_refused(problem: refused.UpdateRefused) -> Words:
    """Quote what the API server says of a change of a pod that exists."""
    return Words(problem.message, "")

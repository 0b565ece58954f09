"""Words for why kube-scheduler would not start with a configuration."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.configuration import problems as wrong
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, listed
from clusters.wording.problems.registry import Words, words


@words.register(wrong.NotNamed)
def not_named(problem: wrong.NotNamed) -> Words:
    """Name the missing field, with a value that it could have."""
    remedy = _("Write one, such as %(field)s: %(example)s.") % {"field": problem.field, "example": problem.example}
    return Words(_("There is no %(field)s.") % {"field": problem.field}, remedy)


@words.register(wrong.NotAPercentageOfNodes)
def not_a_percentage_of_nodes(problem: wrong.NotAPercentageOfNodes) -> Words:
    """Say which percentages there are, and what 0 means."""
    remedy = _(
        "Write a whole number from 1 to 100, or 0: kube-scheduler then chooses a percentage from 5 to 50 by the number "
        "of nodes."
    )
    return Words(_("%(found)s is not a percentage from 0 to 100.") % {"found": grouped(problem.found)}, remedy)


@words.register(wrong.NotANumber)
def not_a_number(problem: wrong.NotANumber) -> Words:
    """Say that it is no number."""
    return Words(_("%(found)s is not a number.") % {"found": problem.found}, _("Write a number, without quotes."))


@words.register(wrong.NotADuration)
def not_a_duration(problem: wrong.NotADuration) -> Words:
    """Say how a duration is written."""
    said = _("%(found)s is not a duration.") % {"found": problem.found}
    return Words(said, _("Write numbers with units of ns, us, ms, s, m or h, such as 10s."))


@words.register(wrong.NegativeDuration)
def negative_duration(problem: wrong.NegativeDuration) -> Words:
    """Say which durations are possible."""
    said = _("%(found)s is negative.") % {"found": problem.found}
    return Words(said, _("Write 0s, which is no limit, or more."))


@words.register(wrong.GroupWithSlash)
def group_with_slash(problem: wrong.GroupWithSlash) -> Words:
    """Say that a group ends before the slash."""
    said = _("%(found)s is not a group of resources: it has a slash.") % {"found": problem.found}
    return Words(said, _("Write only what stands before the slash, such as example.com."))


@words.register(wrong.ResourceTwice)
def resource_twice(problem: wrong.ResourceTwice) -> Words:
    """Say that a resource is there before."""
    said = _("The resource %(name)s is there twice.") % {"name": problem.name}
    return Words(said, _("Name each resource once."))


@words.register(wrong.WeightNotOne)
def weight_not_one(problem: wrong.WeightNotOne) -> Words:
    """Say that resources cannot be weighted here."""
    said = _("The weight is %(found)s, and all resources count the same here.") % {"found": grouped(problem.found)}
    return Words(said, _("Write 1, or leave it out."))


@words.register(wrong.AffinityRefused)
def affinity_refused(problem: wrong.AffinityRefused) -> Words:
    """Repeat what is wrong with a node affinity."""
    said = _("The node affinity is not valid: %(reason)s.") % {"reason": problem.reason}
    return Words(said, _("Write it as in the affinity of a pod."))


@words.register(wrong.ConstraintsBesideSystem)
def constraints_beside_system(problem: wrong.ConstraintsBesideSystem) -> Words:
    """Say which type takes constraints."""
    said = _("The type is %(found)s, but there are defaultConstraints.") % {"found": problem.found}
    return Words(said, _("Write %(right)s, or remove defaultConstraints.") % {"right": problem.right})


@words.register(wrong.DefaultConstraintTwice)
def default_constraint_twice(problem: wrong.DefaultConstraintTwice) -> Words:
    """Say which constraint is there before."""
    said = _("There is another constraint with topologyKey %(key)s and whenUnsatisfiable %(action)s.") % {
        "key": problem.key,
        "action": problem.action,
    }
    return Words(said, _("Write one constraint for each of these pairs."))


@words.register(wrong.SelectorOfDefault)
def selector_of_default(problem: wrong.SelectorOfDefault) -> Words:
    """Say where the selector comes from."""
    said = _("A default constraint has no labelSelector: it follows from the Services and controllers of each pod.")
    return Words(said, _("Remove it."))


@words.register(wrong.NoCandidateNodes)
def no_candidate_nodes(problem: wrong.NoCandidateNodes) -> Words:
    """Say that preemption would look for no candidate."""
    said = _("minCandidateNodesPercentage and minCandidateNodesAbsolute are both 0.")
    return Words(said, _("Write more than 0 for one of them."))


@words.register(wrong.BehindFeatureGate)
def behind_feature_gate(problem: wrong.BehindFeatureGate) -> Words:
    """Name the feature gate."""
    said = _("The field needs the feature gate %(gate)s, which is off by default.") % {"gate": problem.gate}
    return Words(said, _("Remove it."))


@words.register(wrong.OfAnotherStrategy)
def of_another_strategy(problem: wrong.OfAnotherStrategy) -> Words:
    """Name the strategy that takes the field."""
    said = _("From Kubernetes 1.36 on the field is refused beside the type %(strategy)s.") % {
        "strategy": problem.strategy
    }
    return Words(said, _("Remove it, or set the type to %(needed)s.") % {"needed": problem.needed})


@words.register(wrong.NoShapePoints)
def no_shape_points(problem: wrong.NoShapePoints) -> Words:
    """Say that points are missing."""
    return Words(_("There are no points."), _("Write at least one point with utilization and score."))


@words.register(wrong.UtilizationNotRising)
def utilization_not_rising(problem: wrong.UtilizationNotRising) -> Words:
    """Say which two points are in the wrong order."""
    said = _("%(found)s is not more than %(before)s, the utilization of the point before.") % {
        "found": grouped(problem.found),
        "before": grouped(problem.before),
    }
    return Words(said, _("Sort the points by rising utilization."))


@words.register(wrong.BinderTwice)
def binder_twice(problem: wrong.BinderTwice) -> Words:
    """Say that another extender binds."""
    return Words(_("Another extender binds pods already."), _("Let only one of them bind."))


@words.register(wrong.ScoresWithoutWeight)
def scores_without_weight(problem: wrong.ScoresWithoutWeight) -> Words:
    """Say that scores need a weight."""
    said = _("The weight is %(found)s, and with a prioritizeVerb it has to be more than 0.") % {
        "found": grouped(problem.found)
    }
    return Words(said, _("Write 1 or more, or remove prioritizeVerb."))


@words.register(wrong.NotAnExtendedResource)
def not_an_extended_resource(problem: wrong.NotAnExtendedResource) -> Words:
    """Say what an extended resource is called like."""
    said = _("%(found)s is not an extended resource.") % {"found": problem.found}
    return Words(said, _("Write an extended resource such as example.com/device."))


@words.register(wrong.ManagedTwice)
def managed_twice(problem: wrong.ManagedTwice) -> Words:
    """Say that a resource is managed already."""
    said = _("The resource %(name)s is managed twice.") % {"name": problem.name}
    return Words(said, _("Let one extender manage it."))


@words.register(wrong.BackoffBelowInitial)
def backoff_below_initial(problem: wrong.BackoffBelowInitial) -> Words:
    """Name the other field that bounds it."""
    initial = grouped(problem.initial)
    said = _("%(found)s is less than podInitialBackoffSeconds, %(initial)s.") % {
        "found": grouped(problem.found),
        "initial": initial,
    }
    return Words(said, _("Write %(initial)s or more.") % {"initial": initial})


@words.register(wrong.OtherQueueSort)
def other_queue_sort(problem: wrong.OtherQueueSort) -> Words:
    """Say that all profiles have one queue."""
    said = _("The queue is not sorted as in the first profile, and all profiles share it.")
    return Words(said, _("Write the same queueSort in all profiles."))


@words.register(wrong.ProfileNameTwice)
def profile_name_twice(problem: wrong.ProfileNameTwice) -> Words:
    """Say which profile has the name."""
    said = _("%(name)s is also the name of %(first)s.") % {"name": problem.name, "first": problem.first}
    return Words(said, _("Give each profile a name of its own."))


@words.register(wrong.EnablesAll)
def enables_all(problem: wrong.EnablesAll) -> Words:
    """Say what the star is for."""
    return Words(_("'*' can only be disabled."), _("Name each plugin to enable."))


@words.register(wrong.RemovedPlugin)
def removed_plugin(problem: wrong.RemovedPlugin) -> Words:
    """Name the plugin that does its work now."""
    said = _("Kubernetes %(minor)s has no plugin %(name)s any more.") % {"minor": problem.minor, "name": problem.name}
    return Words(said, _("Use %(successor)s.") % {"successor": problem.successor})


@words.register(wrong.NotAtPoint)
def not_at_point(problem: wrong.NotAtPoint) -> Words:
    """Say where a plugin can be enabled."""
    said = _("%(name)s has no part in %(point)s.") % {"name": problem.name, "point": problem.point}
    return Words(said, _("Enable it at %(possible)s.") % {"possible": alternatives(problem.possible)})


@words.register(wrong.EnabledTwice)
def enabled_twice(problem: wrong.EnabledTwice) -> Words:
    """Say where a plugin is enabled twice."""
    said = _("%(name)s is enabled twice at %(point)s.") % {"name": problem.name, "point": problem.point}
    return Words(said, _("Enable it once."))


@words.register(wrong.NoPluginEnabled)
def no_plugin_enabled(problem: wrong.NoPluginEnabled) -> Words:
    """Name a plugin to enable."""
    return Words(_("No plugin is enabled."), _("Enable one, such as %(default)s.") % {"default": problem.default})


@words.register(wrong.ManyQueueSorts)
def many_queue_sorts(problem: wrong.ManyQueueSorts) -> Words:
    """Say that one plugin sorts the queue."""
    return Words(_("More than one plugin would sort the queue."), _("Enable one, and disable the others."))


@words.register(wrong.ConfiguredTwice)
def configured_twice(problem: wrong.ConfiguredTwice) -> Words:
    """Say that a plugin has arguments before."""
    said = _("%(name)s has arguments twice.") % {"name": problem.name}
    return Words(said, _("Merge the two."))


@words.register(wrong.NoScheduler)
def no_scheduler(problem: wrong.NoScheduler) -> Words:
    """Name the scheduler."""
    said = _(
        "No profile has the scheduler name %(found)s, so another scheduler places this "
        "pod; the configuration has %(known)s."
    ) % {"found": problem.found, "known": listed(problem.known)}
    return Words(said, _("Name a scheduler that the configuration has."))


@words.register(wrong.NotOneArgument)
def not_one_argument(problem: wrong.NotOneArgument) -> Words:
    """Say that an argument has one part."""
    said = _("The argument does not have exactly one of %(known)s.") % {"known": listed(problem.known)}
    return Words(said, _("Write exactly one of them."))


@words.register(wrong.PriorityTwice)
def priority_twice(problem: wrong.PriorityTwice) -> Words:
    """Say which priority has the argument."""
    said = _("%(first)s has %(argument)s, too.") % {"first": problem.first, "argument": problem.argument}
    return Words(said, _("Write it once."))


@words.register(wrong.PriorityWeightsDiffer)
def priority_weights_differ(problem: wrong.PriorityWeightsDiffer) -> Words:
    """Say that priorities of one kind have one weight."""
    said = _("The weight is %(found)s, and a priority of the same kind has %(before)s.") % {
        "found": grouped(problem.found),
        "before": grouped(problem.before),
    }
    return Words(said, _("Give both the same weight."))


@words.register(wrong.PolicyElsewhere)
def policy_elsewhere(problem: wrong.PolicyElsewhere) -> Words:
    """Say where the plugins stand."""
    if problem.place:
        said = _("Predicates and priorities stand in the Policy %(place)s.") % {"place": problem.place}
    else:
        said = _("Predicates and priorities stand in a Policy of its own.")
    return Words(said, _("Give that Policy here instead: it is read and translated, too."))


@words.register(wrong.NoSuchProvider)
def no_such_provider(problem: wrong.NoSuchProvider) -> Words:
    """Name the providers."""
    said = _("%(found)s is not an algorithm provider.") % {"found": problem.found}
    return Words(said, _("Write %(known)s.") % {"known": alternatives(problem.known)})

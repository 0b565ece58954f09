"""Words for why a kubelet would not start with a configuration."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.kubelet import (
    CriticalPeriodTooLong,
    LowNotBelowHigh,
    MaximumAgeTooShort,
    NegativeGracePeriod,
    NotAKubeletConfiguration,
    NotAPercentage,
    NotReservable,
    PercentageOutOfRange,
    ShutdownPeriodsTwice,
    ShutdownPeriodTooShort,
    SoftWithoutGracePeriod,
    ThresholdNotPositive,
    UnknownSignal,
)
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives
from clusters.wording.problems.registry import Words, words


@words.register(NotAKubeletConfiguration)
def not_a_kubelet_configuration(problem: NotAKubeletConfiguration) -> Words:
    """Say which value the field has in a kubelet's configuration."""
    remedy = _(
        "Write %(right)s, or give the kubelet's answer at /configz as it is: "
        "kubectl get --raw /api/v1/nodes/NODE/proxy/configz"
    ) % {"right": problem.right}
    return Words(_("%(found)s is not a kubelet's configuration.") % {"found": problem.found}, remedy)


@words.register(UnknownSignal)
def unknown_signal(problem: UnknownSignal) -> Words:
    """Name the signals that there are."""
    said = _("%(found)s is not an eviction signal.") % {"found": problem.found}
    return Words(said, _("Write %(known)s.") % {"known": alternatives(problem.known)})


@words.register(NotAPercentage)
def not_a_percentage(problem: NotAPercentage) -> Words:
    """Say how a percentage is written."""
    return Words(
        _("%(found)s is not a percentage.") % {"found": problem.found}, _("Write a number before the percent sign.")
    )


@words.register(PercentageOutOfRange)
def percentage_out_of_range(problem: PercentageOutOfRange) -> Words:
    """Say which percentages there are."""
    said = _("%(found)s is not between 0%% and 100%%.") % {"found": problem.found}
    return Words(said, _("Write a percentage of the capacity; 0% and 100% are no threshold."))


@words.register(ThresholdNotPositive)
def threshold_not_positive(problem: ThresholdNotPositive) -> Words:
    """Say that a threshold is more than nothing, and how there is none."""
    said = _("%(found)s is not above 0.") % {"found": problem.found}
    return Words(said, _("Write an amount above 0, or 0% where no threshold is meant."))


@words.register(NegativeGracePeriod)
def negative_grace_period(problem: NegativeGracePeriod) -> Words:
    """Say that a grace period is not below 0."""
    said = _("The grace period %(found)s is negative.") % {"found": problem.found}
    return Words(said, _("Write 0s or more, such as 1m30s."))


@words.register(SoftWithoutGracePeriod)
def soft_without_grace_period(problem: SoftWithoutGracePeriod) -> Words:
    """Say where the grace period belongs."""
    said = _("The soft threshold of %(signal)s has no grace period.") % {"signal": problem.signal}
    remedy = _("Write one under evictionSoftGracePeriod, such as %(signal)s: 1m30s.") % {"signal": problem.signal}
    return Words(said, remedy)


@words.register(NotReservable)
def not_reservable(problem: NotReservable) -> Words:
    """Name what can be reserved."""
    said = _("%(found)s cannot be reserved for the system or the kubelet.") % {"found": problem.found}
    return Words(said, _("Reserve %(known)s.") % {"known": alternatives(problem.known)})


@words.register(LowNotBelowHigh)
def low_not_below_high(problem: LowNotBelowHigh) -> Words:
    """Say which of two percentages is the lower one."""
    said = _("imageGCLowThresholdPercent %(low)s is not below imageGCHighThresholdPercent %(high)s.") % {
        "low": grouped(problem.low),
        "high": grouped(problem.high),
    }
    return Words(said, _("Write a percentage below %(high)s.") % {"high": grouped(problem.high)})


@words.register(MaximumAgeTooShort)
def maximum_age_too_short(problem: MaximumAgeTooShort) -> Words:
    """Say what the age has to exceed."""
    said = _("imageMaximumGCAge %(found)s is not above imageMinimumGCAge %(least)s.") % {
        "found": problem.found,
        "least": problem.least,
    }
    return Words(said, _("Write a longer time, or 0s for no such age."))


@words.register(ShutdownPeriodTooShort)
def shutdown_period_too_short(problem: ShutdownPeriodTooShort) -> Words:
    """Say which periods there are."""
    said = _("%(found)s is neither 0 nor at least a second.") % {"found": problem.found}
    return Words(said, _("Write 1s or more, or 0s for a shutdown that does not wait."))


@words.register(CriticalPeriodTooLong)
def critical_period_too_long(problem: CriticalPeriodTooLong) -> Words:
    """Say that the period of critical pods is a part of the whole."""
    said = _("shutdownGracePeriodCriticalPods %(found)s is longer than shutdownGracePeriod %(whole)s.") % {
        "found": problem.found,
        "whole": problem.whole,
    }
    return Words(
        said, _("Write at most %(whole)s: the time of critical pods is a part of it.") % {"whole": problem.whole}
    )


@words.register(ShutdownPeriodsTwice)
def shutdown_periods_twice(problem: ShutdownPeriodsTwice) -> Words:
    """Say that one way of writing excludes the other."""
    said = _("shutdownGracePeriodByPodPriority stands beside shutdownGracePeriod.")
    return Words(said, _("Remove one of them."))

"""Words for what can be wrong with usage."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.live import (
    LargeMetrics,
    MetricsForbidden,
    MetricsNotServed,
    NoMetricsYet,
    NoUsageFound,
    PrometheusRedirects,
    PrometheusRefused,
    PrometheusSilent,
    PrometheusUnreadable,
    TopAmount,
    TopColumnUnknown,
    TopLineTooLong,
    TopRowLength,
    TopWithoutNames,
    TopWithoutNamespaces,
    UsageBeforeState,
    UsageOfTheFuture,
    UsageTooLarge,
)
from clusters.wording.amounts import grouped, size
from clusters.wording.problems.registry import Words, problem_sentence, remedy_sentence, words


@words.register(UsageBeforeState)
def usage_before_state(problem: UsageBeforeState) -> Words:
    """Say that nobody could tell whose usage it is."""
    said = _("It holds usage of pods, and nothing of this cluster has been read yet.")
    return Words(said, _("Send a dump of the cluster first."))


@words.register(NoUsageFound)
def no_usage_found(problem: NoUsageFound) -> Words:
    """Say that nothing in it is usage."""
    said = _("It holds no PodMetrics, no NodeMetrics and no summary of a kubelet.")
    return Words(
        said,
        _("Send what kubectl get --raw /apis/metrics.k8s.io/v1beta1/pods prints, or kubectl top pods --containers -A."),
    )


@words.register(UsageOfTheFuture)
def usage_of_the_future(problem: UsageOfTheFuture) -> Words:
    """Say that a time cannot be right."""
    said = _("%(found)s is more than a day ahead.") % {"found": problem.found}
    return Words(said, _("Set the clock of the machine that wrote it, and send usage with its real time."))


@words.register(UsageTooLarge)
def usage_too_large(problem: UsageTooLarge) -> Words:
    """Say that an amount cannot be right."""
    said = _("%(found)s is more than any machine has.") % {"found": problem.found}
    return Words(said, _("Send usage as it was measured."))


@words.register(TopWithoutNames)
def top_without_names(problem: TopWithoutNames) -> Words:
    """Say that rows without a name are of nothing."""
    said = _("Line %(line)s is a heading without the column NAME.") % {"line": problem.line}
    return Words(said, _("Send the output of kubectl top as it is."))


@words.register(TopWithoutNamespaces)
def top_without_namespaces(problem: TopWithoutNamespaces) -> Words:
    """Say that pods are not told apart without their namespace."""
    said = _("Line %(line)s is a heading without the column NAMESPACE, so it is not known which pods these are.") % {
        "line": problem.line
    }
    return Words(said, _("Send what kubectl top pods --containers -A prints."))


@words.register(TopColumnUnknown)
def top_column_unknown(problem: TopColumnUnknown) -> Words:
    """Name a column that kubectl top does not have."""
    said = _("Line %(line)s is a heading with the column %(found)s, which kubectl top does not have.") % {
        "line": problem.line,
        "found": problem.found,
    }
    return Words(said, _("Send the output of kubectl top as it is."))


@words.register(TopRowLength)
def top_row_length(problem: TopRowLength) -> Words:
    """Say that a line does not belong to its heading."""
    said = ngettext(
        "Line %(line)s has %(cells)s column and its heading %(columns)s: %(found)s.",
        "Line %(line)s has %(cells)s columns and its heading %(columns)s: %(found)s.",
        problem.cells,
    ) % {"line": problem.line, "cells": problem.cells, "columns": problem.columns, "found": problem.found}
    return Words(said, _("Send the output of kubectl top as it is, without its messages (2>/dev/null)."))


@words.register(TopAmount)
def top_amount(problem: TopAmount) -> Words:
    """Say what is wrong with an amount of a line."""
    said = _("Line %(line)s, column %(column)s: %(problem)s") % {
        "line": problem.line,
        "column": problem.column,
        "problem": problem_sentence(problem.why),
    }
    return Words(said, remedy_sentence(problem.why))


@words.register(TopLineTooLong)
def top_line_too_long(problem: TopLineTooLong) -> Words:
    """Say that a line is no line of kubectl top."""
    said = _("Line %(line)s has more than %(most)s characters.") % {"line": problem.line, "most": grouped(problem.most)}
    return Words(said, _("Send the output of kubectl top as it is."))


@words.register(MetricsNotServed)
def metrics_not_served(problem: MetricsNotServed) -> Words:
    """Say that the cluster has nothing that measures usage."""
    said = _("The API server does not serve metrics.k8s.io (404): the cluster has no metrics-server.")
    return Words(said, _("Install metrics-server, or name a Prometheus of the cluster in BERTH_PROMETHEUS."))


@words.register(MetricsForbidden)
def metrics_forbidden(problem: MetricsForbidden) -> Words:
    """Say that Berth is not allowed to read usage."""
    said = _("Berth may not read metrics.k8s.io (403): %(message)s") % {"message": problem.message}
    return Words(said, _("Allow it with the optional rule in deploy/clusterrole.yaml, and apply that."))


@words.register(NoMetricsYet)
def no_metrics_yet(problem: NoMetricsYet) -> Words:
    """Say that there is an answer without pods."""
    said = _("%(source)s answers, and knows of no pod yet.") % {"source": problem.source}
    return Words(said, _("It takes some minutes after its start; then look at its own log."))


@words.register(LargeMetrics)
def large_metrics(problem: LargeMetrics) -> Words:
    """Say that an answer is not read to its end."""
    said = _("The answer has more than %(most)s.") % {"most": size(problem.most_bytes)}
    return Words(said, _("Upload what kubectl top prints for the namespaces in question."))


@words.register(PrometheusRefused)
def prometheus_refused(problem: PrometheusRefused) -> Words:
    """Say what Prometheus answered."""
    said = _("Prometheus at %(address)s answered %(status)s: %(message)s") % {
        "address": problem.address,
        "status": problem.status,
        "message": problem.message,
    }
    return Words(said, _("Open its address in BERTH_PROMETHEUS from the machine of the worker, and see what it says."))


@words.register(PrometheusRedirects)
def prometheus_redirects(problem: PrometheusRedirects) -> Words:
    """Say that a redirect is not followed."""
    said = _("Prometheus at %(address)s answered with a redirect, which is not followed.") % {
        "address": problem.address
    }
    return Words(said, _("Write the address that it leads to into BERTH_PROMETHEUS."))


@words.register(PrometheusSilent)
def prometheus_silent(problem: PrometheusSilent) -> Words:
    """Say that Prometheus is not reached."""
    said = _("No answer from Prometheus at %(address)s: %(reason)s.") % {
        "address": problem.address,
        "reason": problem.reason,
    }
    return Words(said, _("Check the address in BERTH_PROMETHEUS, and that the worker may connect to it."))


@words.register(PrometheusUnreadable)
def prometheus_unreadable(problem: PrometheusUnreadable) -> Words:
    """Say that something else answers."""
    said = _("What answers at %(address)s is no Prometheus.") % {"address": problem.address}
    return Words(said, _("Write the address of its API, without /api/v1, into BERTH_PROMETHEUS."))

"""Words for what can be wrong with the order of a capacity review, with its schedule, and with writing it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.orders import (
    ClusterChanging,
    ClusterNotRead,
    DatesEachWeek,
    DaysBesideDates,
    GivenUp,
    NegativeAmount,
    NoSectionApplies,
    NoSuchCluster,
    NoSuchSimulation,
    NotAClusterName,
    NotACurrency,
    NotAnOrder,
    NotAPeriod,
    NotAPrice,
    NotAResource,
    NotAShape,
    NotAShapeName,
    NotASimulationNumber,
    NotATime,
    NotAWorkloadReference,
    NotesTooLong,
    NotOneSubject,
    NotPrintable,
    NotSections,
    NotShapes,
    OrderFileNotJson,
    OrderFileTooLong,
    OrderFileUnreadable,
    OrderFileWithoutMap,
    PeriodEndsFirst,
    PeriodTooLong,
    ShapeNameTwice,
    ShapeWithoutRequests,
    ShapeWithTwoRequests,
    SimulationDeleted,
    SimulationNotDone,
    SimulationOfNoCluster,
    SimulationReviewed,
    TooManySchedules,
    UnknownOrderVersion,
    WritingFailed,
)
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(NotAnOrder)
def not_an_order(problem: NotAnOrder) -> Words:
    """Say that it is not an order."""
    return Words(
        _("%(found)s is not an order.") % {"found": problem.found}, _('Write a map such as {"cluster": "demo"}.')
    )


@words.register(UnknownOrderVersion)
def unknown_order_version(problem: UnknownOrderVersion) -> Words:
    """Say that the version is not known."""
    return Words(_("%(found)s is not a known version.") % {"found": problem.found}, _("Write 1, or leave it out."))


@words.register(NotOneSubject)
def not_one_subject(problem: NotOneSubject) -> Words:
    """Say that a review has one subject."""
    return Words(_("A review is about a cluster or about a simulation."), _("Give exactly one of cluster and run."))


@words.register(NotAClusterName)
def not_a_cluster_name(problem: NotAClusterName) -> Words:
    """Say that it does not name a cluster."""
    return Words(
        _("%(found)s is not the name of a cluster.") % {"found": problem.found}, _("Write the cluster's name.")
    )


@words.register(NotASimulationNumber)
def not_a_simulation_number(problem: NotASimulationNumber) -> Words:
    """Say that it does not name a simulation."""
    return Words(
        _("%(found)s is not the number of a simulation.") % {"found": problem.found},
        _("Write the number in the simulation's address."),
    )


@words.register(NotPrintable)
def not_printable(problem: NotPrintable) -> Words:
    """Say which characters a title may have."""
    return Words(_("It holds characters that cannot be printed."), _("Write it on one line, without tabs."))


@words.register(NotAPeriod)
def not_a_period(problem: NotAPeriod) -> Words:
    """Say that it is not a period."""
    return Words(
        _("%(found)s is not a period.") % {"found": problem.found}, _('Write {"days": 28}, or "from" and "to".')
    )


@words.register(DaysBesideDates)
def days_beside_dates(problem: DaysBesideDates) -> Words:
    """Say that days and dates exclude each other."""
    return Words(_("It has days beside a beginning or an end."), _("Give days alone."))


@words.register(PeriodEndsFirst)
def period_ends_first(problem: PeriodEndsFirst) -> Words:
    """Say that the end is too early."""
    return Words(_("The period ends before it begins."), _("Write a later time."))


@words.register(NotATime)
def not_a_time(problem: NotATime) -> Words:
    """Say how a time is written."""
    return Words(_("%(found)s is not a time.") % {"found": problem.found}, _("Write it as in 2026-01-31T12:00:00Z."))


@words.register(NotShapes)
def not_shapes(problem: NotShapes) -> Words:
    """Say that it is not a list of shapes."""
    return Words(_("%(found)s is not a list.") % {"found": problem.found}, _('Write [{"name": "web", "cpu": "500m"}].'))


@words.register(NotAShape)
def not_a_shape(problem: NotAShape) -> Words:
    """Say that it is not a shape."""
    return Words(
        _("%(found)s is not the shape of a pod.") % {"found": problem.found}, _('Write {"name": "web", "cpu": "500m"}.')
    )


@words.register(ShapeNameTwice)
def shape_name_twice(problem: ShapeNameTwice) -> Words:
    """Say that a name is there twice."""
    return Words(
        _("Two shapes have the name %(found)s.") % {"found": problem.found}, _("Give one of them another name.")
    )


@words.register(ShapeWithTwoRequests)
def shape_with_two_requests(problem: ShapeWithTwoRequests) -> Words:
    """Say that the workload gives the requests."""
    return Words(_("A shape like a workload's pods has their requests."), _("Give only name and like."))


@words.register(ShapeWithoutRequests)
def shape_without_requests(problem: ShapeWithoutRequests) -> Words:
    """Say that requests are missing."""
    return Words(_("The shape requests nothing."), _("Give it cpu, memory or another resource."))


@words.register(NotAResource)
def not_a_resource(problem: NotAResource) -> Words:
    """Say that it is not a resource."""
    return Words(
        _("kube-scheduler knows no resource %(found)s.") % {"found": problem.found},
        _("Write one such as nvidia.com/gpu."),
    )


@words.register(NegativeAmount)
def negative_amount(problem: NegativeAmount) -> Words:
    """Say that an amount is too small."""
    return Words(_("%(found)s is negative.") % {"found": problem.found}, _("Write an amount of 0 or more."))


@words.register(NotAWorkloadReference)
def not_a_workload_reference(problem: NotAWorkloadReference) -> Words:
    """Say how a workload is named."""
    return Words(
        _("%(found)s does not name a workload.") % {"found": problem.found},
        _('Write {"kind": "Deployment", "namespace": "shop", "name": "web"}.'),
    )


@words.register(NotACurrency)
def not_a_currency(problem: NotACurrency) -> Words:
    """Say how a currency is written."""
    return Words(_("%(found)s is not a currency.") % {"found": problem.found}, _("Write three letters such as EUR."))


@words.register(NotAPrice)
def not_a_price(problem: NotAPrice) -> Words:
    """Say how a price is written."""
    return Words(
        _("%(found)s is not a price.") % {"found": problem.found}, _('Write what an hour costs, such as "0.031".')
    )


@words.register(NoSuchCluster)
def no_such_cluster(problem: NoSuchCluster) -> Words:
    """Say that there is no such cluster."""
    return Words(
        _("There is no cluster %(cluster)s.") % {"cluster": problem.cluster}, _("Write the name of one that is here.")
    )


@words.register(ClusterNotRead)
def cluster_not_read(problem: ClusterNotRead) -> Words:
    """Say that the cluster has no state yet."""
    return Words(
        _("Nothing of %(cluster)s has been read yet.") % {"cluster": problem.cluster}, _("Send a dump of it first.")
    )


@words.register(NoSuchSimulation)
def no_such_simulation(problem: NoSuchSimulation) -> Words:
    """Say that there is no such simulation."""
    return Words(
        _("There is no simulation %(number)s.") % {"number": problem.number},
        _("Write the number in the simulation's address."),
    )


@words.register(SimulationNotDone)
def simulation_not_done(problem: SimulationNotDone) -> Words:
    """Say that the simulation has no result."""
    return Words(
        _("Simulation %(number)s is not done.") % {"number": problem.number},
        _("Wait until it is, or order a review of another one."),
    )


@words.register(SimulationOfNoCluster)
def simulation_of_no_cluster(problem: SimulationOfNoCluster) -> Words:
    """Say that the simulation belongs to no cluster."""
    return Words(
        _("Simulation %(number)s began with an empty cluster.") % {"number": problem.number},
        _("Order a review of a simulation that begins with a cluster."),
    )


@words.register(SimulationDeleted)
def simulation_deleted(problem: SimulationDeleted) -> Words:
    """Say that the simulation is gone."""
    return Words(
        _("Simulation %(number)s was deleted in the meantime.") % {"number": problem.number},
        _("Order a review of another simulation."),
    )


@words.register(DatesEachWeek)
def dates_each_week(problem: DatesEachWeek) -> Words:
    """Say that a weekly review has no fixed dates."""
    return Words(
        _("A weekly review cannot be about the same dates each time."), _('Write {"days": 7} or another number.')
    )


@words.register(ClusterChanging)
def cluster_changing(problem: ClusterChanging) -> Words:
    """Say that the cluster could not be read at one revision."""
    return Words(_("The cluster changed each time while it was read."), _("Order the review again."))


@words.register(WritingFailed)
def writing_failed(problem: WritingFailed) -> Words:
    """Say that Berth is at fault."""
    return Words(_("Berth failed while it wrote this."), _("The worker's log says why."))


@words.register(OrderFileNotJson)
def order_file_not_json(problem: OrderFileNotJson) -> Words:
    """Say where the file is not JSON."""
    return Words(
        _("%(path)s is not JSON: %(error)s.") % {"path": problem.path, "error": problem.error},
        _('Write a map such as {"cluster": "demo"}.'),
    )


@words.register(OrderFileWithoutMap)
def order_file_without_map(problem: OrderFileWithoutMap) -> Words:
    """Say that the file does not hold an order."""
    return Words(_("%(path)s does not hold a map.") % {"path": problem.path}, _('Write {"cluster": "demo"}.'))


@words.register(OrderFileUnreadable)
def order_file_unreadable(problem: OrderFileUnreadable) -> Words:
    """Say why the file cannot be read."""
    return Words(
        _("%(path)s cannot be read: %(error)s.") % {"path": problem.path, "error": problem.error},
        _("Name another file."),
    )


@words.register(NoSectionApplies)
def no_section_applies(problem: NoSectionApplies) -> Words:
    """Say which sections can be written about what."""
    remedy = _("Choose others: cost needs prices, run is of simulations, and %(sections)s are of clusters.") % {
        "sections": listed(problem.of_clusters)
    }
    return Words(_("None of these sections can be written about what was named."), remedy)


@words.register(NotesTooLong)
def notes_too_long(problem: NotesTooLong) -> Words:
    """Say how long notes may be."""
    said = ngettext("They have %(size)s byte.", "They have %(size)s bytes.", problem.size) % {
        "size": grouped(problem.size)
    }
    return Words(said, _("Write at most %(most)s bytes.") % {"most": grouped(problem.most)})


@words.register(PeriodTooLong)
def period_too_long(problem: PeriodTooLong) -> Words:
    """Say how long a period may be."""
    return Words(_("The period is too long."), _("Choose at most %(most)s days.") % {"most": grouped(problem.most)})


@words.register(NotSections)
def not_sections(problem: NotSections) -> Words:
    """Say that it is no list of sections, and which there are."""
    said = _("%(found)s is not a list of sections.") % {"found": problem.found}
    return Words(said, _("Choose of %(known)s.") % {"known": listed(problem.known)})


@words.register(NotAShapeName)
def not_a_shape_name(problem: NotAShapeName) -> Words:
    """Say how long the name of a shape may be."""
    said = _("%(found)s is not a name.") % {"found": problem.found}
    return Words(said, _("Write 1 to %(most)s characters.") % {"most": grouped(problem.most)})


@words.register(SimulationReviewed)
def simulation_reviewed(problem: SimulationReviewed) -> Words:
    """Say which reviews refer to a simulation."""
    remedy = _("The simulation is kept as long as its reviews are; delete those first.")
    values = {"reviews": listed(problem.reviews), "more": grouped(problem.more)}
    if problem.more:
        return Words(_("The reviews %(reviews)s and %(more)s more refer to this simulation.") % values, remedy)
    said = ngettext(
        "The review %(reviews)s refers to this simulation.",
        "The reviews %(reviews)s refer to this simulation.",
        len(problem.reviews),
    ) % {"reviews": listed(problem.reviews)}
    return Words(said, remedy)


@words.register(TooManySchedules)
def too_many_schedules(problem: TooManySchedules) -> Words:
    """Say that a cluster has no room for another schedule."""
    said = ngettext("%(cluster)s has %(most)s schedule.", "%(cluster)s has %(most)s schedules.", problem.most) % {
        "cluster": problem.cluster,
        "most": grouped(problem.most),
    }
    return Words(said, _("Remove one of them first."))


@words.register(OrderFileTooLong)
def order_file_too_long(problem: OrderFileTooLong) -> Words:
    """Say how long a file may be."""
    said = _("%(path)s is too long.") % {"path": problem.path}
    return Words(said, _("Write at most %(most)s bytes.") % {"most": grouped(problem.most)})


@words.register(GivenUp)
def given_up(problem: GivenUp) -> Words:
    """Say that nobody knows why."""
    return Words(
        _("It is not known what went wrong."), _("Order it again; if it fails again, look at the worker's log.")
    )

"""How devices are searched for in one Kubernetes minor, with its gates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Dialect(NamedTuple):
    """What of CEL a minor's scheduler has; ``has_dynamic_attributes``: what attributes are is not known beforehand."""

    minor: str
    has_dynamic_attributes: bool = False


@dataclass(frozen=True, slots=True)
class DeviceRules:
    """The rules of the search for devices.

    ``presumes_gates``: taints and counters of devices are read unless their gates are said to be off (1.34). Off by
    default, they let the API server keep neither, so that where a cluster has any, its scheduler reads them.
    ``reads_taints``, ``reads_counters``: as the gates DRADeviceTaints and DRAPartitionableDevices say.
    ``reads_every_effect``: taints keep devices from being allocated whatever their effect (until 1.34).
    ``reads_taint_rules``: as the gate DRADeviceTaintRules says, before there was one (until 1.34) as DRADeviceTaints.
    ``selects_by_class``: a DeviceTaintRule may select by a class and by expressions (until 1.34).
    ``taints_without_selector``: a DeviceTaintRule without a selector taints every device (until 1.36), not none.
    ``sees_whole_pools``: whether a pool is complete, and which counters it has, goes by all of its slices, also those
    of other nodes; pools that are not are passed over (from 1.35). Before, counters are those of a device's own slice.
    ``includes_counter_slices``: slices of counters count as reached from every node (until 1.36).
    ``shares_counters_by_name``: pools of several drivers that have one name have the counters of the first of them
    (1.35, and 1.36 until its patch 3).
    ``gives_everything_back``: what a device took is given back when something turns it down, the devices of a request
    go in their order, and an alternative is kept until it is done (from 1.36).
    ``counts_by_request``: a claim that asks for too many devices is refused at the request that is too much (from
    1.36.5).
    ``explains_errors``: of an expression that cannot be evaluated the scheduler names the device, and says what helps
    where a key is missing (from 1.37).
    ``types_attributes_freely``: expressions are checked as if attributes could be anything, lists too (from 1.37; in
    1.36 as the gate DRAListTypeAttributes says).
    ``has_both_names_of_classes``: a class stands for the extended resource that it names and for the one of its own
    name, and a node's device plugin counts only where it offers some of the resource (from 1.35).
    ``shares_capacity``, ``waits_for_conditions``: as the gates DRAConsumableCapacity and DRADeviceBindingConditions
    say; ``counts_in_thousandths``: as DRAFractionalCapacityRange says.
    ``compares_groups``: of a counter set devices are taken together only if they have a compatibility group in common,
    as the gate DRADeviceCompatibilityGroups says; ``passes_over_groups``: where that is off, slices with groups count
    as not there (from 1.37).
    ``asks_nodes_to_skip``: devices whose node operations are skipped go to nodes that declare that they can, as the
    gate DRAOptionalNodeOperations says; ``gives_no_skipping``: where that is off and the scheduler takes its newest
    allocator for another gate, they are never allocated.
    ``knows_distinct_attributes``: where no gate of a new feature is on, constraints of distinctAttribute are an error,
    and capacities that are requested count for nothing (False from 1.35; the allocator is then another one).
    ``counts_every_share``: distinctAttribute compares all devices of a request; allocationMode All is for all devices
    that are large enough, whatever is left of them; and of a shared device that nothing is consumed of the counters
    are taken once too (from 1.37).
    ``refuses_uncountable``: a request of a capacity that is negative, or more than int64 holds where it is rounded to
    steps, ends the cycle in an error (from 1.37).
    ``takes_of_nodes``: devices say what they take of their node's resources by mapping and overhead (from 1.37).
    ``knows_owning_groups``: of a claim that is another pod's it is said otherwise, as claims may be a group's (from
    1.36).
    """

    presumes_gates: bool = True
    reads_taints: bool = True
    reads_every_effect: bool = True
    reads_taint_rules: bool = True
    reads_counters: bool = True
    selects_by_class: bool = True
    taints_without_selector: bool = True
    sees_whole_pools: bool = False
    includes_counter_slices: bool = True
    shares_counters_by_name: bool = False
    gives_everything_back: bool = False
    counts_by_request: bool = False
    explains_errors: bool = False
    types_attributes_freely: bool = False
    has_both_names_of_classes: bool = False
    shares_capacity: bool = False
    counts_in_thousandths: bool = False
    compares_groups: bool = False
    passes_over_groups: bool = False
    asks_nodes_to_skip: bool = False
    gives_no_skipping: bool = False
    waits_for_conditions: bool = False
    knows_distinct_attributes: bool = True
    counts_every_share: bool = False
    refuses_uncountable: bool = False
    takes_of_nodes: bool = False
    knows_owning_groups: bool = False

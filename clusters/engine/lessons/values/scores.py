"""Numbers of the scoring: what plugins give nodes, and what that comes to."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from clusters.engine.configuration import NodeResourcesFitArgs, StrategyType
from clusters.engine.lessons.nodes import decider_on
from clusters.engine.lessons.problems import NodeDoesNotFit, NotRequestedToCapacityRatio, PluginDoesNotScore
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.values.amounts import as_quantity
from clusters.engine.lessons.values.value import NumberUnit, NumberValue
from clusters.engine.lessons.values.working import Operand, OperandKind, Sign, then

# NodeResourcesFit by name: bin packing is a strategy of its scores.
from clusters.engine.plugins.node_resources_fit import NodeResourcesFit
from clusters.engine.plugins.node_resources_fit.evidence import ResourceScore
from clusters.engine.resources.scoring import positive_mean, shape_scores

if TYPE_CHECKING:
    from clusters.engine.explanation import Explanation
    from clusters.engine.lessons.arguments import ArgumentFields
    from clusters.engine.lessons.situation import Situation
    from clusters.engine.node_answers import ScoreCell
    from clusters.engine.status import Ints


@dataclass(frozen=True, slots=True)
class PluginScoreValue(NumberValue):
    """``score {node, plugin}``: what a plugin gives a feasible node, from 0 to 100, before its weight."""

    node: str
    plugin: str

    name: ClassVar[str] = "score"
    arguments: ClassVar[tuple[str, ...]] = ("node", "plugin")

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.name("node"), fields.plugin("plugin"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.POINTS

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.cell(situation).normalised)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        return ()

    def cell(self, situation: Situation) -> ScoreCell:
        """What the plugin makes of the node. Raises UnsolvableError."""
        attempt, row = fitting_row(situation, self.node)
        cells = {cell.plugin: cell for cell in attempt.cells_of(row)}
        if self.plugin not in cells:
            raise UnsolvableError(PluginDoesNotScore(self.plugin, tuple(cells)))
        return cells[self.plugin]


@dataclass(frozen=True, slots=True)
class RawScoreValue(PluginScoreValue):
    """``rawScore {node, plugin}``: what a plugin gives a feasible node before it is brought to 0 to 100."""

    name: ClassVar[str] = "rawScore"

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.cell(situation).raw)


@dataclass(frozen=True, slots=True)
class WeightedScoreValue(PluginScoreValue):
    """``weightedScore {node, plugin}``: what a plugin adds to the total of a feasible node."""

    name: ClassVar[str] = "weightedScore"

    def of(self, situation: Situation) -> Fraction:
        return Fraction(self.cell(situation).weighted)


@dataclass(frozen=True, slots=True)
class TotalValue(NumberValue):
    """``total {node}``: the sum of the weighted scores of a feasible node."""

    node: str

    name: ClassVar[str] = "total"
    arguments: ClassVar[tuple[str, ...]] = ("node",)

    @classmethod
    def read(cls, fields: ArgumentFields) -> Self:
        return cls(fields.name("node"))

    @property
    def unit(self) -> NumberUnit:
        return NumberUnit.POINTS

    def of(self, situation: Situation) -> Fraction:
        attempt, row = fitting_row(situation, self.node)
        return Fraction(attempt.total_of(row) or 0)

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        attempt, row = fitting_row(situation, self.node)
        weights = {each.plugin: each.weight for each in attempt.scores}
        return tuple(
            Operand(
                Sign.PLUS,
                OperandKind.PLUGIN,
                Fraction(cell.weighted),
                (cell.plugin, f"{cell.normalised}", f"{weights[cell.plugin]}"),
            )
            for cell in attempt.cells_of(row)
        )


@dataclass(frozen=True, slots=True)
class BinPackingValue(TotalValue):
    """``binPacking {node}``: the score by RequestedToCapacityRatio from 0 to 10, as its shape is written.

    The documentation calculates in this scale; kube-scheduler brings the shape to 0 to 100 first, and rounds there.
    """

    name: ClassVar[str] = "binPacking"

    def of(self, situation: Situation) -> Fraction:
        parts, scores = self.parts(situation)
        allocatable = np.array([[part.allocatable] for part in parts], np.int64)
        return Fraction(int(positive_mean(scores, allocatable, [part.weight for part in parts])[0]))

    def working(self, situation: Situation) -> tuple[Operand, ...]:
        parts, scores = self.parts(situation)
        counted = [
            (part, int(score))
            for part, score in zip(parts, scores[:, 0], strict=True)
            if part.allocatable and int(score) > 0
        ]
        if not counted:
            return ()
        weighted = [
            Operand(
                Sign.PLUS,
                OperandKind.RESOURCE_SCORE,
                Fraction(score * part.weight),
                (
                    part.resource,
                    as_quantity(part.resource, part.requested),
                    as_quantity(part.resource, part.allocatable),
                    f"{score}",
                    f"{part.weight}",
                ),
            )
            for part, score in counted
        ]
        weights = sum(part.weight for part, _ in counted)
        return (
            *weighted,
            then(Sign.OVER, OperandKind.WEIGHTS, weights, unit=NumberUnit.COUNT),
            then(Sign.ROUNDED, OperandKind.ROUNDED, self.of(situation)),
        )

    def parts(self, situation: Situation) -> tuple[list[ResourceScore], Ints]:
        """What is requested of each resource, and its score by the shape, (K, 1). Raises UnsolvableError."""
        attempt, row = fitting_row(situation, self.node)
        arguments = attempt.profile.args.get(NodeResourcesFit.name)
        if not isinstance(arguments, NodeResourcesFitArgs):
            raise UnsolvableError(NotRequestedToCapacityRatio())
        strategy = arguments.scoring_strategy
        if strategy.type is not StrategyType.REQUESTED_TO_CAPACITY_RATIO:
            raise UnsolvableError(NotRequestedToCapacityRatio())
        found = attempt.score_evidence(row, NodeResourcesFit.name)
        parts = [part for part in found if isinstance(part, ResourceScore)]
        asked, allocatable = (
            np.array([[getattr(part, field)] for part in parts], np.int64) for field in ("requested", "allocatable")
        )
        points = [(point.utilization, point.score) for point in strategy.shape]
        return parts, shape_scores(asked, allocatable, points)


def fitting_row(situation: Situation, node: str) -> tuple[Explanation, int]:
    """The attempt, and the row of a node that passes every filter. Raises UnsolvableError."""
    situation.chosen_nodes(node)
    attempt = situation.attempt()
    row = situation.snapshot.nodes.index[node]
    if attempt.total_of(row) is None:
        raise UnsolvableError(NodeDoesNotFit(node, decider_on(attempt, node)))
    return attempt, row

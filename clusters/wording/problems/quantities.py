"""What can be wrong with an amount of a resource, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.quantity import LongQuantity, NeitherNumberNorText, NotAQuantity, SpacedQuantity, UpperCaseK
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, words


@words.register(NotAQuantity)
def not_a_quantity(problem: NotAQuantity) -> Words:
    """Say how a quantity is written."""
    remedy = _(
        "Write a number and at most one suffix of n u m k M G T P E Ki Mi Gi Ti Pi Ei or an exponent, "
        "such as 500m, 2, 1.5Gi or 1e3."
    )
    return Words(_not_a_quantity(problem.found), remedy)


@words.register(NeitherNumberNorText)
def neither_number_nor_text(problem: NeitherNumberNorText) -> Words:
    """Say that a quantity is a number or a text."""
    return Words(_not_a_quantity(problem.found), _("Write a number or a text such as 500m, 2 or 1.5Gi."))


@words.register(LongQuantity)
def long_quantity(problem: LongQuantity) -> Words:
    """Say how long a quantity may be."""
    remedy = _("Write at most %(most)s characters.") % {"most": grouped(problem.most)}
    return Words(_not_a_quantity(problem.found), remedy)


@words.register(SpacedQuantity)
def spaced_quantity(problem: SpacedQuantity) -> Words:
    """Say that no space belongs around it."""
    return Words(_not_a_quantity(problem.found), _("Remove the space around %(right)s.") % {"right": problem.right})


@words.register(UpperCaseK)
def upper_case_k(problem: UpperCaseK) -> Words:
    """Say what a K may stand for."""
    remedy = _("Write %(thousands)s for thousands or %(binary)s for units of 1024.") % {
        "thousands": problem.thousands,
        "binary": problem.binary,
    }
    return Words(_not_a_quantity(problem.found), remedy)


def _not_a_quantity(found: str) -> str:
    return _("%(found)s is not a resource quantity.") % {"found": found}

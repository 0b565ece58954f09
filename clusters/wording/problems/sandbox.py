"""Words for what can be wrong with a sandbox as a whole."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.lessons import EmptySandboxFile, LargeSandbox, ManyInSandbox
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, words


@words.register(EmptySandboxFile)
def empty_sandbox_file(problem: EmptySandboxFile) -> Words:
    """Say that a file holds no objects."""
    return Words(_("The file holds no objects."), _("Choose a file of YAML or JSON with nodes and pods."))


@words.register(LargeSandbox)
def large_sandbox(problem: LargeSandbox) -> Words:
    """Say how much a sandbox may hold."""
    said = _("The objects have %(characters)s characters together, and %(most)s are kept.") % {
        "characters": grouped(problem.characters),
        "most": grouped(problem.most),
    }
    return Words(said, _("Remove objects, or fields that scheduling does not need."))


@words.register(ManyInSandbox)
def many_in_sandbox(problem: ManyInSandbox) -> Words:
    """Say how many objects of a kind a sandbox would have, and may have."""
    said = ngettext(
        "The sandbox would have %(found)s object of the kind %(kind)s.",
        "The sandbox would have %(found)s objects of the kind %(kind)s.",
        problem.found,
    ) % {"found": grouped(problem.found), "kind": problem.kind_name}
    return Words(
        said, _("A sandbox has at most %(most)s of them. Remove some first.") % {"most": grouped(problem.most)}
    )

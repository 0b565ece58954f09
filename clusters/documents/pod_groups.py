"""What becomes of the group of a pod, written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from clusters.documents.explanation import MemberDocument, PodGroupDocument

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine.group_attempt import GroupAttempt


def pod_group_document(
    group: GroupAttempt | None, text: Callable[[str], str], message: Callable[[str | None], str | None]
) -> PodGroupDocument | UnsetType:
    """Write an attempt to schedule a group down; unset for a pod without one.

    ``text`` and ``message`` bound texts in length.
    """
    if group is None:
        return UNSET
    return PodGroupDocument(
        name=text(str(group.key)),
        least=group.least,
        existing=group.existing,
        scheduled=group.scheduled,
        found=group.found,
        verdict=group.verdict,
        message=message(group.message or None),
        domain=text(group.domain) or None,
        victims=tuple(map(text, group.victims)),
        members=tuple(
            MemberDocument(
                pod=text(each.pod),
                node=each.node or None,
                message=message(each.refusal or None),
                reached=each.is_reached,
            )
            for each in group.members
        ),
    )

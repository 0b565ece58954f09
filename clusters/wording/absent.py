"""What a cluster no longer has, in the place of the part of a page that showed it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

NO_GROUP: Final = gettext_lazy("The cluster has no such pod group.")


THERE_IS_NO = message("There is no %(object_kind)s %(name)s.")
HAS_NO = message("%(cluster)s has no %(object_kind)s %(name)s.")
NO_PODS = message("%(cluster)s has no pods of %(workload)s.")
NO_PROFILE = message("The configuration has no profile %(profile)s.")

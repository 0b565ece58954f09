"""What the API alone says: its reference, and errors with what helps."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.messages import message, plural

PARAMETERS_CAPTION = message("Parameters of %(operation)s")


READ_REFERENCE: Final = gettext_lazy("/api/v1/docs lists what each operation takes.")

NO_ADDRESS: Final = gettext_lazy("The API has no such address.")
FIND_ADDRESS: Final = gettext_lazy("docs/api.md lists the addresses.")
FIND_CLUSTER: Final = gettext_lazy("/api/v1/clusters/ lists the clusters.")

FORBIDDEN: Final = gettext_lazy("You may not do that.")
ASK_PERMITTED: Final = gettext_lazy("Ask a user who may change clusters, or its creator.")
NOT_SIGNED_IN: Final = gettext_lazy("The request is not authenticated.")
SEND_TOKEN: Final = gettext_lazy("Send Authorization: Bearer TOKEN.")
CSRF: Final = gettext_lazy("The request lacks its CSRF token.")
SEND_CSRF: Final = gettext_lazy("Send a Bearer token, or X-CSRFToken.")
TOKEN_REJECTED: Final = gettext_lazy("The token is not valid.")
MAKE_TOKEN: Final = gettext_lazy("Create another on the page API tokens.")
MAKE_WRITE_TOKEN: Final = gettext_lazy("Create one that may write on the page API tokens.")

TOO_LARGE: Final = gettext_lazy("The body is too large.")
SEND_LESS: Final = gettext_lazy("Send at most 5 MiB, and dumps as a file.")
UNREADABLE: Final = gettext_lazy("The body cannot be read.")
INVALID: Final = gettext_lazy("The value is not valid.")
NUL: Final = gettext_lazy("A text contains a NUL character.")
REMOVE_NUL: Final = gettext_lazy("Remove it.")
INTERNAL: Final = gettext_lazy("An internal error occurred.")
SEE_LOG: Final = gettext_lazy("Ask again. Berth's log has the error.")
BUSY: Final = gettext_lazy("The database is busy.")
TRY_AGAIN: Final = gettext_lazy("Ask again in a few seconds.")


def invalid(*, field: str, reason: str) -> str:
    """Say which field is not valid, with the reason that the validation gives."""
    return _("%(field)s: %(reason)s.") % {"field": field, "reason": reason}


NOT_ALLOWED = message("%(method)s is not allowed here.")
USE_METHODS = message("Use %(allowed)s.")
READ_ONLY_TOKEN = message("The token %(token)s may only read.")
SIGN_IN_AT = message("Send Authorization: Bearer TOKEN, or sign in at %(address)s.")
NOT_COMPUTED = message("The answer could not be computed: %(error)s")
REPORT_DEFECT = message("Report the error %(reference)s in Berth's log.")


FIND_RUN: Final = gettext_lazy("/api/v1/runs/ lists the runs.")
NOT_UTF8: Final = gettext_lazy("The manifests are no text.")
SAVE_AS_UTF8: Final = gettext_lazy("Save them as UTF-8.")
NO_OPTION: Final = gettext_lazy("There is no such option.")
MANIFESTS_TITLE: Final = gettext_lazy("Manifests from a pipeline")
WAIT_UNTIL_DONE: Final = gettext_lazy("Wait until its state is done.")
ASK_ANEW: Final = gettext_lazy("Ask again.")
NO_NAMESPACE: Final = gettext_lazy("No namespace has such a name.")
WRITE_WHOLE_NAME: Final = gettext_lazy("Write its whole name.")
USE_NUMBER: Final = gettext_lazy("Use the number in its answer.")
SEND_DUMP_AGAIN: Final = gettext_lazy("Send the dump again.")


MANIFESTS_TOO_LARGE = plural("The manifests have %(found)s byte.", "The manifests have %(found)s bytes.", by="found")
SPLIT_MANIFESTS = plural("At most %(most)s is taken: split them.", "At most %(most)s are taken: split them.", by="most")


KNOWN_OPTIONS = message("There are %(names)s.")


VALUE_NOT_KNOWN = message("%(parameter)s=%(found)s is not known.")


WRITE_ONE_OF = message("Write %(values)s.")


NOT_DONE = message("Run %(number)s is not done.")


IN_STATE = message("Run %(number)s is %(state)s.")


NO_STEP = message("Run %(number)s has no step %(step)s.")


STEPS_SO_FAR = plural("It has %(steps)s step by now.", "It has %(steps)s steps by now.", by="steps")


ADDED_MEANWHILE = message("Somebody just added %(cluster)s.")


FIND_FILTERS: Final = gettext_lazy("docs/api.md lists the filters.")
USE_NEXT: Final = gettext_lazy("Send the last answer's next, or no cursor.")
FIND_DECISION: Final = gettext_lazy("It may be older than the journal: list the decisions.")


NOT_UNDERSTOOD = message("%(name)s=%(found)s is not understood: %(errors)s")


NO_PLACE = message("cursor=%(cursor)s names no place in the list.")


NO_DECISION = message("The journal of %(cluster)s has no decision %(number)s.")


ASK_FOR_RUNNING: Final = gettext_lazy("Ask for a running pod.")
FIND_POD: Final = gettext_lazy("Search the cluster's pods, or upload a newer dump.")
ASK_FOR_NODES: Final = gettext_lazy("Write nodes=all, or node=NAME.")
FIND_NODES: Final = gettext_lazy("Ask with nodes=all for every node's name.")
TOP_OUT_OF_RANGE: Final = gettext_lazy("top is out of range.")
WRITE_POD: Final = gettext_lazy("Write a Pod.")


OTHER_SCHEDULER = message("The scheduler %(scheduler)s places this pod.")


ASK_WITH_PROFILE = message("Ask with profile=NAME: %(known)s.")


BAD_CONFIGURATION = message("The cluster's scheduler configuration cannot be read: %(reason)s")
UPLOAD_AGAIN = message("%(remedy)s Then upload the dump again.")
NODES_NOT_UNDERSTOOD = message("nodes=%(asked)s is not understood.")
WRITE_UP_TO = message("Write 1 to %(most)s.")
PODS_A_MINUTE = plural(
    "%(most)s written pod a minute is judged per user.",
    "%(most)s written pods a minute are judged per user.",
    by="most",
)
NOT_A_POD = message("%(found)s is not a Pod.")


FIND_GROUP: Final = gettext_lazy("/api/v1/clusters/NAME/pod-groups/ lists the pod groups.")

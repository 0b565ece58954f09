"""Static files: their hashed names, and how the ASGI server sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

if TYPE_CHECKING:
    from whitenoise.responders import StaticFile


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # WhiteNoise has no types
    """Hashed and compressed files; in our own modules, imports name the hashed files as well.

    Django can do that for every script, but then trips over words in the comments of vendored ones.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (
            "js/*.js",
            ((r"""(?m)^(?P<matched>import(?P<names>[^"';]*)"(?P<url>\./[^"]+)";)$""", 'import%(names)s"%(url)s";'),),
        ),
    )


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc] # WhiteNoise has no types
    """WhiteNoise, answering with whole files.

    Its streamed answers are for WSGI: under ASGI Django reads such a stream whole as well, and warns each time.
    """

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        answer = static_file.get_response(request.method, request.META)
        content = b""
        if answer.file is not None:
            with answer.file:
                content = answer.file.read()
        response = HttpResponse(content, status=int(answer.status))
        # WhiteNoise names the type itself, and on a 304 none at all.
        del response["Content-Type"]
        for name, value in answer.headers:
            response[name] = value
        return response

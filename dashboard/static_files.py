"""Static files from the ASGI server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

if TYPE_CHECKING:
    from django.http import HttpRequest
    from whitenoise.responders import StaticFile


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

"""Sends requests with the standard library, from any thread."""

from __future__ import annotations

import http.client
import threading
import time
import urllib.error
import urllib.request
from typing import Any

from .calls import Reply, Request
from .errors import NoAnswerError

Lock = threading.Lock
sleep = time.sleep


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses a redirect, because it would send the key to another server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Transport:
    """Opens a connection for each request."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(_NoRedirect)

    def send(self, request: Request, timeout: float) -> Reply:
        """Raises a NoAnswerError if no answer arrives. `timeout` limits each wait for the network, in seconds."""
        sent = urllib.request.Request(request.url, data=request.data, headers=request.headers, method=request.method)
        try:
            with self._opener.open(sent, timeout=timeout) as response:
                return Reply(response.status, response.read().decode(), None)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            return Reply(error.code, text, error.headers.get("retry-after"))
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(f"{request.method} {request.url}: {error}") from error

    def close(self) -> None:
        """Does nothing: no connection stays open."""

"""Sends requests with aiohttp, from any task of one event loop."""

from __future__ import annotations

import asyncio
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Optional

from .calls import Reply, Request
from .errors import NoAnswerError

if TYPE_CHECKING:
    import aiohttp

Lock = asyncio.Lock
sleep = asyncio.sleep


class Transport:
    """Keeps connections open between requests."""

    def __init__(self) -> None:
        try:
            import aiohttp
        except ImportError as error:
            raise ImportError("AsyncClient needs aiohttp: pip install 'lendloom[async]'") from error
        self._aiohttp = aiohttp
        self._session: Optional[aiohttp.ClientSession] = None

    async def send(self, request: Request, timeout: float) -> Reply:
        """Raises a NoAnswerError if no whole answer arrives within `timeout` seconds."""
        # Created by the first request, because a session belongs to the event loop that runs then.
        if self._session is None:
            self._session = self._aiohttp.ClientSession(cookie_jar=self._aiohttp.DummyCookieJar())
        try:
            async with self._session.request(
                request.method,
                request.url,
                data=request.data,
                headers=request.headers,
                # A redirect would send the key to another server.
                allow_redirects=False,
                proxy=_proxy_of(request.url),
                timeout=self._aiohttp.ClientTimeout(total=timeout),
            ) as response:
                text = (await response.read()).decode(errors="replace")
                return Reply(response.status, text, response.headers.get("retry-after"))
        except (self._aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            raise NoAnswerError(f"{request.method} {request.url}: {error!r}") from error

    async def aclose(self) -> None:
        """Closes the open connections."""
        if self._session is not None:
            await self._session.close()


def _proxy_of(url: str) -> Optional[str]:
    """The proxy of the environment. aiohttp's `trust_env` would also replace the key by a password of ~/.netrc."""
    scheme, host = urllib.parse.urlsplit(url)[:2]
    return None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(scheme)

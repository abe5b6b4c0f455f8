"""Calls the platform by operation: one idempotency key for all tries of a call, and tries for what passes by itself."""

from __future__ import annotations

import http.client
import json
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

from .errors import LendloomError, NoAnswerError
from .operations import BorrowerOperations, ServerOperations, version
from .schemas import LifecycleStatus, RefreshResult, SessionRequest


@dataclass(frozen=True)
class Session:
    """`embed_url` is for the page of your app: it works once, within two minutes."""

    embed_url: str
    #: Whether a journey was begun; an active one is resumed otherwise.
    is_new: bool


@dataclass(frozen=True)
class WebhookEndpoint:
    """Keep the secret, `whsec_…`: it is not shown again."""

    id: str
    url: str
    secret: str


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is refused: the key would go along to wherever it leads."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Client(ServerOperations):
    """The platform for an integrator's server. May be used by several threads.

    A try may take `timeout_seconds`, a call with its tries and waits `deadline_seconds`: a longer Retry-After is not
    waited for, the refusal is raised at once.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        tries: int = 4,
        timeout_seconds: float = 10.0,
        deadline_seconds: float = 60.0,
        on_retry: Optional[Callable[[str, float], None]] = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url must begin with https://")
        if not api_key:
            raise ValueError("api_key is needed")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._tries = tries
        self._timeout = timeout_seconds
        self._deadline = deadline_seconds
        self._on_retry = on_retry
        self._wait = wait
        self._opener = urllib.request.build_opener(_NoRedirect)

    def create_session(
        self, body: SessionRequest, *, idempotency_key: Optional[str] = None, correlation_id: Optional[str] = None
    ) -> Session:
        """Creates or resumes a borrower's journey (D1 §2.1). Raises a LendloomError for a refusal."""
        status, answer = self._send("POST", "/api/lab/sessions", body, idempotency_key, correlation_id)
        return Session(embed_url=answer["embedUrl"], is_new=status == 201)

    def create_webhook_endpoint(
        self, url: str, statuses: Optional[Sequence[LifecycleStatus]] = None, *, idempotency_key: Optional[str] = None
    ) -> WebhookEndpoint:
        """Registers an address for lifecycle updates, of all statuses when none are named (D1 §6)."""
        body: Dict[str, Any] = {"url": url} if statuses is None else {"url": url, "statuses": list(statuses)}
        _, answer = self._send("POST", "/api/lab/webhook-endpoints", body, idempotency_key, None)
        return WebhookEndpoint(id=answer["id"], url=answer["url"], secret=answer["secret"])

    def borrower(
        self, tokens: RefreshResult, on_tokens: Optional[Callable[[RefreshResult], None]] = None
    ) -> Borrower:
        """The operations with your own screens (D2), with the token pair of `create_headless_session`."""
        return Borrower(self, tokens, on_tokens)

    def _send_operation(
        self,
        method: str,
        template: str,
        params: Dict[str, str],
        query: Dict[str, Optional[str]],
        body: Any,
        idempotency_key: Optional[str],
        correlation_id: Optional[str],
        token: Optional[str] = None,
    ) -> Any:
        """The `data` of the answer, or the whole answer if it has none."""
        for name, value in params.items():
            if not value:
                raise ValueError(f"{method} {template} needs {name}")
        path = re.sub(r"\{(\w+)\}", lambda found: urllib.parse.quote(params[found[1]], safe=""), template)
        search = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        answer = self._send(method, f"{path}?{search}" if search else path, body, idempotency_key, correlation_id, token)[1]
        return answer["data"] if isinstance(answer, dict) and "data" in answer else answer

    def call(
        self,
        method: str,
        path: str,
        body: Optional[Any] = None,
        *,
        idempotency_key: Optional[str] = None,
        correlation_id: Optional[str] = None,
    ) -> Any:
        """Any other call: the parsed body, or None for an answer without one."""
        return self._send(method, path, body, idempotency_key, correlation_id)[1]

    def _send(
        self,
        method: str,
        path: str,
        body: Any,
        idempotency_key: Optional[str],
        correlation_id: Optional[str],
        token: Optional[str] = None,
    ) -> Tuple[int, Any]:
        """Repeats what is worth repeating until the deadline; the last refusal is raised."""
        headers = {
            "authorization": f"Bearer {token or self._api_key}",
            "accept": "application/json",
            "user-agent": f"lendloom-python/{version}",
        }
        if method != "GET":
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        if correlation_id:
            headers["x-correlation-id"] = correlation_id
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body).encode()
        end = time.monotonic() + self._deadline
        attempt = 0
        while True:
            attempt += 1
            # Doubled each time, and never quite the same, so that many servers do not return at once.
            delay = 0.25 * 2**attempt * random.uniform(0.75, 1.25)
            request = urllib.request.Request(self._base_url + path, data=data, headers=headers, method=method)
            try:
                return self._once(request, max(0.001, min(self._timeout, end - time.monotonic())))
            except LendloomError as error:
                delay = max(delay, error.retry_after)
                if not error.retryable or attempt >= self._tries or time.monotonic() + delay > end:
                    raise
                why = str(error)
            except (OSError, http.client.HTTPException) as error:
                if attempt >= self._tries or time.monotonic() + delay > end:
                    raise NoAnswerError(f"{method} {path}: {error}") from error
                why = str(error)
            if self._on_retry:
                self._on_retry(why, delay)
            self._wait(delay)

    def _once(self, request: urllib.request.Request, timeout: float) -> Tuple[int, Any]:
        try:
            with self._opener.open(request, timeout=timeout) as response:
                text = response.read().decode()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            raise LendloomError(error.code, text, error.headers.get("retry-after")) from None


class Borrower(BorrowerOperations):
    """The operations of a borrower's session, which is renewed before it ends (D2 §5). May be used by several threads."""

    #: A session is renewed this long before it expires.
    _margin_seconds = 30

    def __init__(
        self, client: Client, tokens: RefreshResult, on_tokens: Optional[Callable[[RefreshResult], None]]
    ) -> None:
        self._client = client
        self._tokens = tokens
        self._on_tokens = on_tokens
        self._lock = threading.Lock()
        # Kept until an answer arrives: to repeat a lost renewal under a new key would end the session.
        self._renewal_key = str(uuid.uuid4())

    def _send_operation(
        self,
        method: str,
        template: str,
        params: Dict[str, str],
        query: Dict[str, Optional[str]],
        body: Any,
        idempotency_key: Optional[str],
        correlation_id: Optional[str],
    ) -> Any:
        key = idempotency_key or str(uuid.uuid4())

        def send(token: str) -> Any:
            return self._client._send_operation(method, template, params, query, body, key, correlation_id, token)

        if self._is_expiring():
            self._renew(self._tokens["sessionToken"])
        token = self._tokens["sessionToken"]
        try:
            return send(token)
        except LendloomError as error:
            if error.code != "AUTH_INVALID_SESSION":
                raise
        # The call is repeated with the same key.
        self._renew(token)
        return send(self._tokens["sessionToken"])

    def _is_expiring(self) -> bool:
        ends = datetime.fromisoformat(self._tokens["sessionExpiresAt"].replace("Z", "+00:00"))
        return (ends - datetime.now(timezone.utc)).total_seconds() < self._margin_seconds

    def _renew(self, token: str) -> None:
        """Renews the session once for all threads that wait; does nothing if another has replaced this token."""
        with self._lock:
            if self._tokens["sessionToken"] != token:
                return
            path = "/api/v1/headless/sessions/refresh"
            self._tokens = self._client._send_operation(
                "POST", path, {}, {}, None, self._renewal_key, None, self._tokens["refreshToken"]
            )
            self._renewal_key = str(uuid.uuid4())
            if self._on_tokens:
                self._on_tokens(self._tokens)

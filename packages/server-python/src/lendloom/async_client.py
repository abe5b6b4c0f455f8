"""Calls the platform by operation. Retries temporary failures under one idempotency key."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any, Awaitable, Callable, Dict, Optional, Sequence, Tuple

from .async_operations import AsyncBorrowerOperations, AsyncServerOperations
from .async_transport import Lock, Transport, sleep
from .calls import Attempts, Call, Session, WebhookEndpoint, body_of, is_expiring, request_of
from .errors import LendloomError, NoAnswerError
from .schemas import (
    LifecycleStatus,
    LoanEventType,
    RefreshResult,
    SessionRequest,
    WebhookEndpointRequestClientCredentials,
    WebhookEndpointRequestHeaders,
)


class AsyncClient(AsyncServerOperations):
    """The platform for an integrator's server. May be used by several tasks. `async with` closes its connections.

    A try may take `timeout_seconds`, a call with its tries and delays `deadline_seconds`. A longer Retry-After raises the
    refusal at once.
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
        wait: Callable[[float], Awaitable[None]] = sleep,
    ) -> None:
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url must begin with https://")
        if not api_key:
            raise ValueError("api_key is needed")
        self._base_url = base_url
        self._api_key = api_key
        self._limits = (tries, timeout_seconds, deadline_seconds)
        self._on_retry = on_retry
        self._wait = wait
        self._transport = Transport()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._transport.aclose()

    async def create_session(
        self, body: SessionRequest, *, idempotency_key: Optional[str] = None, correlation_id: Optional[str] = None
    ) -> Session:
        """Creates or resumes a borrower's journey (D1 §2.1). Raises a LendloomError for a refusal."""
        call = Call("POST", "/api/lab/sessions", idempotency_key, correlation_id, body=body)
        status, answer = await self._send(call)
        return Session(embed_url=answer["embedUrl"], is_new=status == 201, link=answer.get("link"))

    async def create_webhook_endpoint(
        self,
        url: str,
        statuses: Optional[Sequence[LifecycleStatus]] = None,
        *,
        loan_events: Optional[Sequence[LoanEventType]] = None,
        headers: Optional[Sequence[WebhookEndpointRequestHeaders]] = None,
        client_credentials: Optional[WebhookEndpointRequestClientCredentials] = None,
        idempotency_key: Optional[str] = None,
    ) -> WebhookEndpoint:
        """
        Registers a URL for lifecycle updates, of all statuses by default (D1 §6); with `loan_events` also for those
        events of loans. Your server gets the headers, or a token by the client credentials, beside the signature.
        """
        given: Dict[str, Any] = {
            "url": url,
            "statuses": None if statuses is None else list(statuses),
            "loanEvents": None if loan_events is None else list(loan_events),
            "headers": None if headers is None else list(headers),
            "clientCredentials": client_credentials,
        }
        body = {name: value for name, value in given.items() if value is not None}
        answer = await self._send_operation(Call("POST", "/api/lab/webhook-endpoints", idempotency_key, body=body))
        return WebhookEndpoint(id=answer["id"], url=answer["url"], secret=answer["secret"])

    def borrower(
        self, tokens: RefreshResult, on_tokens: Optional[Callable[[RefreshResult], Awaitable[None]]] = None
    ) -> AsyncBorrower:
        """The operations with your own screens (D2), with the token pair of `create_headless_session`."""
        return AsyncBorrower(self, tokens, on_tokens)

    async def call(
        self,
        method: str,
        path: str,
        body: Optional[Any] = None,
        *,
        idempotency_key: Optional[str] = None,
        correlation_id: Optional[str] = None,
    ) -> Any:
        """Makes a call by its path. Returns the parsed body, or None for an answer without one."""
        _, answer = await self._send(Call(method, path, idempotency_key, correlation_id, body=body))
        return answer

    async def _send_operation(self, call: Call) -> Any:
        """The `data` of the answer, or the whole answer if it has none."""
        _, answer = await self._send(call)
        return answer["data"] if isinstance(answer, dict) and "data" in answer else answer

    async def _send(self, call: Call) -> Tuple[int, Any]:
        """Repeats retryable failures until the deadline. Raises the last refusal, or a NoAnswerError."""
        request = request_of(self._base_url, self._api_key, call)
        attempts = Attempts(*self._limits)
        while True:
            try:
                reply = await self._transport.send(request, attempts.timeout())
                return reply.status, body_of(reply)
            except (LendloomError, NoAnswerError) as error:
                delay = attempts.delay_after(error)
                if self._on_retry:
                    self._on_retry(str(error), delay)
            await self._wait(delay)


class AsyncBorrower(AsyncBorrowerOperations):
    """The operations of a borrower's session, which is renewed before it ends (D2 §5). May be used by several tasks."""

    def __init__(
        self,
        client: AsyncClient,
        tokens: RefreshResult,
        on_tokens: Optional[Callable[[RefreshResult], Awaitable[None]]],
    ) -> None:
        self._client = client
        self._tokens = tokens
        self._on_tokens = on_tokens
        self._lock = Lock()
        # Kept until an answer arrives: to repeat a lost renewal under a new key would end the session.
        self._renewal_key = str(uuid.uuid4())

    async def _send_operation(self, call: Call) -> Any:
        call = replace(call, idempotency_key=call.idempotency_key or str(uuid.uuid4()))
        if is_expiring(self._tokens):
            await self._renew(self._tokens["sessionToken"])
        token = self._tokens["sessionToken"]
        try:
            return await self._client._send_operation(replace(call, token=token))
        except LendloomError as error:
            if error.code != "AUTH_INVALID_SESSION":
                raise
        # The call is repeated with the same key.
        await self._renew(token)
        return await self._client._send_operation(replace(call, token=self._tokens["sessionToken"]))

    async def _renew(self, token: str) -> None:
        """Renews the session once for all tasks that wait; does nothing if another has replaced this token."""
        async with self._lock:
            if self._tokens["sessionToken"] != token:
                return
            path, refresh = "/api/v1/headless/sessions/refresh", self._tokens["refreshToken"]
            self._tokens = await self._client._send_operation(Call("POST", path, self._renewal_key, token=refresh))
            self._renewal_key = str(uuid.uuid4())
            if self._on_tokens:
                await self._on_tokens(self._tokens)

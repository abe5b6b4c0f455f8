"""Calls of the API without I/O: the request of a call, its answer, and when a failed try is repeated."""

from __future__ import annotations

import json
import random
import time
import urllib.parse
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Dict, Mapping, Optional, Union

from .errors import LendloomError, NoAnswerError
from .schemas import RefreshResult, SessionReplyLink
from .version import version


@dataclass(frozen=True)
class Session:
    """`embed_url` is for the page of your app: it works once, within two minutes."""

    embed_url: str
    #: Whether a journey was created; otherwise an active one was resumed.
    is_new: bool
    #: The link that can be sent, if the request asks for one with `linkTtl`.
    link: Optional[SessionReplyLink] = None


@dataclass(frozen=True)
class WebhookEndpoint:
    """Keep the secret, `whsec_…`: it is not shown again."""

    id: str
    url: str
    secret: str


@dataclass(frozen=True)
class Call:
    """An operation with its arguments. `params` fill the path; `token` replaces the API key."""

    method: str
    path: str
    idempotency_key: Optional[str] = None
    correlation_id: Optional[str] = None
    params: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Optional[str]] = field(default_factory=dict)
    body: Any = None
    token: Optional[str] = None


@dataclass(frozen=True)
class Request:
    """What is sent, the same at each try."""

    method: str
    url: str
    headers: Dict[str, str]
    data: Optional[bytes]


@dataclass(frozen=True)
class Reply:
    """An answer as it arrived."""

    status: int
    text: str
    retry_after: Optional[str]


def request_of(base_url: str, api_key: str, call: Call) -> Request:
    """The request of a call, under one idempotency key for all its tries."""
    path = call.path
    for name, value in call.params.items():
        if not value:
            raise ValueError(f"{call.method} {call.path} needs {name}")
        path = path.replace(f"{{{name}}}", urllib.parse.quote(value, safe=""))
    search = urllib.parse.urlencode({name: value for name, value in call.query.items() if value is not None})
    headers = {
        "authorization": f"Bearer {call.token or api_key}",
        "accept": "application/json",
        "user-agent": f"lendloom-python/{version}",
    }
    if call.method != "GET":
        headers["idempotency-key"] = call.idempotency_key or str(uuid.uuid4())
    if call.correlation_id:
        headers["x-correlation-id"] = call.correlation_id
    data = None
    if call.body is not None:
        headers["content-type"] = "application/json"
        data = json.dumps(call.body).encode()
    return Request(call.method, base_url.rstrip("/") + path + (f"?{search}" if search else ""), headers, data)


def body_of(reply: Reply) -> Any:
    """The parsed body, or None without one. Raises a LendloomError for a refusal; a redirect is one."""
    if not 200 <= reply.status < 300:
        raise LendloomError(reply.status, reply.text, reply.retry_after)
    return json.loads(reply.text) if reply.text else None


class Attempts:
    """Counts the tries of one call until its deadline."""

    def __init__(self, tries: int, timeout_seconds: float, deadline_seconds: float) -> None:
        self._tries = tries
        self._timeout = timeout_seconds
        self._end = time.monotonic() + deadline_seconds
        self._count = 0

    def timeout(self) -> float:
        """The seconds that the next try may take."""
        return max(0.001, min(self._timeout, self._end - time.monotonic()))

    def delay_after(self, error: Union[LendloomError, NoAnswerError]) -> float:
        """The seconds to wait before the next try. Raises the error if there is none."""
        self._count += 1
        # Doubled each time, with jitter, so that many servers do not retry at the same time.
        delay = max(backoff_seconds(self._count) * random.uniform(0.75, 1.25), error.retry_after)
        if not error.retryable or self._count >= self._tries or time.monotonic() + delay > self._end:
            raise error
        return delay


def backoff_seconds(attempt: int) -> float:
    """The pause after this many tries."""
    return 0.25 * 2.0**attempt


def is_expiring(tokens: RefreshResult) -> bool:
    """Whether a session must be renewed: 30 seconds before it expires."""
    ends = datetime.fromisoformat(tokens["sessionExpiresAt"].replace("Z", "+00:00"))
    return (ends - datetime.now(timezone.utc)).total_seconds() < 30

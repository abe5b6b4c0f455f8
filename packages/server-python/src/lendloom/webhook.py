"""Verifies a webhook: signature over the raw bytes, time, and shape, as Standard Webhooks 1.0.0 lays them down."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Mapping, Optional, Sequence, Tuple, Union

from .errors import WebhookError
from .schemas import LifecycleUpdate, LoanEvent


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Webhook:
    """A genuine webhook. `id` is the same for every try of one event: do nothing when you have seen it."""

    id: str
    #: Unix seconds at which this try was sent.
    sent_at: int
    update: LifecycleUpdate
    #: The version of the update's body, such as 2026-11-01; None if the platform is older than this header.
    version: Optional[str] = None
    #: The ids of earlier updates of the journey that this URL did not get and that are no longer tried. The header is not
    #: signed, so confirm them by `list_webhook_deliveries(missing="true")`.
    missing: Tuple[str, ...] = ()


@dataclass(frozen=True)
class LoanWebhook:
    """A genuine webhook of an endpoint with `loanEvents`. `id` is the same for every try of one event."""

    id: str
    #: Unix seconds at which this try was sent.
    sent_at: int
    event: LoanEvent
    #: The version of the event's body, such as 2026-12-01.
    version: Optional[str] = None
    #: See `Webhook.missing`.
    missing: Tuple[str, ...] = ()


def verify_webhook(
    secrets: Union[str, Sequence[str]],
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance_seconds: int = 300,
    at: Optional[float] = None,
) -> Webhook:
    """The update in a webhook.

    `secrets` is the endpoint's `whsec_…`, or several while you change it: any of them will do. `body` is the raw bytes,
    before anything parsed them. `at` is the time to judge by in Unix seconds; now when absent. Raises a WebhookError when
    it is not genuine, and a ValueError when a secret is none. An event of a loan is `not-an-update`: `verify_loan_event`
    reads it.
    """
    message_id, sent_at, version, missing, raw = _verified(secrets, headers, body, tolerance_seconds, at)
    return Webhook(id=message_id, sent_at=sent_at, update=_update_in(raw), version=version, missing=missing)


def verify_loan_event(
    secrets: Union[str, Sequence[str]],
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance_seconds: int = 300,
    at: Optional[float] = None,
) -> LoanWebhook:
    """The event of a loan in a webhook, verified as `verify_webhook` does. Any other body is `not-an-event`."""
    message_id, sent_at, version, missing, raw = _verified(secrets, headers, body, tolerance_seconds, at)
    return LoanWebhook(id=message_id, sent_at=sent_at, event=_loan_event_in(raw), version=version, missing=missing)


def _verified(
    secrets: Union[str, Sequence[str]],
    headers: Mapping[str, str],
    body: bytes,
    tolerance_seconds: int,
    at: Optional[float],
) -> Tuple[str, int, Optional[str], Tuple[str, ...], bytes]:
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("verify_webhook: no secret was given")
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("verify_webhook: body must be the raw bytes")
    raw = bytes(body)
    named = {name.lower(): value for name, value in headers.items()}
    message_id = _header(named, "webhook-id")
    timestamp = _header(named, "webhook-timestamp")
    signatures = _header(named, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("bad-timestamp", "webhook-timestamp is not in Unix seconds")
    if not _is_signed(keys, signatures, f"{message_id}.{timestamp}.".encode() + raw):
        raise WebhookError("wrong-signature", "no signature matches this message")
    now = time.time() if at is None else at
    if abs(now - int(timestamp)) > tolerance_seconds:
        raise WebhookError("too-old", f"webhook-timestamp is more than {tolerance_seconds} s away")
    missing = tuple(each for each in named.get("lendloom-missing", "").split(" ") if _UUID.fullmatch(each))
    return message_id, int(timestamp), named.get("lendloom-event-version") or None, missing, raw


def _is_signed(keys: Sequence[bytes], signatures: str, message: bytes) -> bool:
    """Every key is held against every signature in constant time."""
    given = [each[3:].encode() for each in signatures.split(" ") if each.startswith("v1,")]
    expected = [base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()) for key in keys]
    return any([hmac.compare_digest(mac, each) for mac in expected for each in given])


def _key_of(secret: str) -> bytes:
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not 24 <= len(key) <= 64:
        raise ValueError("verify_webhook: a secret must be whsec_ and base64 of 24 to 64 bytes")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookError("missing-header", f"{name} is needed")
    return value


def _loan_event_in(body: bytes) -> LoanEvent:
    try:
        event = json.loads(body.decode("utf-8"))
        if event["type"].startswith("loan.") and isinstance(event["loan"]["journeyID"], str):
            return event
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise WebhookError("not-an-event", "the body is not an event of a loan")


def _update_in(body: bytes) -> LifecycleUpdate:
    try:
        update = json.loads(body.decode("utf-8"))
        if isinstance(update["borrower"]["journey"]["status"], str):
            return update
    except (ValueError, KeyError, TypeError):
        pass
    raise WebhookError("not-an-update", "the body is not a lifecycle update")

"""What goes wrong between an integrator's server and the platform."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Optional


class LendloomError(Exception):
    """A refusal of the platform.

    `code` is such as VALIDATION_FAILED, or HTTP_502 where the answer was not the platform's own. `details` lets a
    program act: the field that is wrong, the state that is needed. Name `request_id` when you ask for help.
    """

    def __init__(self, status: int, text: str, retry_after: Optional[str] = None) -> None:
        body = _json_object(text)
        error = body.get("error")
        error = error if isinstance(error, dict) else {}
        self.status = status
        self.code: str = error.get("code") or f"HTTP_{status}"
        self.retryable: bool = bool(error.get("retryable", status == 429 or status >= 500))
        self.details: Dict[str, Any] = error.get("details") or {}
        self.request_id: Optional[str] = body.get("requestID") or body.get("request_id")
        self.retry_after: int = int(retry_after) if retry_after and re.fullmatch(r"[0-9]{1,9}", retry_after) else 0
        super().__init__(f"{status} {self.code}: {error.get('message') or 'no explanation'}")


class NoAnswerError(Exception):
    """No try got an answer: the call may or may not have had its effect."""

    retryable = True
    retry_after = 0


class WebhookError(Exception):
    """A request that is not a webhook of the platform: answer 400 and do nothing.

    `code` is missing-header, bad-timestamp, too-old, wrong-signature, not-an-update or not-an-event.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def _json_object(text: str) -> Dict[str, Any]:
    """The object in an answer; empty if a proxy answered with something else."""
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
